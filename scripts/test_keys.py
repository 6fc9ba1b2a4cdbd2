"""Tests of the script that makes the key pairs of a cluster: the expiry of credentials, and rejected arguments."""

import base64
import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

KEYS = Path(__file__).parent / "packaging/nats/keys.py"


def run(folder, *words):
    return subprocess.run([sys.executable, KEYS, folder, *words], capture_output=True, text=True, check=False)


def claim(creds):
    """The claims in the signed text of credentials."""
    body = creds.read_text().splitlines()[1].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


class Keys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def refused(self, *words):
        """Checks that the arguments are rejected in one line and that nothing is written."""
        made = self.folder / "made"
        result = run(made, *words)
        self.assertEqual((result.returncode, result.stdout, len(result.stderr.splitlines())), (1, "", 1), result)
        self.assertFalse(made.exists())
        return result.stderr

    def test_credentials_expire_after_the_given_days(self):
        before = time.time()
        self.assertEqual(run(self.folder, "--days", "36500", "--user", "a=worker").returncode, 0)
        ends = claim(self.folder / "a.creds")["exp"] - 36_500 * 86_400
        self.assertTrue(before - 1 <= ends <= time.time(), ends)
        self.assertEqual(run(self.folder, "--user", "b=worker").returncode, 0)
        self.assertNotIn("exp", claim(self.folder / "b.creds"))

    def test_invalid_numbers_of_days_are_refused(self):
        for days in ["0", "-1", "00", "36501", "99999999999", "1.5", "x", "", "\u0663"]:
            with self.subTest(days):
                told = self.refused(f"--days={days}", "--user", "a=worker")
                self.assertEqual(told, f"keys.py: --days: expected a whole number from 1 to 36500, found '{days}'\n")

    def test_invalid_users_are_refused(self):
        self.assertIn("found 'a=king'", self.refused("--user", "a=king"))
        self.assertIn("found '../a=worker'", self.refused("--user", "../a=worker"))
        self.assertIn("found 'a' 2 times", self.refused("--user", "a=worker", "--user", "b=worker", "--user", "a=master"))

    def test_file_in_place_of_the_folder_is_refused(self):
        file = self.folder / "file"
        file.touch()
        result = run(file)
        self.assertEqual((result.returncode, result.stderr), (1, f"keys.py: {file}: cannot write to the folder: File exists\n"))


if __name__ == "__main__":
    unittest.main()
