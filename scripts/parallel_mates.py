#!/usr/bin/env python3
"""How much sooner several processors solve mate problems than one, by the virtual machine or on threads.

    scripts/parallel_mates.py problems.tsv --processors 2,8,64

solves every problem by one processor and by so many, and tells how many times shorter the longest clock is (in nodes; on
threads, in time on the wall, best of --rounds in turns): geometric mean, least and most, over the problems that take one
processor --least nodes or more; and a line for each problem with --each.
"""

import argparse
import json
import math
import subprocess
import sys


def solve(args, processors, file):
    """What `hasami solve` tells of each problem, by name."""
    command = [args.hasami, "solve", file, "--json", "--hash", str(args.hash), "--nodes", str(args.nodes)]
    if processors > 1:
        command += ["--threads" if args.threads else "--virtual", str(processors)]
        if not args.threads and args.turn:
            command += ["--turn", str(args.turn)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1) or not found.stdout:
        sys.exit(f"expected answers of {' '.join(command)}, found: {found.stderr.strip()}")
    return {told["name"]: told for told in map(json.loads, found.stdout.splitlines())}


def time_of(told, threads):
    """Of a search, in ms or in nodes of the longest clock."""
    return told["ms"] if threads else told.get("clock", told["nodes"])


def ratios(alone, together, names, threads):
    """How many times shorter; a problem that only one processor solves counts with the time it was given."""
    return {name: time_of(alone[name], threads) / max(time_of(together[name], threads), 1e-9) for name in names}


def summary(shorter, solved):
    """One row of the table."""
    values = sorted(shorter.values())
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return f"{mean:.2f} | {values[0]:.2f} | {values[-1]:.2f} | {solved} of {len(values)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", help="a list of problems, as hasami solve reads them")
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--processors", default="2,8,64", help="how many, separated by commas")
    parser.add_argument("--threads", action="store_true", help="on real threads, by the clock on the wall")
    parser.add_argument("--rounds", type=int, default=2, help="runs of each on threads, in turns")
    parser.add_argument("--turn", type=int, default=0, help="nodes of a turn of the virtual machine (default: the program's)")
    parser.add_argument("--least", type=float, default=2.6e6, help="nodes of one processor")
    parser.add_argument("--most", type=float, default=math.inf, help="nodes of one processor")
    parser.add_argument("--nodes", type=int, default=300_000_000, help="limit for each problem, of all together")
    parser.add_argument("--hash", type=int, default=1024, help="MiB")
    parser.add_argument("--each", action="store_true")
    args = parser.parse_args()
    rounds = args.rounds if args.threads else 1
    counts = [int(count) for count in args.processors.split(",")]
    best = {}
    for _ in range(rounds):
        for count in [1, *counts]:
            for name, told in solve(args, count, args.problems).items():
                known = best.setdefault(count, {}).get(name)
                if known is None or time_of(told, args.threads) < time_of(known, args.threads):
                    best[count][name] = told
    alone = best[1]
    names = [name for name, told in alone.items() if told["answer"] != "unknown" and args.least <= told["nodes"] < args.most]
    if not names:
        sys.exit(f"expected problems of {args.least:.0f} nodes and more, found none")
    print("| processors | times shorter | least | most | solved |\n| --- | --- | --- | --- | --- |")
    for count in counts:
        told = best[count]
        wrong = [name for name in names if told[name]["answer"] not in (alone[name]["answer"], "unknown")]
        if wrong:
            sys.exit(f"expected the answers of one processor, found others of {count} at {', '.join(wrong)}")
        shorter = ratios(alone, told, names, args.threads)
        print(f"| {count} | {summary(shorter, sum(told[name]['answer'] != 'unknown' for name in names))} |")
        if args.each:
            for name in names:
                print(f"#   {name}: {alone[name]['nodes']} nodes alone, {shorter[name]:.2f} times shorter")


if __name__ == "__main__":
    main()
