#!/usr/bin/env python3
"""Writes shogi positions as openings of a match: one SFEN per line, without duplicates, none in check.

The moves are random. With a USI engine the moves are drawn from its best moves, and the final position is balanced. The
same arguments always give the same file. Needs python-shogi (pip install python-shogi).

    scripts/shogi_openings.py --plies 8 --count 200 --seed 5 open8.sfen
    scripts/shogi_openings.py --plies 8 --count 300 --seed 1 --engine target/release/hasami book/openings.sfen
"""

import argparse
import random
import re
import shlex
import subprocess
import sys

try:
    import shogi
except ImportError:
    sys.exit("shogi_openings.py: python-shogi is not installed (pip install python-shogi)")

LINES = 5
INFO = re.compile(r"multipv (\d+).* score (cp|mate) (\S+).* pv (\S+)")


class Engine:
    """Finds the moves of a USI engine within `margin` centipawns of its best move."""

    def __init__(self, command, nodes, margin):
        self.nodes, self.margin = nodes, margin
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("usi", "usiok")
        self.tell("setoption name Threads value 1")
        self.tell("setoption name USI_OwnBook value false")
        self.tell(f"setoption name MultiPV value {LINES}")
        self.ask("isready", "readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, last):
        self.tell(line)
        answers = []
        for answer in self.process.stdout:
            answers.append(answer.strip())
            if answer.startswith(last):
                return answers
        sys.exit(f"shogi_openings.py: the engine ended before it answered '{line}' with {last}")

    def best(self, board, effort=1):
        """The engine's lines as (centipawns, move), the best first."""
        self.tell("usinewgame")
        self.tell(f"position sfen {board.sfen()}")
        lines = {}
        for answer in self.ask(f"go nodes {effort * self.nodes}", "bestmove"):
            if found := INFO.search(answer):
                rank, kind, value, move = found.groups()
                lines[int(rank)] = (int(value) if kind == "cp" else 30_000 * (1 if int(value) > 0 else -1), move)
        return [lines[rank] for rank in sorted(lines)]

    def moves(self, board):
        lines = self.best(board)
        return [shogi.Move.from_usi(move) for value, move in lines if value >= lines[0][0] - self.margin]

    def is_level(self, board, most):
        return abs(self.best(board, 10)[0][0]) <= most


def position(dice, plies, engine, most):
    """The position after random moves; None if the game is over, a king is in check, or one side is better."""
    board = shogi.Board()
    for _ in range(plies):
        moves = engine.moves(board) if engine else list(board.legal_moves)
        if not moves:
            return None
        board.push(dice.choice(moves))
    if board.is_check() or board.is_game_over():
        return None
    return board.sfen() if engine is None or engine.is_level(board, most) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="the file to write")
    parser.add_argument("--plies", type=int, default=8, help="number of moves from the usual start position (default 8)")
    parser.add_argument("--count", type=int, default=200, help="number of positions (default 200)")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--engine", help="USI engine; only its best moves are played")
    parser.add_argument("--nodes", type=int, default=1_000, help="nodes of the engine per move; the final position gets ten times as many (default 1000)")
    parser.add_argument("--margin", type=int, default=60, help="largest distance to the best move, in centipawns (default 60)")
    parser.add_argument("--level", type=int, default=150, help="largest advantage in a final position, in centipawns (default 150)")
    options = parser.parse_args()
    if options.plies < 2 or not 1 <= options.count <= 10_000:
        # One ply from the initial position leads to 30 positions, two plies to about 900, and more plies to more than
        # enough.
        parser.error("expected --plies of at least 2 and --count of 1 to 10000")
    if options.plies == 2 and options.count > 500:
        parser.error("expected --count of at most 500 with --plies 2")
    if options.engine and options.plies < 4:
        parser.error("expected --plies of at least 4 with --engine")
    engine = Engine(options.engine, options.nodes, options.margin) if options.engine else None
    dice, found = random.Random(options.seed), {}
    while len(found) < options.count:
        text = position(dice, options.plies, engine, options.level)
        if text is not None:
            found[text] = None
    # Openings chosen by an engine stay in random order, so that a match of few games does not play only similar
    # openings.
    lines = list(found) if engine else sorted(found)
    with open(options.out, "w", encoding="ascii") as out:
        out.writelines(text + "\n" for text in lines)
    print(f"{len(found)} positions after {options.plies} plies, seed {options.seed}: {options.out}")


if __name__ == "__main__":
    main()
