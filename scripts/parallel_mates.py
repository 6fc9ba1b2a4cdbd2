#!/usr/bin/env python3
"""Measures by how much several processors solve mate problems faster than one, on the virtual machine or with threads.

    scripts/parallel_mates.py problems.tsv --processors 2,8,64

solves every problem with one processor and with each of these numbers, and reports the factor by which the longest
clock is shorter (in nodes; with threads, real time, best of --rounds alternating runs): geometric mean, minimum and
maximum over the problems of each of --classes, which are ranges of the nodes of one processor. With --each, a line per
problem is printed, too.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path


def solve(args, processors):
    """The answers of `hasami solve` to all problems, by name."""
    kept = Path(args.folder, f"{processors}.jsonl") if args.folder else None
    if kept and kept.exists():
        lines = kept.read_text()
    else:
        lines = run(args, processors)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(lines)
    return {told["name"]: told for told in map(json.loads, lines.splitlines())}


def run(args, processors):
    command = [args.hasami, "solve", args.problems, "--json", "--hash", str(args.hash), "--nodes", str(args.nodes)]
    if processors > 1:
        command += ["--threads" if args.threads else "--virtual", str(processors)]
        if not args.threads and args.turn:
            command += ["--set", f"turn={args.turn}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1) or not found.stdout:
        sys.exit(f"{' '.join(command)} failed: {found.stderr.strip()}")
    return found.stdout


def time_of(told, threads):
    """The time of a search, in ms or in nodes of the longest clock."""
    return told["ms"] if threads else told.get("clock", told["nodes"])


def ratios(alone, together, names, threads):
    """The speed-up of each problem. A problem that is solved only with one processor counts with its time limit."""
    return {name: time_of(alone[name], threads) / max(time_of(together[name], threads), 1e-9) for name in names}


def summary(shorter):
    """One cell of the table."""
    values = sorted(shorter.values())
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return mean, values[0], values[-1]


def classes_of(text):
    """Ranges of node counts: `0,1e6` gives the problems below a million, and the rest."""
    least = [float(word) for word in text.split(",")]
    return list(zip(least, [*least[1:], math.inf], strict=True))


def name_of(least, most):
    of = lambda nodes: f"{nodes / 1e6:g} million" if nodes >= 1e5 else f"{nodes:,.0f}"
    if most == math.inf:
        return f"{of(least)} nodes and more"
    return f"below {of(most)} nodes" if least == 0 else f"{of(least)} to {of(most)} nodes"


def table(best, classes, threads, each):
    """The rows of a table, and the means by class and number of processors."""
    alone, counts = best[1], sorted(count for count in best if count > 1)
    is_in = lambda told, least, most: told["answer"] != "unknown" and least <= told["nodes"] < most
    names = {of: [name for name, told in alone.items() if is_in(told, *of)] for of in classes}
    empty = [of for of in classes if not names[of]]
    if empty:
        solved = [told["nodes"] for told in alone.values() if told["answer"] != "unknown"]
        found = f"{len(solved)} solved, of at most {max(solved):,} nodes" if solved else "none solved"
        sys.exit(f"--classes: expected problems that take one processor {name_of(*empty[0])}, found {found}")
    rows = ["| processors |" + "".join(f" {name_of(*of)} ({len(names[of])}) |" for of in classes)]
    rows.append("| --- |" + " --- |" * len(classes))
    means = {of: [] for of in classes}
    for count in counts:
        told, cells = best[count], []
        for of in classes:
            here = [name for name in names[of] if name in told]
            wrong = [name for name in here if told[name]["answer"] not in (alone[name]["answer"], "unknown")]
            if wrong:
                sys.exit(f"one processor and {count} processors give different answers to {', '.join(wrong)}")
            if not here:
                cells.append("")
                continue
            shorter = ratios(alone, told, here, threads)
            mean, least, most = summary(shorter)
            open_ = sum(told[name]["answer"] == "unknown" for name in here)
            some = f", of {len(here)}" if len(here) < len(names[of]) else ""
            cells.append(f"{mean:.2f} ({least:.2f} to {most:.2f}{some}{f', {open_} not solved' if open_ else ''})")
            means[of].append((count, mean, least, most))
            if each:
                for name in here:
                    print(f"#   {count}, {name}: {alone[name]['nodes']} nodes alone, {shorter[name]:.2f} times shorter")
        rows.append(f"| {count} | " + " | ".join(cells) + " |")
    return rows, means


def draw(file, means):
    """Plots the means with minimum and maximum; both scales are logarithmic."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("--svg requires matplotlib (pip install matplotlib)")
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "parallel", "svg.fonttype": "none", "font.family": "sans-serif"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4.2))
    counts = sorted({count for points in means.values() for count, *_ in points})
    axes.plot(counts, counts, color="#bbb", linestyle="--", label="as many as processors")
    for number, (of, points) in enumerate(means.items()):
        # Points for the same number of processors are drawn side by side, so that no error bar hides another.
        xs = [count * 1.03 ** (number - (len(means) - 1) / 2) for count, *_ in points]
        ys = [mean for _, mean, *_ in points]
        bars = [[mean - least for _, mean, least, _ in points], [most - mean for _, mean, _, most in points]]
        axes.errorbar(xs, ys, yerr=bars, marker="o", markersize=4, capsize=2, linewidth=1.4, label=name_of(*of))
    axes.set(xscale="log", yscale="log", xlabel="processors", ylabel="times shorter than by one processor")
    axes.set_xticks(counts, [f"{count:,}" for count in counts])
    axes.minorticks_off()
    axes.set_yticks(marks := [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], [f"{mark:g}" for mark in marks])
    axes.grid(axis="y", color="#ddd")
    axes.legend(title="nodes of one processor", fontsize=8, title_fontsize=8)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", help="list of problems in the format of hasami solve")
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--processors", default="2,8,64", help="numbers of processors, separated by commas")
    parser.add_argument("--threads", action="store_true", help="use real threads and measure wall time")
    parser.add_argument("--rounds", type=int, default=2, help="number of alternating runs on threads")
    parser.add_argument("--turn", type=int, default=0, help="nodes per turn of the virtual machine (default: that of the program)")
    parser.add_argument("--classes", default="2.6e6", help="smallest numbers of nodes of the classes, separated by commas (default: 2.6e6, one class; 0: all problems)")
    parser.add_argument("--nodes", type=int, default=300_000_000, help="node limit of each problem")
    parser.add_argument("--hash", type=int, default=1024, help="memory in MiB")
    parser.add_argument("--folder", help="folder in which runs of the virtual machine are kept")
    parser.add_argument("--svg", help="file for a picture of the table")
    parser.add_argument("--each", action="store_true")
    args = parser.parse_args()
    if args.threads and args.folder:
        parser.error("--folder cannot be combined with --threads, because measured times are not reproducible")
    best = {}
    for _ in range(args.rounds if args.threads else 1):
        for count in [1, *map(int, args.processors.split(","))]:
            for name, told in solve(args, count).items():
                known = best.setdefault(count, {}).get(name)
                if known is None or time_of(told, args.threads) < time_of(known, args.threads):
                    best[count][name] = told
    rows, means = table(best, classes_of(args.classes), args.threads, args.each)
    print("\n".join(rows))
    if args.svg:
        draw(args.svg, means)


if __name__ == "__main__":
    main()
