"""The paper's measures of trees (its Figure 7), counted from the diary of a match."""

import collections
import json
import os

LAST_PLY = 100
MEASURES = ["inherited", "agreement", "depth"]


def first_ply(position):
    """Number of plies before a position in FEN."""
    _, side, *_, number = position.split()
    return 2 * (int(number) - 1) + (side == "b")


def measure(seats, coming):
    """Compares a tree, whose nodes are given by their paths, with the moves that were played afterwards."""

    def agreement(path):
        return len(os.path.commonprefix([path, coming]))

    return {
        "inherited": sum(path[:1] == coming[:1] for path in seats),
        "agreement": max(map(agreement, seats)),
        "depth": max(map(len, seats)),
    }


def entries_by_game(path):
    """The entries of a diary by start position, side that moves first, and ply. A repeated game replaces its first
    version."""
    found = collections.defaultdict(dict)
    with open(path) as file:
        for line in file:
            if line.endswith("\n"):
                entry = json.loads(line)
                plies = len(entry["moves"])
                found[entry["start"], (plies + entry["reply"]) % 2][plies] = entry
    return found


def count_game(record, entries):
    """The counts of a game's positions, which can be added to those of other games: sums for means and their errors,
    histograms."""
    moves = [move["m"] for move in record["moves"]]
    begin = first_ply(record["position"])
    measured = []
    for plies, entry in entries.items():
        seats = [seat["path"] for seat in entry["tree"]]
        known = entry["moves"] == moves[:plies] and plies < len(moves)
        if known and seats and begin + plies <= LAST_PLY:
            measured.append(measure(seats, moves[plies:]))
    counts = {"games": 1, "positions": len(measured), "positions_squared": len(measured) ** 2}
    for name in MEASURES:
        values = [found[name] for found in measured]
        total = sum(values)
        histogram = {str(value): count for value, count in sorted(collections.Counter(values).items())}
        sums = {"sum": total, "squared": total**2, "by_positions": total * len(measured)}
        counts[name] = {**sums, "histogram": histogram}
    return counts
