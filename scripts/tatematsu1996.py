#!/usr/bin/env python3
"""Repeats the experiments of Tatematsu et al. 1996 (a host and cells): Figures 3 to 5 and Table 1.

    scripts/tatematsu1996.py run --folder runs --problems muso.tsv --hasami target/release/hasami
    scripts/tatematsu1996.py report --folder runs --page scripts/experiments/2026-11-23-tatematsu1996.md

`run` makes problems of every length from the ends of main lines, and solves them on a virtual machine, so that the
results are the same on every computer. Existing results are not computed again. `report` writes the tables into the
page, between its marks, and draws the figures into a folder next to it.
"""

import argparse
import json
import math
import re
import subprocess
from pathlib import Path

CELLS = 32
LENGTHS = [3, 5, 7, 9, 15, 23, 27, 73]
A_LENGTH = 12  # number of problems per length
NODES = 200_000  # limit for a problem, of all processors together
MIDDLE = list(range(9, 28, 2))  # the lengths of Figure 4
A_MIDDLE = 8  # number of problems per length of Figure 4
MIDDLE_NODES = 30_000  # so few that about half of the problems are solved
LONG = 45  # number of plies from which cells should not be idle
LONG_NODES = 5_000_000  # so many that the beginning has no weight
STEPS = [12, 16, 20, 24, 28]  # n_s of Figure 4
MACHINE = ["--virtual", str(CELLS), "--set", "delay=100", "--set", "seed=1", "--hash", "512"]
BEST_FIRST = ["--algorithm", "cells", "--set", "cell-search=best-first", *MACHINE]
RUNS = {
    "alone": ["--algorithm", "dfpn"],
    "ns0": [*BEST_FIRST, "--set", "ns=0"],
    "ns20": [*BEST_FIRST, "--set", "ns=20"],
    "dfpn": ["--algorithm", "cells", *MACHINE],
}
LINES = [("ns0", "n_s 0", "#c33", "none"), ("ns20", "n_s 20", "#36c", "5 3"), ("dfpn", "df-pn cells", "#393", "1 3")]
PAPER = {  # seconds without and with the supplementary search, from Table 1
    3: (0.25, 0.02), 5: (0.27, 0.04), 7: (0.27, 0.32), 9: (0.62, 0.36),
    15: (7.95, 3.72), 23: (6.08, 5.02), 27: (6.27, 10.67), 73: (18.56, 18.60),
}


def played(sfen, moves):
    """The position after moves in USI notation, which must be legal."""
    board, side, hand, _ = sfen.split()
    rows = []
    for row in board.split("/"):
        cells = []
        for piece in re.findall(r"\+?[A-Za-z]|\d", row):
            cells += [""] * int(piece) if piece.isdigit() else [piece]
        rows.append(cells)
    hands = {piece: int(count or 1) for count, piece in re.findall(r"(\d*)([A-Za-z])", hand)}

    def place(square):
        return ord(square[1]) - ord("a"), 9 - int(square[0])

    def own(piece):
        return piece.upper() if side == "b" else piece.lower()

    for move in moves:
        row, file = place(move[2:4])
        if move[1] == "*":
            hands[own(move[0])] -= 1
            rows[row][file] = own(move[0])
        else:
            from_row, from_file = place(move[:2])
            taken = own(rows[row][file].lstrip("+"))
            if taken:
                hands[taken] = hands.get(taken, 0) + 1
            rows[row][file] = ("+" if move.endswith("+") else "") + rows[from_row][from_file]
            rows[from_row][from_file] = ""
        side = "w" if side == "b" else "b"
    texts = [re.sub("1+", lambda ones: str(len(ones[0])), "".join(piece or "1" for piece in cells)) for cells in rows]
    held = [f"{hands[p] if hands[p] > 1 else ''}{p}" for p in "RBGSNLPrbgsnlp" if hands.get(p)]
    return f"{'/'.join(texts)} {side} {''.join(held) or '-'} 1"


def solved(arguments, problems, options, name, *more):
    """The results of a run, which is not repeated if it has results."""
    path = Path(arguments.folder) / f"{name}.jsonl"
    if not path.exists():
        command = [arguments.hasami, "solve", str(problems), "--json", *options, *more]
        found = subprocess.run(command, capture_output=True, text=True)
        if found.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)} failed: {found.stderr.strip()}")
        path.write_text(found.stdout)
        print(name, path.stat().st_size, flush=True)
    return [json.loads(line) for line in path.read_text().splitlines()]


def ends(found, path, lengths, most):
    """A number of problems of each length: the last plies of main lines."""
    lines = [problem for problem in found if problem["answer"] == "mate"]
    rows = []
    for length in lengths:
        long = [problem for problem in lines if problem["plies"] > length + 2][:most]
        for problem in long:
            position = played(problem["sfen"], problem["moves"][: problem["plies"] - length])
            rows.append(f"{position}\t{problem['name']}-{length}\t{length}\n")
    path.write_text("".join(rows))


def run(arguments):
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    whole = solved(arguments, arguments.problems, RUNS["alone"], "whole", "--nodes", "1000000")
    problems, middle, long = (folder / f"{name}.tsv" for name in ("ends", "middle", "long"))
    if not long.exists():
        ends(whole, problems, LENGTHS, A_LENGTH)
        ends(whole, middle, MIDDLE, A_MIDDLE)
        recorded = [row.split("\t") for row in Path(arguments.problems).read_text().splitlines() if row[0] != "#"]
        chosen = [row for row in recorded if row[2].isdigit() and int(row[2]) >= LONG]
        long.write_text("".join("\t".join(row) + "\n" for row in chosen))
    for name, options in RUNS.items():
        solved(arguments, problems, options, name, "--nodes", str(NODES))
    for step in [0, *STEPS]:
        options = [*BEST_FIRST, "--set", f"ns={step}"]
        solved(arguments, middle, options, f"middle-{step}", "--nodes", str(MIDDLE_NODES))
    for name in ("dfpn", "ns0", "ns20"):
        trace = folder / f"{name}.trace"
        solved(arguments, long, RUNS[name], f"long-{name}", "--nodes", str(LONG_NODES), "--set", f"trace={trace}")


def cells_busy(trace, steps=100):
    """The number of busy cells in equal parts of the time."""
    clock = max(trace["clock"], 1)
    busy = [float(len(trace["idle"]) - 1)] * steps
    for spans in trace["idle"][1:]:
        for first, last in spans:
            for step in range(int(first * steps / clock), min(steps, math.ceil(last * steps / clock))):
                low, high = step * clock / steps, (step + 1) * clock / steps
                busy[step] -= (min(last, high) - max(first, low)) * steps / clock
    return busy


def curve(title, across, along, marks, series, top, bottom=0):
    """A line chart: labels of the axes, marks of the horizontal axis (from 0 to 1, text), and for each line its name,
    colour, dashes, and points from 0 to 1 across and from `bottom` to `top`. Lines that coincide with others are
    dashed, so that both are visible."""
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 320" font-family="sans-serif" font-size="11">']
    out.append(f'<rect width="500" height="320" fill="white"/><text x="60" y="20" font-size="13">{title}</text>')
    for part in range(5):
        y = 250 - part * 50
        value = bottom + (top - bottom) * part / 4
        out.append(f'<path d="M60 {y}H480" stroke="#ddd"/><text x="54" y="{y + 4}" text-anchor="end">{value:g}</text>')
    for at, text in marks:
        out.append(f'<text x="{60 + 420 * at:.1f}" y="266" text-anchor="middle">{text}</text>')
    out.append(f'<text x="270" y="284" text-anchor="middle">{across}</text>')
    out.append(f'<text transform="translate(16 150) rotate(-90)" text-anchor="middle">{along}</text>')
    for number, (name, colour, dashes, points) in enumerate(series):
        line = " ".join(f"{60 + 420 * x:.1f},{250 - 200 * (y - bottom) / (top - bottom):.1f}" for x, y in points)
        style = f'fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dashes}"'
        left = 60 + 140 * number
        out.append(f'<polyline points="{line}" {style}/><path d="M{left} 303h22" {style}/>')
        out.append(f'<text x="{left + 28}" y="307" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>\n"])


def read(folder, name):
    path = folder / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def length_of(problem):
    return int(problem["name"].rsplit("-", 1)[1])


def mean(values):
    return math.exp(sum(math.log(max(value, 1)) for value in values) / len(values)) if values else None


def table1(runs):
    """Clocks by length, over the problems that both variants solve."""
    before, after = ({p["name"]: p for p in runs[name] if p["answer"] == "mate"} for name in ("ns0", "ns20"))
    yield "| plies | paper: without, with (s) | ratio | here: problems both solve | without, with (nodes of the clock) | ratio |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for length in LENGTHS:
        number = sum(length_of(problem) == length for problem in runs["ns0"])
        names = [name for name in before if name in after and length_of(before[name]) == length]
        clocks = [mean([which[name]["clock"] for name in names]) for which in (before, after)]
        first, second = PAPER[length]
        ours = f"{clocks[0]:,.0f}, {clocks[1]:,.0f} | {clocks[1] / clocks[0]:.2f}" if names else "- | -"
        yield f"| {length} | {first}, {second} | {second / first:.2f} | {len(names)} of {number} | {ours} |"


def figure4(middle):
    yield f"| n_s | solved of {len(middle[0])} | cells busy |"
    yield "| --- | --- | --- |"
    for step, problems in middle.items():
        yield f"| {step} | {count(problems)} | {busy(problems):.0%} |"


def count(problems):
    return sum(problem["answer"] != "unknown" for problem in problems)


def busy(problems):
    """The cells' share of the total time, without the idle time of the host."""
    clock = sum(problem["clock"] for problem in problems)
    part = sum(problem["busy"] * problem["clock"] * (CELLS + 1) / CELLS for problem in problems)
    return min(part / max(clock, 1), 1.0)


def figure5(runs):
    names = {"alone": "dfpn, one processor", "ns0": "best-first, n_s 0", "ns20": "best-first, n_s 20", "dfpn": "df-pn cells"}
    yield "| plies | " + " | ".join(names.values()) + " |"
    yield "| --- |" + " --- |" * len(names)
    for length in LENGTHS:
        shares = []
        for name in names:
            problems = [problem for problem in runs[name] if length_of(problem) == length]
            shares.append(f"{count(problems)} of {len(problems)}")
        yield f"| {length} | " + " | ".join(shares) + " |"


def cells_share(trace):
    """The share of their time in which cells were busy."""
    idle = sum(last - first for spans in trace["idle"][1:] for first, last in spans)
    return 1 - idle / max(trace["clock"] * (len(trace["idle"]) - 1), 1)


def long_table(folder):
    yield "| | problems | solved | cells busy, mean | least | of those that were not solved | 95 % or more |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, text in (("ns0", "best-first, n_s 0"), ("ns20", "best-first, n_s 20"), ("dfpn", "df-pn cells")):
        found, traces = read(folder, f"long-{name}.jsonl"), read(folder, f"{name}.trace")
        shares = [cells_share(trace) for trace in traces]
        if shares:
            open_ones = [share for share, problem in zip(shares, found) if problem["answer"] == "unknown"]
            all_of, of_open = (sum(part) / max(len(part), 1) for part in (shares, open_ones))
            many = sum(share >= 0.95 for share in shares)
            row = f"{len(found)} | {count(found)} | {all_of:.1%} | {min(shares):.1%} | {of_open:.1%} | {many}"
            yield f"| {text} | {row} |"


def figure3(folder):
    """Figure 3: the same problem without and with the supplementary search, and with proof numbers."""
    traces = {name: {trace["name"]: trace for trace in read(folder, f"{name}.trace")} for name in ("ns0", "ns20", "dfpn")}
    name = next(iter(traces["ns0"]))
    series = []
    for which, text, colour, dashes in LINES:
        points = cells_busy(traces[which][name])
        series.append((text, colour, "none", [((at + 0.5) / len(points), value) for at, value in enumerate(points)]))
    marks = [(part / 4, f"{25 * part} %") for part in range(5)]
    return curve(f"Figure 3: {name}", "of the time", "cells that work", marks, series, CELLS)


def figure5_picture(runs):
    first, last = LENGTHS[0], LENGTHS[-1]
    places = [math.log(length / first) / math.log(last / first) for length in LENGTHS]
    series = []
    for name, text, colour, dashes in LINES:
        of = {length: [p for p in runs[name] if length_of(p) == length] for length in LENGTHS}
        shares = [100 * count(of[length]) / max(len(of[length]), 1) for length in LENGTHS]
        series.append((text, colour, dashes, list(zip(places, shares, strict=True))))
    marks = [(place, str(length)) for place, length in zip(places, LENGTHS, strict=True)]
    return curve("Figure 5", "plies (logarithmic)", "solved, %", marks, series, 100)


def figure4_picture(middle):
    points = [(step / STEPS[-1], count(problems)) for step, problems in middle.items()]
    marks = [(step / STEPS[-1], str(step)) for step in middle]
    counts = [value for _, value in points]
    bottom = 4 * (min(counts) // 4) - 4
    top = bottom + 4 * math.ceil((max(counts) + 1 - bottom) / 4)
    return curve("Figure 4", "n_s of 32", f"solved of {len(middle[0])}", marks, [("solved", "#36c", "none", points)], top, bottom)


def report(arguments):
    folder, page = Path(arguments.folder), Path(arguments.page)
    runs = {name: read(folder, f"{name}.jsonl") for name in RUNS}
    middle = {step: read(folder, f"middle-{step}.jsonl") for step in [0, *STEPS]}
    pictures = page.with_suffix("")
    pictures.mkdir(exist_ok=True)
    (pictures / "figure3.svg").write_text(figure3(folder))
    (pictures / "figure4.svg").write_text(figure4_picture(middle))
    (pictures / "figure5.svg").write_text(figure5_picture(runs))
    text = page.read_text()
    for mark, rows in (
        ("table1", table1(runs)),
        ("figure4", figure4(middle)),
        ("figure5", figure5(runs)),
        ("long", long_table(folder)),
    ):
        block = f"<!-- {mark} -->\n" + "\n".join(rows) + f"\n<!-- end of {mark} -->"
        text = re.sub(rf"<!-- {mark} -->.*?<!-- end of {mark} -->", lambda _: block, text, flags=re.DOTALL)
    page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(required=True)
    running = jobs.add_parser("run")
    running.add_argument("--problems", required=True)
    running.add_argument("--hasami", default="target/release/hasami")
    running.set_defaults(job=run)
    reporting = jobs.add_parser("report")
    reporting.add_argument("--page", default="scripts/experiments/2026-11-23-tatematsu1996.md")
    reporting.set_defaults(job=report)
    for job in (running, reporting):
        job.add_argument("--folder", default="runs")
    arguments = parser.parse_args()
    arguments.job(arguments)


if __name__ == "__main__":
    main()
