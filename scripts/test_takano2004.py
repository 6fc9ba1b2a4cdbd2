"""Tests of scripts/takano2004.py: `python3 -m unittest scripts/test_takano2004.py`."""

import math
import tempfile
import unittest
from pathlib import Path

import sys

sys.path.insert(0, str(Path(__file__).parent))
import takano2004  # noqa: E402
from takano2004 import LIMIT, MOST, SECOND, STEP  # noqa: E402


class Times(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = takano2004.Runs(folder.name)
        self.folder = folder.name

    def add(self, name, sequential, parallel, core="pds"):
        for job, time in [(takano2004.Job(name, core, 0, 0), sequential), (takano2004.Job(name, core, MOST, STEP), parallel)]:
            self.runs.add({**job._asdict(), "time": time, "nodes": 1, "busy": 0.5})

    def test_classes_of_time(self):
        times = [SECOND // 2, SECOND, 99 * SECOND, 999 * SECOND, 3599 * SECOND, LIMIT, None]
        self.assertEqual(list(map(takano2004.class_of, times)), [0, 1, 2, 3, 4, 5, 5])

    def test_comparison_of_the_cores(self):
        for core, times in [("pds", (400, 100, 800, None)), ("dfpn", (100, 100, None, 50))]:
            for name, time in zip("abcd", times):
                self.add(name, 1000, time, core)
        self.add("e", 1000, 100, "dfpn")
        self.assertTrue(takano2004.cores(self.runs).endswith("| 4 | 2 | 2.00 | 4.00 | 1.00 | 1 | 1 |\n"))

    def test_unsolved_problem_counts_with_the_limit(self):
        self.add("a", 2 * SECOND, SECOND)
        self.add("b", None, LIMIT // 4)
        self.add("c", SECOND // 2, None)
        self.add("d", None, None)
        self.assertEqual(self.runs.speed_up("a", "pds"), 2)
        found, neither = takano2004.speed_ups(self.runs, "pds")
        self.assertEqual((found[1], found[5], neither), ([(2, 0.5)], [(4, 0.5)], 1))
        self.assertAlmostEqual(found[0][0][0], 1 / 7200)
        last = takano2004.table_2(self.runs, "pds", True).split("\n\n")[0].splitlines()[-1]
        self.assertTrue(last.endswith("| 3 | 0.10 | 4.00 | 0.00 | 50 % |"), last)

    def test_averages_are_geometric(self):
        self.assertAlmostEqual(takano2004.mean([0.5, 8]), 2)
        self.assertIsNone(takano2004.mean([]))

    def test_runs_are_kept(self):
        self.add("a", 7, 3)
        again = takano2004.Runs(self.folder)
        self.assertTrue(again.has("a", "pds", 0, 0))
        self.assertEqual((again.time("a", "pds", 0, 0), again.time("a", "pds", MOST, STEP)), (7, 3))

    def test_the_figures_show_three_different_problems(self):
        for number, speed_up in enumerate([0.5, 1.2, 7, 30, 90]):
            self.add(f"p{number}", 100 * SECOND, 100 * SECOND / speed_up)
        self.assertEqual(takano2004.for_figures(self.runs, "pds"), {9: "p1", 10: "p2", 11: "p4"})


class Pictures(unittest.TestCase):
    def test_line_is_interrupted_where_nothing_was_measured(self):
        marks, points = [15, 17, 19, 21], [(15, 1), (17, 2), (21, 3)]
        self.assertEqual(takano2004.unbroken(points, marks), [[(15, 1), (17, 2)], [(21, 3)]])
        picture = takano2004.chart("title", "plies", "nodes", {"step 1": points}, marks)
        self.assertEqual((picture.count("<polyline"), picture.count("<circle")), (2, 3))


class Problems(unittest.TestCase):
    def test_only_recorded_mates_count(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("# list\nA b - 1\tone\t15\nB b - 1\ttwo\t-\nC b - 1\tthree\n")
            file.flush()
            self.assertEqual(takano2004.problems_of(file.name), [("A b - 1", "one", 15)])


class Pictures(unittest.TestCase):
    def test_every_point_lies_in_the_picture(self):
        for is_log in (False, True):
            picture = takano2004.chart("t", "x", "y", {"a": [(1, 3), (8, 4000)]}, [1, 2, 4, 8], is_log)
            heights = [float(part.split('"')[0]) for part in picture.split('cy="')[1:]]
            self.assertEqual(len(heights), 2)
            self.assertTrue(all(40 <= height <= 250 and math.isfinite(height) for height in heights), heights)


if __name__ == "__main__":
    unittest.main()
