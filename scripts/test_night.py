"""Tests of night.py and fuzz_corpus.py: written files can be read again, and an interrupted night continues."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import fuzz_corpus  # noqa: E402
import night  # noqa: E402


class Corpora(unittest.TestCase):
    def test_every_byte_survives_packing(self):
        every = bytes(range(256)) + b"\\n\\x00"
        self.assertEqual(fuzz_corpus.read(fuzz_corpus.written(every)), every)
        self.assertEqual(len(fuzz_corpus.written(every).splitlines()), 1)

    def test_every_target_has_a_corpus(self):
        corpora = {path.stem for path in fuzz_corpus.CORPORA.iterdir()}
        self.assertEqual(corpora, set(night.targets()))
        self.assertTrue(all(len(fuzz_corpus.known(target)) > 10 for target in corpora))


class Nights(unittest.TestCase):
    def run_night(self, folder, commands):
        pieces = [night.Piece(name, "what", command, lambda text, code: text.strip()) for name, command in commands]
        whole, night.pieces = night.pieces, lambda options: pieces
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                failed = night.main(["--folder", folder])
        finally:
            night.pieces = whole
        return failed, out.getvalue()

    def test_interrupted_night_continues(self):
        with tempfile.TemporaryDirectory() as folder:
            first = ("a", ["sh", "-c", "echo one"])
            self.assertFalse(self.run_night(folder, [first])[0])
            # A finished trial ("a") must not run again, so its command here is one that fails.
            failed, out = self.run_night(folder, [("a", ["false"]), ("b", ["sh", "-c", "echo two; exit 3"])])
            self.assertTrue(failed)
            self.assertIn("| what | one |", out)
            self.assertIn("| what | two |", out)
            kept = [json.loads(line) for line in (Path(folder) / "results.jsonl").read_text().splitlines()]
            self.assertEqual([(entry["name"], entry["code"]) for entry in kept], [("a", 0), ("b", 3)])

    def refused(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as told, self.assertRaises(SystemExit) as end:
            night.main(list(words))
        self.assertEqual((end.exception.code, len(told.getvalue().splitlines())), (2, 1), told.getvalue())
        return told.getvalue()

    def test_errors_are_reported_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "night")
            kept = place / "results.jsonl"
            self.assertEqual(self.refused("--table", "--folder", str(place)), f"night.py: {kept} contains no results of a night\n")
            self.assertIn("found 'king'", self.refused("--only", "fuzz,king", "--folder", str(place)))
            self.assertIn(f"{folder}/hasami is missing (cargo build --release --workspace --bins --examples)\n", self.refused("--only", "chaos", "--bin", folder, "--folder", str(place)))
            self.assertFalse(place.exists())
            place.mkdir()
            kept.write_text('{"name": "a"')
            self.assertIn("expected a line of JSON", self.refused("--table", "--folder", str(place)))

    def test_names_of_trials_are_unique(self):
        options = type("Options", (), {"scale": 1.0, "bin": "x", "seed": 1, "namespaces": False, "problems": []})
        names = [piece.name for piece in night.pieces(options)]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual([name for name in names if name.startswith("fuzz-")], [f"fuzz-{target}" for target in night.targets()])


if __name__ == "__main__":
    unittest.main()
