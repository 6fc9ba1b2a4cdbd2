"""Tests of scripts/yokoyama2014.py: `python3 -m unittest scripts/test_yokoyama2014.py`."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import sys

sys.path.insert(0, str(Path(__file__).parent))
import pentanomial  # noqa: E402
import yokoyama2014  # noqa: E402
from yokoyama import pieces, report, trees  # noqa: E402
from yokoyama.cells import Cell  # noqa: E402

ROOT = Path(__file__).parent.parent
START = "rnbqkbnr/pp2p1pp/2pp4/5p2/1P1P4/P7/2P1PPPP/RNBQKBNR w KQkq - 0 4"
CELL = Cell("rank-16", "rank", 16)
FACTS = {**pieces.FACTS, "seed": 1, "engine": "commit 1", "openings": "x.epd 012345"}
# The tree of Figure 7, from the description in the paper: after e4 seven nodes are inherited, and the lines agree for
# three plies.
FIGURE_7 = ["", "d4", "d4 Nf6", "d4 e6", "e4", "e4 e5", "e4 e5 f3", "e4 e5 c3"]
FIGURE_7 += ["e4 e5 f3 c6", "e4 e5 c3 c5", "e4 e5 f3 b4"]


def entry(moves, tree, reply=False, start=START):
    seats = [{"path": path.split()} for path in tree]
    return json.dumps({"start": start, "moves": moves.split(), "reply": reply, "tree": seats}) + "\n"


def record(players, moves, ending="checkmate", result="1-0", start=START):
    moves = [{"m": move} for move in moves.split()]
    return {"players": players, "position": start, "moves": moves, "ending": ending, "result": result}


def game(number, *words, **more):
    return json.dumps({"game": number, "record": record(*words, **more)}) + "\n"


def results(pairs, wins):
    """Counts of a cell with these pairs. `wins` decides between the two results that give the same number of points."""
    points = sum(half * count for half, count in enumerate(pairs))
    draws = points - 2 * wins
    return {"wins": wins, "losses": 2 * sum(pairs) - wins - draws, "draws": draws, "pairs": pairs}


class Counts(unittest.TestCase):
    def test_elo_agrees_with_hasami_match(self):
        # The expected values are those that `hasami match --json` computes for these ten games.
        value, error = pentanomial.estimate([0, 0, 1, 3, 1])
        self.assertAlmostEqual(value, 190.8485018878649, places=9)
        self.assertAlmostEqual(error, 140.98774133117763, places=9)

    def test_elo_agrees_with_fastchess_to_the_last_digit(self):
        tried = 0
        for path in (ROOT / "tests/data/matches/results").iterdir():
            head, shown, *_ = path.read_text().splitlines()
            words = dict(word.split("=") for word in head.split() if "=" in word)
            pairs = [int(words["LL"]), int(words["LD"]), int(words["WL"]) + int(words["DD"]), int(words["WD"]), int(words["WW"])]
            value, error = pentanomial.estimate(pairs)
            if words["pairs"] == "1" and error is not None:
                tried += 1
                # Adding 0.0 turns a negative zero into zero.
                found = f"Elo: {round(value, 2) + 0.0:.2f} +/- {error:.2f}"
                self.assertEqual(shown.split(",")[0], found, path.name)
        self.assertGreater(tried, 5)

    def test_undefined_values_have_no_number(self):
        self.assertEqual(pentanomial.estimate([0, 0, 0, 0, 0]), (None, None))
        self.assertEqual(pentanomial.estimate([0, 0, 0, 0, 9]), (None, None))
        self.assertEqual(pentanomial.estimate([0, 0, 1, 0, 0]), (0, None))
        self.assertIsNone(pentanomial.estimate([0, 0, 0, 1, 1])[1], "the interval reaches beyond all points")

    def test_nested_counts_are_added_by_key(self):
        found = pieces.added({"a": 1, "b": [1, 2], "c": {"x": 1}}, {"b": [3, 4], "c": {"x": 2, "y": 5}, "d": 7})
        self.assertEqual(found, {"a": 1, "b": [4, 6], "c": {"x": 3, "y": 5}, "d": 7})

    def test_only_complete_pairs_are_counted(self):
        won, lost = record(["cluster", "x"], "e4", result="1-0"), record(["x", "cluster"], "e4 e5 c3", result="1-0")
        drawn = record(["x", "cluster"], "e4", result="1/2-1/2")
        found = pieces.count_cell(CELL, {0: won, 1: lost, 3: won, 4: won, 5: drawn, 6: won}, {})
        self.assertEqual({what: found[what] for what in ("wins", "losses", "draws")}, {"wins": 2, "losses": 1, "draws": 1})
        self.assertEqual(found["pairs"], [0, 0, 1, 1, 0])
        self.assertEqual((found["begins"], found["ends"]), ({"6": 4}, {"7": 3, "9": 1}))

    def test_seeds_have_no_opening_in_common(self):
        lines = [f"opening {number}" for number in range(2 * yokoyama2014.EACH)]
        first, second = (yokoyama2014.openings_of(lines, seed) for seed in (0, 1))
        self.assertEqual(sorted(first + second), sorted(lines))
        self.assertEqual(yokoyama2014.openings_of(lines[::-1] + lines, 1), second, "whatever the order of the file")
        self.assertNotEqual(first, lines[: yokoyama2014.EACH])
        with self.assertRaisesRegex(SystemExit, "expected a seed below 2, because there are no more openings, found 2"):
            yokoyama2014.openings_of(lines, 2)


class Trees(unittest.TestCase):
    def test_the_example_of_the_paper(self):
        found = trees.measure([path.split() for path in FIGURE_7], "e4 e5 c3 f6 f3".split())
        self.assertEqual(found, {"inherited": 7, "agreement": 3, "depth": 4})

    def test_unexpected_move_inherits_no_nodes(self):
        found = trees.measure([path.split() for path in FIGURE_7], ["c4", "e5"])
        self.assertEqual(found, {"inherited": 0, "agreement": 0, "depth": 4})

    def test_game_that_ends_within_the_tree(self):
        self.assertEqual(trees.measure([["e4", "e5", "f3"]], ["e4", "e5"])["agreement"], 2)

    def test_number_of_plies_before_a_position(self):
        self.assertEqual(trees.first_ply(START), 6)
        self.assertEqual(trees.first_ply(START.replace(" w ", " b ")), 7)


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
    def arguments(self, **more):
        words = {"hasami": "/bin/true", "openings": self.folder / "x.epd", "concurrency": 1, "seed": 1, "engine": "commit 1"}
        return type("Arguments", (), {**words, "pieces": self.folder / "pieces", **more})

    def test_game_with_a_fault_of_an_engine_ends_the_run(self):
        lock = os.open(self.folder / "lock", os.O_CREAT | os.O_RDWR)
        self.addCleanup(os.close, lock)
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"))
        yokoyama2014.play_block(self.folder, CELL, 2, self.arguments(), lock)
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"), game(1, ["x", "cluster"], "e4", "silence"))
        with self.assertRaisesRegex(SystemExit, "found 'silence' in rank-16, game 2"):
            yokoyama2014.play_block(self.folder, CELL, 2, self.arguments(), lock)
        with self.assertRaisesRegex(SystemExit, "found 'silence' in rank-16, game 2"):
            yokoyama2014.put(self.folder, FACTS, self.folder / "pieces")

    def test_folder_has_one_piece_and_a_piece_one_folder(self):
        (self.folder / "x.epd").write_text("".join(f"opening {number}\n" for number in range(2 * yokoyama2014.EACH)))
        facts = yokoyama2014.begin(self.folder, self.arguments())
        self.assertEqual(len((self.folder / "openings.epd").read_text().splitlines()), yokoyama2014.EACH)
        self.assertEqual(yokoyama2014.begin(self.folder, self.arguments()), facts, "again, it goes on")
        for more, found in [({"seed": 0}, "expected 1 as 'seed'.* found 0"), ({"engine": "x"}, "expected 'commit 1' as 'engine'.* found 'x'")]:
            with self.assertRaisesRegex(SystemExit, found):
                yokoyama2014.begin(self.folder, self.arguments(**more))
        pieces.write(self.folder / "pieces/seed-1.json", facts, {"rank-8": results([0, 0, 1, 0, 0], 1)})
        yokoyama2014.begin(self.folder, self.arguments())
        other = self.folder / "other"
        other.mkdir()
        with self.assertRaisesRegex(SystemExit, "the piece seed-1.json already has the seed 1"):
            yokoyama2014.begin(other, self.arguments())
        self.assertEqual(list(other.iterdir()), [])


class Pieces(Folder):
    def put(self, name, seed, cells, **more):
        pieces.write(self.folder / name, {**FACTS, "seed": seed, **more}, cells)

    def refused(self):
        with self.assertRaises(SystemExit) as exit:
            pieces.read_all(self.folder)
        told = str(exit.exception)
        self.assertEqual(len(told.splitlines()), 1)
        return told

    def test_written_piece_is_read_again(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5 c3"), game(1, ["x", "cluster"], "d4 d5"), game(2, ["cluster", "x"], "e4"))
        self.write("diary", entry("", FIGURE_7), entry("", ["", "c4"], reply=True))
        found = yokoyama2014.put(self.folder, FACTS, self.folder / "pieces")["rank-16"]
        self.assertEqual(found["pairs"], [0, 0, 1, 0, 0])
        self.assertEqual((found["trees"]["games"], found["trees"]["positions"]), (2, 2))
        read = pieces.read_all(self.folder / "pieces")
        self.assertEqual(read, {"seed-1.json": {**FACTS, "cells": {"rank-16": found}}})

    def test_pieces_of_different_seeds_are_added(self):
        self.put("a.json", 1, {"rank-8": results([0, 1, 2, 3, 4], 10), "double-2": results([0, 0, 1, 0, 0], 0)})
        self.put("b.json", 2, {"rank-8": results([5, 0, 0, 0, 0], 0)})
        sums = pieces.sums(pieces.read_all(self.folder).values())
        self.assertEqual(sums["rank-8"]["pairs"], [5, 1, 2, 3, 4])
        self.assertEqual((sums["rank-8"]["wins"], sums["rank-8"]["losses"], sums["rank-8"]["draws"]), (10, 10, 10))
        self.assertEqual(sums["double-2"]["draws"], 2)

    def test_no_game_is_counted_twice(self):
        counts = results([0, 0, 1, 0, 0], 1)
        self.put("a.json", 1, {"rank-8": counts})
        self.put("b.json", 1, {"gap-8": counts})
        self.assertEqual(len(pieces.read_all(self.folder)), 2, "the same seed, other cells")
        self.put("c.json", 1, {"gap-8": counts, "rank-16": counts})
        self.assertEqual(self.refused(), "expected seed 1 of 'gap-8' in one piece, found it in b.json and in c.json")

    def test_other_openings_are_refused(self):
        counts = results([0, 0, 1, 0, 0], 1)
        self.put("a.json", 1, {"rank-8": counts})
        self.put("b.json", 2, {"rank-8": counts}, openings="y.epd 1")
        self.assertIn("b.json: expected the openings of the other pieces, x.epd 012345, found y.epd 1", self.refused())

    def test_invalid_pieces_are_refused(self):
        counts = results([0, 0, 1, 0, 0], 1)
        for more, cells, told in [
            ({"version": 0}, {"rank-8": counts}, "expected 1 as 'version', found 0"),
            ({"nodes": 1}, {"rank-8": counts}, "expected 5000 as 'nodes', found 1"),
            ({"engine": None}, {"rank-8": counts}, "expected 'engine', found None"),
            ({}, {"rank-9": counts}, "expected a cell of this experiment, found 'rank-9'"),
            ({}, {"rank-8": {**counts, "wins": 2}}, "expected games that agree with their pairs, found others in 'rank-8'"),
            ({}, {"rank-8": {**counts, "pairs": [1]}}, "expected games that agree with their pairs, found others in 'rank-8'"),
            ({}, {"rank-8": {"wins": 1}}, "expected games that agree with their pairs, found others in 'rank-8'"),
        ]:
            with self.subTest(told):
                self.put("a.json", 1, cells, **more)
                self.assertTrue(self.refused().endswith(f"a.json: {told}"), self.refused())
        (self.folder / "a.json").write_text("{")
        self.assertIn("a.json: expected a piece, found ", self.refused())


class Folding(Folder):
    def fold(self):
        yokoyama2014.fold(self.folder, CELL)
        return yokoyama2014.counts_of(self.folder, CELL)

    def test_first_side_distinguishes_the_games_of_a_pair(self):
        head = '{"hasami-match":1}\n'
        self.write("jsonl", head, game(0, ["cluster", "x"], "e4 e5 c3"), game(1, ["x", "cluster"], "d4 d5"))
        first = entry("", FIGURE_7), entry("e4", ["", "e5"], reply=True), entry("e4 e5", ["", "f3"])
        second = entry("", ["", "c4"], reply=True), entry("d4", ["", "d5", "d5 c4"])
        self.write("diary", *first, *second)
        found = self.fold()
        sums = {number: [counts["positions"], *(counts[name]["sum"] for name in trees.MEASURES)] for number, counts in found.items()}
        self.assertEqual(sums, {0: [3, 7 + 1 + 0, 3 + 1 + 0, 4 + 1 + 1], 1: [2, 0 + 2, 0 + 1, 1 + 2]})
        self.assertEqual(found[0]["depth"], {"sum": 6, "squared": 36, "by_positions": 18, "histogram": {"1": 2, "4": 1}})

    def test_repeated_game_counts_once_and_unfinished_game_never(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5"), '{"game":1,"rec')
        line = entry("", FIGURE_7)
        self.write("diary", line, line, entry("", ["", "c4"], reply=True), line[:20])
        counts = self.fold()
        self.assertEqual(list(counts), [0])
        self.assertEqual(counts[0]["inherited"]["histogram"], {"7": 1})
        self.assertFalse((self.folder / "rank-16.diary").exists())
        # A run that is killed after it has written the counts leaves its file `diary` behind.
        self.write("diary", line)
        self.assertEqual(self.fold(), counts)

    def test_only_played_games_are_counted(self):
        self.write("jsonl", "{}\n", game(0, ["cluster", "x"], "e4 e5 c3"))
        late = START.replace(" 4", " 99")
        self.write("diary", entry("d4 d5", FIGURE_7), entry("", []), entry("", FIGURE_7, start=late))
        self.assertEqual(self.fold()[0]["positions"], 0)


def counted(*games):
    """Counts of games whose positions have trees of these depths."""
    found = []
    for depths in games:
        moves = [f"m{number}" for number in range(len(depths))]
        entries = {plies: {"moves": moves[:plies], "tree": [{"path": ["x"] * depth}]} for plies, depth in enumerate(depths)}
        found.append(trees.count_game(record(["cluster", "x"], " ".join(moves)), entries))
    return pieces.total(found)


BLOCKS = ["pieces", "differences", "table 1", "perfect", "checks", "means", "positions", "distributions"]
BLOCKS += ["figures 9 to 11", "figures 8, 12 and 13"]
MARKS = "".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in BLOCKS)


class Reports(Folder):
    def report(self):
        page = self.folder / "page.md"
        yokoyama2014.report(type("Arguments", (), {"pieces": None, "page": page}))
        return page.read_text()

    def test_page_is_unchanged_without_pieces(self):
        (self.folder / "page.md").write_text("as it is")
        with self.assertRaisesRegex(SystemExit, "contains no pieces of `play`"):
            self.report()
        self.assertEqual((self.folder / "page.md").read_text(), "as it is")

    def test_cells_without_games_are_empty(self):
        won, lost = record(["cluster", "x"], "e4 e5 c3"), record(["x", "cluster"], "e4", result="1-0")
        wins = [pieces.count_pair(CELL, [won, won], [counted([4])])] * 2
        cells = {"rank-16": pieces.total([*wins, pieces.count_pair(CELL, [won, lost], [])]), "double-2": results([0, 0, 8, 2, 10], 26)}
        for seed in (1, 2):
            pieces.write(self.folder / f"page/pieces/{seed}.json", {**FACTS, "seed": seed}, cells)
        (self.folder / "page.md").write_text(f"before\n{MARKS}after\n")
        text = self.report()
        self.assertIn("| 2 | commit 1 | 46 | rank-16 6, double-2 40 |", text)
        self.assertIn("| 16 | rank | 267-82-651 | 59.25 % | +65 | 10-2-0 | 83.33 % |", text)
        self.assertIn("| 32 | gap | 29-8-63 | 60.50 % | +74 |  |  |  |  |", text)
        self.assertIn("| 16 | rank | 4 | 0.00 ± 0.00 | 0.00 ± 0.00 | 4.00 ± 0.00 |", text)
        self.assertIn("| rank | 12 | 32 | 100 % |", text)
        self.assertIn("| 2 : 1 | 52-8-20 | 77.50 % | +215 ± 75 | +215 |", text)
        self.assertIn("| 16 are stronger than 8 (`rank`) | +23 Elo |  | no games |", text)
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertEqual(len(list((self.folder / "page").glob("figure*.svg"))), 6)
        self.assertEqual(self.report(), text, "again, nothing changes")

    def test_speed_up_is_interpolated_between_doublings(self):
        ladder = [0, 200, 300]
        self.assertAlmostEqual(report.speed_up(100, ladder), 2**0.5)
        self.assertAlmostEqual(report.speed_up(-200, ladder), 0.5)
        self.assertAlmostEqual(report.speed_up(250, ladder), 2**1.5)
        self.assertIsNone(report.speed_up(300, ladder))
        self.assertIsNone(report.speed_up(0, [0]))

    def test_doublings_count_while_their_wins_are_certain(self):
        wins, level = {"pairs": [0, 10, 10, 20, 40]}, {"pairs": [10, 10, 10, 10, 10]}
        value, error = pentanomial.estimate(wins["pairs"])
        self.assertGreater(value, error)
        sums = {"double-2": wins, "double-4": wins, "double-8": level, "double-16": wins}
        self.assertEqual(report.climb(sums), [0, value, 2 * value])
        self.assertEqual(report.climb(sums, begin=1), [0, value])
        self.assertEqual(report.climb(sums, begin=2), [0])

    def test_error_of_a_mean_treats_games_as_units(self):
        value, error = report.mean(counted([2] * 10, [4] * 10), "depth")
        self.assertEqual(value, 3)
        self.assertAlmostEqual(error, 1.96 * (2 * 10**2) ** 0.5 / 20)
        # For games of different lengths, the expected error is computed from the definition, game by game.
        games = [[1, 2, 3], [5] * 7, [0]]
        value, error = report.mean(counted(*games), "depth")
        self.assertAlmostEqual(value, 41 / 11)
        spread = sum((sum(depths) - value * len(depths)) ** 2 for depths in games)
        self.assertAlmostEqual(error, 1.96 * spread**0.5 / 11)

    def test_verdicts_on_a_difference(self):
        told = lambda one, other, games=30: report.verdict(report.difference(one, other), games)
        self.assertEqual(told((5, 3), (1, 2)), "confirmed")
        self.assertEqual(told((1, 3), (5, 2)), "the opposite")
        self.assertEqual(told((4, 3), (1, 2)), "cannot be told")
        self.assertEqual(told((5, 3), (1, 2), 28), "too few games")
        self.assertEqual(told((None, None), (1, 2)), "too few games")
        self.assertEqual(told((4, 3), None, 0), "no games")

    def test_pictures_without_games_are_left_out(self):
        trees_only = {**results([0, 0, 1, 0, 0], 1), "trees": counted([4], [3])}
        pieces.write(self.folder / "page/pieces/1.json", FACTS, {"rank-8": trees_only})
        stale = self.folder / "page/figure8.svg"
        stale.touch()
        (self.folder / "page.md").write_text(MARKS)
        text = self.report()
        self.assertIn("![Figure 9](page/figure9.svg) ![Figure 10](page/figure10.svg) ![Figure 11](page/figure11.svg)", text)
        self.assertIn("<!-- figures 8, 12 and 13 -->\n\nNo figures: there are no games yet.\n", text)
        self.assertFalse(stale.exists())

    def test_figure_8_counts_the_positions_of_both_sides(self):
        sums = {"rank-16": {"begins": {"6": 2}, "ends": {"7": 1, "206": 1}}}
        text, series = report.positions(sums)
        self.assertIn("| rank | 2 | 96 | 48 % |", text)
        shares = {ply: share for ply, share, _ in series["rank"]}
        self.assertEqual([round(shares[ply] * 201 / 100) for ply in (5, 6, 7, 205, 300)], [0, 2, 3, 201, 201])


if __name__ == "__main__":
    unittest.main()
