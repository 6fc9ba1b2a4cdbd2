#!/usr/bin/env python3
"""Writes positions of shogi after some random moves, as openings of a match: one SFEN a line, none twice, nobody in check.

The same words give the same file. Needs python-shogi (pip install python-shogi).

    scripts/shogi_openings.py --plies 8 --count 200 --seed 5 open8.sfen
"""

import argparse
import random
import sys

try:
    import shogi
except ImportError:
    sys.exit("shogi_openings.py: expected python-shogi (pip install python-shogi), found none")


def position(dice, plies):
    """The position after random legal moves; None: the game is over, or somebody is in check."""
    board = shogi.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(dice.choice(moves))
    return None if board.is_check() or board.is_game_over() else board.sfen()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", help="the file to write")
    parser.add_argument("--plies", type=int, default=8, help="random moves from the usual position (default 8)")
    parser.add_argument("--count", type=int, default=200, help="positions (default 200)")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    if options.plies < 2 or not 1 <= options.count <= 10_000:
        # 30 positions stand one ply from the start, some 900 after two; more plies have plenty.
        parser.error("expected --plies of at least 2 and --count of 1 to 10000")
    if options.plies == 2 and options.count > 500:
        parser.error("expected --count of at most 500 with --plies 2")
    dice, found = random.Random(options.seed), set()
    while len(found) < options.count:
        text = position(dice, options.plies)
        if text is not None:
            found.add(text)
    with open(options.out, "w", encoding="ascii") as out:
        out.writelines(text + "\n" for text in sorted(found))
    print(f"{len(found)} positions after {options.plies} plies, seed {options.seed}: {options.out}")


if __name__ == "__main__":
    main()
