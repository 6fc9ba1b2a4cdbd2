#!/usr/bin/env python3
"""Checks that other programs read the records of `hasami match` as the games were played, and that Hasami reads the
records of other programs.

    scripts/read_records.py [--count 500] [--records PROGRAM] [--hasami PROGRAM] [--tsshogi FOLDER] [--keep FOLDER] [--need]

Random games with every kind of start, ending, name and comment (scripts/records.rs) are written as KIF, CSA and PGN,
one file each, and read with tsshogi (the library of ShogiHome), cshogi, python-shogi and python-chess: start and moves
must be the same. Then tsshogi writes the same games as KIF and CSA, and Hasami reads them as `hasami match --openings`
does. Finally Hasami plays a match of some games and writes it as KIF and CSA, one file per game: every game must be
there and be read completely.

A library that is not installed is named and left out; with --need a missing library is a failure. Exit code 0: all
records were read, except for those that KNOWN lists; 1: a record was not read; 2: nothing could be tested.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HIRATE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
# Boards of the handicap positions that have names in KIF.
HANDICAPS = {
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
}


def placed(sfen):
    """A position without its move number, with its hands in a fixed order."""
    board, side, hands = (sfen or HIRATE).split()[:3]
    held = sorted((piece, int(count or 1)) for count, piece in re.findall(r"(\d*)([A-Za-z])", hands))
    return board, side, tuple(held)


def is_set_up(game):
    return placed(game["start"]) != placed(HIRATE) and placed(game["start"])[0] not in HANDICAPS


# Known errors of readers, as (reader, format): (which games, why). Games that show a known error are left out, because
# some would end the reader's process.
KNOWN = {}


def known(reader, ending, why):
    return lambda applies: KNOWN.setdefault((reader, ending), []).append((applies, why))


known("cshogi", "kif", "ignores the start position of a game (1.1.0: KIF.py compares hands instead of assigning them)")(is_set_up)

known("python-shogi", "kif", "gives a start position the side to move at the end of the game (1.1.1)")(
    lambda game: is_set_up(game) and len(game["moves"]) % 2 == 1
)
known("python-shogi", "csa", "loses pieces if a hand contains several of a kind (1.1.1: CSA.py writes only their number)")(
    lambda game: any(count > 1 for _, count in placed(game["start"])[2])
)


class Missing(Exception):
    pass


def text_of(path):
    return path.read_bytes().decode("cp932" if path.suffix == ".kif" else "utf-8")


class Tsshogi:
    name = "tsshogi"
    formats = ("kif", "csa")

    def __init__(self, folder):
        if not shutil.which("node"):
            raise Missing("node")
        if not (folder / "dist/esm/index.mjs").is_file():
            raise Missing(f"tsshogi (npm install tsshogi; --tsshogi FOLDER; not in {folder})")
        self.folder = folder

    def run(self, command, items):
        text = "".join(json.dumps(item) + "\n" for item in items)
        call = ["node", str(HERE / "read_records.mjs"), command, str(self.folder)]
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def read(self, ending, paths):
        return self.run("read", [{"text": text_of(path), "format": ending} for path in paths])


class OneByOne:
    def read(self, ending, paths):
        return [self.tried(ending, path) for path in paths]

    def tried(self, ending, path):
        try:
            start, moves = self.read_one(ending, path)
        except Exception as error:  # The output of a reader about a file.
            return {"error": f"{type(error).__name__}: {error}"}
        return {"start": start, "moves": moves}


class Cshogi(OneByOne):
    name = "cshogi"
    formats = ("kif", "csa")

    def __init__(self):
        try:
            import cshogi
            from cshogi import CSA, KIF
        except ImportError as error:
            raise Missing("cshogi (pip install cshogi)") from error
        self.cshogi, self.csa, self.kif = cshogi, CSA, KIF

    def read_one(self, ending, path):
        game = self.kif.Parser.parse_file(str(path)) if ending == "kif" else self.csa.Parser.parse_file(str(path))[0]
        return game.sfen, [self.cshogi.move_to_usi(move) for move in game.moves]


class PythonShogi(OneByOne):
    name = "python-shogi"
    formats = ("kif", "csa")

    def __init__(self):
        try:
            import shogi
            import shogi.CSA
            import shogi.KIF
        except ImportError as error:
            raise Missing("python-shogi (pip install python-shogi)") from error
        self.shogi = shogi

    def read_one(self, ending, path):
        parser = self.shogi.KIF.Parser if ending == "kif" else self.shogi.CSA.Parser
        game = parser.parse_str(text_of(path))[0]
        return game["sfen"], game["moves"]


class PythonChess(OneByOne):
    name = "python-chess"
    formats = ("pgn",)

    def __init__(self):
        try:
            import chess
            import chess.pgn
        except ImportError as error:
            raise Missing("python-chess (pip install chess)") from error
        self.chess = chess

    def read_one(self, ending, path):
        with open(path, encoding="utf-8") as file:
            game = self.chess.pgn.read_game(file)
        if game.errors:
            raise ValueError(str(game.errors[0]))
        return game.board().fen(), [move.uci() for move in game.mainline_moves()]


def difference(game, read):
    """The difference between the game that was read and the game that was played; None if they agree."""
    if "error" in read:
        return read["error"]
    if game["file"].endswith(".pgn"):
        right = game["start"] is None or game["start"].split()[:2] == read["start"].split()[:2]
    else:
        right = placed(game["start"]) == placed(read["start"])
    if not right:
        return f"start: expected {game['start']}, found {read['start']}"
    for ply, (ours, theirs) in enumerate(zip(game["moves"], read["moves"]), 1):
        if ours != theirs:
            return f"ply {ply}: expected {ours}, found {theirs}"
    counts = len(game["moves"]), len(read["moves"])
    return None if counts[0] == counts[1] else f"expected {counts[0]} moves, found {counts[1]}"


def compare(reader, ending, games, read):
    """One row of the table, and the number of games that were read wrongly without a known reason."""
    reasons, tried, odd = {}, [], []
    for game in games:
        reason = next((text for applies, text in KNOWN.get((reader, ending), []) if applies(game)), None)
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
        else:
            tried.append(game)
    for game, found in zip(tried, read(tried), strict=True):
        why = difference(game, found)
        odd += [f"{game['file']}: {why}"] if why else []
    print(f"{reader:14}{ending:6}{len(games):6}{len(tried) - len(odd):6}{sum(reasons.values()):8}{len(odd):7}", flush=True)
    for reason, count in reasons.items():
        print(f"    {count}: {reader} {reason}")
    for line in odd[:5]:
        print(f"    {line[:240]}")
    return len(odd)


def their_files(tsshogi, games, folder):
    """The games as tsshogi writes them, by format."""
    items = [
        {"sfen": game["start"] or HIRATE, "moves": game["moves"], "variation": game["variation"], "number": number}
        for number, game in enumerate(games)
    ]
    files = {"kif": [], "csa": []}
    for game, written in zip(games, tsshogi.run("write", items), strict=True):
        if "error" in written:
            raise SystemExit(f"tsshogi cannot write {game['file']}: {written['error']}")
        for ending, paths in files.items():
            path = folder / (pathlib.Path(game["file"]).stem + f".tsshogi.{ending}")
            path.write_bytes(written[ending].encode("cp932" if ending == "kif" else "utf-8", errors="replace"))
            paths.append(path)
    return files


def ours(program, paths):
    call = [*program, "read", *map(str, paths)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return [one if "error" in one else one["games"][0] for one in told]


def readers(tsshogi):
    there, missing = [], []
    for make in (lambda: Tsshogi(tsshogi), Cshogi, PythonShogi, PythonChess):
        try:
            there.append(make())
        except Missing as error:
            missing.append(str(error))
    return there, missing


def played(program, folder):
    """The games of a match from its journal, each with the name of its file without the extension."""
    engine = f"cmd={program}"
    call = [program, "match", "--game", "shogi", "--engine", "name=a", engine, "--engine", "name=b", engine]
    call += ["--each", "nodes=100", "option.USI_Hash=1", "--games", "6", "--maxmoves", "30", "--quiet"]
    call += ["--journal", "match.jsonl"]
    subprocess.run([*call, "--record", "kif=games/", "--record", "csa=games/"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    lines = map(json.loads, (folder / "match.jsonl").read_text().splitlines()[1:])
    return [
        {
            "file": f"games/{line['game'] + 1:05}",
            "start": line["record"].get("position"),
            "moves": [move["m"] for move in line["record"]["moves"]],
        }
        for line in lines
        if "game" in line
    ]


def check_match(program, there, folder):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="match", dir=folder))
    games, odd = played(program, folder), 0
    print(f"a match of {len(games)} games")
    for ending in ("kif", "csa"):
        files = {path.stem for path in (folder / "games").glob(f"*.{ending}")}
        if files != {pathlib.Path(game["file"]).name for game in games}:
            print(f"    {ending}: expected a file for each of {len(games)} games, found {sorted(files)}")
            odd += 1
        these = [game | {"file": f"{game['file']}.{ending}"} for game in games]
        for reader in (reader for reader in there if ending in reader.formats):
            odd += compare(reader.name, ending, these, lambda games: reader.read(ending, [folder / game["file"] for game in games]))
    return odd


def check(program, hasami, count, there, folder):
    subprocess.run([*program, "write", str(folder), str(count)], check=True)
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    by_ending = {"kif": [], "csa": [], "pgn": []}
    for game in games:
        by_ending[pathlib.Path(game["file"]).suffix[1:].replace("kifu", "kif")].append(game)
    print(f"{'reader':14}{'format':6}{'files':>6}{'same':>6}{'known':>8}{'other':>7}")
    odd = 0
    for reader in there:
        for ending in reader.formats:
            these = by_ending[ending]
            odd += compare(reader.name, ending, these, lambda games: reader.read(ending, [folder / game["file"] for game in games]))
    tsshogi = next((reader for reader in there if reader.name == "tsshogi"), None)
    if tsshogi:
        print("written by tsshogi, read by hasami")
        for ending, paths in their_files(tsshogi, by_ending["kif"], folder).items():
            odd += compare("hasami", ending, by_ending["kif"], lambda _: ours(program, paths))
    return odd + check_match(hasami, there, folder)


def built():
    """The program, built in the same way as for tests."""
    call = ["cargo", "build", "-q", "--bin", "hasami", "--message-format", "json"]
    done = subprocess.run(call, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    told = map(json.loads, done.stdout.splitlines())
    return next(one["executable"] for one in told if one.get("executable"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=500, help="number of files per format")
    parser.add_argument("--records", help="path of the built example `records` (default: cargo builds it)")
    parser.add_argument("--hasami", help="program that plays the match (default: cargo builds it)")
    default = os.environ.get("TSSHOGI", HERE.parent / "node_modules/tsshogi")
    parser.add_argument("--tsshogi", type=pathlib.Path, default=pathlib.Path(default), help="folder of the package tsshogi")
    parser.add_argument("--keep", type=pathlib.Path, help="folder in which the files are kept")
    parser.add_argument("--need", action="store_true", help="fail if a library is missing")
    arguments = parser.parse_args()
    program = [arguments.records] if arguments.records else ["cargo", "run", "-q", "--example", "records", "--"]
    there, missing = readers(arguments.tsshogi)
    for name in missing:
        print(f"missing: {name}", file=sys.stderr)
    if not there or (missing and arguments.need):
        return 2
    hasami = str(pathlib.Path(arguments.hasami).resolve()) if arguments.hasami else built()
    if arguments.keep:
        return int(check(program, hasami, arguments.count, there, arguments.keep) > 0)
    with tempfile.TemporaryDirectory() as folder:
        return int(check(program, hasami, arguments.count, there, pathlib.Path(folder)) > 0)


if __name__ == "__main__":
    sys.exit(main())
