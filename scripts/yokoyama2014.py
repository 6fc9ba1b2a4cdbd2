#!/usr/bin/env python3
"""Repeats the experiments of Yokoyama et al. 2014 (P-GPP in chess): Table 1 and Figures 8 to 13.

    scripts/yokoyama2014.py play --folder runs --seed 1 --engine "commit 1a2b3c4" --openings noob_3moves_5k.epd
    scripts/yokoyama2014.py report

`play` goes through all cells of the table in rounds. A killed `play` continues when it is called again. After every
block of games `play` writes the results to a *piece*, a small file of counts (after a kill, `piece` writes it). A seed
has its own 150 openings, so pieces of different seeds have no game in common, wherever they were played. After that,
the folder of games may be deleted. `report` adds all pieces, fills in the page and draws the figures. Needs Linux.
"""

import argparse
import fcntl
import hashlib
import json
import math
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from page import fill
from yokoyama import pieces
from yokoyama.cells import CELLS, engines
from yokoyama.report import blocks_and_figures, record
from yokoyama.trees import count_game, entries_by_game

EACH = 150  # openings per seed, each played with both colours
PAGE = "scripts/experiments/2026-11-24-yokoyama2014.md"
SILENCE_MS = 24 * 3600 * 1000  # a cluster of 32 may be silent for minutes on a busy machine
ENDINGS = {"checkmate", "stalemate", "repetition", "no progress", "insufficient material"}


def games_of(folder, cell):
    """The finished games of the match's journal, by number. An incomplete last line is an unfinished game."""
    games = {}
    path = folder / f"{cell.name}.jsonl"
    for line in path.read_text().split("\n")[1:-1] if path.exists() else []:
        entry = json.loads(line)
        if "record" in entry:
            games[entry["game"]] = entry["record"]
    return games


def openings_of(lines, seed):
    """The openings of a seed: the openings of the file are sorted by hash and divided among the seeds, from 0."""
    order = sorted(dict.fromkeys(lines), key=lambda line: hashlib.sha256(line.encode()).digest())
    found = order[seed * EACH : (seed + 1) * EACH]
    if len(found) < EACH:
        sys.exit(f"expected a seed below {len(order) // EACH}, because there are no more openings, found {seed}")
    return found


def begin(folder, arguments):
    """The conditions of the only piece that is played in this folder."""
    text = Path(arguments.openings).read_text()
    openings = f"{Path(arguments.openings).name} {hashlib.sha256(text.encode()).hexdigest()[:12]}"
    facts = {**pieces.FACTS, "seed": arguments.seed, "engine": arguments.engine, "openings": openings}
    path = folder / "facts.json"
    if path.exists():
        found = json.loads(path.read_text())
        for key in facts:
            if facts[key] != found.get(key):
                sys.exit(f"expected {found.get(key)!r} as '{key}', as in the games of '{folder}', found {facts[key]!r}")
        return facts
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    own = openings_of(lines, arguments.seed)
    for name, piece in pieces.read_all(Path(arguments.pieces)).items():
        if piece["seed"] == arguments.seed:
            sys.exit(f"the piece {name} already has the seed {arguments.seed}")
    (folder / "openings.epd").write_text("\n".join(own) + "\n")
    pieces.replace(path, json.dumps(facts))
    return facts


def play_block(folder, cell, goal, arguments, lock):
    first, second = engines(cell, arguments.hasami)
    command = [arguments.hasami, "match", "--engine", *first, "--engine", *second, "--games", str(goal)]
    command += ["--openings", "file=openings.epd", "order=sequential", "--quiet"]
    command += ["--concurrency", str(arguments.concurrency), "--ratinginterval", "0", "--json", f"{cell.name}.json"]
    command += ["--journal", f"{cell.name}.jsonl"]
    for limit in ("startup", "ucinewgame", "ping", "silence"):
        command += [f"--{limit}-ms", str(SILENCE_MS)]
    if (folder / f"{cell.name}.jsonl").exists():
        command += ["--resume"]
    # The match process also holds the lock, so that no second match can start if this script is killed but the match is
    # not.
    match = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, pass_fds=[lock])
    try:
        code = match.wait()
    finally:
        if match.poll() is None:
            match.terminate()
            match.wait()
    if code != 0:
        sys.exit(f"the match of {cell.name} failed with exit code {code}")
    check_endings(folder, cell)


def check_endings(folder, cell):
    for number, game in games_of(folder, cell).items():
        if game["ending"] not in ENDINGS:
            found = f"'{game['ending']}' in {cell.name}, game {number + 1}"
            sys.exit(f"expected a game that ends by the rules, found {found}")


def counts_of(folder, cell):
    """The counts of the trees of finished games, by number of the game."""
    path = folder / f"{cell.name}.counts"
    return {int(number): counts for number, counts in json.loads(path.read_text()).items()} if path.exists() else {}


def fold(folder, cell):
    """Adds the diary of finished games to a file of counts, and removes the diary."""
    diary, path = folder / f"{cell.name}.diary", folder / f"{cell.name}.counts"
    if not diary.exists():
        return
    counts, entries = counts_of(folder, cell), entries_by_game(diary)
    for number, game in games_of(folder, cell).items():
        key = game["position"], game["players"].index("cluster")
        # If an earlier run was killed between the last two lines of this function, its games are already in `counts`.
        if number not in counts and key in entries:
            counts[number] = count_game(game, entries[key])
    pieces.replace(path, json.dumps(counts))
    diary.unlink()


def put(folder, facts, target):
    """Writes the piece, and returns its counts by cell."""
    found = {}
    for cell in CELLS:
        fold(folder, cell)
        check_endings(folder, cell)
        found[cell.name] = pieces.count_cell(cell, games_of(folder, cell), counts_of(folder, cell))
    if any(found.values()):
        pieces.write(Path(target) / f"seed-{facts['seed']}.json", facts, found)
    return found


def locked(folder):
    """A file descriptor that locks the folder while it is open."""
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"another run is using the folder '{folder}'")
    return lock


def play(arguments):
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    lock = locked(folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    facts = begin(folder, arguments)
    cells = [cell for cell in CELLS if not arguments.cell or cell.name in arguments.cell]
    for goal in range(arguments.step, arguments.games + arguments.step, arguments.step):
        for cell in cells:
            # The number of games is even, because every opening is played with both colours.
            games = 2 * math.ceil(min(goal, arguments.games) * cell.part / 2)
            missing = games - len(games_of(folder, cell))
            if missing > 0:
                before = processor_seconds()
                play_block(folder, cell, games, arguments, lock)
                each = (processor_seconds() - before) / missing
                found = put(folder, facts, arguments.pieces)
                print(cell.name, *record(found[cell.name]), f"{each:.1f} s of a core a game", flush=True)


def processor_seconds():
    """Processor time of all matches that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def piece(arguments):
    folder = Path(arguments.folder)
    if not (folder / "facts.json").exists():
        sys.exit(f"the folder '{folder}' contains no games of `play`")
    lock = locked(folder)
    put(folder, json.loads((folder / "facts.json").read_text()), arguments.pieces)
    os.close(lock)


def report(arguments):
    page = Path(arguments.page)
    pictures = page.with_suffix("")
    folder = Path(arguments.pieces or pictures / "pieces")
    found = list(pieces.read_all(folder).values())
    if not found:
        sys.exit(f"the folder '{folder}' contains no pieces of `play`")
    blocks, figures = blocks_and_figures(found, pieces.sums(found), pictures.name)
    fill(page, blocks)
    pictures.mkdir(exist_ok=True)
    for path in pictures.glob("figure*.svg"):
        path.unlink()
    for number, picture in figures.items():
        (pictures / f"figure{number}.svg").write_text(picture)


def natural(least, most=math.inf):
    """A parser of whole numbers."""
    bounds = f"from {least}" + (f" to {most}" if most < math.inf else "")

    def read(text):
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"expected a whole number {bounds}, found '{text}'")
        return int(text)

    return read


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    player = commands.add_parser("play", help="play games, and write a piece after each block of them")
    player.set_defaults(run=play)
    player.add_argument("--folder", required=True, help="folder in which the games are kept")
    player.add_argument("--seed", type=natural(0), required=True, help="seed that no other piece has")
    player.add_argument("--engine", required=True, help="text for the piece that names the commit of the program")
    player.add_argument("--hasami", type=os.path.abspath, default="target/release/hasami")
    player.add_argument("--openings", type=os.path.abspath, required=True)
    player.add_argument("--games", type=natural(1, 2 * EACH), default=2 * EACH, help="number of games of each cell of Table 1; other cells get fewer")
    player.add_argument("--step", type=natural(1), default=50, help="number of games of each cell per round")
    player.add_argument("--concurrency", type=natural(1), default=1)
    player.add_argument("--cell", action="append", choices=[cell.name for cell in CELLS], help="play only this cell")
    writer = commands.add_parser("piece", help="write the piece of a folder again, for example after a kill")
    writer.set_defaults(run=piece)
    writer.add_argument("--folder", required=True, help="folder in which the games are kept")
    for command in (player, writer):
        command.add_argument("--pieces", default=Path(PAGE).with_suffix("") / "pieces", help="folder of the pieces")
    reporter = commands.add_parser("report", help="fill in the page and draw the figures")
    reporter.set_defaults(run=report)
    reporter.add_argument("--page", default=PAGE)
    reporter.add_argument("--pieces", help="folder of the pieces (default: next to the page)")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except OSError as why:
        sys.exit(f"cannot read or write a file: {why}")


if __name__ == "__main__":
    main()
