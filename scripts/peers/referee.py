"""The rules, provided by a separate Hasami process: checks moves, and generates positions."""

import random

from .process import Process

NOTHING = {"resign", "win", "(none)", "0000"}


class Referee(Process):
    """A referee for one protocol."""

    def __init__(self, hasami, protocol):
        super().__init__([hasami])
        self.protocol = protocol
        self.tell(protocol)
        self.expect(protocol + "ok")
        self.tell(f"setoption name {'MultiPV' if protocol == 'uci' else 'USI_MultiPV'} value 4", "isready")
        self.expect("readyok")

    def why_refused(self, position):
        """The reason why a position is rejected; None if all of its moves are legal."""
        self.tell(f"position {position}", "isready")
        said = self.expect("readyok")
        return next((line.removeprefix("info string position: ") for line in said if line.startswith("info string position")), None)

    def is_legal(self, position, move):
        return move not in NOTHING and self.why_refused(played(position, [move])) is None

    def candidates(self, position):
        """Up to four moves; none if the game is over."""
        self.tell(f"position {position}", "go nodes 400")
        said = self.expect("bestmove")
        firsts = {line.split(" pv ")[1].split()[0] for line in said if " pv " in line}
        best = said[-1].split()[1]
        return [] if best in NOTHING else sorted(firsts | {best})

    def is_mate(self, position):
        return self.why_refused(position) is None and not self.candidates(position)

    def game(self, dice, plies):
        """The positions of a random game."""
        moves = []
        for _ in range(plies):
            if not (found := self.candidates(played("startpos", moves))):
                break
            moves.append(dice.choice(found))
        return [played("startpos", moves[:count]) for count in range(2, len(moves))]

    def positions(self, count, seed=1, games=5, plies=40):
        """A list of `count` positions in which the sides alternate, so that a late answer cannot be legal."""
        dice = random.Random(seed)
        found = [position for _ in range(games) for position in self.game(dice, plies)]
        dice.shuffle(found)
        sides = [[one for one in found if count_moves(one) % 2 == side] for side in (0, 1)]
        return [sides[number % 2][number // 2 % len(sides[number % 2])] for number in range(count)]


def played(position, moves):
    if not moves:
        return position
    return f"{position} {' '.join(moves)}" if " moves " in position else f"{position} moves {' '.join(moves)}"


def count_moves(position):
    return len(position.partition(" moves ")[2].split())
