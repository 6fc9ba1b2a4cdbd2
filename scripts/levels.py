#!/usr/bin/env python3
"""Compares the level-synchronous search with other searches of shortest mates.

    scripts/levels.py measure games.tsv special.tsv muso.tsv --results levels.json --hasami target/release/hasami
    scripts/levels.py report --results levels.json --page scripts/experiments/2026-11-23-level-synchronous.md

`measure` solves every problem up to a recorded number of plies with each search. A killed `measure` continues when it
is called again. `measure` stops if answers contradict each other. `report` writes the results so far into the page and
draws the pictures into a folder next to it. Needs Unix. Each line of a list has SFEN, name and length, separated by
tabs.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from page import fill

PROCESSORS = [1, 2, 8, 64, 1024]
OTHERS = {"dfpn": ["--algorithm", "dfpn", "--shortest"], "id": ["--algorithm", "id"]}
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#7f7f7f"]


def problems(paths, plies):
    """The problems with at most `plies` recorded plies; problems without a mate are included."""
    found = []
    for path in paths:
        for number, row in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if row.strip() and not row.startswith("#"):
                fields = row.split("\t")
                if len(fields) < 3 or not (fields[2] == "-" or fields[2].isdecimal()):
                    sys.exit(f"{path}:{number}: expected a position, a name and a length (or -) with tabs between, found '{row}'")
                sfen, name, length = fields[:3]
                if length == "-" or int(length) <= plies:
                    found.append((name, sfen))
    return found


def solve(hasami, sfen, words):
    """The answer of `hasami solve` for a position, with the processor time in seconds."""
    command = [hasami, "solve", "--sfen", sfen, "--json", *words]
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read().decode()
    if os.waitstatus_to_exitcode(status) not in (0, 1) or not text:
        sys.exit(f"{' '.join(command)} printed no answer")
    return json.loads(text) | {"seconds": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss * 1024}


def contradiction(results):
    """The different answers of the searches to one problem, if they contradict each other."""
    known = {by: (told["answer"], told["plies"]) for by, told in results.items() if told["answer"] != "unknown"}
    return known if len(set(known.values())) > 1 else None


def results_of(path):
    """The results that `measure` has written."""
    try:
        results = json.loads(path.read_text())
    except ValueError as why:
        sys.exit(f"{path}: expected results of `measure` in JSON, found none: {why}")
    are_results = isinstance(results, dict) and all(isinstance(by, dict) for by in results.values())
    return results if are_results else sys.exit(f"{path}: expected an object of results for each problem, found others")


def measure(arguments):
    path = Path(arguments.results)
    results = results_of(path) if path.exists() else {}
    limits = ["--nodes", str(arguments.nodes), "--hash", str(arguments.hash)]
    searches = {"levels": ["--algorithm", "levels"], **OTHERS}
    for name, sfen in problems(arguments.lists, arguments.plies):
        known = results.setdefault(name, {})
        for by, words in searches.items():
            if by not in known:
                known[by] = solve(arguments.hasami, sfen, [*words, *limits])
                path.write_text(json.dumps(results))
        if differ := contradiction(known):
            sys.exit(f"{name}: the searches give different answers: {differ}")
    for name, sfen in problems(arguments.lists, arguments.plies):
        if name in (arguments.virtual or []):
            for processors in PROCESSORS:
                by = f"virtual {processors}"
                if by not in results[name]:
                    words = ["--algorithm", "levels", "--virtual", str(processors), "--set", "turn=20", *limits]
                    results[name][by] = solve(arguments.hasami, sfen, words)
                    path.write_text(json.dumps(results))
            told = {by: result for by, result in results[name].items() if by == "levels" or by.startswith("virtual")}
            if any(result["levels"]["optimal"] != told["levels"]["levels"]["optimal"] for result in told.values()):
                sys.exit(f"{name}: different numbers of processors find different lines")


def number(count):
    return f"{count:,}"


def answer(told):
    match told:
        case {"answer": "mate", "plies": plies}:
            return str(plies)
        case {"levels": {"full": True, "complete": level}}:
            return f"? (full after level {level})"
        case {"levels": {"complete": level}}:
            return f"? (level {level} in the limit)"
        case {"answer": "nomate"}:
            return "none"
    return "?"


def megabytes(count):
    return f"{count / 2**20:.1f}"


def comparison(results):
    head = "| problem | plies | lines | propositions | as lines | MiB | nodes | s | `id` | nodes | s | `dfpn --shortest` | nodes | s |"
    rows = [head, "| --- |" + " --- |" * 13]
    for name, by in results.items():
        told = by["levels"]
        counts = told["levels"]["counts"]
        lines = number(told["levels"]["optimal"]["lines"]) if told["answer"] == "mate" else "-"
        cells = [name, "none" if told["answer"] == "nomate" else answer(told), lines]
        cells += [number(sum(count[key] for count in counts)) for key in ("written", "as_lines")]
        cells += [megabytes(told["levels"]["bytes"])]
        for search in ("levels", "id", "dfpn"):
            other = by[search]
            if search != "levels":
                cells.append("none" if other["answer"] == "nomate" else answer(other))
            cells += [number(other["nodes"]), f"{other['seconds']:.2f}"]
        rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(rows) + "\n"


COLUMNS = [
    ("positions", "entries"),
    ("propositions", "written"),
    ("as lines", "as_lines"),
    ("new positions", "objects"),
    ("mates", "mates"),
    ("failures", "failures"),
    ("rule 1", "rule1"),
    ("rule 2", "rule2"),
    ("with others", "with_others"),
    ("rule 3", "rule3"),
    ("left", "left"),
]


def by_level(results, names):
    blocks = []
    for name in names:
        if name in results:
            told = results[name]["levels"]
            blocks.append(f"{name}, {answer(told)}:\n")
            blocks.append("| level | " + " | ".join(title for title, _ in COLUMNS) + " |")
            blocks.append("| --- |" + " --- |" * len(COLUMNS))
            for level, counts in enumerate(told["levels"]["counts"], 1):
                blocks.append(f"| {level} | " + " | ".join(number(counts[key]) for _, key in COLUMNS) + " |")
            blocks.append("")
    return "\n".join(blocks)


def clock(told):
    """The time of a search on the virtual clock; with one processor it is the number of nodes."""
    return told.get("clock") or told["nodes"]


def speedups(results):
    """The time of one virtual processor divided by that of several, by problem."""
    found = {}
    for name, by in results.items():
        if f"virtual {PROCESSORS[-1]}" in by:
            alone = clock(by["virtual 1"])
            found[name] = [(count, alone / clock(by[f"virtual {count}"])) for count in PROCESSORS]
    return found


def virtual(results):
    rows = ["| problem | nodes | " + " | ".join(f"P = {count}" for count in PROCESSORS[1:]) + " |"]
    rows.append("| --- | --- |" + " --- |" * len(PROCESSORS[1:]))
    for name, points in speedups(results).items():
        told = results[name]
        cells = [f"{ratio:.2f} ({100 * told[f'virtual {count}'].get('busy', 1):.0f} %)" for count, ratio in points[1:]]
        rows.append(f"| {name} | {number(told['virtual 1']['nodes'])} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def chart(title, across, along, series):
    """A chart of points and lines. The vertical axis is logarithmic, and so is the horizontal one if its points span a
    factor of 100."""
    points = [point for line in series.values() for point in line]
    widest = max(x for x, _ in points)
    scale_x = math.log10 if widest > 100 else float
    low, high = scale_x(min(x for x, _ in points)), scale_x(widest)
    bottom = math.floor(math.log10(min(y for _, y in points)))
    top = max(bottom + 1, math.ceil(math.log10(max(y for _, y in points))))

    def place(x, y):
        right = 84 + 300 * (scale_x(x) - low) / ((high - low) or 1)
        return f"{right:.1f},{260 - 220 * (math.log10(y) - bottom) / (top - bottom):.1f}"

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 544 310" font-family="sans-serif" font-size="11">']
    out.append('<rect width="544" height="310" fill="white"/>')
    out.append(f'<text x="234" y="20" text-anchor="middle" font-size="13">{title}</text>')
    for power in range(bottom, top + 1):
        y = 260 - 220 * (power - bottom) / (top - bottom)
        out.append(f'<path d="M84 {y:.1f}H384" stroke="#ddd"/>')
        out.append(f'<text x="78" y="{y + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for x in sorted({x for x, _ in points}):
        right = place(x, 10**bottom).split(",")[0]
        out.append(f'<text x="{right}" y="275" text-anchor="middle">{x}</text>')
    out.append(f'<text x="234" y="298" text-anchor="middle">{across}</text>')
    out.append(f'<text transform="translate(14 150) rotate(-90)" text-anchor="middle">{along}</text>')
    for index, (name, line) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(place(x, y) for x, y in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out.append(f'<text x="396" y="{50 + 16 * index}" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>\n"])


def report(arguments):
    results, page = results_of(Path(arguments.results)), Path(arguments.page)
    needed = ["levels", *OTHERS]
    lacking = [f"{name} by {by}" for name, known in results.items() for by in needed if by not in known]
    if lacking:
        sys.exit(f"{arguments.results}: expected results of `measure` for {lacking[0]}, found none")
    blocks = {
        "comparison": comparison(results),
        "levels": by_level(results, arguments.shown),
        "virtual": virtual(results),
    }
    fill(page, blocks)
    pictures = page.with_suffix("")
    pictures.mkdir(exist_ok=True)
    grown = {
        name: [(level, counts["written"]) for level, counts in enumerate(results[name]["levels"]["levels"]["counts"], 1)]
        for name in arguments.shown
        if name in results
    }
    if grown:
        (pictures / "propositions.svg").write_text(chart("Propositions", "level", "propositions written", grown))
    if ratios := speedups(results):
        (pictures / "processors.svg").write_text(chart("Virtual processors", "processors", "times faster", ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    measurer = commands.add_parser("measure")
    measurer.set_defaults(run=measure)
    measurer.add_argument("lists", nargs="+")
    measurer.add_argument("--results", required=True)
    measurer.add_argument("--hasami", type=os.path.abspath, default="target/release/hasami")
    measurer.add_argument("--plies", type=int, default=13)
    measurer.add_argument("--nodes", type=int, default=20_000_000, help="node limit of each search")
    measurer.add_argument("--hash", type=int, default=1024, help="memory in MiB")
    measurer.add_argument("--virtual", action="append", help="problem to solve also with virtual processors")
    reporter = commands.add_parser("report")
    reporter.set_defaults(run=report)
    reporter.add_argument("--results", required=True)
    reporter.add_argument("--page", default="scripts/experiments/2026-11-23-level-synchronous.md")
    reporter.add_argument("--shown", action="append", default=[], help="problem whose levels are shown")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except OSError as why:
        sys.exit(f"cannot read or write a file: {why}")
    except UnicodeDecodeError as why:
        sys.exit(f"expected text in UTF-8, found {why}")


if __name__ == "__main__":
    main()
