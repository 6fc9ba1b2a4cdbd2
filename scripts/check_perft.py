#!/usr/bin/env python3
"""Checks every total of the perft files, at any depth, with `hasami perft` and with another engine's `go perft`.

    cargo build --profile fast && scripts/check_perft.py --hasami target/fast/hasami

The other engines are Stockfish for chess and fairy-stockfish for shogi. fairy-stockfish counts mate by a dropped pawn
as a legal move that loses, so some of its totals are too large; the script lists these. The exit code is 1 if a total
of hasami is wrong.
"""

import argparse
import subprocess
import sys


class Hasami:
    def __init__(self, path, game):
        self.command = [path, "perft", "--game", game, "--fen"]

    def count(self, position, depth):
        printed = subprocess.run([*self.command, position, str(depth)], capture_output=True, text=True, check=True)
        return int(printed.stdout.split()[-1])


class Other:
    """An engine that supports `go perft`."""

    def __init__(self, path, game):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.word = {"chess": "fen", "shogi": "sfen"}[game]
        self.say({"chess": "uci", "shogi": "usi"}[game])

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def count(self, position, depth):
        if self.word == "fen":
            is_usual = set(position.split()[2]) <= set("KQkq-")
            self.say(f"setoption name UCI_Chess960 value {'false' if is_usual else 'true'}")
        self.say(f"position {self.word} {position}")
        self.say(f"go perft {depth}")
        return next(int(line.split()[2]) for line in self.process.stdout if line.startswith("Nodes searched:"))

    def quit(self):
        self.process.communicate("quit\n")


def totals(path):
    for line in open(path, encoding="ascii"):
        if line.strip() and not line.startswith("#"):
            position, *fields = [field.strip() for field in line.split(";")]
            for field in fields:
                depth, leaves = field[1:].split()
                yield position, int(depth), int(leaves)


def check(path, game, hasami, other, leaves):
    """Returns the number of checked totals, the sum of their leaves, and the totals that either program got wrong."""
    counted, total, wrong, doubtful = 0, 0, [], []
    for position, depth, expected in totals(path):
        if expected > leaves:
            continue
        counted, total = counted + 1, total + expected
        for engine, differences in ((hasami, wrong), (other, doubtful)):
            found = engine.count(position, depth)
            if found != expected:
                differences.append(f"{position} at depth {depth}: expected {expected}, found {found}")
    return counted, total, wrong, doubtful


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--hasami", default="target/release/hasami")
    arguments.add_argument("--chess", default="/usr/games/stockfish", help="another engine for chess")
    arguments.add_argument("--shogi", default="/usr/games/fairy-stockfish", help="another engine for shogi")
    arguments.add_argument("--leaves", type=int, default=sys.maxsize, help="skip larger totals")
    options = arguments.parse_args()
    failed = False
    for game, file, path in (("chess", "chess.epd", options.chess), ("shogi", "shogi.txt", options.shogi)):
        other = Other(path, game)
        found = check(f"tests/data/perft/{file}", game, Hasami(options.hasami, game), other, options.leaves)
        other.quit()
        counted, leaves, wrong, doubtful = found
        print(f"{game}: {counted} totals, {leaves} leaves; hasami differs in {len(wrong)}, {path} in {len(doubtful)}")
        for line in wrong:
            print(f"  hasami: {line}")
        for line in doubtful:
            print(f"  {path}: {line}")
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
