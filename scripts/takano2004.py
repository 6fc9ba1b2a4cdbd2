#!/usr/bin/env python3
"""Repeats the experiments of Takano et al. 2004 (AOHPAS): Figure 8, Table 2 and Figures 9 to 11.

    scripts/takano2004.py run --folder runs --hasami target/release/hasami muso.tsv games.tsv special.tsv
    scripts/takano2004.py report --folder runs --page scripts/experiments/2026-11-23-takano2004.md

`run` solves the problems of lists (see docs/guide/solve.md) with virtual processors, so that all results are
reproducible to the node. A killed `run` continues when it is called again. `report` writes the results so far into the
page and draws the figures into a folder next to it.
"""

import argparse
import collections
import json
import math
import os
import subprocess
import sys
from pathlib import Path

from page import fill

SECOND = 500  # number of nodes that corresponds to a second of 2004
LIMIT = 3600 * SECOND
TURN = 20  # nodes per turn of a virtual processor
HASH = 64  # MiB; the paper's table had 50
STEPS = [1, 3, 5, 10]
STEP = 5
PROCESSORS = [1, 2, 4, 8]
MOST = PROCESSORS[-1]
LENGTHS = range(15, 28)  # plies of the problems of Figure 8
EACH = 2  # problems of each length: those for which PDS takes longest
FIRST = 50  # largest number of problems of a list

# A job with 0 processors runs the core alone, without `aohpas`: the sequential search.
Job = collections.namedtuple("Job", "name core processors step")
Problem = collections.namedtuple("Problem", "position name plies")


def problems_of(path):
    """The problems with a recorded mate among the first problems of the list."""
    lines = Path(path).read_text().splitlines()
    fields = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    found = [Problem(*line[:2], line[2]) for line in fields if len(line) > 2]
    return [problem._replace(plies=int(problem.plies)) for problem in found[:FIRST] if problem.plies.isdecimal()]


def arguments_of(job):
    if job.processors == 0:
        return ["--algorithm", job.core, "--nodes", LIMIT]
    words = ["--algorithm", "aohpas", "--set", f"core={job.core}", "--set", f"step={job.step}", "--nodes", LIMIT * job.processors]
    return [*words, "--virtual", job.processors, "--set", f"turn={TURN}"]


def solve(hasami, position, job):
    """The answer and the time in nodes of the longest clock; no time if the limit was reached."""
    command = [hasami, "solve", "--sfen", position, "--json", "--hash", HASH, *arguments_of(job)]
    found = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if found.returncode not in (0, 1):
        sys.exit(f"no answer about {job.name}: {found.stderr.strip()}")
    told = json.loads(found.stdout)
    time = told.get("clock", told["nodes"])
    is_solved = told["answer"] != "unknown" and time <= LIMIT
    return {**job._asdict(), "time": time if is_solved else None, "nodes": told["nodes"], "busy": told.get("busy")}


class Runs:
    """All runs so far, stored in a file with one line per run."""

    def __init__(self, folder):
        self.path = Path(folder) / "runs.jsonl"
        lines = self.path.read_text().split("\n")[:-1] if self.path.exists() else []
        self.all = {Job(*(told[field] for field in Job._fields)): told for told in map(json.loads, lines)}

    def add(self, told):
        with open(self.path, "a") as file:
            file.write(json.dumps(told) + "\n")
        self.all[Job(*(told[field] for field in Job._fields))] = told

    def time(self, *job):
        told = self.all.get(Job(*job))
        return told["time"] if told else None

    def has(self, *job):
        return Job(*job) in self.all

    def names(self, core):
        return [job.name for job in self.all if job[1:] == (core, 0, 0)]

    def speed_up(self, name, core, processors=MOST, step=STEP):
        """The speed-up over the sequential search, which counts with its limit if it found nothing; None if the
        parallel search found nothing."""
        time = self.time(name, core, processors, step)
        return (self.time(name, core, 0, 0) or LIMIT) / time if time else None


def for_figure_8(runs, problems):
    """For each odd length, the problems for which PDS takes longest."""
    chosen = []
    for plies in LENGTHS:
        solved = [problem.name for problem in problems if problem.plies == plies and runs.time(problem.name, "pds", 0, 0)]
        chosen += [(plies, name) for name in sorted(solved, key=lambda name: -runs.time(name, "pds", 0, 0))[:EACH]]
    return chosen


# Subject, speed-up with 8 processors and sequential time of Figures 9 to 11 in the paper.
FIGURES = {9: ("no speed-up", 1.2, 3.84), 10: ("about linear", 8, 104.2), 11: ("super-linear", 140.96, 1009.24)}


def for_figures(runs, core):
    """Figure 11: the problem with the largest speed-up. Figures 9 and 10: the problems whose speed-up, and then time,
    is nearest to the paper's."""
    solved = [name for name in runs.names(core) if runs.speed_up(name, core)]
    found = {11: max(solved, key=lambda name: runs.speed_up(name, core))} if solved else {}
    for figure in (10, 9):
        _, speed_up, seconds = FIGURES[figure]

        def distance(name):
            times = math.log((runs.time(name, core, 0, 0) or LIMIT) / SECOND / seconds)
            return abs(math.log(runs.speed_up(name, core) / speed_up)) + abs(times) / 4

        left = [name for name in solved if name not in found.values()]
        if left:
            found[figure] = min(left, key=distance)
    return dict(sorted(found.items()))


def run(arguments):
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    runs, problems = Runs(folder), [problem for path in arguments.problems for problem in problems_of(path)]
    (folder / "problems.json").write_text(json.dumps(problems))
    positions = {problem.name: problem.position for problem in problems}

    def work(jobs):
        for job in jobs:
            if not runs.has(*job):
                runs.add(solve(arguments.hasami, positions[job.name], job))
                told = runs.all[job]
                print(*job, told["time"], told["nodes"], flush=True)

    def work_by(core, names):
        work(Job(name, core, 0, 0) for name in names)
        work(Job(name, core, MOST, STEP) for name in names)
        chosen = for_figures(runs, core).values()
        work(Job(name, core, processors, STEP) for name in chosen for processors in PROCESSORS)

    names = [problem.name for problem in problems]
    work(Job(name, "dfpn", 0, 0) for name in names)
    # Problems that df-pn does not solve are not given to plain PDS.
    work_by("pds", [name for name in names if runs.time(name, "dfpn", 0, 0)])
    work(Job(name, "pds", 4, step) for _, name in for_figure_8(runs, problems) for step in STEPS)
    work_by("dfpn", names)


def rows(header, lines):
    table = [header, ["---"] * len(header), *lines]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in table)


def mean(values):
    """The geometric mean, as in the paper."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def shown(value, places=2):
    return "" if value is None else f"{value:,.{places}f}"


# The paper's classes of problems: lower and upper bound of the time in seconds; then number of problems, and mean,
# largest and smallest speed-up.
CLASSES = [
    (0, 1, (3, 0.17, 0.37, 0.07)),
    (1, 10, (4, 0.33, 1.27, 0.03)),
    (10, 100, (5, 1.59, 13.12, 0.52)),
    (100, 1000, (4, 2.40, 6.86, 0.58)),
    (1000, 3600, (1, 140.96, 140.96, 140.96)),
    (3600, math.inf, (10, 15.09, 214.93, 1.57)),
]


def class_of(time):
    seconds = math.inf if time is None else time / SECOND
    return next(number for number, (_, end, _) in enumerate(CLASSES) if seconds < end or end == math.inf)


def speed_ups(runs, core):
    """The speed-ups by class of the sequential time, with the share of busy processors, and the number of problems that
    neither search solves."""
    found, neither = collections.defaultdict(list), 0
    for name in runs.names(core):
        time, value = runs.time(name, core, 0, 0), runs.speed_up(name, core)
        if not runs.has(name, core, MOST, STEP):
            continue
        if value is None and time is not None:
            # If only the sequential search solves a problem, the ratio of the times is an upper bound of the speed-up.
            value = time / LIMIT
        if value is None:
            neither += 1
        else:
            found[class_of(time)].append((value, runs.all[Job(name, core, MOST, STEP)]["busy"]))
    return found, neither


def table_2(runs, core, with_paper):
    found, neither = speed_ups(runs, core)
    # The paper's mean over all problems is computed from the means of its classes.
    classes = [*CLASSES, ("all", None, (27, 2.84, 214.93, 0.03))]
    lines = []
    for number, (begin, end, paper) in enumerate(classes):
        every = [pair for pairs in found.values() for pair in pairs]
        pairs = found[number] if end else every
        label = begin if end is None else f"{begin} ≤ t < {end}" if end < math.inf else f"{begin} ≤ t (not solved)"
        values, busy = [value for value, _ in pairs], [busy for _, busy in pairs]
        ours = [len(values), *map(shown, (mean(values), max(values, default=None), min(values, default=None)))]
        share = f"{100 * sum(busy) / len(busy):.0f} %" if busy else ""
        lines.append([label, *(paper if with_paper else ()), *ours, share])
    head = ["problems", "avg.", "max.", "min."]
    paper = ["paper: problems", *head[1:]] if with_paper else []
    table = rows(["t [s]", *paper, "ours: problems" if with_paper else "problems", *head[1:], "busy"], lines)
    return table + f"\n{neither} more problems are solved by neither search" + (" (in the paper 22).\n" if with_paper else ".\n")


def figure_8(runs, problems):
    lines, series = [], {f"step {step}": [] for step in STEPS}
    chosen = for_figure_8(runs, problems)
    for plies, name in chosen:
        times = [runs.time(name, "pds", 4, step) for step in STEPS]
        lines.append([plies, name, shown(runs.time(name, "pds", 0, 0), 0), *(shown(time, 0) for time in times)])
    for step in STEPS:
        # Times differ by a factor of a thousand between problem lengths but only by a third between steps, so times
        # relative to those of other steps show the effect of the steps.
        by_length = collections.defaultdict(list)
        for plies, name in chosen:
            if runs.has(name, "pds", 4, step) and runs.has(name, "pds", 4, STEP):
                usual = runs.time(name, "pds", 4, STEP) or LIMIT
                by_length[plies].append((runs.time(name, "pds", 4, step) or LIMIT) / usual)
        series[f"step {step}"] = [(plies, mean(times)) for plies, times in sorted(by_length.items())]
    means = [mean([runs.time(name, "pds", 4, step) or LIMIT for _, name in chosen]) for step in STEPS]
    lines.append(["", "mean", "", *(shown(value, 0) for value in means)])
    return rows(["plies", "problem", "PDS", *(f"step {step}" for step in STEPS)], lines), series


def cores(runs):
    """Compares `aohpas` with both core searches, on the usual number of processors."""
    names = [name for name in runs.names("pds") if all(runs.has(name, core, MOST, STEP) for core in ("pds", "dfpn"))]
    times = {core: {name: runs.time(name, core, MOST, STEP) for name in names} for core in ("pds", "dfpn")}
    both = [name for name in names if times["pds"][name] and times["dfpn"][name]]
    ratios = [times["pds"][name] / times["dfpn"][name] for name in both]
    only = {core: sum(1 for name in names if times[core][name]) - len(both) for core in times}
    head = ["problems", "solved by both", "avg.", "max.", "min.", "on PDS only", "on dfpn only"]
    line = [len(names), len(both), *map(shown, (mean(ratios), max(ratios), min(ratios))), only["pds"], only["dfpn"]]
    return rows(head, [line])


def figures_9_to_11(runs, core):
    lines, series = [], {}
    for figure, name in for_figures(runs, core).items():
        values = [runs.speed_up(name, core, processors) for processors in PROCESSORS]
        time = runs.time(name, core, 0, 0)
        seconds = f"{time / SECOND:,.2f}" if time else f"over {LIMIT / SECOND:,.0f}"
        what, theirs, their_seconds = FIGURES[figure]
        paper = [theirs, f"{their_seconds:,.2f}"] if core == "pds" else []
        lines.append([figure, what, *paper, name, seconds, *map(shown, values)])
        series[figure] = [(count, value) for count, value in zip(PROCESSORS, values) if value]
    paper = ["paper: 8 processors", "PDS, s"] if core == "pds" else []
    head = ["figure", "speed-up", *paper, "problem", f"{core}, s", *PROCESSORS]
    return rows(head, lines), series


COLOURS = ["#1f6fb4", "#d1571c", "#3a923a", "#7a4fa3"]


def ticks(low, high, is_log):
    if is_log:
        return [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    step = next(step * part for part in (0.1, 0.2, 0.5, 1, 2) if (high - low) / (step * part) <= 8)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def unbroken(points, xs):
    """The points, divided into parts so that no line crosses a mark without a measurement."""
    parts = []
    for point in points:
        if parts and xs.index(point[0]) == xs.index(parts[-1][-1][0]) + 1:
            parts[-1].append(point)
        else:
            parts.append([point])
    return parts


def chart(title, across, up, series, xs, is_log=False):
    """A line chart. `xs`: the marks of the horizontal axis; `is_log`: whether the vertical scale is logarithmic."""
    values = [y for points in series.values() for _, y in points] or [1]
    marks = ticks(min(values), max(values), True) if is_log else ticks(0, max(values) * 1.08, False)
    scale = math.log10 if is_log else float
    low, high = (marks[0], marks[-1]) if is_log else (0, max(values) * 1.08)
    if scale(high) == scale(low):
        high = 10 * low if is_log else low + 1
    place_x = lambda x: 84 + 366 * (x - xs[0] + 0.03 * (xs[-1] - xs[0])) / (1.06 * (xs[-1] - xs[0]))
    place_y = lambda y: 250 - 210 * (scale(y) - scale(low)) / (scale(high) - scale(low))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" font-family="sans-serif" font-size="11">']
    out += ['<rect width="480" height="300" fill="white"/>', f'<text x="84" y="20" font-size="13">{title}</text>']
    out += [f'<text x="{place_x(x):.1f}" y="266" text-anchor="middle">{x:g}</text>' for x in xs]
    for y in marks:
        at = place_y(y)
        out.append(f'<line x1="84" x2="460" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="78" y="{at + 4:.1f}" text-anchor="end">{y:,.10g}</text>')
    out.append(f'<text x="272" y="288" text-anchor="middle">{across}</text>')
    out.append(f'<text transform="translate(14 145) rotate(-90)" text-anchor="middle">{up}</text>')
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        for part in unbroken(points, xs):
            path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in part)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out += [f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="2.5" fill="{colour}"/>' for x, y in points]
        at = 460 - 55 * (len(series) - 1 - number)
        out.append(f'<text x="{at}" y="20" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>\n"])


def report(arguments):
    folder, page = Path(arguments.folder), Path(arguments.page)
    pictures = page.with_suffix("")
    pictures.mkdir(exist_ok=True)
    runs = Runs(folder)
    problems = [Problem(*fields) for fields in json.loads((folder / "problems.json").read_text())]
    table_8, by_step = figure_8(runs, problems)
    on_pds, figures = figures_9_to_11(runs, "pds")
    on_dfpn, _ = figures_9_to_11(runs, "dfpn")
    blocks = {
        "figure 8": table_8,
        "table 2": table_2(runs, "pds", True),
        "figures 9 to 11": on_pds,
        "table 2 on dfpn": table_2(runs, "dfpn", False),
        "figures on dfpn": on_dfpn,
        "dfpn against pds": cores(runs),
    }
    fill(page, blocks)
    lengths = [plies for plies in LENGTHS if plies % 2 == 1]
    picture = chart("Figure 8", "plies", f"time, of that with step {STEP}", by_step, lengths)
    (pictures / "figure8.svg").write_text(picture)
    for figure, points in figures.items():
        title = f"Figure {figure}: {FIGURES[figure][0]}"
        series = {"linear": [(count, count) for count in PROCESSORS], "aohpas": points}
        (pictures / f"figure{figure}.svg").write_text(chart(title, "processors", "speed-up", series, PROCESSORS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run")
    runner.set_defaults(run=run)
    runner.add_argument("problems", nargs="+", help="lists of problems")
    runner.add_argument("--folder", required=True, help="folder in which the runs are kept")
    runner.add_argument("--hasami", type=os.path.abspath, default="target/release/hasami")
    reporter = commands.add_parser("report")
    reporter.set_defaults(run=report)
    reporter.add_argument("--folder", required=True)
    reporter.add_argument("--page", default="scripts/experiments/2026-11-23-takano2004.md")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except OSError as why:
        sys.exit(f"cannot read or write a file: {why}")


if __name__ == "__main__":
    main()
