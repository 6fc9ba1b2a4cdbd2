#!/usr/bin/env python3
"""Uses a USI engine with cshogi's driver and checks its answers: games, mate search, ShogiHome's order of commands.

Usage: pip install cshogi; scripts/clients/shogi_client.py [ENGINE [NAME=VALUE ...]]     exit code 0: all checks passed
"""

import os
import sys
import time

import cshogi
from cshogi.usi import Engine


def play_game(engine, plies, **limits):
    board, moves, infos = cshogi.Board(), [], []
    engine.usinewgame()
    for _ in range(plies):
        if board.is_game_over() or board.is_draw() != cshogi.NOT_REPETITION:
            break
        engine.position(moves=moves, listener=None)
        infos.clear()
        best, _ponder = engine.go(listener=infos.append, **limits)
        if best in ("resign", "win"):
            break
        assert board.is_legal(board.move_from_usi(best)), (board.sfen(), best)
        last = [line for line in infos if line.startswith("info ") and " pv " in line][-1]
        assert last.split(" pv ")[1].split()[0] == best, (last, best)
        assert all(word in last for word in ("depth", "score", "nodes", "nps", "time")), last
        moves.append(best)
        board.push_usi(best)
    return len(moves)


def games(engine):
    for limits in ({"byoyomi": 50}, {"btime": 1000, "wtime": 1000, "byoyomi": 100}, {"nodes": 3000},
                   {"btime": 3000, "wtime": 3000, "binc": 50, "winc": 50}):
        assert play_game(engine, 40, **limits) > 10, limits


def mate_search(engine):
    engine.position(sfen="sfen 8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")
    answer = engine.go_mate(byoyomi=5000)
    assert answer == "G*1b", answer
    engine.position(sfen="startpos")
    assert engine.go_mate(byoyomi=300) in ("nomate", "timeout")


def say(engine, *lines):
    engine.proc.stdin.write("".join(line + "\n" for line in lines).encode())
    engine.proc.stdin.flush()


def read_until(engine, word):
    lines = []
    while not lines or not lines[-1].startswith(word):
        line = engine.proc.stdout.readline().decode("ascii")
        assert line, f"expected {word}, found the end of the output"
        lines.append(line.strip())
    return lines


def early_ponder(engine):
    """Plays like ShogiHome: `go ponder` without clocks, clocks with `ponderhit`, and all commands at once at the end of
    a game."""
    say(engine, "usinewgame", "position startpos moves 7g7f 3c3d", "go ponder")
    say(engine, "ponderhit btime 1000 wtime 1000 byoyomi 200")
    read_until(engine, "bestmove")
    for _ in range(20):
        say(engine, "position startpos moves 2g2f", "go btime 60000 wtime 60000 byoyomi 1000")
        say(engine, "stop", "gameover lose", "isready")
        lines = read_until(engine, "readyok")
        if not any(line.startswith("bestmove") for line in lines):
            lines += read_until(engine, "bestmove")
        assert sum(line.startswith("bestmove") for line in lines) == 1, lines


def main():
    path, settings = (sys.argv[1:2] or ["target/release/hasami"])[0], sys.argv[2:]
    engine = Engine(os.path.abspath(path))
    for setting in settings:
        engine.setoption(*setting.split("=", 1))
    engine.isready()
    for check in (games, mate_search, early_ponder):
        begun = time.monotonic()
        check(engine)
        print(f"{check.__name__}: held, {time.monotonic() - begun:.1f} s", flush=True)
    engine.quit()


if __name__ == "__main__":
    main()
