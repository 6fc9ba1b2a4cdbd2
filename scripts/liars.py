"""Measures how many moves a lying machine of the cluster influences when there are honest machines, too.

    python3 scripts/liars.py trial --kind value             +9.00 at depth 99 for a move that hangs a piece
    python3 scripts/liars.py trial --kind mate              mate in 5 by that move
    python3 scripts/liars.py trial --kind low               -9.00 for all moves, that move first
    python3 scripts/liars.py trial --kind mixed             one of these, anew for each position
    python3 scripts/liars.py trial --kind none              an honest engine instead of the liar
    python3 scripts/liars.py engine --kind value            the liar alone, on stdin and stdout
    python3 scripts/liars.py mates muso.tsv                 how many mates are found with and without an honest machine that answers
                                                            `go mate`, for shogi problems, one position per line

Needs nats-server and python-chess (`pip install chess`). The engine is target/release/hasami or --hasami.
"""

import argparse
import atexit
import os
import pathlib
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
import types

import chess

HERE = pathlib.Path(__file__).resolve().parent
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
KINDS = ("value", "mate", "low")


def balance(board):
    own = {True: 0, False: 0}
    for piece in board.piece_map().values():
        own[piece.color] += VALUES[piece.piece_type]
    return own[board.turn] - own[not board.turn]


def captures(board, depth):
    """The material that the side to move wins by captures, or 0 if captures lose."""
    best = balance(board)
    if depth == 0:
        return best
    for move in board.generate_legal_captures():
        board.push(move)
        best = max(best, -captures(board, depth - 1))
        board.pop()
    return best


def hanging(board):
    """The move that loses the most material."""
    def rating(move):
        board.push(move)
        worth = -captures(board, 2) if board.legal_moves else 99
        board.pop()
        return worth, move.uci()
    return min(board.legal_moves, key=rating)


def lie(board, kind):
    """The move to recommend and its false score."""
    if kind == "mixed":
        kind = random.Random(board.fen()).choice(KINDS)
    return hanging(board), {"value": "cp 900", "mate": "mate 5", "low": "cp -900"}[kind]


def engine(options):
    board, said, text, nodes = chess.Board(), None, "", 0
    lines = queue.Queue()

    def read():
        for line in sys.stdin:
            lines.put(line)
        lines.put("quit")

    threading.Thread(target=read, daemon=True).start()

    def say(line):
        print(line, flush=True)

    while True:
        try:
            words = lines.get(timeout=0.02 if said else None).split()
        except queue.Empty:
            nodes += 1_000_000
            say(f"info depth 99 seldepth 99 score {said} nodes {nodes} nps 50000000 time 20 pv {text}")
            continue
        if not words:
            continue
        if words[0] == "quit":
            return
        if words[0] == "uci":
            say("id name Liar\nid author nobody\nuciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:at]))
            for move in words[at + 1:]:
                board.push_uci(move)
        elif words[0] == "go" and any(board.legal_moves):
            allowed = words[words.index("searchmoves") + 1:] if "searchmoves" in words else []
            move, said = lie(board, options.kind)
            text, nodes = move.uci(), 1_000_000
            if allowed and text not in allowed:
                text = next((word for word in allowed if word in [m.uci() for m in board.legal_moves]), text)
            say(f"info depth 99 seldepth 99 score {said} nodes {nodes} nps 50000000 time 1 pv {text}")
        elif words[0] in ("stop", "go"):
            said = None
            say(f"bestmove {text or '0000'}")


def listed(options, url):
    command = [options.hasami, "workers", "--lang", "en", "--connect", url, "--wait", "2"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.splitlines()


def wait_for(options, url, machines):
    """Waits until all machines have joined, which takes some time if they are busy."""
    limit = time.monotonic() + 120
    while sum("nodes/s" in line or "speed not known" in line for line in listed(options, url)) < machines:
        if time.monotonic() > limit:
            raise SystemExit(f"expected {machines} machines, found {listed(options, url)}")


def trial(options):
    import cluster

    options.hasami = cluster.program(options.hasami)
    cluster.end_when_told()
    cluster.PORT = options.port or cluster.PORT
    server = cluster.Server()
    url = f"nats://127.0.0.1:{cluster.PORT}"
    honest = types.SimpleNamespace(hasami=options.hasami, child=options.child)
    workers = [cluster.Worker(honest, url, f"honest{n}") for n in range(options.honest)]
    command = f"{sys.executable} {HERE / 'liars.py'} engine --kind {options.kind}"
    other = types.SimpleNamespace(hasami=options.hasami, child=options.child if options.kind == "none" else command)
    workers += [cluster.Worker(other, url, f"liar{n}") for n in range(options.liars)]
    wait_for(options, url, len(workers))
    master = cluster.Engine(options.hasami, url, options.threads)
    board, dice = chess.Board(), random.Random(options.seed)
    steered, times = 0, []
    while len(times) < options.moves:
        if board.is_game_over(claim_draw=True) or board.ply() > 120:
            board = chess.Board()
            master.tell("ucinewgame")
        wanted = hanging(board)
        text, took = master.move(board, options.ms)
        times.append(took)
        move = chess.Move.from_uci(text)
        assert move in board.legal_moves, f"expected a legal move, found {text}"
        is_steered = move == wanted
        steered += is_steered
        if options.verbose:
            print(f"{text}, wanted {wanted}{', STEERED' if is_steered else ''}, {took:.3f} s", file=sys.stderr)
        # The master continues with an honest move, because a single successful lie would lose the game.
        board.push(move)
        if not board.is_game_over():
            board.push(dice.choice(list(board.legal_moves)))
    times.sort()
    late = sum(took > options.ms / 1000 + 0.05 for took in times)
    print(f"{options.kind}: {steered} of {options.moves} moves steered by {options.liars} of "
          f"{options.liars + options.honest} machines; {late} late, median {times[len(times) // 2]:.3f} s, "
          f"longest {times[-1]:.3f} s at {options.ms} ms")
    for note in master.notes:
        if "set aside" in note or "lost" in note:
            print(f"  {note}")
    master.quit()
    for worker in workers:
        worker.kill()
    server.stop()


def ask(command, positions, ms, url):
    """The answers to `go mate`, and the remarks of the log about the answers of machines."""
    master = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "RUST_LOG": "warn"}, text=True, bufsize=1)
    warnings = []
    threading.Thread(target=lambda: warnings.extend(master.stderr), daemon=True).start()

    def tell(line):
        master.stdin.write(line + "\n")

    def wait(start):
        for line in master.stdout:
            if line.startswith(start):
                return line.split()
        raise SystemExit(f"the engine ended before it printed '{start}'")

    tell("usi")
    wait("usiok")
    for name, value in [("Threads", 1), ("USI_Hash", 64)] + ([("Cluster", url)] if url else []):
        tell(f"setoption name {name} value {value}")
    answers = []
    for position in positions:
        tell("isready")
        wait("readyok")
        tell("usinewgame")
        tell(f"position sfen {position}")
        tell(f"go mate {ms}")
        answers.append(wait("checkmate")[1:])
    tell("quit")
    master.wait(20)
    return answers, [line for line in warnings if "proved mate" in line]


def mates(options):
    """Counts the mates that are found. The machine has hasami's solver as a mate engine. The master's solver is slowed
    (nice), so that the machine answers first."""
    import cluster

    options.hasami = cluster.program(options.hasami)
    cluster.end_when_told()
    cluster.PORT = options.port or cluster.PORT
    lines = pathlib.Path(options.problems).read_text().splitlines()
    positions = [line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#")]
    command = ["nice", "-n", str(options.nice), options.hasami]
    alone, _ = ask(command, positions, options.ms, None)
    server = cluster.Server()
    url = f"nats://127.0.0.1:{cluster.PORT}"
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as children:
        child = options.child or options.hasami
        children.write(f'[[engine]]\nname = "honest"\ncommand = ["{child}"]\nprotocol = "usi"\nmate = true\n')
        children.flush()
        command_of_worker = [options.hasami, "worker", "--connect", url, "--name", "honest", "--children", children.name]
        worker = subprocess.Popen(command_of_worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(worker.kill)
        time.sleep(3)
        together, refused = ask(command, positions, options.ms, url)
    worker.kill()
    server.stop()

    def found(answers):
        return sum(answer[0] not in ("nomate", "timeout") for answer in answers)

    lost = [n + 1 for n, (one, two) in enumerate(zip(alone, together)) if two[0] == "timeout" != one[0]]
    print(f"{len(positions)} problems, {options.ms} ms: {found(alone)} mates alone, {found(together)} with an honest machine; "
          f"unknown there and not alone: {lost or 'none'}; answers of the machine that were not believed: {len(refused)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    liar = commands.add_parser("engine")
    liar.add_argument("--kind", choices=[*KINDS, "mixed"], default="value")
    liar.set_defaults(run=engine)
    tried = commands.add_parser("trial")
    tried.add_argument("--kind", choices=[*KINDS, "mixed", "none"], default="value")
    tried.add_argument("--hasami", default=str(HERE.parent / "target/release/hasami"))
    tried.add_argument("--child", help="engine of the honest machines [default: threads of hasami]")
    tried.add_argument("--honest", type=int, default=1)
    tried.add_argument("--liars", type=int, default=1)
    tried.add_argument("--threads", type=int, default=0, help="number of threads of the master")
    tried.add_argument("--moves", type=int, default=20)
    tried.add_argument("--ms", type=int, default=150)
    tried.add_argument("--seed", type=int, default=1)
    tried.add_argument("--port", type=int, help="port of the server")
    tried.add_argument("--verbose", action="store_true", help="print every move on stderr")
    tried.set_defaults(run=trial)
    honest = commands.add_parser("mates")
    honest.add_argument("problems")
    honest.add_argument("--hasami", default=str(HERE.parent / "target/release/hasami"))
    honest.add_argument("--child", help="mate engine of the machine [default: hasami]")
    honest.add_argument("--ms", type=int, default=3000, help="time limit of a problem in ms")
    honest.add_argument("--nice", type=int, default=15, help="niceness of the master")
    honest.add_argument("--port", type=int, help="port of the server")
    honest.set_defaults(run=mates)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
