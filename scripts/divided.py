#!/usr/bin/env python3
"""What a position is worth that is divided between engines which share no table: points that their moves lose.

    scripts/divided.py --engine stockfish --nodes 16000 --games chess.pgn --journal judge.jsonl

The judge's journal is that of `hasami learn`, from the same games. Every search begins with an empty table. Divided means:
one engine searches the position after the move that is best after N nodes, another one all other moves; the better value
is played. A search that is not divided, of as many nodes or twice or four times as many, is beside it.
"""

import argparse
import json
import math
import statistics

import chess.engine
import chess.pgn

MARGINS = [20, 40, 80]  # centipawns by which the other move must be better, at last
MATE = 32_000  # the journal's value of a mate in no plies
DECISIVE = MATE - 2_000  # beyond it a value names plies to the end


def boards(file):
    with open(file) as text:
        while game := chess.pgn.read_game(text):
            yield game.board(), list(game.mainline_moves())


def judged(games, journal):
    """Positions with the judge's values of their moves, best first."""
    with open(journal) as lines:
        for entry in map(json.loads, lines):
            if len(entry.get("lines", [])) > 1:
                start, moves = games[entry["game"]]
                board = start.copy()
                for move in moves[: entry["move_index"]]:
                    board.push(move)
                yield board, entry["lines"]


def expectation(value):
    """Points: the curve of `Score::expectation` in engines/api/src/score.rs."""
    if abs(value) >= DECISIVE:
        return float(value > 0)

    def share(centipawns):
        return 1 / (1 + math.exp((110 - centipawns) / 100))

    return (1 + share(value) - share(-value)) / 2


def loss(values, move):
    """The judge names so many moves; any other one counts as the last of them."""
    known = dict(values)
    best = max(known.values())
    return expectation(best) - expectation(known.get(move.uci(), values[-1][1]))


class Searcher:
    def __init__(self, command):
        self.engine = chess.engine.SimpleEngine.popen_uci(command)

    def search(self, board, nodes, moves=None):
        """The move, and the last exact value with its move."""
        limit, exact = chess.engine.Limit(nodes=nodes), (None, None)
        with self.engine.analysis(board, limit, game=object(), root_moves=moves) as analysis:
            for info in analysis:
                if "score" in info and info.get("pv") and not {"lowerbound", "upperbound"} & info.keys():
                    exact = (info["score"].relative.score(mate_score=MATE), info["pv"][0])
            return analysis.wait().move, *exact


def choices(searcher, board, nodes):
    """The move that each way of searching plays; `None` where there is nothing to divide."""
    found = {f"one search, {times}N": searcher.search(board, times * nodes) for times in (1, 2, 4)}
    moves = {name: move for name, (move, _, _) in found.items()}
    first = moves["one search, 1N"]
    others = [move for move in board.legal_moves if move != first]
    after = board.copy()
    after.push(first)
    if not others or after.is_game_over():
        return None
    _, below, _ = searcher.search(after, nodes)
    _, beside, other = searcher.search(board, nodes, others)
    if below is None or beside is None:
        return None
    moves["divided, N each"] = first if -below >= beside else other
    # One engine goes on undivided, which makes 2N; two more look whether it is wrong.
    whole = moves["one search, 2N"]
    for margin in MARGINS:
        is_refuted = whole == first and beside > -below + margin
        moves[f"one search, 2N, unless divided ones differ by {margin}"] = other if is_refuted else whole
    return moves


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=16_000, help="N (default 16000)")
    parser.add_argument("--games", required=True, help="PGN")
    parser.add_argument("--journal", required=True, help="of `hasami learn`, from these games")
    parser.add_argument("--positions", type=int, default=math.inf, help="the first so many only")
    arguments = parser.parse_args()
    searcher, losses = Searcher(arguments.engine), {}
    for board, values in judged(list(boards(arguments.games)), arguments.journal):
        if moves := choices(searcher, board, arguments.nodes):
            for name, move in moves.items():
                losses.setdefault(name, []).append(loss(values, move))
        if any(len(kind) >= arguments.positions for kind in losses.values()):
            break
    searcher.engine.quit()
    if not losses:
        parser.error(f"{arguments.journal}: expected positions of {arguments.games} to divide, found none")
    base = losses["one search, 1N"]
    print(f"{len(base)} positions, N = {arguments.nodes:,}; points lost a move in %, and the difference to one search of N")
    for name, kind in losses.items():
        differences = [own - one for own, one in zip(kind, base)]
        error = 1.96 * statistics.pstdev(differences) / math.sqrt(len(differences))
        print(f"{name:<50} {100 * statistics.mean(kind):6.3f} {100 * statistics.mean(differences):+7.3f} ± {100 * error:.3f}")


if __name__ == "__main__":
    main()
