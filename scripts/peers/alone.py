"""Tests of an engine that is driven directly."""

import time

from .process import Gone, Process
from .referee import NOTHING, played
from .table import Cell, count_cell

# Options that matter to those who lend an engine to Hasami.
MATTER = [
    "Threads", "Thread", "Hash", "USI_Hash", "MultiPV", "USI_MultiPV", "PvInterval", "NetworkDelay", "NetworkDelay2",
    "MinimumThinkingTime", "UCI_Variant", "USI_Variant", "USI_OwnBook", "OwnBook", "BookFile", "BookDepth", "EvalDir", "EvalFile", "Ponder", "USI_Ponder",
]  # fmt: skip
# Options by which an engine that plays several games chooses the game.
VARIANT = {"UCI_Variant", "USI_Variant"}
# Prefix of options that a USI engine need not declare.
ALWAYS = "USI_"
STOP_MS = 50
NO_MATE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
# Shogi Muso 48 is so long a mate that no solver finds it at once.
HARD = "sfen 1+P+b1+P3+L/3s3b1/p1gPpp3/N3g1lP1/2+r1S1k1P/9/2+p1+R2p1/9/9 b 2SN3P2g2n2l5p 1"


class Engine(Process):
    """An engine that is ready."""

    def __init__(self, peer):
        super().__init__(peer.command)
        self.peer = peer
        began = time.monotonic()
        self.tell(peer.protocol)
        said = self.expect(peer.protocol + "ok", timeout=15)
        self.greeting_ms = ms_since(began)
        self.version = next((line[8:] for line in said if line.startswith("id name ")), "no name")
        self.options = [option_name(line) for line in said if line.startswith("option name ")]
        began = time.monotonic()
        for name, value in [*chosen_game(peer, said), *peer.options.items()]:
            self.tell(f"setoption name {name} value {value}")
        self.tell("isready")
        self.expect("readyok", timeout=peer.startup)
        self.ready_ms = ms_since(began)
        self.new_game()

    def new_game(self):
        self.tell("usinewgame" if self.peer.protocol == "usi" else "ucinewgame")

    def think(self, position, timeout=10):
        self.tell(f"position {position}", f"go {self.peer.go}")
        return answer(self.expect("bestmove", timeout=timeout))

    def solve(self, sfen, ms=2000):
        """The arguments of the `checkmate` line."""
        # Some solvers end the game when a search is stopped, so a new game begins with each problem.
        self.new_game()
        self.tell(f"position sfen {sfen}", f"go mate {ms}")
        return self.expect("checkmate", "bestmove", timeout=ms / 1000 + 5)[-1]


def ms_since(began):
    return (time.monotonic() - began) * 1000


def option_name(line):
    return line.removeprefix("option name ").partition(" type ")[0]


def chosen_game(peer, said):
    """The option that selects the game in an engine of several games, as Hasami sets it; none if no option must be
    set."""
    for line in said:
        name, (default, *names) = option_name(line), line.partition(" default ")[2].split(" var ")
        if name in VARIANT and name not in peer.options and peer.game in names and default != peer.game:
            return [(name, peer.game)]
    return []


def answer(said):
    words = said[-1].split()
    return words[1] if words[1:] else ""


def handshake(peer):
    with Engine(peer) as engine:
        return Cell(f"{engine.greeting_ms:.0f}, {engine.ready_ms:.0f} ms"), options_cell(engine), engine.version


def options_cell(engine):
    unknown = [name for name in engine.peer.options if name not in engine.options and not name.startswith(ALWAYS)]
    shown = ", ".join(name for name in MATTER if name in engine.options) or "none"
    return Cell(shown, f"the list sets {unknown[0]}, which it does not declare" if unknown else None)


def stop(peer, position, times=5):
    """The longest time from `stop` to the answer."""
    answer_word, go = ("checkmate", "go mate infinite") if peer.mate else ("bestmove", "go infinite")
    late, early, faults = [], 0, []
    with Engine(peer) as engine:
        for _ in range(times):
            engine.new_game()
            engine.tell(f"position {HARD if peer.mate else position}", go)
            early += sum(line.startswith(answer_word) for line in engine.listen(0.3))
            began = time.monotonic()
            engine.tell("stop")
            if early:
                return Cell("answers first", f"expected to search until `stop`, found an answer within 0.3 s of `{go}`")
            said = engine.expect(answer_word, timeout=5)[-1]
            late.append(ms_since(began))
            if said == "checkmate nomate":
                faults.append(f"expected `checkmate timeout` where the search for a mate is stopped, found `{said}`")
    if max(late) > STOP_MS:
        faults.append(f"expected an answer within {STOP_MS} ms, found {max(late):.0f} ms")
    return Cell(f"{max(late):.1f} ms", faults[0] if faults else None)


def positions(peer, referee, asked):
    """Searches many positions one after another, and checks that each answer is a legal move of its position."""
    faults = []
    with Engine(peer) as engine:
        for position in asked:
            found = engine.think(position)
            if not referee.is_legal(position, found):
                faults.append(f"expected a legal move after {short(position)}, found {found}")
    return count_cell(len(asked) - len(faults), len(asked), faults)


def barrier(peer, referee, asked):
    """Tests the order of UCI tools: `position`, `isready`, `go`. The second side is to move in all positions, so that
    an answer for the initial position is noticed."""
    faults = []
    asked = [position for position in asked if " moves " in position and len(position.partition(" moves ")[2].split()) % 2]
    with Engine(peer) as engine:
        for position in asked[:10]:
            engine.tell(f"position {position}", "isready")
            engine.expect("readyok", timeout=peer.startup)
            engine.tell(f"go {peer.go}")
            found = answer(engine.expect("bestmove"))
            if not referee.is_legal(position, found):
                faults.append(f"expected a legal move after {short(position)}, found {found}: `isready` sets up another position")
    total = len(asked[:10])
    return Cell("loses the position" if faults else f"kept, {total} of {total}", faults[0] if faults else None)


def fault_of_mate(referee, sfen, said):
    """The fault of a solution; None if it mates."""
    word, *moves = said.split() or [""]
    if word != "checkmate" or not moves or moves[0] in NOTHING | {"nomate", "timeout", "none", "notimplemented"}:
        return f"expected a mate of {sfen}, found `{said}`"
    end = played(f"sfen {sfen}", moves)
    if why := referee.why_refused(end):
        return f"{sfen}: {why}"
    return None if referee.is_mate(end) else f"expected mate at the end of {end}, found a move"


def solves(peer, referee, problems, changes):
    """Solves all problems, repeatedly until the wanted number of positions was set up."""
    faults = []
    with Engine(peer) as engine:
        for number in range(changes):
            sfen = problems[number % len(problems)]
            try:
                if why := fault_of_mate(referee, sfen, engine.solve(sfen)):
                    faults.append(why)
            except Gone as gone:
                return Cell(f"ended after {number}", f"{gone}, at the mate of {sfen}")
        nothing = engine.solve(NO_MATE)
    good = changes - len(faults)
    if nothing not in ("checkmate nomate", "checkmate none"):
        faults.append(f"expected `checkmate nomate` at the first position, found `{nothing}`")
    return count_cell(good, changes, faults)


def short(position, most=6):
    head, found, moves = position.partition(" moves ")
    words = moves.split()
    return f"`{head} moves {'... ' if len(words) > most else ''}{' '.join(words[-most:])}`" if found else f"`{head}`"
