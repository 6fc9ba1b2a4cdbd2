"""Tests of scripts/parallel_mates.py: `python3 -m unittest scripts/test_parallel_mates.py`."""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import parallel_mates  # noqa: E402


class Figures(unittest.TestCase):
    alone = {"a": {"nodes": 800, "ms": 8.0}, "b": {"nodes": 200, "ms": 2.0}}
    together = {"a": {"nodes": 900, "clock": 100, "ms": 2.0}, "b": {"nodes": 150, "ms": 2.0}}

    def test_virtual_time_is_that_of_the_longest_clock(self):
        shorter = parallel_mates.ratios(self.alone, self.together, ["a", "b"], threads=False)
        self.assertEqual(shorter["a"], 8)
        self.assertAlmostEqual(shorter["b"], 200 / 150, msg="solved by one processor")

    def test_threads_are_measured_by_time(self):
        shorter = parallel_mates.ratios(self.alone, self.together, ["a", "b"], threads=True)
        self.assertEqual(shorter, {"a": 4, "b": 1})

    def test_the_mean_is_geometric(self):
        self.assertEqual(parallel_mates.summary({"a": 2.0, "b": 8.0}), (4, 2, 8))

    def test_each_problem_is_in_the_class_of_its_nodes(self):
        told = lambda told: {name: {"answer": "mate", **fields} for name, fields in told.items()}
        classes = parallel_mates.classes_of("0,500")
        rows, means = parallel_mates.table({1: told(self.alone), 2: told(self.together)}, classes, False, False)
        self.assertEqual(rows[0], "| processors | below 500 nodes (1) | 500 nodes and more (1) |")
        self.assertEqual(rows[2:], ["| 2 | 1.33 (1.33 to 1.33) | 8.00 (8.00 to 8.00) |"])
        [(count, mean, least, most)] = means[classes[1]]
        self.assertEqual((count, least, most), (2, 8, 8))
        self.assertAlmostEqual(mean, 8)

    def test_problem_solved_by_one_processor_only_is_listed(self):
        together = {"a": {"answer": "unknown", **self.together["a"]}}
        rows, _ = parallel_mates.table({1: {"a": {"answer": "mate", **self.alone["a"]}}, 4: together}, [(0, 1e9)], False, False)
        self.assertEqual(rows[2], "| 4 | 8.00 (8.00 to 8.00, 1 not solved) |")

    def test_empty_class_is_reported_with_the_available_problems(self):
        best = {1: {"a": {"answer": "mate", **self.alone["a"]}}}
        expected = "--classes: expected .* 2.6 million nodes and more, found 1 solved, of at most 800 nodes"
        with self.assertRaisesRegex(SystemExit, expected):
            parallel_mates.table(best, parallel_mates.classes_of("2.6e6"), False, False)
        best[1]["a"]["answer"] = "unknown"
        with self.assertRaisesRegex(SystemExit, "found none solved"):
            parallel_mates.table(best, [(0, math.inf)], False, False)

    def test_different_answer_ends_the_script(self):
        best = {count: {"a": {"answer": answer, "nodes": 9}} for count, answer in [(1, "mate"), (2, "none")]}
        with self.assertRaisesRegex(SystemExit, "one processor and 2 processors give different answers to a"):
            parallel_mates.table(best, [(0, 1e9)], False, False)


if __name__ == "__main__":
    unittest.main()
