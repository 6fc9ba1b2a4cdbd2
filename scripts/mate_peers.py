#!/usr/bin/env python3
"""Compares USI mate solvers on a list of problems by their processor time, alternating between them for each problem.

    scripts/mate_peers.py muso.tsv --seconds 20 --json peers.json \\
        --solver "hasami=target/release/hasami;USI_Hash=2048;EnteringKingRule=None" \\
        --solver "komoring=KomoringHeights;USI_Hash=2048;PostSearchLevel=None;Threads=1"

Each solver is one process, to which a new game is announced before each problem; the time for the new game does not
count. A solver that has not answered within its limit of processor time is stopped, and counts as unsolved with all of
its time. The first solver is compared with each of the others. Needs Linux. Each line of a list has SFEN, name and
length, separated by tabs.
"""

import argparse
import json
import os
import selectors
import subprocess
import sys
import time

LIMITS = [0.2, 1, 5, 20]
WORTH_COMPARING = 0.2  # seconds


class Solver:
    """A process that speaks USI."""

    def __init__(self, text):
        name, found, rest = text.partition("=")
        if not found or not rest:
            sys.exit(f"expected name=command;option=value;..., found '{text}'")
        command, *options = rest.split(";")
        command = os.path.abspath(command) if os.path.exists(command) else command
        folder = os.path.dirname(command) or None
        self.name = name
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, bufsize=0
        )
        self.buffer = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.tell("usi")
        self.wait_for("usiok")
        for option in options:
            key, _, value = option.partition("=")
            self.tell(f"setoption name {key} value {value}")
        self.tell("isready")
        self.wait_for("readyok")
        # shtsume 1.2.7e answers only its first `isready`.
        self.says_again_when_ready = True

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def read(self, timeout):
        """The next line, or None if none arrives in time."""
        while b"\n" not in self.buffer:
            if not self.selector.select(timeout):
                return None
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                sys.exit(f"{self.name} closed its output")
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode(errors="replace").strip()

    def find(self, word, timeout):
        while (line := self.read(timeout)) is not None:
            if line.startswith(word):
                return line
        return None

    def wait_for(self, word, timeout=60):
        if (line := self.find(word, timeout)) is not None:
            return line
        sys.exit(f"{self.name} did not print '{word}' within {timeout} s")

    def new_game(self):
        self.tell("usinewgame")
        if self.says_again_when_ready:
            self.tell("isready")
            self.says_again_when_ready = self.find("readyok", 10) is not None

    def used(self):
        """Processor time of all threads of the solver, in seconds."""
        total = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{thread}/schedstat") as file:
                    total += int(file.read().split()[0])
            except OSError:
                continue  # The process has just ended.
        return total / 1e9

    def solve(self, sfen, seconds):
        self.new_game()
        self.tell(f"position sfen {sfen}")
        before, began, nodes, stopped = self.used(), time.monotonic(), 0, False
        # A solver's own limit counts real time, so the solver runs without one until this script stops it by processor
        # time.
        self.tell("go mate infinite")
        while True:
            line = self.read(0.02)
            if line is None:
                if not stopped and self.used() - before > seconds:
                    self.tell("stop")
                    stopped = True
                continue
            words = line.split()
            if "nodes" in words[:-1]:
                nodes = int(words[words.index("nodes") + 1])
            if words[:1] == ["checkmate"]:
                break
        took = self.used() - before
        # shtsume 1.2.7e falsely answers "nomate" when it is stopped.
        said = "timeout" if stopped else words[1] if words[1:] else "timeout"
        answer = {"timeout": "unknown", "nomate": "nomate"}.get(said, "mate")
        if answer == "unknown":
            took = max(took, seconds)
        return {
            "answer": answer,
            "plies": len(words) - 1 if answer == "mate" else None,
            "nodes": nodes,
            "seconds": min(took, seconds),
            "wall": time.monotonic() - began,
        }

    def quit(self):
        self.tell("quit")
        self.process.wait(10)


def problems(path):
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                sfen, name, length = (line.rstrip("\n").split("\t") + ["?"])[:3]
                yield sfen, name, length


def table(results, names, seconds):
    limits = [limit for limit in LIMITS if limit <= seconds]
    print("| | " + " / ".join(f"{limit:g}" for limit in limits) + " s | sum | nodes/s |")
    print("| --- | --- | --- | --- |")
    for name in names:
        own = [found[name] for found in results.values()]
        solved = [sum(one["answer"] != "unknown" and one["seconds"] <= limit for one in own) for limit in limits]
        total = sum(one["seconds"] for one in own)
        speed = sum(one["nodes"] for one in own) / max(total, 1e-9)
        print(f"| {name} | {' / '.join(map(str, solved))} | {total:.1f} s | {speed:,.0f} |")
    first, *others = names
    for other in others:
        pairs = {problem: (found[first]["seconds"], found[other]["seconds"]) for problem, found in results.items()}
        long = {problem: pair for problem, pair in pairs.items() if max(pair) > WORTH_COMPARING}
        slow = sorted((own / max(its, 1e-3), problem) for problem, (own, its) in long.items())
        twice = [f"{problem} {ratio:.1f}" for ratio, problem in reversed(slow) if ratio > 2]
        ratio = sum(own for own, _ in pairs.values()) / max(sum(its for _, its in pairs.values()), 1e-9)
        print(f"\n{first} takes {ratio:.2f} of the time of {other}; more than twice as long at {len(twice)}: {', '.join(twice)}")
        for problem, found in results.items():
            answers = {found[name]["answer"] for name in (first, other)} - {"unknown"}
            if len(answers) > 1:
                print(f"they differ at {problem}: {first} {found[first]['answer']}, {other} {found[other]['answer']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems")
    parser.add_argument("--solver", action="append", required=True, metavar="NAME=COMMAND;OPTION=VALUE;...")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", help="file for all figures")
    arguments = parser.parse_args()
    solvers = [Solver(text) for text in arguments.solver]
    results = {}
    for sfen, name, length in problems(arguments.problems):
        results[name] = {solver.name: solver.solve(sfen, arguments.seconds) for solver in solvers}
        words = [f"{one['answer']} {one['plies'] or '-'} {one['seconds']:.3f} s" for one in results[name].values()]
        print(name, length, *words, sep="\t", file=sys.stderr, flush=True)
    for solver in solvers:
        solver.quit()
    table(results, [solver.name for solver in solvers], arguments.seconds)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file)


if __name__ == "__main__":
    main()
