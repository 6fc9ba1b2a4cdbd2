"""Tests of scripts/levels.py: `python3 -m unittest scripts/test_levels.py`."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parent / "levels.py"


class BadInput(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def complaint(self, *words):
        command = [sys.executable, SCRIPT, *words]
        found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder.name)
        self.assertEqual((found.returncode, found.stderr.count("\n")), (1, 1), found.stderr)
        return found.stderr

    def file(self, name, content):
        Path(self.folder.name, name).write_bytes(content)
        return name

    def test_missing_files_and_folders_are_reported(self):
        results = self.file("lv.json", b"{}")
        for words in (
            ["report", "--results", "none.json"],
            ["report", "--results", results],
            ["report", "--results", "."],
            ["measure", "none.tsv", "--results", "new.json"],
            ["measure", ".", "--results", "new.json"],
        ):
            self.assertIn("cannot read or write a file: ", self.complaint(*words))

    def test_invalid_list_is_reported_with_its_line(self):
        problems = self.file("bad.tsv", b"# a list\n4k4/9/4P4/9/9/9/9/9/9 b G 1\tgold\tlong\n")
        said = self.complaint("measure", problems, "--results", "new.json")
        self.assertTrue(said.startswith("bad.tsv:2: expected a position, a name and a length"), said)
        self.file("list.tsv", b"\xff\xfe")
        self.assertIn("expected text in UTF-8", self.complaint("measure", "list.tsv", "--results", "new.json"))

    def test_results_must_be_those_of_measure(self):
        for content in (b"nonsense", b"[]", b'{"gold": 1}', b'{"gold": {"levels": {}}}'):
            said = self.complaint("report", "--results", self.file("lv.json", content))
            self.assertTrue(said.startswith("lv.json: expected "), said)


if __name__ == "__main__":
    unittest.main()
