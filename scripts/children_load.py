#!/usr/bin/env python3
"""Plays a chess game with many child engines under one master, and measures CPU shares and move times.

    scripts/children_load.py --children 32 --movetime 1000 --moves 30 target/release/hasami /usr/games/stockfish

The last line gives the master's share of all CPU time. Needs Linux and python-chess.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import chess

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children_of(pid):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--children", type=int, default=32)
    parser.add_argument("--movetime", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--margin", type=int, default=50, help="a move that takes this many ms longer is late")
    parser.add_argument("master")
    parser.add_argument("engine")
    arguments = parser.parse_args()

    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(f'[[engine]]\ncommand = "{arguments.engine}"\ncount = {arguments.children}\noptions = {{ Hash = 16 }}\n')
        file.flush()
        master = subprocess.Popen([arguments.master], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

        def tell(line):
            master.stdin.write(line + "\n")

        def expect(start):
            for line in master.stdout:
                if line.startswith("info string warning"):
                    print(line.strip())
                if line.startswith(start):
                    return line.split()
            sys.exit(f"expected {start}, found the end of the output")

        tell("uci")
        expect("uciok")
        tell("setoption name Threads value 0")
        tell(f"setoption name Children value {file.name}")
        tell("isready")
        expect("readyok")
        time.sleep(3)
        before = cpu_seconds(master.pid), sum(map(cpu_seconds, children_of(master.pid)))
        board, took, late = chess.Board(), [], 0
        while len(took) < arguments.moves and not board.is_game_over():
            moves = " ".join(move.uci() for move in board.move_stack)
            tell(f"position startpos moves {moves}" if moves else "position startpos")
            tell("isready")
            expect("readyok")
            began = time.perf_counter()
            tell(f"go movetime {arguments.movetime}")
            best = expect("bestmove")[1]
            took.append((time.perf_counter() - began) * 1000)
            late += took[-1] > arguments.movetime + arguments.margin
            board.push_uci(best)
        own = cpu_seconds(master.pid) - before[0]
        theirs = sum(map(cpu_seconds, children_of(master.pid))) - before[1]
        began = time.perf_counter()
        tell("quit")
        master.wait(10)
        print(f"{len(took)} moves, longest {max(took):.0f} ms, late {late}, quit took {(time.perf_counter() - began) * 1000:.0f} ms")
        print(f"master {own:.2f} s, children {theirs:.2f} s, share of the master {100 * own / (own + theirs):.2f} %")


if __name__ == "__main__":
    main()
