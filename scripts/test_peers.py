"""Tests of scripts/peers: `python3 -m unittest scripts/test_peers.py`."""

import os
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from peers import alone, config, process, referee, served, table  # noqa: E402
from peers.table import Cell  # noqa: E402

# A USI engine that stands in for Hasami and for a peer. A file next to this engine selects its fault.
ENGINE = """#!/usr/bin/env python3
import sys
position = ""
for line in map(str.strip, sys.stdin):
    if line == "usi":
        print("id name Tester 1", "option name Threads type spin default 4", "usiok", sep="\\n", flush=True)
    elif line == "isready":
        print("readyok", flush=True)
    elif line.startswith("position"):
        position = line
        if "8h8g" in line:
            print("info string position: move 1: expected a legal move, found '8h8g'", flush=True)
    elif line.startswith("go mate ") and "infinite" not in line:
        print("checkmate nomate" if position.endswith("b - 1") else "checkmate G*5b", flush=True)
    elif line == "go nodes 400":
        print("bestmove resign", flush=True)
    elif line.startswith("go movetime"):
        print("bestmove MOVE", flush=True)
    elif line == "stop":
        print("checkmate nomate", "bestmove 7g7f", sep="\\n", flush=True)
    elif line == "quit":
        break
"""


class Lists(unittest.TestCase):
    def test_list_is_read(self):
        first, second = config.parse(
            tomllib.loads(
                '[[peer]]\ncommand = "gnuchess -u"\nprotocol = "uci"\n[[peer]]\nname = "b"\ncommand = ["b"]\nprotocol = "usi"\n'
                "mate = true\noptions = { Threads = 1, USI_OwnBook = false }\n"
            )
        )
        self.assertEqual((first.name, first.command, first.game), ("gnuchess", ["gnuchess", "-u"], "chess"))
        self.assertEqual((second.game, second.mate), ("shogi", True))
        self.assertEqual(second.options, {"Threads": "1", "USI_OwnBook": "false"})

    def test_invalid_lists_are_refused(self):
        good = {"command": "a", "protocol": "uci"}
        for bad in ([], [{**good, "protocol": "xboard"}], [{**good, "threads": 1}], [{"protocol": "uci"}], [good, good]):
            with self.assertRaises(config.BadList):
                config.parse({"peer": bad})

    def test_list_in_the_repository_is_valid(self):
        peers = config.read(Path(config.__file__).parent / "engines.toml")
        self.assertIn("YaneuraOu", [peer.name for peer in peers])

    def test_tables_for_hasami_are_toml(self):
        peer = config.Peer("a \"b\"", ["/bin/a\\b", "-u"], "usi", options={"Skill Level": "3"})
        text = config.engine_table(peer, {"count": 4, "mate": True, "tc": "0"})
        (read,) = tomllib.loads(text)["engine"]
        self.assertEqual((read["name"], read["command"]), (peer.name, peer.command))
        self.assertEqual((read["count"], read["mate"], read["tc"]), (4, True, "0"))
        self.assertEqual(read["options"], {"Skill Level": "3"})

    def test_missing_program_is_not_tested(self):
        self.assertIsNone(config.installed(config.Peer("a", ["no-such-engine-anywhere"], "uci")))
        self.assertEqual(config.installed(config.Peer("a", ["sh", "-c"], "uci")).command[1:], ["-c"])


class Lines(unittest.TestCase):
    def test_output_of_engines_is_parsed(self):
        self.assertEqual(alone.option_name("option name Skill Level type spin default 20"), "Skill Level")
        self.assertEqual(alone.answer(["info depth 1", "bestmove e2e4 ponder e7e5"]), "e2e4")
        self.assertEqual(alone.answer(["bestmove"]), "")
        self.assertEqual(served.workers("info string workers: e2e4 3, root 1, joined 2, free 1"), 7)
        self.assertEqual(served.workers("info string workers are few"), 0)

    def test_variant_is_set_for_an_engine_of_several_games(self):
        peer = config.Peer("a", ["a"], "usi")
        line = "option name {} type combo default {} var chess var minishogi var shogi"
        for name, default, found in (
            ("USI_Variant", "minishogi", [("USI_Variant", "shogi")]),
            ("UCI_Variant", "chess", [("UCI_Variant", "shogi")]),
            ("UCI_Variant", "shogi", []),
            ("Style", "chess", []),
        ):
            self.assertEqual(alone.chosen_game(peer, ["id name a", line.format(name, default), "usiok"]), found)
        told = config.Peer("a", ["a"], "usi", options={"USI_Variant": "minishogi"})
        self.assertEqual(alone.chosen_game(told, [line.format("USI_Variant", "chess")]), [])
        self.assertEqual(alone.chosen_game(peer, ["option name USI_Variant type combo default chess var chess"]), [])

    def test_positions_are_assembled(self):
        self.assertEqual(referee.played("startpos", []), "startpos")
        self.assertEqual(referee.played("startpos", ["7g7f"]), "startpos moves 7g7f")
        self.assertEqual(referee.played("startpos moves 7g7f", ["3c3d"]), "startpos moves 7g7f 3c3d")
        self.assertEqual(referee.count_moves("startpos moves 7g7f 3c3d"), 2)
        self.assertEqual(alone.short("startpos moves 1 2 3", most=2), "`startpos moves ... 2 3`")

    def summary(self, ending, faults):
        kinds = [{"breaches": count} for count in faults]
        engines = [{"name": "peer", "faults": kinds[0]}, {"name": "hasami", "faults": kinds[1]}]
        return {"games": [{"ending": ending, "result": "1-0", "players": ["hasami", "peer"]}], "engines": engines, "warnings": []}

    def test_end_of_a_game_is_described(self):
        log = "0.1 peer#1 < bestmove e2e4\n0.2 hasami#1 < bestmove e7e5\n0.3 peer#1 > go\n"
        self.assertEqual(served.match_cell(self.summary("checkmate", (0, 0)), log, "", "peer"), Cell("2 plies, checkmate"))
        cell = served.match_cell(self.summary("maximum of moves", (2, 1)), log, "x\nwarning: peer: odd\n", "peer")
        self.assertEqual(cell, Cell("2 plies, 2 faults, 1 fault of the other", "peer: odd; hasami - peer 1-0: maximum of moves"))
        self.assertEqual(served.match_cell(self.summary("time", (0, 0)), log, "", "peer").why, "hasami - peer 1-0: time")


class Tables(unittest.TestCase):
    rows = [("a", "A 1|2", {"stop": Cell("3 ms"), "solves": Cell("1 of 2", "expected a, found\nb"), "one": Cell("2 of 2")})]

    def test_failing_cells_are_bold_and_explained_below(self):
        text = table.document(self.rows, ["c"], "Head.")
        self.assertIn("| a | - | - | 3 ms | - | - | **1 of 2** |", text)
        self.assertIn("| a | A 1/2 |", text)
        self.assertIn("- a, `go mate`: expected a, found b\n\nNot installed: c.", text)
        self.assertIn("Nothing fails.", table.document([("a", "", {})], [], "Head."))

    def test_table_is_written_between_the_markers(self):
        page = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        self.assertEqual(table.inserted(page, "new"), f"before\n{table.BEGIN}\n\nnew\n\n{table.END}\nafter\n")
        self.assertEqual(table.inserted(table.inserted(page, "new"), "new"), table.inserted(page, "new"))
        with self.assertRaises(ValueError):
            table.inserted("no markers", "new")

    def test_aborted_check_becomes_a_failing_cell(self):
        def gone():
            raise process.Gone("it has ended")

        self.assertEqual(table.measured(gone), Cell("fails", "it has ended"))


class Engines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, move="7g7f"):
        path = os.path.join(self.folder, f"engine{move}")
        Path(path).write_text(ENGINE.replace("MOVE", move))
        os.chmod(path, 0o700)
        return path

    def peer(self, **words):
        return config.Peer("tester", [self.program(words.pop("move", "7g7f"))], "usi", **words)

    def test_handshake_returns_name_and_options(self):
        _, options, version = alone.handshake(self.peer(options={"Threads": "1", "USI_Hash": "16"}))
        self.assertEqual((options, version), (Cell("Threads"), "Tester 1"))
        _, options, _ = alone.handshake(self.peer(options={"Hash": "1"}))
        self.assertEqual(options.why, "the list sets Hash, which it does not declare")

    def test_moves_are_checked_against_the_position(self):
        asked = ["startpos moves 2g2f", "startpos moves 2g2f 3c3d 7g7f"]
        with referee.Referee(self.program(), "usi") as rules:
            self.assertEqual(alone.positions(self.peer(), rules, asked), Cell("2 of 2"))
            self.assertEqual(alone.barrier(self.peer(), rules, asked), Cell("kept, 2 of 2"))
            for bad in ("8h8g", "resign"):
                self.assertEqual(alone.positions(self.peer(move=bad), rules, asked).text, "0 of 2")
            self.assertEqual(alone.barrier(self.peer(move="8h8g"), rules, asked).text, "loses the position")

    def test_mates_are_checked_against_the_position(self):
        with referee.Referee(self.program(), "usi") as rules:
            self.assertEqual(alone.solves(self.peer(mate=True), rules, ["9/9 b G 1"], 3), Cell("3 of 3"))
            for said in ("checkmate 8h8g", "checkmate nomate", "checkmate timeout", "bestmove 7g7f", "checkmate"):
                self.assertIsNotNone(alone.fault_of_mate(rules, "9/9 b G 1", said))

    def test_answers_to_stop_are_judged(self):
        self.assertRegex(alone.stop(self.peer(), "startpos", times=1).text, r"^\d+\.\d ms$")
        self.assertRegex(alone.stop(self.peer(mate=True), "startpos", times=1).why, "where the search for a mate is stopped")
        hasty = self.program().replace("engine7g7f", "hasty")
        Path(hasty).write_text(ENGINE.replace("go movetime", "go infinite"))
        os.chmod(hasty, 0o700)
        self.assertEqual(alone.stop(config.Peer("hasty", [hasty], "usi"), "startpos", times=1).text, "answers first")

    def test_end_of_an_engine_is_described(self):
        with self.assertRaisesRegex(process.Gone, "exit code 3|its output"):
            with process.Process(["sh", "-c", "exit 3"]) as dead:
                dead.expect("usiok")

    def test_no_process_is_left(self):
        with process.Process(["sh", "-c", "sleep 100 & echo started; wait"]) as shell:
            shell.expect("started")
            everybody = process.descendants(shell.pid) | {shell.pid}
            self.assertEqual(len(everybody), 2)
            shell.quit(grace=0)
        self.assertTrue(served.wait_for(lambda: not any(map(process.is_alive, everybody)), 10))


if __name__ == "__main__":
    unittest.main()
