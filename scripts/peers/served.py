"""Tests of an engine together with Hasami: as its opponent, and as its child."""

import json
import os
import re
import signal
import time

from . import nats
from .alone import HARD, answer, fault_of_mate, ms_since, short
from .config import engine_table
from .process import Process, descendants, is_alive, program_of, run, times
from .table import Cell, count_cell

# Hasami plays against all engines with one thread and small tables.
PLAIN = {"Threads": "1"}
SPEC = {"uci": "Hash", "usi": "USI_Hash"}
SPARE_MS = 500
# Milliseconds per move that suffice for the tree to give a mate engine tasks.
MATE_MS = 400
# Processor time in seconds; a process that has used less has not searched.
IDLE = 0.1
# Endings of games in which an engine failed.
BAD_ENDINGS = {"time", "illegal move", "crash", "silence", "interruption"}


class Master(Process):
    """Hasami with children."""

    def __init__(self, hasami, peer, folder, threads=0, count=1, cluster=None):
        self.log_path = os.path.join(folder, "master.log")
        with open(self.log_path, "wb") as errors:
            super().__init__([hasami], errors=errors, environment={"RUST_LOG": "hasami=debug"})
        self.peer = peer
        self.warnings, self.most_workers, self.wanted = [], 0, threads + players(peer, count)
        self.tell(peer.protocol)
        self.expect(peer.protocol + "ok")
        self.tell("setoption name TreeLog value true", f"setoption name {SPEC[peer.protocol]} value 16", f"setoption name Threads value {threads}")
        place = f"Cluster value {cluster}" if cluster else f"Children value {children(peer, folder, count)}"
        self.tell(f"setoption name {place}", "isready")
        self.note(self.expect("readyok", timeout=20))
        self.tell("usinewgame" if peer.protocol == "usi" else "ucinewgame")

    def note(self, said):
        prefix = "info string warning: "
        self.warnings += [line.removeprefix(prefix) for line in said if line.startswith(prefix)]
        self.most_workers = max([self.most_workers, *map(workers, said)])
        return said

    def think(self, position, ms):
        self.tell(f"position {position}", f"go movetime {ms}")
        return answer(self.note(self.expect("bestmove", timeout=ms / 1000 + 5)))

    def solve(self, sfen, ms=3000):
        self.tell(f"position sfen {sfen}", f"go mate {ms}")
        return self.note(self.expect("checkmate", "bestmove", timeout=ms / 1000 + 5))[-1]

    def why_worst(self):
        """The first warning, or else the first logged warning."""
        if self.warnings:
            return self.warnings[0]
        if self.most_workers < self.wanted and self.most_workers > 0:
            return f"expected {self.wanted} workers, found {self.most_workers}"
        with open(self.log_path, errors="replace") as file:
            return next((line.split("] ", 1)[-1].strip() for line in file if " WARN " in line), None)


def players(peer, count):
    """Number of the `count` children among Hasami's workers, which exclude mate solvers because they play no moves."""
    return 0 if peer.mate else count


def workers(line):
    """The number of workers in a line of the option TreeLog."""
    head, _, counts = line.partition("info string workers: ")
    return sum(int(part.rsplit(" ", 1)[1]) for part in counts.split(", ")) if counts and not head else 0


def children(peer, folder, count):
    words = {"count": count, "mate": True} if peer.mate else {"count": count}
    path = os.path.join(folder, "children.toml")
    with open(path, "w") as file:
        file.write(engine_table(peer, {**words, "start_seconds": int(peer.startup)}))
    return path


def play(master, referee, asked, ms, lender=None):
    """The number of legal answers, and the faults."""
    faults, before = [], work_of(lender or master, master.peer)
    for position in asked:
        found = master.think(position, ms)
        if not referee.is_legal(position, found):
            faults.append(illegal(position, found))
    good = len(asked) - len(faults)
    # The processor time of a mate solver is not checked, because it is not asked for moves.
    idle = None if master.peer.mate else idle_since(before, lender or master, master.peer)
    return with_warnings(master, count_cell(good, len(asked), faults), idle)


def with_warnings(master, cell, idle):
    text = f"{cell.text}, {plural(len(master.warnings), 'warning')}" if master.warnings else cell.text
    return Cell(text, cell.why or master.why_worst() or idle)


def work_of(lender, peer):
    """Processor time of the engines that were started by Hasami or one of its workers."""
    return sum(times(pid)[0] for pid in own_children(lender, peer))


def idle_since(before, lender, peer):
    """The fault if an engine that should have searched was idle."""
    found = work_of(lender, peer) - before
    return f"expected the engine to be asked, found it idle: {found:.2f} s of processor time" if found < IDLE else None


def plural(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


def one_child(hasami, peer, folder, referee, asked):
    # A mate solver cannot play moves, so a thread of Hasami plays them.
    with Master(hasami, peer, folder, threads=int(peer.mate)) as master:
        return play(master, referee, asked[:20], MATE_MS) if peer.mate else play(master, referee, asked, peer.think_ms)


def mate_worker(hasami, peer, folder, referee, problems):
    with Master(hasami, peer, folder) as master:
        return solve_all(master, referee, problems)


def solve_all(master, referee, problems, lender=None):
    """Solves the problems, and a further problem that is too hard, which shows which workers search."""
    before = work_of(lender or master, master.peer)
    faults = [why for sfen in problems if (why := fault_of_mate(referee, sfen, master.solve(sfen)))]
    cell = count_cell(len(problems) - len(faults), len(problems), faults)
    master.solve(HARD.removeprefix("sfen "), ms=1500)
    return with_warnings(master, cell, idle_since(before, lender or master, master.peer))


def remote(hasami, peer, folder, referee, asked, problems):
    """Tests a child that a worker node lends over the network; the node runs on the same machine."""
    with nats.Server(folder) as server:
        worker = [hasami, "worker", "--connect", server.url, "--game", peer.game, "--children", children(peer, folder, 1)]
        with Process([*worker, "--name", "attic"]) as lender:
            with Master(hasami, peer, folder, cluster=server.url) as master:
                if peer.mate:
                    return solve_all(master, referee, problems, lender)
                return play(master, referee, asked, max(150, peer.think_ms), lender)


def killed(hasami, peer, folder, referee, asked, problems):
    """Kills the child during a search: the answer must come in time, the child must be restarted, and no process may be
    left."""
    with Master(hasami, peer, folder) as master:
        first = own_children(master, peer)
        if not first:
            return Cell("fails", f"{peer.program} is not among the children of Hasami")
        faults, died = kill_in_search(master, peer, first, referee, asked[0])
        if peer.mate:
            faults += [why for sfen in problems[:5] if (why := fault_of_mate(referee, sfen, master.solve(sfen)))]
        else:
            moves = {position: master.think(position, max(200, peer.think_ms)) for position in asked[1:6]}
            faults += [illegal(at, move) for at, move in moves.items() if not referee.is_legal(at, move)]
        back = wait_for(lambda: own_children(master, peer) - first, peer.startup)
        faults += [] if back else ["the child was not started again"]
        returned = max([times(pid)[1] for pid in back or ()], default=0) - died
        everybody = descendants(master.pid) | first
        master.quit()
        gone = wait_for(lambda: not any(map(is_alive, everybody)), 3)
        faults += [] if gone else [f"processes are left: {[program_of(pid) for pid in everybody if is_alive(pid)]}"]
    return Cell("fails", faults[0]) if faults else Cell(f"6 answers, back in {returned:.1f} s")


def kill_in_search(master, peer, children, referee, position, ms=1000):
    """The fault of the answer, and the time when the children were killed."""
    began = time.monotonic()
    master.tell(*((f"position {HARD}", f"go mate {ms}") if peer.mate else (f"position {position}", f"go movetime {ms}")))
    master.note(master.listen(0.3))
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    died = time.clock_gettime(time.CLOCK_BOOTTIME)
    said = master.note(master.expect("checkmate" if peer.mate else "bestmove", timeout=6))
    late = ms_since(began) - ms
    faults = [f"expected the answer in time, found it {late:.0f} ms late"] if late > SPARE_MS else []
    if not peer.mate and not referee.is_legal(position, answer(said)):
        faults.append(illegal(position, answer(said)))
    return faults, died


def illegal(position, move):
    return f"expected a legal move after {short(position)}, found {move}"


def own_children(master, peer):
    names = {peer.program, *(os.path.basename(word) for word in peer.command[1:])}
    return {pid for pid in descendants(master.pid) if program_of(pid) in names and is_alive(pid)}


def wait_for(condition, seconds):
    """Waits until the condition is true, and returns its value."""
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def match(hasami, folder, engines, plies):
    """Plays a game, and returns the summary and the output."""
    path = {name: os.path.join(folder, name) for name in ("engines.toml", "match.json", "match.log", "match.jsonl")}
    with open(path["engines.toml"], "w") as file:
        file.write("\n".join(table for table, _ in engines))
    game = engines[0][1]
    moves = plies if game == "shogi" else plies // 2
    command = [hasami, "match", "--game", game, "--games", "1", "--maxmoves", str(moves), "--file", path["engines.toml"]]
    command += ["--each", "timemargin=100", "--json", path["match.json"], "--log", path["match.log"]]
    command += ["--journal", path["match.jsonl"]]
    code, said = run(command, timeout=plies + 60)
    if code != 0:
        raise OSError(said.strip().splitlines()[-1] if said.strip() else "a match that did not end")
    with open(path["match.json"]) as summary, open(path["match.log"], errors="replace") as log:
        return json.load(summary), log.read(), said


def own_table(hasami, peer, name, threads, more, movetime=200):
    """Hasami itself as an engine of a match."""
    options = {SPEC[peer.protocol]: "16", "Threads": str(threads), **more}
    plain = type(peer)(name=name, command=[hasami], protocol=peer.protocol, options=options)
    return engine_table(plain, {"movetime": movetime}), peer.game


def opponent(hasami, peer, folder, plies):
    tables = [own_table(hasami, peer, "hasami", 1, {}), (engine_table(peer, peer.match), peer.game)]
    summary, log, said = match(hasami, folder, tables, plies)
    return match_cell(summary, log, said, peer.name)


def four_children(hasami, peer, folder, plies):
    threads, ms = int(peer.mate), max(200, peer.think_ms)
    more = {"Children": children(peer, folder, 4), "TreeLog": "true"}
    tables = [own_table(hasami, peer, "master", threads, more, ms), own_table(hasami, peer, "hasami", 1, {})]
    summary, log, said = match(hasami, folder, tables, plies)
    cell = match_cell(summary, log, said, "master")
    warnings = re.findall(r"master\S* < info string warning: (.*)", log)
    most_workers = max(map(workers, re.findall(r"master\S* < (info string workers: .*)", log)), default=0)
    wanted = threads + players(peer, 4)
    few = [f"expected {wanted} workers, found {most_workers}"] if most_workers < wanted else []
    text = f"{cell.text}, {plural(len(warnings), 'warning')}" if warnings else cell.text
    return Cell(text, cell.why or next(iter(warnings + few), None))


def match_cell(summary, log, said, subject):
    """The end of the game, with the faults of both engines."""
    game = summary["games"][0]
    open_faults = {engine["name"]: engine["faults"] for engine in summary["engines"]}
    faults = {name: kinds["breaches"] for name, kinds in open_faults.items()}
    moves = len(re.findall(r" < bestmove ", log))
    ending = "" if game["ending"] == "maximum of moves" else f", {game['ending']}"
    own = faults.pop(subject)
    counts = f", {plural(own, 'fault')}" if own else ""
    counts += f", {plural(sum(faults.values()), 'fault')} of the other" if sum(faults.values()) else ""
    is_bad = counts or game["ending"] in BAD_ENDINGS
    return Cell(f"{moves} plies{ending}{counts}", first_fault(said, summary) if is_bad else None)


def first_fault(said, summary):
    game = summary["games"][0]
    lines = [line.strip().removeprefix("warning: ") for line in said.splitlines() if line.startswith("warning: ")]
    # Ignores warnings about the match itself, which are not faults of an engine.
    lines = [line for line in lines if line not in summary["warnings"]]
    ended = f"{' - '.join(game['players'])} {game['result']}: {game['ending']}"
    return "; ".join([*lines[:1], ended])
