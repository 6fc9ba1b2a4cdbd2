#!/usr/bin/env python3
"""Fits maximum-likelihood ratings to the games of matches, with errors of 95 %.

    scripts/ratings.py low.json high.json --fix yaneuraou1=0

reads the output of `hasami match --json FILE`. A draw counts as half a win. Every engine must be connected to the fixed
engine by games, and must not have won or lost all of its games.
"""

import argparse
import json
import math
import sys
from collections import defaultdict
from pathlib import Path

# An Elo difference of 400 corresponds to odds of 10 to 1.
SCALE = math.log(10) / 400
# Half the width of a 95 % confidence interval, in standard errors.
WIDTH = 1.959964


def pairings(paths):
    """Number of games, and points of the first engine, for each pairing."""
    met = defaultdict(lambda: [0, 0.0])
    for path in paths:
        for game in json.loads(Path(path).read_text(encoding="utf-8"))["games"]:
            points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}.get(game["result"])
            if points is None:
                continue
            first, second = game["players"]
            if first > second:
                first, second, points = second, first, 1 - points
            met[first, second][0] += 1
            met[first, second][1] += points
    return met


def solve(matrix, right):
    """The solution of a system of linear equations; None if there is not exactly one."""
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda j: abs(rows[j][i]))
        if abs(rows[pivot][i]) < 1e-12:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(len(rows)):
            if j != i:
                factor = rows[j][i] / rows[i][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def fit(met, fixed, rating):
    """The rating of each engine and its error, relative to the fixed engine."""
    names = sorted({name for pair in met for name in pair} - {fixed})
    index = {name: i for i, name in enumerate(names)}
    found = [0.0] * len(names)
    for _ in range(200):
        slope = [0.0] * len(names)
        bend = [[0.0] * len(names) for _ in names]
        for (first, second), (games, points) in met.items():
            a, b = index.get(first), index.get(second)
            difference = (found[a] if a is not None else 0.0) - (found[b] if b is not None else 0.0)
            expected = 1 / (1 + math.exp(-difference))
            weight = games * expected * (1 - expected)
            for i, sign in ((a, 1), (b, -1)):
                if i is not None:
                    slope[i] += sign * (points - games * expected)
                    bend[i][i] += weight
            if a is not None and b is not None:
                bend[a][b] -= weight
                bend[b][a] -= weight
        step = solve(bend, slope)
        if step is None or any(abs(value) > 20 for value in found):
            sys.exit("the games do not connect all engines, or an engine has won or lost all of its games")
        found = [value + max(-1.0, min(1.0, change)) for value, change in zip(found, step)]
        if max(map(abs, step), default=0) < 1e-9:
            break
    unit = [[float(i == j) for j in range(len(names))] for i in range(len(names))]
    errors = [math.sqrt(solve(bend, unit[i])[i]) for i in range(len(names))]
    return {fixed: (rating, 0.0)} | {
        name: (rating + found[i] / SCALE, WIDTH * errors[i] / SCALE) for name, i in index.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("summaries", nargs="+", help="files of hasami match --json")
    parser.add_argument("--fix", required=True, metavar="NAME=RATING", help="the engine whose rating is given")
    arguments = parser.parse_args()
    name, _, rating = arguments.fix.partition("=")
    met = pairings(arguments.summaries)
    if not rating.lstrip("-").isdecimal() or not any(name in pair for pair in met):
        parser.error(f"expected --fix NAME=RATING of an engine that has played, found '{arguments.fix}'")
    games, points = defaultdict(int), defaultdict(float)
    for (first, second), (count, scored) in met.items():
        for player, own in ((first, scored), (second, count - scored)):
            games[player] += count
            points[player] += own
    print("| engine | games | points | rating |\n| --- | --- | --- | --- |")
    for player, (value, error) in sorted(fit(met, name, int(rating)).items(), key=lambda row: row[1]):
        told = f"{value:.0f} ± {error:.0f}" if player != name else f"{value:.0f}"
        print(f"| {player} | {games[player]} | {points[player]:g} | {told} |")


if __name__ == "__main__":
    main()
