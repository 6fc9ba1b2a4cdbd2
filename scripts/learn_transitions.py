#!/usr/bin/env python3
"""Learns the transition tables of the P-GPP models (rank, gap) from games, with any UCI engine.

Every position of the games is searched alone (MultiPV 10, a fixed number of nodes, a cleared table). Counted is at which
rank, and how many centipawns behind the best, the engine had the move that was played; the strengths of the gap classes
are those of a Bradley-Terry model, found by minorization-maximization (Coulom 2007; 1000 rounds).

    scripts/learn_transitions.py --pgn games.pgn --engine stockfish --nodes 30000 --out src/tree/data/chess.toml
    scripts/learn_transitions.py --self-play 12 --variant shogi --engine fairy-stockfish --out src/tree/data/shogi.toml

Searches are kept in --cache, so an interrupted run goes on where it was. --pgn needs python-chess.
"""

import argparse
import json
import pathlib
import random
import shlex
import subprocess

RANKS = 10
# Centipawns behind the best move: 0, 1-10, ..., 71-80, 81 and more; then "out of rank".
RANGES = 10
ROUNDS = 1000


class Engine:
    """A UCI engine on a pipe."""

    def __init__(self, command, variant):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.say("uci")
        self.name = next(line[8:] for line in self.until("uciok") if line.startswith("id name "))
        if variant != "chess":
            self.say(f"setoption name UCI_Variant value {variant}")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        """Lines up to and with the one that begins with `word`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(word):
                return lines
        raise SystemExit(f"expected '{word}' from the engine, found its end")

    def search(self, moves, nodes, multipv, fresh):
        """The last info line of each rank, and the best move."""
        if fresh:
            self.say("ucinewgame")
        self.say(f"setoption name MultiPV value {multipv}")
        self.say("isready")
        self.until("readyok")
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.say(f"go nodes {nodes}")
        *lines, answer = self.until("bestmove")
        found = {}
        for words in (line.split() for line in lines):
            if "multipv" in words and "pv" in words:
                found[int(after(words, "multipv"))] = words
        return [found[rank] for rank in sorted(found)], answer.split()[1]


def after(words, key):
    return words[words.index(key) + 1]


def pgn_games(path):
    import chess.pgn

    with open(path) as file:
        while game := chess.pgn.read_game(file):
            yield [move.uci() for move in game.mainline_moves()]


def self_play_games(engine, count, nodes, seed, longest=160):
    """Games of the engine against itself; the first six plies are drawn from its ten best moves."""
    rng = random.Random(seed)
    for _ in range(count):
        moves = []
        while len(moves) < longest:
            opening = len(moves) < 6
            lines, best = engine.search(moves, nodes // 10 if opening else nodes, RANKS if opening else 1, not moves)
            if best == "(none)" or "mate" in (lines[0] if lines else []):
                break
            moves.append(after(rng.choice(lines), "pv") if opening else best)
        yield moves


def ranking(engine, moves, nodes):
    """[move, centipawns or None for a mate] by rank."""
    lines, _ = engine.search(moves, nodes, RANKS, True)
    return [[after(words, "pv"), int(after(words, "cp")) if "cp" in words else None] for words in lines]


def searched(engine, games, nodes, cache):
    """One record for each position: the move played and the ranking. Known ones come from the cache."""
    cache.parent.mkdir(parents=True, exist_ok=True)
    known = {}
    if cache.exists():
        known = {record["key"]: record for record in map(json.loads, cache.read_text().splitlines())}
    with cache.open("a", buffering=1) as file:
        for number, moves in enumerate(games):
            for ply, played in enumerate(moves):
                key = f"{number}/{ply}/{nodes}/{played}"
                if key not in known:
                    record = {"key": key, "played": played, "ranking": ranking(engine, moves[:ply], nodes)}
                    file.write(json.dumps(record) + "\n")
                    known[key] = record
                yield known[key]


def usable(record):
    """Positions in which a mate is in sight have no gaps (section 5)."""
    return record["ranking"] and all(value is not None for _, value in record["ranking"])


def rank_shares(records):
    counts = [0] * RANKS
    for record in records:
        moves = [move for move, _ in record["ranking"]]
        if record["played"] in moves:
            counts[moves.index(record["played"])] += 1
    return [count / len(records) for count in counts]


def gap_class(gap):
    return min((max(gap, 0) + 9) // 10, RANGES - 1)


def contest(record):
    """The classes of the moves that met in a position, and the class that won."""
    best = max(value for _, value in record["ranking"])
    classes = {move: gap_class(best - value) for move, value in record["ranking"]}
    others = [RANGES] if len(classes) == RANKS else []
    return list(classes.values()) + others, classes.get(record["played"], RANGES)


def strengths(records):
    """Bradley-Terry strengths of the classes relative to the first (equation 3)."""
    contests = [contest(record) for record in records]
    wins = [sum(winner == i for _, winner in contests) for i in range(RANGES + 1)]
    gamma = [1.0] * (RANGES + 1)
    for _ in range(ROUNDS):
        weight = [0.0] * (RANGES + 1)
        for classes, _ in contests:
            total = sum(gamma[c] for c in classes)
            for c in classes:
                weight[c] += 1 / total
        gamma = [won / w if w else 0.0 for won, w in zip(wins, weight)]
        gamma = [max(g / gamma[0], 1e-4) for g in gamma]
    return gamma


def write(out, origin, records):
    numbers = lambda values: "[" + ", ".join(f"{value:.4f}" for value in values) + "]"
    text = f"""# Transition tables: how often a move is played, by the engine's rank of it and by how far it is behind the best.
# {origin}
# {len(records)} positions; written by scripts/learn_transitions.py.

# Share of the moves played that were first, second, ... in the ranking; the rest was out of rank.
rank = {numbers(rank_shares(records))}

# Bradley-Terry strengths by centipawns behind the best move: 0, 1-10, ..., 71-80, 81 and more; out of rank.
gap = {numbers(strengths(records))}
"""
    pathlib.Path(out).write_text(text) if out else print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pgn", help="games of chess")
    source.add_argument("--self-play", type=int, metavar="N", help="N games of the engine against itself")
    parser.add_argument("--engine", default="stockfish", help="command line of a UCI engine")
    parser.add_argument("--variant", default="chess", help="UCI_Variant to set")
    parser.add_argument("--nodes", type=int, default=30_000, help="nodes for each position")
    parser.add_argument("--teacher", type=int, default=10, help="a self-play move gets so many times the nodes")
    parser.add_argument("--seed", type=int, default=1, help="of the self-play openings")
    parser.add_argument("--cache", type=pathlib.Path, default="target/learn/searches.jsonl", help="searches done")
    parser.add_argument("--out", help="TOML file; without it, to the terminal")
    args = parser.parse_args()
    engine = Engine(args.engine, args.variant)
    games = args.pgn and list(pgn_games(args.pgn)) or played_games(engine, args)
    origin = f"{args.pgn and pathlib.Path(args.pgn).name or f'{args.self_play} games of self-play'}, {engine.name}"
    records = [record for record in searched(engine, games, args.nodes, args.cache) if usable(record)]
    write(args.out, f"{origin}, {args.nodes} nodes a position, MultiPV {RANKS}", records)
    engine.say("quit")


def played_games(engine, args):
    """Self-play games, one a line beside the cache, so that a second run uses the same."""
    file = args.cache.with_suffix(".games")
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        games = self_play_games(engine, args.self_play, args.nodes * args.teacher, args.seed)
        file.write_text("".join(" ".join(moves) + "\n" for moves in games))
    return [line.split() for line in file.read_text().splitlines()]


if __name__ == "__main__":
    main()
