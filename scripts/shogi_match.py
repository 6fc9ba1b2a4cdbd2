#!/usr/bin/env python3
"""Plays shogi matches between two USI engines: paired random openings, colours swapped, cshogi as the arbiter.

Fourfold repetition is a draw, or lost by the side that gave check all the way; a declared win is checked; a game of
--max-plies is a draw. Prints the score, Elo with its 95 % error, illegal moves and time losses. Example:

    scripts/shogi_match.py --a target/release/hasami --b /usr/games/fairy-stockfish --movetime 1000 --games 200
"""

import argparse
import math
import random
import shlex
import subprocess
import sys
import time

import cshogi


class Engine:
    """A USI engine process."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("usi")
        self.wait("usiok")
        for option in options:
            name, value = option.split("=", 1)
            self.say(f"setoption name {name} value {value}")
        self.ready()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """The line that begins with `word`, and the one before it."""
        before = ""
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return line.split(), before
            before = line
        raise EOFError(f"expected '{word}', found the end of the engine")

    def allow(self, options, factor):
        """Sets what is said to it to begin a search, and the seconds after which it has lost on time (0: none)."""
        budget = int(factor * (options.byoyomi or options.movetime or options.nodes))
        word = "btime 0 wtime 0 byoyomi" if options.byoyomi else "movetime" if options.movetime else "nodes"
        self.go = f"go {word} {budget}"
        self.limit = 0 if word == "nodes" else (budget + options.margin) / 1000

    def ready(self):
        self.say("isready")
        self.wait("readyok")

    def move(self, moves, go):
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        start = time.monotonic()
        self.say(go)
        answer, info = self.wait("bestmove")
        words = info.split()
        nps = int(words[words.index("nps") + 1]) if "nps" in words[:-1] else 0
        return answer[1] if len(answer) > 1 else "(none)", time.monotonic() - start, nps

    def quit(self):
        self.say("quit")
        self.process.wait(timeout=10)


class Game:
    """The arbiter's view of one game."""

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
        """Plays a legal move; returns the end of the game by repetition: 'draw', the losing side, or None."""
        self.board.push_usi(usi)
        self.moves.append(usi)
        places = self.note()
        if len(places) < 4:
            return None
        # The position after an even number of plies has the side to move of the first place in check by its opponent.
        stretch = range(places[0] + 1, places[-1] + 1)
        mover = 1 - self.board.turn
        if all(self.checks[i] for i in stretch if (places[-1] - i) % 2 == 0):
            return mover
        if all(self.checks[i] for i in stretch if (places[-1] - i) % 2 == 1):
            return 1 - mover
        return "draw"

    def is_legal(self, usi):
        return any(cshogi.move_to_usi(m) == usi for m in self.board.legal_moves)


def opening(rng, plies):
    """Moves of a random opening without captures or checks."""
    while True:
        game = Game()
        for _ in range(plies):
            quiet = [
                m for m in game.board.legal_moves
                if game.board.piece(cshogi.move_to(m)) == 0 and not cshogi.move_is_promotion(m)
            ]
            game.push(cshogi.move_to_usi(rng.choice(quiet)))
        if not game.board.is_check():
            return game.moves


def play(players, start, options, tally):
    """One game; players[0] is Black. Returns the winner's side, or None, and why."""
    game = Game()
    for usi in start:
        game.push(usi)
    for player in players:
        player.say("usinewgame")
        player.ready()
    while len(game.moves) < options.max_plies:
        side = game.board.turn
        if game.board.is_game_over():
            return 1 - side, "mate"
        answer, elapsed, nps = players[side].move(game.moves, players[side].go)
        if nps:
            tally["nps"].setdefault(players[side], []).append(nps)
        if players[side].limit and elapsed > players[side].limit:
            tally["time"][players[side]] = tally["time"].get(players[side], 0) + 1
            return 1 - side, f"time {elapsed:.3f}"
        if answer == "resign":
            return 1 - side, "resignation"
        if answer == "win" and game.board.is_nyugyoku():
            return side, "declaration"
        if not game.is_legal(answer):
            tally["illegal"][players[side]] = tally["illegal"].get(players[side], 0) + 1
            print(f"illegal {answer} in {game.board.sfen()} moves {' '.join(game.moves)}", file=sys.stderr)
            return 1 - side, f"illegal {answer}"
        end = game.push(answer)
        if end == "draw":
            return None, "repetition"
        if end is not None:
            return 1 - end, "perpetual check"
    return None, "length"


def elo(score):
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)


def report(wins, losses, draws):
    games = wins + losses + draws
    mean = (wins + draws / 2) / games
    variance = (wins * (1 - mean) ** 2 + losses * mean**2 + draws * (0.5 - mean) ** 2) / games
    error = 1.96 * math.sqrt(variance / games)
    low, high = elo(mean - error), elo(mean + error)
    return f"{games} games: +{wins} -{losses} ={draws}  {100 * mean:.1f} %  Elo {elo(mean):+.0f} [{low:+.0f}, {high:+.0f}]"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--a", required=True, help="command of the engine that is judged")
    arguments.add_argument("--b", required=True, help="command of its opponent")
    arguments.add_argument("--a-option", action="append", default=[], metavar="NAME=VALUE")
    arguments.add_argument("--b-option", action="append", default=[], metavar="NAME=VALUE")
    arguments.add_argument("--games", type=int, default=20)
    arguments.add_argument("--movetime", type=int, help="ms a move")
    arguments.add_argument("--byoyomi", type=int, help="ms a move, sent as byoyomi")
    arguments.add_argument("--nodes", type=int)
    arguments.add_argument("--odds", type=float, default=1, help="time or nodes of a for one of b")
    arguments.add_argument("--margin", type=int, default=100, help="ms over the time of a move that are forgiven")
    arguments.add_argument("--plies", type=int, default=6, help="random plies of the opening")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--max-plies", type=int, default=320)
    arguments.add_argument("--verbose", action="store_true")
    options = arguments.parse_args()
    if not (options.byoyomi or options.movetime or options.nodes):
        arguments.error("expected --movetime, --byoyomi or --nodes")
    rng = random.Random(options.seed)
    a, b = Engine(options.a, options.a_option), Engine(options.b, options.b_option)
    a.allow(options, options.odds)
    b.allow(options, 1)
    tally = {"illegal": {}, "time": {}, "nps": {}}
    wins = losses = draws = 0
    for number in range(options.games):
        if number % 2 == 0:
            start = opening(rng, options.plies)
        players = [a, b] if number % 2 == 0 else [b, a]
        winner, why = play(players, start, options, tally)
        if winner is None:
            draws += 1
        elif players[winner] is a:
            wins += 1
        else:
            losses += 1
        if options.verbose:
            print(f"game {number + 1}: {'draw' if winner is None else 'ab'[players[winner] is b]} by {why}")
        print(report(wins, losses, draws), flush=True)
    for name, engine in (("a", a), ("b", b)):
        speeds = sorted(tally["nps"].get(engine, [0]))
        print(
            f"{name}: illegal moves {tally['illegal'].get(engine, 0)}, time losses {tally['time'].get(engine, 0)}, "
            f"median nps {speeds[len(speeds) // 2]}"
        )
        engine.quit()


if __name__ == "__main__":
    main()
