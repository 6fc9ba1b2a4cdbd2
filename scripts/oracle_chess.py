#!/usr/bin/env python3
"""Checks the chess rules with python-chess: legal moves, keys and draws in random games, and perft totals.

    cargo run --release -p hasami-chess --example walk_chess -- 100000 1 | scripts/oracle_chess.py walk
    scripts/oracle_chess.py perft tests/data/perft/chess.epd --leaves 200000
"""

import argparse
import sys

import chess
import chess.polyglot


def board_of(fen):
    """A board that supports Chess960 castling rights if the FEN has them."""
    rights = fen.split()[2]
    return chess.Board(fen, chess960=any(c not in "KQkq-" for c in rights))


def moves_of(board):
    """The legal moves, sorted, with castling written as king takes rook."""
    was, board.chess960 = board.chess960, True
    texts = sorted(board.uci(move, chess960=True) for move in board.generate_legal_moves())
    board.chess960 = was
    return texts


def verdict_of(board):
    if board.is_checkmate():
        return "Loss"
    drawn = board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
    return "Draw" if drawn or board.is_repetition(3) else "Open"


def check(board, text):
    fen, key, verdict, moves = text.split("|")
    expected = {
        "fen": (board.fen().split()[0:2] + board.fen().split()[3:], fen.split()[0:2] + fen.split()[3:]),
        "key": ("%016x" % chess.polyglot.zobrist_hash(board), key),
        "verdict": (verdict_of(board), verdict),
        "moves": (moves_of(board), moves.split()),
    }
    for name, (theirs, ours) in expected.items():
        if theirs != ours:
            raise SystemExit("%s of %s: expected %s, found %s" % (name, board.fen(), theirs, ours))


def walk(lines):
    """Replays the printed games, and returns the number of positions that agreed."""
    board, positions = None, 0
    for line in lines:
        word, rest = line.rstrip("\n").split(" ", 1)
        if word == "game":
            board = board_of(rest)
            board.chess960 = True
        elif word == "at":
            check(board, rest)
            positions += 1
        elif word == "play":
            board.push(board.parse_uci(rest))
    return positions


def count(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def perft(path, leaves):
    """Checks the totals of at most `leaves` leaves, and returns their number."""
    checked = 0
    for line in open(path):
        if line.startswith("#"):
            continue
        fen, *totals = line.strip().split(" ;")
        for total in totals:
            depth, expected = total[1:].split()
            if int(expected) <= leaves and int(depth) > 0:
                found = count(board_of(fen), int(depth))
                checked += 1
                if found != int(expected):
                    raise SystemExit("%s depth %s: expected %s, found %d" % (fen, depth, expected, found))
    return checked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("walk", help="check the games of the example walk_chess, read from stdin")
    totals = commands.add_parser("perft", help="check the totals of a perft file")
    totals.add_argument("file")
    totals.add_argument("--leaves", type=int, default=200_000, help="skip larger totals")
    options = parser.parse_args()
    if options.command == "walk":
        print("%d positions agree" % walk(sys.stdin))
    else:
        print("%d totals agree" % perft(options.file, options.leaves))


if __name__ == "__main__":
    main()
