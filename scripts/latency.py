#!/usr/bin/env python3
"""Measures the time from stop to bestmove of several UCI engines alternately: median, 99th percentile and maximum, in
ms.

    scripts/latency.py --rounds 300 --threads 1 target/release/hasami /usr/games/stockfish
"""

import argparse
import random
import shlex
import subprocess
import time

POSITIONS = [
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
]


class Engine:
    def __init__(self, command, threads):
        self.name = command
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.times = []
        self.tell("uci")
        self.expect(b"uciok")
        self.tell(f"setoption name Threads value {threads}")
        self.tell("isready")
        self.expect(b"readyok")

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def expect(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        raise SystemExit(f"{self.name}: expected {start.decode()}, found the end of its output")

    def round(self, position, think):
        self.tell(f"position {position}")
        self.tell("isready")
        self.expect(b"readyok")
        self.tell("go infinite")
        time.sleep(think)
        began = time.perf_counter()
        self.tell("stop")
        self.expect(b"bestmove")
        self.times.append((time.perf_counter() - began) * 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("engines", nargs="+")
    arguments = parser.parse_args()
    engines = [Engine(command, arguments.threads) for command in arguments.engines]
    source = random.Random(1)
    for number in range(arguments.rounds):
        think = source.uniform(0.02, 0.08)
        for engine in engines:
            engine.round(POSITIONS[number % len(POSITIONS)], think)
    for engine in engines:
        engine.tell("quit")
        engine.process.wait(10)
        times = sorted(engine.times)
        at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
        print(f"{engine.name}: median {at(0.5):.2f} ms, 99 % {at(0.99):.2f} ms, worst {times[-1]:.2f} ms, {len(times)} stops")


if __name__ == "__main__":
    main()
