"""Tests of scripts/yokoyama2014.py: `python3 -m unittest scripts/test_yokoyama2014.py`."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import sys

sys.path.insert(0, str(Path(__file__).parent))
import yokoyama2014  # noqa: E402

START = "rnbqkbnr/pp2p1pp/2pp4/5p2/1P1P4/P7/2P1PPPP/RNBQKBNR w KQkq - 0 4"
CELL = yokoyama2014.Cell("rank-16", "rank", 16)
# Figure 7 of the paper as far as its text goes: seven nodes are inherited after e4, the agreement is three plies.
FIGURE_7 = ["", "d4", "d4 Nf6", "d4 e6", "e4", "e4 e5", "e4 e5 f3", "e4 e5 c3"]
FIGURE_7 += ["e4 e5 f3 c6", "e4 e5 c3 c5", "e4 e5 f3 b4"]


def entry(moves, tree, reply=False, start=START):
    seats = [{"path": path.split()} for path in tree]
    return json.dumps({"start": start, "moves": moves.split(), "reply": reply, "tree": seats}) + "\n"


def game(number, players, moves, ending="checkmate"):
    moves = [{"m": move} for move in moves.split()]
    record = {"players": players, "position": START, "moves": moves, "ending": ending}
    return json.dumps({"game": number, "record": record}) + "\n"


class Trees(unittest.TestCase):
    def test_the_example_of_the_paper(self):
        found = yokoyama2014.measure([path.split() for path in FIGURE_7], "e4 e5 c3 f6 f3".split())
        self.assertEqual(found, {"inherited": 7, "agreement": 3, "depth": 4})

    def test_a_surprise_inherits_nothing(self):
        found = yokoyama2014.measure([path.split() for path in FIGURE_7], ["c4", "e5"])
        self.assertEqual(found, {"inherited": 0, "agreement": 0, "depth": 4})

    def test_a_game_that_ends_within_the_tree(self):
        self.assertEqual(yokoyama2014.measure([["e4", "e5", "f3"]], ["e4", "e5"])["agreement"], 2)

    def test_plies_before_a_position(self):
        self.assertEqual(yokoyama2014.first_ply(START), 6)
        self.assertEqual(yokoyama2014.first_ply(START.replace(" w ", " b ")), 7)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, ending, *lines):
        (self.folder / f"{CELL.name}.{ending}").write_text("".join(lines))

    def fold(self):
        yokoyama2014.fold(self.folder, CELL)
        return json.loads((self.folder / f"{CELL.name}.counts").read_text())


class Playing(Folder):
    def test_a_game_that_an_engine_spoiled_ends_the_run(self):
        lock = os.open(self.folder / "lock", os.O_CREAT | os.O_RDWR)
        self.addCleanup(os.close, lock)
        arguments = type("Arguments", (), {"hasami": "/bin/true", "openings": "x.epd", "concurrency": 1})
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"))
        yokoyama2014.play_block(self.folder, CELL, 2, arguments, lock)
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"), game(1, ["x", "cluster"], "e4", "silence"))
        with self.assertRaisesRegex(SystemExit, "found 'silence' in rank-16, game 2"):
            yokoyama2014.play_block(self.folder, CELL, 2, arguments, lock)


class Folding(Folder):
    def test_games_are_told_apart_by_who_began(self):
        head = '{"hasami-match":1}\n'
        self.write("jsonl", head, game(0, ["cluster", "x"], "e4 e5 c3"), game(1, ["x", "cluster"], "d4 d5"))
        first = entry("", FIGURE_7), entry("e4", ["", "e5"], reply=True), entry("e4 e5", ["", "f3"])
        second = entry("", ["", "c4"], reply=True), entry("d4", ["", "d5", "d5 c4"])
        self.write("diary", *first, *second)
        games = self.fold()["games"]
        sums = {"positions": 3, "inherited": 7 + 1 + 0, "agreement": 3 + 1 + 0, "depth": 4 + 1 + 1}
        self.assertEqual(games["0"], sums)
        self.assertEqual(games["1"], {"positions": 2, "inherited": 0 + 2, "agreement": 0 + 1, "depth": 1 + 2})

    def test_a_game_played_anew_counts_once_and_an_unfinished_one_not_at_all(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"), '{"game":1,"rec')
        line = entry("", FIGURE_7)
        self.write("diary", line, line, entry("", ["", "c4"], reply=True), line[:20])
        counts = self.fold()
        self.assertEqual(list(counts["games"]), ["0"])
        self.assertEqual(counts["histograms"]["inherited"], {"7": 1})
        self.assertFalse((self.folder / "rank-16.diary").exists())
        # As after a run that was killed before it put the diary away.
        self.write("diary", line)
        self.assertEqual(self.fold(), counts)

    def test_what_was_not_played_is_not_counted(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5 c3"))
        late = START.replace(" 4", " 99")
        self.write("diary", entry("d4 d5", FIGURE_7), entry("", []), entry("", FIGURE_7, start=late))
        self.assertEqual(self.fold()["games"]["0"]["positions"], 0)


class Reports(Folder):
    def test_a_folder_without_games_leaves_the_page_as_it_is(self):
        page = self.folder / "page.md"
        page.write_text("as it is")
        with self.assertRaises(SystemExit) as exit:
            yokoyama2014.report(type("Arguments", (), {"folder": self.folder / "misspelt", "page": page}))
        self.assertIn("found none in", str(exit.exception))
        self.assertEqual(page.read_text(), "as it is")

    def test_cells_without_games_are_empty_and_the_others_are_shown(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5 c3"))
        self.write("diary", entry("", FIGURE_7))
        yokoyama2014.fold(self.folder, CELL)
        figure = {"value": 42.4, "error": 10.0}
        self.write("json", json.dumps({"encounters": [{"wins": 3, "losses": 1, "draws": 0, "elo": figure}]}))
        doubling = {"encounters": [{"wins": 9, "losses": 1, "draws": 0, "elo": {"value": 140.0, "error": 5.0}}]}
        (self.folder / "double-2.json").write_text(json.dumps(doubling))
        page = self.folder / "page.md"
        blocks = ["table 1", "perfect", "checks", "means", "positions", "distributions"]
        marks = "".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in blocks)
        page.write_text(f"before\n{marks}after\n")
        arguments = type("Arguments", (), {"folder": self.folder, "page": page})
        yokoyama2014.report(arguments)
        text = page.read_text()
        self.assertIn("| 16 | rank | 267-82-651 | 59.25 % | +65 | 3-1-0 | 75.00 % | +42 ± 10 | 1.23 (1.17 to 1.30) |", text)
        self.assertIn("| 32 | gap | 29-8-63 | 60.50 % | +74 |  |  |  |  |", text)
        self.assertIn("| 16 | rank | 1 | 7.00 ± 0.00 | 3.00 ± 0.00 | 4.00 ± 0.00 |", text)
        self.assertIn("| rank | 1 | 3 | 100 % |", text)
        self.assertIn("| 2 : 1 | 9-1-0 | 90.00 % | +140 ± 5 | +140 |", text)
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertEqual(len(list((self.folder / "page").glob("figure*.svg"))), 6)
        yokoyama2014.report(arguments)
        self.assertEqual(page.read_text(), text, "again, nothing changes")

    def test_a_speed_up_is_read_off_the_doublings(self):
        ladder = [0, 200, 300]
        self.assertAlmostEqual(yokoyama2014.speed_up(100, ladder), 2**0.5)
        self.assertAlmostEqual(yokoyama2014.speed_up(-200, ladder), 0.5)
        self.assertAlmostEqual(yokoyama2014.speed_up(250, ladder), 2**1.5)
        self.assertIsNone(yokoyama2014.speed_up(300, ladder))
        self.assertIsNone(yokoyama2014.speed_up(0, [0]))

    def test_the_doublings_count_as_far_as_they_are_known_to_win(self):
        figures = {"double-2": (200, 50), "double-4": (100, 90), "double-8": (40, 60), "double-16": (90, 10)}
        for name, (value, error) in figures.items():
            played = {"encounters": [{"elo": {"value": value, "error": error}}]}
            (self.folder / f"{name}.json").write_text(json.dumps(played))
        self.assertEqual(yokoyama2014.climb(self.folder), [0, 200, 300])
        self.assertEqual(yokoyama2014.climb(self.folder, begin=1), [0, 100])
        self.assertEqual(yokoyama2014.climb(self.folder, begin=2), [0])

    def test_the_error_of_a_mean_is_that_of_games(self):
        sums = [{"positions": 10, "depth": 20}, {"positions": 10, "depth": 40}]
        value, error = yokoyama2014.mean(sums, "depth")
        self.assertEqual(value, 3)
        self.assertAlmostEqual(error, 1.96 * (2 * 10**2) ** 0.5 / 20)


if __name__ == "__main__":
    unittest.main()
