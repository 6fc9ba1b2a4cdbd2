#!/usr/bin/env python3
"""Makes labelled chess positions for scripts/tune: an engine plays itself at a fixed depth, with occasional random
moves.

Each line of the output is `FEN;CENTIPAWNS;RESULT`: the engine's score and the game's result, both for White, the result in
{0, 0.5, 1} or `-` when a random move came later. Only quiet positions are kept: not in check, best move neither a capture
nor a promotion. Needs python-chess.

    scripts/label_chess.py --engine stockfish --openings FILE.epd [FILE.epd ...] --positions 200000 --out positions.txt
"""

import argparse
import random
import subprocess

import chess

MAX_PLIES = 240
RESIGN_CP = 1500
KEEP_CP = 3000
MATE_CP = 10_000


class Engine:
    """A UCI engine that answers `go depth N` with a move and a score."""

    def __init__(self, command, depth):
        self.depth = depth
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci\nsetoption name Hash value 16\nisready")
        self.wait("readyok")

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """Returns the line that begins with `word`, and the last score before it, for the side to move."""
        score = None
        for line in self.process.stdout:
            if " score " in line:
                fields = line.split()
                kind, value = fields[fields.index("score") + 1 :][:2]
                score = int(value) if kind == "cp" else (MATE_CP if int(value) > 0 else -MATE_CP)
            if line.startswith(word):
                return line, score
        raise SystemExit("expected '%s' from the engine, found the end of its output" % word)

    def best(self, board):
        self.send("position fen %s\ngo depth %d" % (board.fen(en_passant="fen"), self.depth))
        line, score = self.wait("bestmove")
        return chess.Move.from_uci(line.split()[1]), score


def outcome(board, scores):
    """The result for White once the game is over or decided, else None."""
    if board.is_checkmate():
        return 0.0 if board.turn == chess.WHITE else 1.0
    if board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_repetition(3):
        return 0.5
    if len(scores) >= 4 and all(score > RESIGN_CP for score in scores[-4:]):
        return 1.0
    if len(scores) >= 4 and all(score < -RESIGN_CP for score in scores[-4:]):
        return 0.0
    return None


def play(engine, board, noise, rng):
    """Plays one game; yields (fen, centipawns for White, result or None)."""
    records, scores, last_random = [], [], 0
    result = outcome(board, scores)
    for _ in range(MAX_PLIES):
        if result is not None:
            break
        if rng.random() < noise:
            board.push(rng.choice(list(board.legal_moves)))
            last_random, scores = len(records), []
        else:
            move, score = engine.best(board)
            score = score if board.turn == chess.WHITE else -score
            scores.append(score)
            if not board.is_check() and not board.is_capture(move) and not move.promotion and abs(score) <= KEEP_CP:
                records.append((board.fen(), score))
            board.push(move)
        result = outcome(board, scores)
    for number, (fen, score) in enumerate(records):
        yield fen, score, result if number >= last_random else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--openings", nargs="+", required=True)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--noise", type=float, default=0.08, help="probability of a random move at each ply")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()

    rng = random.Random(options.seed)
    starts = [line.strip() for path in options.openings for line in open(path) if line.strip()]
    engine = Engine([options.engine], options.depth)
    count = 0
    with open(options.out, "w") as out:
        while count < options.positions:
            engine.send("ucinewgame")
            board = chess.Board(rng.choice(starts))
            for fen, score, result in play(engine, board, options.noise, rng):
                out.write("%s;%d;%s\n" % (fen, score, "-" if result is None else "%g" % result))
                count += 1
            out.flush()
    engine.send("quit")


if __name__ == "__main__":
    main()
