"""Tests of scripts/parallel_mates.py: `python3 -m unittest scripts/test_parallel_mates.py`."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import parallel_mates  # noqa: E402


class Figures(unittest.TestCase):
    alone = {"a": {"nodes": 800, "ms": 8.0}, "b": {"nodes": 200, "ms": 2.0}}
    together = {"a": {"nodes": 900, "clock": 100, "ms": 2.0}, "b": {"nodes": 150, "ms": 2.0}}

    def test_virtual_time_is_the_longest_clock(self):
        shorter = parallel_mates.ratios(self.alone, self.together, ["a", "b"], threads=False)
        self.assertEqual(shorter["a"], 8)
        self.assertAlmostEqual(shorter["b"], 200 / 150, msg="solved by one processor")

    def test_on_threads_it_is_time(self):
        shorter = parallel_mates.ratios(self.alone, self.together, ["a", "b"], threads=True)
        self.assertEqual(shorter, {"a": 4, "b": 1})

    def test_the_mean_is_geometric(self):
        self.assertEqual(parallel_mates.summary({"a": 2.0, "b": 8.0}, 2), "4.00 | 2.00 | 8.00 | 2 of 2")


if __name__ == "__main__":
    unittest.main()
