#!/usr/bin/env python3
"""Runs all trials that take hours and may find faults that the tests of every change do not, and summarizes them in a
table.

    scripts/night.py                        a whole night with the programs built by `cargo build --release --workspace
    --bins --examples`
    scripts/night.py --scale 0.05           a twentieth of it
    scripts/night.py --only fuzz,mates      only some of the trials
    scripts/night.py --table                the results so far

The trials: chaos and faults (machines, servers and callers are killed, suspended and cut off, in a game and in a
match), rogue (forged messages), soak (an hour of a game with a thousand workers), mates (known answers, with threads
and with cells), fuzz (an hour per target). The result of each trial is written as a line of FOLDER/results.jsonl when
the trial ends; an interrupted night continues after the last finished trial if its scale is the same. The exit code is
1 if a trial found a fault, and 2 if there is nothing to run or to show. Needs nats-server and python-chess.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Smallest node limit for a mate problem. With fewer nodes, cells may leave a problem with a known answer open.
LEAST_NODES = 30_000


class Piece:
    """One row of the table. `command` is run in the root folder; `told` makes the text of the result from its
    output."""

    def __init__(self, name, what, command, told):
        self.name, self.what, self.command, self.told = name, what, command, told

    def run(self, log):
        begun = time.time()
        with open(log, "w") as out:
            code = subprocess.run(self.command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
        text = Path(log).read_text(errors="replace")
        return {"code": code, "seconds": round(time.time() - begun), "result": self.told(text, code)}


def lines_with(*words):
    """A function that extracts the lines of the output that contain one of these words."""
    def told(text, _):
        found = [line.strip() for line in text.splitlines() if any(word in line for word in words)]
        return "; ".join(found) or f"expected a result, found: {text.strip()[-200:]}"
    return told


def fuzzed(text, code):
    if "finding:" in text:
        return next(line for line in text.splitlines() if line.startswith("finding:"))
    runs = re.search(r"stat::number_of_executed_units:\s+(\d+)", text)
    return f"{int(runs.group(1)):,} inputs, nothing found" if runs and code == 0 else f"expected a result, found: {text.strip()[-200:]}"


def solved(text, code):
    """The result of `hasami solve --expect`: its summary of the whole list."""
    lines = [line.strip("# ") for line in text.splitlines() if line.startswith("# ")]
    return ("" if code == 0 else f"exit code {code}: ") + (lines[-1] if lines else text.strip()[-200:])


def targets():
    table = (ROOT / "tests/fuzz/targets/mod.rs").read_text()
    return re.findall(r'^    \("([a-z]+)", ', table, re.MULTILINE)


def pieces(options):
    """All trials of a night, in the order in which they are run."""
    python, scale = sys.executable, options.scale
    program = os.path.abspath(Path(options.bin, "hasami"))

    def part(whole):
        return max(1, round(whole * scale))

    def cluster(what, *words):
        return [python, "scripts/cluster.py", what, "--hasami", program, "--seed", str(options.seed), *map(str, words)]

    yield Piece("chaos", "a game at 1 s a move while machines are added, killed and stopped and the server restarts",
                cluster("chaos", "--events", part(1000)), lines_with("events:", " moves of ", "processes left"))
    yield Piece("rogue", "forged, truncated and repeated messages from a client with the rights of a worker node",
                cluster("rogue", "--messages", part(1_000_000), "--ms", 500), lines_with(" moves of ", "refused by the server", "stranger"))
    faults = [python, "scripts/games_faults.py", "--hasami", program, "--engine", os.path.abspath(Path(options.bin, "mock-engine")),
              "--games", str(2 * part(500)), "--faults", str(part(200)), "--seed", str(options.seed)]
    yield Piece("faults", "a match on four machines that are killed, frozen and cut off",
                faults if options.namespaces else [*faults, "--no-namespaces"], lines_with("lost, "))
    yield Piece("soak", "a game with 1,000 worker nodes that only report",
                cluster("soak", "--workers", 1000, "--seconds", part(3600), "--ms", 20_000 if scale > 0.1 else 2_000),
                lambda text, _: "; ".join(text.strip().splitlines()[-2:]))
    for flags, how in [(["--threads", "2"], "threads"), (["--cells", "2"], "cells")]:
        for problems in ["tests/data/mates/games.tsv", *options.problems]:
            limit = ["--time", "20"] if options.problems else ["--nodes", str(max(LEAST_NODES, part(1_000_000)))]
            words = [program, "solve", problems, "--expect", *flags, *limit]
            yield Piece(f"mates-{how}-{Path(problems).stem}", f"recorded answers of {Path(problems).name}, by two {how}", words, solved)
    for target in targets():
        yield Piece(f"fuzz-{target}", f"fuzzing of {target}", ["scripts/fuzz.sh", str(part(3600)), target], fuzzed)


def positive(text):
    if not 0 < float(text) < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return float(text)


def refuse(text):
    print(f"night.py: {text}", file=sys.stderr)
    sys.exit(2)


def read(kept):
    """The results that have been written so far."""
    try:
        return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    except (OSError, ValueError) as error:
        refuse(f"{kept}: expected a line of JSON for each result, found: {error}")


def chosen(options):
    """The selected trials that can be run."""
    wanted = tuple(options.only.split(",")) if options.only else ("",)
    every = list(pieces(options))
    for word in wanted:
        if not any(piece.name.startswith(word) for piece in every):
            kinds = ", ".join(dict.fromkeys(piece.name.split("-")[0] for piece in every))
            refuse(f"--only: expected the beginning of a piece's name ({kinds}), found '{word}'")
    every = [piece for piece in every if piece.name.startswith(wanted)]
    built = os.path.abspath(options.bin) + os.sep
    for word in [word for piece in every for word in piece.command if word.startswith(built) and not os.path.exists(word)]:
        refuse(f"--bin: {word} is missing (cargo build --release --workspace --bins --examples)")
    return every


def shown(entry):
    command = " ".join(entry["command"]).replace(str(ROOT) + "/", "").replace(sys.executable, "python3")
    return f"| {entry['what']} | {entry['result']} | {entry['seconds']} s | `{command}` |"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=positive, default=1.0, help="size of the trials as a share of a whole night")
    parser.add_argument("--folder", default="target/night", help="folder for results and logs")
    parser.add_argument("--bin", default="target/release", help="folder with hasami, mock-engine and examples/")
    parser.add_argument("--only", help="run only trials whose names begin with one of these words, separated by commas")
    parser.add_argument("--problems", nargs="*", default=[], help="further lists of mate problems with recorded answers")
    parser.add_argument("--namespaces", action="store_true", help="put the machines of the trial faults into network namespaces (needs root)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="only print the table of the results")
    options = parser.parse_args(arguments)
    folder = Path(options.folder)
    kept = folder / "results.jsonl"
    known = read(kept)
    if options.table and not known:
        refuse(f"{kept} contains no results of a night")
    run([] if options.table else chosen(options), options, known, kept)
    print("\n| what | result | took | command |\n| --- | --- | --- | --- |")
    print("\n".join(map(shown, known)))
    return any(entry["code"] != 0 for entry in known)


def run(wanted, options, known, kept):
    """Runs the trials that have not been run yet. Each result is written when it is available."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    done = {(entry["name"], entry["scale"], entry["seed"]) for entry in known}
    for piece in wanted:
        if (piece.name, options.scale, options.seed) in done:
            continue
        print(f"== {time.strftime('%H:%M:%S')} {piece.name}", flush=True)
        found = piece.run(kept.parent / f"{piece.name}.log")
        entry = {"name": piece.name, "scale": options.scale, "seed": options.seed, "what": piece.what, "command": piece.command, **found}
        known.append(entry)
        with open(kept, "a") as results:
            results.write(json.dumps(entry) + "\n")
        print(f"   {entry['result']} ({entry['seconds']} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
