"""Tests of scripts/brinkmate_peers.py: `python3 -m unittest scripts/test_brinkmate_peers.py`."""

import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import brinkmate_peers  # noqa: E402

NAMES = ["hasami", "other"]

ENGINE = """#!/usr/bin/env python3
for line in iter(input, "quit"):
    if line == "usi":
        print("usiok", flush=True)
    elif line == "isready":
        print("readyok", flush=True)
    elif line.startswith("go") and "ANSWER" != "none":
        print("info string proved", "checkmate ANSWER", sep="\\n", flush=True)
    elif line == "stop":
        print("checkmate timeout", flush=True)
    elif line.startswith("go"):
        total = sum(range(30_000_000))
"""

HASAMI = """#!/bin/sh
echo '{"answer": "ANSWER", "plies": 3, "proved": PROVED}'
"""


def one(answer, seconds, proved=None):
    return brinkmate_peers.result(answer, seconds, 10, seconds, proved)


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, text, **words):
        path = os.path.join(self.folder.name, "program")
        for word, value in words.items():
            text = text.replace(word, value)
        Path(path).write_text(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def engine(self, answer, seconds):
        path = self.program(ENGINE, ANSWER=answer)
        return brinkmate_peers.Engine(f"other={path}", "info string proved").solve_one("a position", seconds)

    def test_checkmate_counts_as_brinkmate_and_has_a_time_of_proof(self):
        found = self.engine("S*2c 2b1c 2c3d+", 10)
        self.assertEqual((found["answer"], found["proof"]), ("brinkmate", "brinkmate"))
        self.assertLessEqual(found["proved"], found["seconds"])

    def test_nomate_counts_as_none(self):
        self.assertEqual(self.engine("nomate", 10)["answer"], "none")

    def test_engine_that_exceeds_its_processor_time_is_stopped(self):
        found = self.engine("none", 0.05)
        self.assertEqual((found["answer"], found["seconds"]), ("unknown", 0.05))

    def hasami(self, answer, proved="true"):
        return brinkmate_peers.hasami(self.program(HASAMI, ANSWER=answer, PROVED=proved), "a position", 10, 16)

    def test_answers_of_hasami_are_read(self):
        self.assertEqual(self.hasami("brinkmate")["answer"], "brinkmate")
        self.assertEqual(self.hasami("mate")["answer"], "brinkmate")
        self.assertEqual(self.hasami("none")["answer"], "none")
        self.assertEqual(self.hasami("unknown", "false")["answer"], "unknown")

    def test_unproved_answer_does_not_count(self):
        self.assertEqual(self.hasami("none", "false")["answer"], "unknown")

    def test_bad_input_ends_the_script(self):
        for complaint in ["hasami: expected a position, found 'x'\n", "hasami: chess has no brinkmates\n"]:
            with self.assertRaises(SystemExit) as refused:
                brinkmate_peers.read_hasami(2, "", complaint, 0, 10, 0)
            self.assertEqual(refused.exception.code, complaint.strip())

    def test_hasami_that_was_stopped_early_has_no_answer(self):
        for code in [1, -2]:
            self.assertEqual(brinkmate_peers.read_hasami(code, "", "", 10, 10, 0)["answer"], "unknown")


class Figures(unittest.TestCase):
    results = {
        "a": {"hasami": one("brinkmate", 0.5), "other": one("brinkmate", 2, 1)},
        "b": {"hasami": one("none", 2), "other": one("none", 1)},
        "c": {"hasami": one("brinkmate", 4), "other": one("unknown", 10)},
    }

    def test_late_answer_does_not_count(self):
        for late in (10, 11):
            self.assertEqual((one("none", late)["answer"], one("none", late)["seconds"]), ("unknown", 10))

    def test_proof_counts_even_if_the_answer_is_late(self):
        found = one("unknown", 10, 3)
        self.assertEqual((found["answer"], found["seconds"]), ("unknown", 10))
        self.assertEqual((found["proof"], found["proved"]), ("brinkmate", 3))

    def test_table_counts_solved_problems_and_sums_times(self):
        ours, its, _ = brinkmate_peers.table(self.results, NAMES, [1, 10])[2:]
        self.assertEqual(ours, "| hasami | 1 / 3 of 3 | 2 | 1 | 2.50 s |")
        self.assertEqual(its, "| other | 1 / 2 of 3 | 1 | 1 | 3.00 s |")

    def test_only_problems_that_both_solved_are_compared(self):
        text = brinkmate_peers.table(self.results, NAMES, [10])[-1]
        self.assertIn("takes 0.83 of the time of other (geometric mean 0.71), less at 1 of 2", text)

    def test_time_to_the_proof_excludes_the_rest(self):
        its = brinkmate_peers.table(self.results, NAMES, [1, 10], "proof")[3]
        self.assertEqual(its, "| other | 2 / 2 of 3 | 1 | 1 | 2.00 s |")

    def test_contradictions_are_listed_and_unknown_is_not_one(self):
        self.assertEqual(list(brinkmate_peers.contradictions(self.results, NAMES)), [])
        false = {"a": {"hasami": one("brinkmate", 1), "other": one("none", 1)}}
        self.assertIn("at a: hasami brinkmate, other none", next(brinkmate_peers.contradictions(false, NAMES)))

    def test_lists_are_read(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("# a comment\nsfen one\tfirst\tmore\n\nsfen two\n")
            file.flush()
            self.assertEqual(list(brinkmate_peers.problems([file.name])), [("sfen one", "first"), ("sfen two", "sfen two")])


if __name__ == "__main__":
    unittest.main()
