#!/usr/bin/env python3
"""Checks the shogi rules with other programs: legal moves, checks and verdicts in random games with cshogi, and perft
totals with fairy-stockfish.

    cargo run --release -p hasami-shogi --example walk_shogi -- 100000 1 | scripts/oracle_shogi.py walk
    scripts/oracle_shogi.py perft tests/data/perft/shogi.txt --leaves 5000000
"""

import argparse
import subprocess
import sys

import cshogi

# Where one of these pieces can promote, cshogi generates only the promotion.
TWINS = {cshogi.PAWN, cshogi.LANCE, cshogi.BISHOP, cshogi.ROOK}


class Game:
    """One game as an arbiter sees it."""

    def __init__(self, sfen=None):
        self.board = cshogi.Board(sfen) if sfen else cshogi.Board()
        self.moves = []
        self.seen = {}
        self.checks = []
        self.note()

    def note(self):
        key = self.board.sfen().rsplit(" ", 1)[0]
        self.seen.setdefault(key, []).append(len(self.moves))
        self.checks.append(self.board.is_check())
        return self.seen[key]

    def push(self, usi):
        """Plays a legal move. Returns the end of the game by repetition: 'draw', the losing side, or None."""
        self.board.push_usi(usi)
        self.moves.append(usi)
        places = self.note()
        if len(places) < 4:
            return None
        # A repetition is a perpetual check if all moves of one side since the first occurrence gave check. The distance
        # between occurrences is even, so parity tells the sides apart.
        stretch = range(places[0] + 1, places[-1] + 1)
        mover = 1 - self.board.turn
        if all(self.checks[i] for i in stretch if (places[-1] - i) % 2 == 0):
            return mover
        if all(self.checks[i] for i in stretch if (places[-1] - i) % 2 == 1):
            return 1 - mover
        return "draw"


def moves_of(board):
    """All legal moves, sorted: the moves of cshogi, and the non-promotions that cshogi does not generate."""
    moves = set()
    for move in board.legal_moves:
        text = cshogi.move_to_usi(move)
        moves.add(text)
        if text.endswith("+") and board.piece_type(cshogi.move_from(move)) in TWINS and may_stay(board, move):
            moves.add(text[:-1])
    return sorted(moves)


def may_stay(board, move):
    """Whether the unpromoted piece could still move from its target square."""
    rank = cshogi.move_to(move) % 9
    last = 0 if board.turn == cshogi.BLACK else 8
    return rank != last or board.piece_type(cshogi.move_from(move)) in (cshogi.BISHOP, cshogi.ROOK)


def checks_of(board, moves):
    checks = []
    for text in moves:
        board.push_usi(text)
        if board.is_check():
            checks.append(text)
        board.pop()
    return checks


def verdict_of(game, end, moves):
    if not moves:
        return "Loss"
    if end is not None:
        return "Draw" if end == "draw" else "Loss" if end == game.board.turn else "Win"
    return "Win" if game.board.is_nyugyoku() else "Open"


def check(game, end, text):
    sfen, verdict, moves, checks = text.split("|")
    theirs = moves_of(game.board)
    expected = {
        "sfen": (game.board.sfen(), sfen),
        "moves": (theirs, moves.split()),
        "checks": (checks_of(game.board, theirs), checks.split()),
        "verdict": (verdict_of(game, end, theirs), verdict),
    }
    for name, (other, ours) in expected.items():
        if other != ours:
            raise SystemExit(f"{name} of {game.board.sfen()}: expected {other}, found {ours}")


def walk(lines):
    """Replays the printed games, and returns the number of positions that agreed."""
    game, end, positions = None, None, 0
    for line in lines:
        word, rest = line.rstrip("\n").split(" ", 1)
        if word == "game":
            game, end = Game(rest), None
        elif word == "at":
            check(game, end, rest)
            positions += 1
        elif word == "play":
            end = game.push(rest)
    return positions


def count(board, depth):
    moves = moves_of(board)
    if depth == 1:
        return len(moves)
    total = 0
    for text in moves:
        board.push_usi(text)
        total += count(board, depth - 1)
        board.pop()
    return total


def perft(path, leaves, engine):
    """Compares the totals of at most `leaves` leaves with those of the engine, and returns their number.

    fairy-stockfish counts mate by a dropped pawn as a move that loses. Where the totals of fairy-stockfish differ,
    cshogi decides.
    """
    process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    process.stdin.write("usi\n")
    checked = 0
    for line in open(path, encoding="ascii"):
        if line.startswith("#") or not line.strip():
            continue
        sfen, *totals = [field.strip() for field in line.split(";")]
        for depth, total in enumerate((int(field.split()[1]) for field in totals), 1):
            if total > leaves:
                continue
            process.stdin.write(f"position sfen {sfen}\ngo perft {depth}\n")
            process.stdin.flush()
            found = next(words for words in map(str.split, process.stdout) if words[:2] == ["Nodes", "searched:"])
            if int(found[2]) != total:
                other = count(cshogi.Board(sfen), depth)
                if other != total:
                    raise SystemExit(f"{sfen} at depth {depth}: expected {other}, found {total}")
            checked += 1
    process.communicate("quit\n")
    return checked


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = arguments.add_subparsers(dest="command", required=True)
    commands.add_parser("walk", help="check the games on stdin")
    totals = commands.add_parser("perft", help="check a file of totals")
    totals.add_argument("file")
    totals.add_argument("--leaves", type=int, default=1_000_000)
    totals.add_argument("--engine", default="/usr/games/fairy-stockfish")
    options = arguments.parse_args()
    if options.command == "walk":
        print(f"{walk(sys.stdin)} positions agree")
    else:
        print(f"{perft(options.file, options.leaves, options.engine)} totals agree")


if __name__ == "__main__":
    main()
