#!/usr/bin/env python3
"""Reproduces the tables of Hashimoto et al. 2001: TACO-H with both inner searches, compared with the solver that proves
its answers.

    scripts/hashimoto2001.py problems.tsv --time 10

prints, like Table 3, the seconds that TACO-H takes for each problem with an inner PDS of --pds nodes (a millisecond on
its authors' machine) and with inner iterative deepening of 5 plies, their ratio, and the seconds to a proof; then the
sums, in which an unsolved problem counts with its time limit. --limits prints Tables 1 and 2 for the problems that it
names: the inner limit and a limit a thousand times as large, with calls, calls that were cut off, nodes and time.
"""

import argparse
import json
import subprocess
import sys

SOLVERS = {"PDS": ["--set", "taco-h", "--set", "inner=pds"], "ID": ["--set", "taco-h", "--set", "inner=id"], "proof": []}


def solve(args, options):
    """The answers to all problems, by name."""
    command = [args.hasami, "brinkmate", args.problems, "--json", "--hash", str(args.hash), *options]
    command += ["--nodes", str(args.nodes)] if args.nodes else ["--time", str(args.time)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1) or not found.stdout:
        sys.exit(f"{' '.join(command)} failed: {found.stderr.strip()}")
    return {told["name"]: told for told in map(json.loads, found.stdout.splitlines())}


def is_solved(told):
    return told["answer"] != "unknown"


def cell(told):
    """The seconds of a search, or the mark for an unsolved problem."""
    return f"{told['ms'] / 1000:.3f}" if is_solved(told) else f"({told['ms'] / 1000:.0f}: unknown)"


def times(found, names, each):
    """The rows of Table 3: each problem if `each` is set, and the sums."""
    rows = ["| problem | PDS | ID | PDS : ID | proof | plies of the proof |", "| --- | --- | --- | --- | --- | --- |"]
    for name in names if each else []:
        told = [found[solver][name] for solver in SOLVERS]
        ratio = told[0]["ms"] / max(told[1]["ms"], 1e-3)
        rows.append(f"| {name} | {cell(told[0])} | {cell(told[1])} | {ratio:.1f} | {cell(told[2])} | {told[2]['plies']} |")
    sums = [sum(found[solver][name]["ms"] for name in names) / 1000 for solver in SOLVERS]
    rows.append(f"| sum of {len(names)} | {sums[0]:.1f} | {sums[1]:.1f} | {sums[0] / sums[1]:.2f} | {sums[2]:.1f} | |")
    solved = [sum(is_solved(found[solver][name]) for name in names) for solver in SOLVERS]
    rows.append(f"| solved | {solved[0]} | {solved[1]} | | {solved[2]} | |")
    nodes = [sum(found[solver][name]["nodes"] for name in names) for solver in SOLVERS]
    rows.append(f"| million nodes | {nodes[0] / 1e6:.1f} | {nodes[1] / 1e6:.1f} | | {nodes[2] / 1e6:.1f} | |")
    return rows


def limits(args, names):
    """Tables 1 and 2."""
    rows = ["| problem | inner limit, nodes | ms | nodes | inner searches | cut | answer |", "| --- | --- | --- | --- | --- | --- | --- |"]
    runs = [(nodes, solve(args, ["--set", "taco-h", "--set", f"inner-nodes={nodes}"])) for nodes in (args.pds, 1000 * args.pds)]
    for name in names:
        for nodes, found in runs:
            told = found[name]
            inner = told["inner"]
            rows.append(
                f"| {name} | {nodes} | {told['ms']:.0f} | {told['nodes']} | {inner['calls']} | {inner['cut']} | {told['answer']} |"
            )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", help="list of problems in the format of hasami brinkmate")
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--time", type=float, default=10, help="time limit of each problem in seconds")
    parser.add_argument("--nodes", type=int, help="node limit of each problem, for reproducible results")
    parser.add_argument("--hash", type=int, default=256, help="memory in MiB")
    parser.add_argument("--pds", type=int, default=257, help="node limit of the inner PDS")
    parser.add_argument("--each", action="store_true", help="also print a row for each problem")
    parser.add_argument("--limits", nargs="*", metavar="NAME", help="print Tables 1 and 2 for these problems")
    args = parser.parse_args()
    SOLVERS["PDS"] += ["--set", f"inner-nodes={args.pds}"]
    found = {solver: solve(args, options) for solver, options in SOLVERS.items()}
    names = list(found["proof"])
    print("\n".join(times(found, names, args.each)))
    contradicted = [
        name
        for name in names
        if {found["proof"][name]["answer"], found["ID"][name]["answer"]} == {"brinkmate", "none"}
        or {found["proof"][name]["answer"], found["PDS"][name]["answer"]} == {"brinkmate", "none"}
    ]
    print(f"\ncontradictions: {', '.join(contradicted) or 'none'}")
    if args.limits:
        print("\n" + "\n".join(limits(args, args.limits)))


if __name__ == "__main__":
    main()
