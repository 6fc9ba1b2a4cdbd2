#!/usr/bin/env python3
"""Makes labelled shogi positions for the tuner: self-play of a USI engine at a fixed node count.

One line per position in the format of scripts/tune: SFEN;SCORE;RESULT, with score and result for the first player. The
score is in the engine's centipawns times --scale (those of fairy-stockfish are worth about half of ours). Positions in
check, and those whose best move captures or promotes, are left out, because a static evaluation cannot judge them.
Needs cshogi. Example:

    scripts/shogi_data.py --engine /usr/games/fairy-stockfish --nodes 1500 --positions 200000 --seed 1 --out shogi.txt
"""

import argparse
import random
import shlex
import subprocess

import cshogi

RESIGN_CP = 3000
RESIGN_PLIES = 4
MAX_PLIES = 240


class Engine:
    """A USI engine for one search at a time."""

    def __init__(self, command, hash_mb):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("usi")
        self.wait("usiok")
        self.say(f"setoption name Hash value {hash_mb}")
        self.say("isready")
        self.wait("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """The lines up to the one that begins with `word`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines
        raise EOFError(f"expected '{word}', found the end of the engine")

    def search(self, sfen, nodes):
        """Best move, and score in centipawns for the side to move; mates count as 30,000."""
        self.say(f"position sfen {sfen}")
        self.say(f"go nodes {nodes}")
        lines = self.wait("bestmove")
        score = 0
        for words in lines:
            if "score" in words and "lowerbound" not in words and "upperbound" not in words:
                at = words.index("score")
                value = int(words[at + 2])
                score = value if words[at + 1] == "cp" else (30000 if value > 0 else -30000)
        return lines[-1][1], score


def is_quiet(board, move):
    return board.piece(cshogi.move_to(move)) == 0 and not cshogi.move_is_promotion(move)


def opening(rng):
    """The initial position after 4 to 17 random moves."""
    while True:
        board = cshogi.Board()
        for _ in range(rng.randrange(4, 18)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over() and list(board.legal_moves):
            return board


def play(engine, rng, nodes, noise):
    """One game: a list of (sfen, score of the first player), and the winning side or None."""
    engine.say("usinewgame")
    board = opening(rng)
    rows, extreme = [], 0
    while board.move_number < MAX_PLIES:
        best, score = engine.search(board.sfen(), nodes)
        if best in ("resign", "win", "(none)") or not list(board.legal_moves):
            winner = board.turn if best == "win" else 1 - board.turn
            return rows, winner
        move = board.move_from_usi(best)
        if abs(score) < RESIGN_CP:
            extreme = 0
            if not board.is_check() and is_quiet(board, move):
                rows.append((board.sfen(), score if board.turn == cshogi.BLACK else -score))
        else:
            extreme += 1
            if extreme >= RESIGN_PLIES:
                return rows, board.turn if score > 0 else 1 - board.turn
        if rng.random() < noise:
            move = rng.choice(list(board.legal_moves))
        board.push(move)
        if board.is_draw() != cshogi.NOT_REPETITION:
            return rows, None
    return rows, None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--engine", default="/usr/games/fairy-stockfish")
    arguments.add_argument("--nodes", type=int, default=1500)
    arguments.add_argument("--positions", type=int, default=200_000)
    arguments.add_argument("--noise", type=float, default=0.06, help="share of moves played at random")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--scale", type=float, default=0.55)
    arguments.add_argument("--hash", type=int, default=4, help="memory of the engine's tables in MiB")
    arguments.add_argument("--out", required=True)
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    engine = Engine(options.engine, options.hash)
    written = 0
    with open(options.out, "a", encoding="ascii") as out:
        while written < options.positions:
            rows, winner = play(engine, rng, options.nodes, options.noise)
            result = 0.5 if winner is None else float(winner == cshogi.BLACK)
            for sfen, score in rows:
                out.write(f"{sfen};{round(score * options.scale)};{result}\n")
            out.flush()
            written += len(rows)
    engine.say("quit")


if __name__ == "__main__":
    main()
