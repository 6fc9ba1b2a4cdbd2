#!/usr/bin/env python3
"""Makes the small opening books in book/ from an engine's analysis of the most likely positions.

usage: make_book.py chess|shogi ENGINE OUTPUT [--positions N] [--depth D]
needs: pip packages chess and cshogi; the books were made with Debian's stockfish 15.1 and fairy-stockfish 11.1.

Beginning with the initial position, the position with the largest realization probability is analysed next. The
realization probability is the product of the probabilities of the moves that lead to the position, which fall by a
factor of e for every `temperature` centipawns that a move is worse than the best move. Moves that are worse by more
than `margin` are left out. The same arguments always give the same book.
"""

import argparse
import heapq
import math
import struct
import subprocess

LINES = 5


class Chess:
    margin, temperature = 30, 12.0
    setup = ["setoption name Hash value 64"]
    command = "position fen"

    def __init__(self):
        import chess
        import chess.polyglot

        self.chess = chess
        self.start = chess.STARTING_FEN

    def key(self, position):
        return " ".join(position.split()[:4])

    def play(self, position, move):
        board = self.chess.Board(position)
        board.push_uci(move)
        return board.fen()

    def write(self, path, book):
        entries = []
        for position, moves in book:
            board = self.chess.Board(position)
            key = self.chess.polyglot.zobrist_hash(board)
            for move, _, share, _ in moves:
                entries.append((key, self.encode(board, move), max(1, round(1000 * share))))
        entries.sort(key=lambda e: (e[0], -e[2], e[1]))
        with open(path, "wb") as out:
            for key, move, weight in entries:
                out.write(struct.pack(">QHHI", key, move, weight, 0))

    def encode(self, board, text):
        move = self.chess.Move.from_uci(text)
        to = move.to_square
        if board.is_castling(move):
            rank = 56 * (board.turn == self.chess.BLACK)
            to = rank + (7 if self.chess.square_file(to) == 6 else 0)
        promotion = (move.promotion or 1) - 1
        return promotion << 12 | move.from_square << 6 | to


class Shogi:
    margin, temperature = 60, 30.0  # a pawn is a smaller part of a shogi game
    setup = ["setoption name UCI_Variant value shogi", "setoption name USI_Hash value 64"]
    command = "position sfen"
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

    def key(self, position):
        return " ".join(position.split()[:3])

    def play(self, position, move):
        import cshogi

        board = cshogi.Board(position)
        board.push_usi(move)
        return board.sfen()

    def write(self, path, book):
        blocks = []
        for position, moves in book:
            lines = [f"sfen {position}"]
            for move, value, share, (reply, depth) in moves:
                lines.append(f"{move} {reply or 'none'} {value} {depth} {max(1, round(1000 * share))}")
            blocks.append("\n".join(lines))
        with open(path, "w") as out:
            out.write("\n".join(["#YANEURAOU-DB2016 1.00", *sorted(blocks)]) + "\n")


class Engine:
    def __init__(self, command, protocol, setup):
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.process = subprocess.Popen([command], **pipes)
        self.say(protocol)
        self.until(protocol + "ok")
        for line in [*setup, f"setoption name MultiPV value {LINES}", "isready"]:
            self.say(line)
        self.until("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"{self.process.args[0]}: expected {word}, found the end of its output")
            lines.append(line.strip())
        return lines

    def lines(self, position, depth):
        """The best moves with their centipawns and replies: [(move, cp, reply)], best first."""
        self.say(position)
        self.say(f"go depth {depth}")
        found = {}
        for line in self.until("bestmove"):
            words = line.split()
            if words[:1] != ["info"] or "pv" not in words or "cp" not in words:
                continue
            pv = words[words.index("pv") + 1 :]
            rank = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
            found[rank] = (pv[0], int(words[words.index("cp") + 1]), pv[1] if len(pv) > 1 else None)
        return sorted({m[0]: m for m in found.values()}.values(), key=lambda m: -m[1])


def build(game, engine, positions, depth):
    queue = [(-1.0, 0, game.start)]
    seen = {game.key(game.start)}
    order = 0
    book = []
    while queue and len(book) < positions:
        probability, _, position = heapq.heappop(queue)
        lines = engine.lines(f"{game.command} {position}", depth)
        lines = [line for line in lines if line[1] >= lines[0][1] - game.margin]
        if not lines:
            continue
        weights = [math.exp((line[1] - lines[0][1]) / game.temperature) for line in lines]
        shares = [weight / sum(weights) for weight in weights]
        book.append((position, [(m, cp, s, (a, depth)) for (m, cp, a), s in zip(lines, shares)]))
        for (move, _, _), share in zip(lines, shares):
            child = game.play(position, move)
            if game.key(child) not in seen:
                seen.add(game.key(child))
                order += 1
                heapq.heappush(queue, (probability * share, order, child))
    return book


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["chess", "shogi"])
    parser.add_argument("engine")
    parser.add_argument("output")
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--depth", type=int, default=14)
    arguments = parser.parse_args()
    game = Chess() if arguments.game == "chess" else Shogi()
    engine = Engine(arguments.engine, "uci" if arguments.game == "chess" else "usi", game.setup)
    game.write(arguments.output, build(game, engine, arguments.positions, arguments.depth))
    engine.say("quit")


if __name__ == "__main__":
    main()
