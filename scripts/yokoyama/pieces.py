"""Pieces: the results of a run with its own seed, as counts that can be added. Each piece is a file with one line per
cell."""

import json
import sys

from yokoyama.cells import CELLS, NODES, TABLE
from yokoyama.trees import first_ply

VERSION = 1  # version of the games and the counts; pieces of different versions are not added
SHOWN = 16  # workers of Figures 8, 12 and 13
FACTS = {"piece": "yokoyama2014", "version": VERSION, "nodes": NODES}


def added(one, other):
    """The sum of two nested dictionaries of counts."""
    if isinstance(one, dict):
        both = {key: added(one[key], other[key]) for key in one if key in other}
        return {**one, **other, **both}
    if isinstance(one, list):
        return [added(*each) for each in zip(one, other, strict=True)]
    return one + other


def total(counts):
    """The sum of several dictionaries of counts; an empty dictionary for an empty list."""
    found = {}
    for each in counts:
        found = added(found, each)
    return found


def half_points(record):
    """The half points of the cluster in a game."""
    if record["result"] == "1/2-1/2":
        return 1
    winner = record["players"][["1-0", "0-1"].index(record["result"])]
    return 2 if winner == "cluster" else 0


def count_pair(cell, games, trees):
    """The counts of a pair: two games of one opening, with the counts of their trees."""
    points = [half_points(game) for game in games]
    pairs = [int(sum(points) == half) for half in range(5)]
    counts = {"wins": points.count(2), "losses": points.count(0), "draws": points.count(1), "pairs": pairs}
    if cell in TABLE:
        counts["trees"] = total(trees)
        if cell.workers == SHOWN:
            begins = [first_ply(game["position"]) for game in games]
            ends = [begin + len(game["moves"]) for begin, game in zip(begins, games)]
            counts["begins"] = total({str(ply): 1} for ply in begins)
            counts["ends"] = total({str(ply): 1} for ply in ends)
    return counts


def count_cell(cell, games, trees):
    """The counts of all complete pairs of a match. The keys of `games` and `trees` are the numbers of the games."""
    pairs = [(number, number + 1) for number in games if number % 2 == 0 and number + 1 in games]
    counts = (count_pair(cell, [games[n] for n in pair], [trees[n] for n in pair if n in trees]) for pair in pairs)
    return total(counts)


def ordered(nest):
    """Sorts the values of histograms."""
    if not isinstance(nest, dict):
        return nest
    keys = sorted(nest, key=lambda key: int(key) if key.isdecimal() else 0)
    return {key: ordered(nest[key]) for key in keys}


def replace(path, text):
    """Replaces a file atomically, so that a kill leaves the old one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


def write(path, facts, cells):
    """Writes a piece. `cells` are counts by name; cells without games are left out."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in facts.items()]
    counts = [f"  {json.dumps(name)}: {json.dumps(ordered(found))}" for name, found in cells.items() if found]
    lines.append('"cells": {\n' + ",\n".join(counts) + "\n}")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, "{\n" + ",\n".join(lines) + "\n}\n")


def fault(piece):
    """The fault of a piece, with what was expected and what was found; None if the piece is valid."""
    if not isinstance(piece, dict) or not isinstance(piece.get("cells"), dict):
        return "expected a piece with cells, found none"
    for key, value in FACTS.items():
        if piece.get(key) != value:
            return f"expected {value!r} as '{key}', found {piece.get(key)!r}"
    for key, kind in {"seed": int, "engine": str, "openings": str}.items():
        if not isinstance(piece.get(key), kind):
            return f"expected '{key}', found {piece.get(key)!r}"
    known = {cell.name for cell in CELLS}
    for name, found in piece["cells"].items():
        if name not in known:
            return f"expected a cell of this experiment, found '{name}'"
        try:
            pairs, wins, losses, draws = (found[key] for key in ("pairs", "wins", "losses", "draws"))
            points = sum(half * count for half, count in enumerate(pairs))
            is_whole = len(pairs) == 5 and min(pairs) >= 0
            agree = is_whole and 2 * sum(pairs) == wins + losses + draws and points == 2 * wins + draws
        except (KeyError, TypeError):
            agree = False
        if not agree:
            return f"expected games that agree with their pairs, found others in '{name}'"
    return None


def read(path):
    try:
        piece = json.loads(path.read_text())
    except ValueError as why:
        sys.exit(f"{path}: expected a piece, found {why}")
    if wrong := fault(piece):
        sys.exit(f"{path}: {wrong}")
    return piece


def read_all(folder):
    """All pieces in a folder, by file. No game may be in two pieces, because the games of a seed in a cell are always
    the same."""
    found, seen = {}, {}
    for path in sorted(folder.glob("*.json")):
        piece = found[path.name] = read(path)
        for name in piece["cells"]:
            first = seen.setdefault((piece["seed"], name), path.name)
            if first != path.name:
                sys.exit(f"expected seed {piece['seed']} of '{name}' in one piece, found it in {first} and in {path.name}")
        other = next(iter(found.values()))["openings"]
        if piece["openings"] != other:
            sys.exit(f"{path}: expected the openings of the other pieces, {other}, found {piece['openings']}")
    return found


def sums(pieces):
    """Counts by name of the cell."""
    return total({name: counts for name, counts in piece["cells"].items()} for piece in pieces)
