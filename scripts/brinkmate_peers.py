#!/usr/bin/env python3
"""Compares `hasami brinkmate` with a USI solver of brinkmates on lists of problems, alternating between them.

    scripts/brinkmate_peers.py tests/data/brinkmates/known.tsv --json peers.json \\
        --hasami target/release/hasami \\
        --solver "suisho=Suisho-BM;USI_Hash=256;Threads=1" --proved "info string proof verified"

Processor time is measured, so that other load on the machine does not count. Each problem is solved by two new
processes, which alternate in starting first. The solver's time runs from `go mate infinite` to `checkmate`, that of
hasami from the start of the program to its end. With --proved, a line of the solver that begins with this text marks
the end of its proof, and a second table leaves out the solver's time after the proof, in which it searches a line to
show. A process that is out of time is stopped, and its answer does not count. The numbers of problems solved within t
seconds are derived from one search with the longest limit. A mate counts as a brinkmate, because the solver reports
mates as brinkmates. Needs Linux. Each line of a list has SFEN and name, separated by tabs; more columns are ignored.
"""

import argparse
import json
import math
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import mate_peers

OURS = "hasami"
LIMITS = "1,10,60"
TIMES = {"answer": "seconds", "proof": "proved"}
ANSWERS = {"brinkmate": "brinkmate", "mate": "brinkmate", "none": "none"}
# Hasami's exit code if its arguments or the position are wrong.
BAD_INPUT = 2


class Engine(mate_peers.Solver):
    """A USI engine for one problem, which notes when it reports that its proof is done."""

    def __init__(self, text, mark):
        self.mark, self.proved = mark, None
        super().__init__(text)

    def read(self, timeout):
        line = super().read(timeout)
        if self.mark and line and line.startswith(self.mark) and self.proved is None:
            self.proved = self.used()
        return line

    def close(self):
        self.selector.close()
        self.process.stdin.close()
        self.process.stdout.close()

    def solve_one(self, sfen, seconds):
        before = self.used()
        found = self.solve(sfen, seconds)
        self.quit()
        self.close()
        answer = {"mate": "brinkmate", "nomate": "none"}.get(found["answer"], "unknown")
        proved = self.proved - before if self.proved is not None else None
        return result(answer, found["seconds"], seconds, found["wall"], proved)


def result(answer, took, seconds, wall, proved=None):
    """The result of a search. A search without an answer counts with its whole time limit. A brinkmate may be proved
    before the answer."""
    if answer == "unknown" or took >= seconds:
        answer, took = "unknown", seconds
    if proved is None or proved >= took:
        proof, proved = answer, took
    else:
        proof = "brinkmate"
    return {"answer": answer, "seconds": took, "proof": proof, "proved": proved, "wall": wall}


def processor_time(pid):
    total = 0.0
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            total += int(path.read_text().split()[0]) / 1e9
        except (OSError, IndexError):
            continue  # The process has just ended.
    return total


def hasami(command, sfen, seconds, mib):
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    # Hasami's own limit counts real time, so it must be too long to stop Hasami before this script does so by processor
    # time.
    words = [command, "brinkmate", "--sfen", sfen, "--json", "--hash", str(mib), "--time", "1000000"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stopped = False
    while True:
        try:
            said, complaint = process.communicate(timeout=0.02)
            break
        except subprocess.TimeoutExpired:
            if not stopped and processor_time(process.pid) > seconds:
                process.send_signal(signal.SIGINT)
                stopped = True
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return read_hasami(process.returncode, said, complaint, took, seconds, wall)


def read_hasami(code, said, complaint, took, seconds, wall):
    """The answer from the line of JSON. Unproved answers do not count. Bad input ends the script."""
    if code == BAD_INPUT:
        sys.exit(complaint.strip())
    if not said.strip():
        # Hasami was stopped before it printed anything.
        return result("unknown", took, seconds, wall)
    told = json.loads(said.splitlines()[0])
    answer = ANSWERS.get(told["answer"], "unknown") if told.get("proved", True) else "unknown"
    return result(answer, took, seconds, wall)


def problems(paths):
    for path in paths:
        with open(path) as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    columns = line.rstrip("\n").split("\t")
                    yield columns[0], columns[1] if len(columns) > 1 else columns[0]


def solved_by(one, limit, of):
    return one[of] != "unknown" and one[TIMES[of]] <= limit


def table(results, names, limits, of="answer"):
    """A table of the numbers of problems solved, by kind, and of the times for the problems that both programs
    solved."""
    both = [found for found in results.values() if all(solved_by(found[name], limits[-1], of) for name in names)]
    limit_names = " / ".join(f"{limit:g}" for limit in limits)
    lines = [
        f"| | solved in {limit_names} s | brinkmate | none | sum of the {len(both)} that both solved |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in names:
        own = [found[name] for found in results.values()]
        counts = " / ".join(str(sum(solved_by(one, limit, of) for one in own)) for limit in limits)
        kinds = [sum(one[of] == kind for one in own) for kind in ("brinkmate", "none")]
        total = sum(found[name][TIMES[of]] for found in both)
        lines.append(f"| {name} | {counts} of {len(own)} | {kinds[0]} | {kinds[1]} | {total:.2f} s |")
    return lines + [comparison(both, names, TIMES[of])] if both else lines


def comparison(both, names, time):
    ours, its = names
    pairs = [(max(found[ours][time], 1e-3), max(found[its][time], 1e-3)) for found in both]
    ratio = sum(mine for mine, _ in pairs) / sum(theirs for _, theirs in pairs)
    mean = math.exp(sum(math.log(mine / theirs) for mine, theirs in pairs) / len(pairs))
    faster = sum(mine < theirs for mine, theirs in pairs)
    return f"\n{ours} takes {ratio:.2f} of the time of {its} (geometric mean {mean:.2f}), less at {faster} of {len(pairs)}"


def contradictions(results, names):
    """Problems for which one program found a brinkmate and the other proved that there is none."""
    for problem, found in results.items():
        answers = {found[name]["proof"] for name in names} - {"unknown"}
        if len(answers) > 1:
            yield f"they contradict each other at {problem}: " + ", ".join(f"{name} {found[name]['proof']}" for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="+")
    parser.add_argument("--hasami", required=True, metavar="PROGRAM")
    parser.add_argument("--solver", required=True, metavar="NAME=COMMAND;OPTION=VALUE;...")
    parser.add_argument("--proved", metavar="TEXT", help="beginning of the line by which the solver reports its proof")
    parser.add_argument("--limits", default=LIMITS, help=f"time limits in seconds, in ascending order [{LIMITS}]")
    parser.add_argument("--hash", type=int, default=256, help="memory of our tables in MiB [256]")
    parser.add_argument("--json", help="file for all figures")
    arguments = parser.parse_args()
    limits = sorted(float(limit) for limit in arguments.limits.split(","))
    names = [OURS, arguments.solver.partition("=")[0]]
    results = {}
    for number, (sfen, name) in enumerate(problems(arguments.problems)):
        runs = {
            names[0]: lambda: hasami(arguments.hasami, sfen, limits[-1], arguments.hash),
            names[1]: lambda: Engine(arguments.solver, arguments.proved).solve_one(sfen, limits[-1]),
        }
        order = names if number % 2 == 0 else names[::-1]
        results[name] = {which: runs[which]() for which in order}
        words = [f"{results[name][which]['answer']} {results[name][which]['seconds']:.3f} s" for which in names]
        print(name, *words, sep="\t", file=sys.stderr, flush=True)
        if arguments.json:
            with open(arguments.json, "w") as file:
                json.dump(results, file)
    print("\n".join(table(results, names, limits)))
    if arguments.proved:
        print(f"\nwithout the time that {names[1]} takes after its proof:\n")
        print("\n".join(table(results, names, limits, "proof")))
    print(*contradictions(results, names), sep="\n")


if __name__ == "__main__":
    main()
