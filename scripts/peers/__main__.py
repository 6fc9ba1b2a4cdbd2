#!/usr/bin/env python3
"""Tests real engines alone, as opponents and as children of Hasami, and writes a table (docs/guide/peers.md).

    PATH=$PATH:/opt/engines python3 scripts/peers --hasami target/release/hasami --write docs/guide/peers.md
    python3 scripts/peers --quick --only YaneuraOu --only Stockfish

The engines are listed in a TOML file of [[peer]] tables (default: engines.toml next to this program). Engines that are
not installed are left out. Needs Linux, and nats-server for the column "other machine". No process is left running,
even after an error.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peers import alone, config, process, served, table  # noqa: E402
from peers.referee import Referee  # noqa: E402

HERE = Path(__file__).resolve().parent
MATES = HERE.parent.parent / "tests" / "data" / "mates" / "games.tsv"
# Numbers of positions, of plies in a game, of plies in a game with four children, of positions that the engine plays as
# Hasami's child, and of positions over the network.
FULL = (100, 160, 60, 100, 20)
QUICK = (20, 20, 12, 20, 6)


class Bench:
    """All checks of all engines, within the time limit."""

    def __init__(self, hasami, sizes, minutes, checks):
        self.hasami, self.sizes, self.checks = hasami, sizes, checks
        self.deadline = time.monotonic() + minutes * 60
        self.referees, self.asked = {}, {}
        self.problems = [line.split("\t")[0] for line in MATES.read_text().splitlines() if line and not line.startswith("#")]

    def referee(self, protocol):
        if protocol not in self.referees:
            self.referees[protocol] = Referee(self.hasami, protocol)
            self.asked[protocol] = self.referees[protocol].positions(100)
        return self.referees[protocol], self.asked[protocol]

    def row(self, peer):
        """Version and cells of one engine."""
        first = table.measured(alone.handshake, peer)
        if isinstance(first, table.Cell):
            return peer.name, "does not come up", {"handshake": first}
        handshake, options, version = first
        cells = {"handshake": handshake, "options": options}
        with tempfile.TemporaryDirectory() as folder:
            for name, check, *arguments in self.plan(peer, folder):
                if self.checks and name not in self.checks:
                    continue
                began = time.monotonic()
                cells[name] = table.NO_TIME if began > self.deadline else table.measured(check, *arguments)
                say(f"{peer.name}: {name}: {cells[name].text} {cells[name].why or ''} ({time.monotonic() - began:.1f} s)")
        return peer.name, version, cells

    def plan(self, peer, folder):
        referee, asked = self.referee(peer.protocol)
        count, plies, few_plies, with_hasami, over_network = self.sizes
        base = (self.hasami, peer, folder)
        yield "stop", alone.stop, peer, asked[0]
        if peer.mate:
            yield "solves", alone.solves, peer, referee, self.problems, min(count, peer.positions)
            yield "mates", served.mate_worker, *base, referee, self.problems
        else:
            yield "positions", alone.positions, peer, referee, asked[: min(count, peer.positions)]
            yield "barrier", alone.barrier, peer, referee, asked
            yield "opponent", served.opponent, *base, plies
        yield "killed", served.killed, *base, referee, asked, self.problems
        yield "one", served.one_child, *base, referee, asked[: min(with_hasami, peer.positions)]
        yield "four", served.four_children, *base, few_plies
        yield "remote", served.remote, *base, referee, asked[: min(over_network, peer.positions)], self.problems


def head(quick):
    """The command and the machine of the run."""
    code, said = process.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], timeout=10)
    commit = f", commit {said.strip()}" if code == 0 else ""
    return f"`python3 scripts/peers{' --quick' if quick else ''}`{commit}, {os.cpu_count()} cores:"


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", nargs="?", default=HERE / "engines.toml", help="TOML file of [[peer]] tables")
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--only", action="append", metavar="NAME", help="test only this engine (may be repeated)")
    parser.add_argument("--check", action="append", choices=[*table.ALONE, *table.SERVED], help="run only this column (may be repeated)")
    parser.add_argument("--quick", action="store_true", help="use fewer positions and shorter games")
    parser.add_argument("--minutes", type=float, default=15, help="start no check after this time (default 15)")
    parser.add_argument("--write", metavar="PAGE", help="write the table between the markers of this page")
    return parser.parse_args()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    asked = arguments()
    try:
        listed = config.read(asked.list)
    except (OSError, config.BadList) as error:
        sys.exit(f"peers: {error}")
    listed = [peer for peer in listed if not asked.only or peer.name in asked.only]
    found = {peer.name: config.installed(peer) for peer in listed}
    bench = Bench(os.path.abspath(asked.hasami), QUICK if asked.quick else FULL, asked.minutes, asked.check)
    rows = [bench.row(peer) for peer in found.values() if peer]
    text = table.document(rows, [name for name, peer in found.items() if peer is None], head(asked.quick))
    print(text)
    if asked.write:
        page = Path(asked.write)
        page.write_text(table.inserted(page.read_text(), text))


if __name__ == "__main__":
    main()
