#!/usr/bin/env python3
"""Repeats the experiments of Yokoyama and Kaneko 2014 (P-GPP in chess): Table 1 and Figures 8 to 13.

    scripts/yokoyama2014.py play --folder runs --openings noob_3moves_5k.epd --hasami target/release/hasami --games 1000
    scripts/yokoyama2014.py report --folder runs --page scripts/experiments/2026-11-24-yokoyama2014.md

`play` goes round by round through all cells of the table; it may be killed at any time and goes on when it is called
again. `report` writes what there is into the page and draws the figures into a folder beside it. Needs Linux.
"""

import argparse
import collections
import fcntl
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

from page import fill

NODES = 5000  # of one worker in a virtual second, which is the time for a move
WORKERS = [8, 16, 32]
MODELS = ["rank", "gap"]
LAST_PLY = 100
MEASURES = ["inherited", "agreement", "depth"]
SEED = 2
PATIENCE_MS = 24 * 3600 * 1000  # a cluster of 32 may be silent for minutes on a busy machine
ENDINGS = {"checkmate", "stalemate", "repetition", "no progress", "insufficient material"}

# What is played. Without a model: a sequential engine with `workers` times the nodes. `part`: of the games of Table 1.
Cell = collections.namedtuple("Cell", "name model workers nodes ponder part", defaults=[NODES, "both", 1.0])
TABLE = [Cell(f"{model}-{workers}", model, workers) for workers in WORKERS for model in MODELS]
# Every doubling against the one before it: against the first one alone, all games are won at these nodes.
LADDER = [Cell(f"double-{2 * times}", None, 2, NODES * times, part=0.5) for times in (1, 2, 4, 8, 16)]
PERFECT = [Cell(f"perfect-{workers}", None, workers, part=0.2) for workers in WORKERS]
CHECKS = [
    *(Cell(f"{model}-8-x4", model, 8, 4 * NODES, part=0.5) for model in MODELS),
    *(Cell(f"{model}-8-alone", model, 8, ponder="cluster", part=0.5) for model in MODELS),
    *(Cell(f"{model}-8-nobody", model, 8, ponder="nobody", part=0.5) for model in MODELS),
]
# The cheap ones come first in a round.
CELLS = sorted(TABLE + LADDER + PERFECT + CHECKS, key=lambda cell: cell.workers * cell.nodes)


def engines(cell, hasami):
    """The words of both engines for `hasami match`."""
    table = 8 * cell.nodes // NODES  # MiB: more entries than a worker writes in a dozen moves
    both = [f"cmd={hasami}", f"option.Hash={table}"]
    plain = [*both, f"nodes={cell.nodes}", "option.Threads=1"]
    if cell.model is None:
        times = [f"option.Hash={cell.workers * table}", f"nodes={cell.workers * cell.nodes}"]
        return ["name=cluster", *plain, *times], ["name=sequential", *plain]
    clock = [*both, "st=1", f"virtual.nps={cell.nodes}"]
    ponder = "false" if cell.ponder == "nobody" else "true"
    cluster = [*clock, f"virtual.workers={cell.workers}", "virtual.penalty-ms=50", f"option.TreeModel={cell.model}"]
    cluster += [f"option.Ponder={ponder}", f'args="--reply-time=1000 --log={cell.name}.diary"']
    # One worker is a sequential engine; messages to itself are to cost it next to nothing.
    alone = [*clock, "virtual.workers=1", "virtual.penalty-ms=0", "virtual.latency-ms=3", "option.TreeModel=rank"]
    alone += ["option.Ponder=true", "args=--reply-time=1000"]
    return ["name=cluster", *cluster], ["name=sequential", *(alone if cell.ponder == "both" else plain)]


def games_of(folder, cell):
    """The finished games of the match's journal by number. A torn last line is a game that was not finished."""
    games = {}
    path = folder / f"{cell.name}.jsonl"
    for line in path.read_text().split("\n")[1:-1] if path.exists() else []:
        entry = json.loads(line)
        if "record" in entry:
            games[entry["game"]] = entry["record"]
    return games


def play_block(folder, cell, goal, arguments, lock):
    first, second = engines(cell, arguments.hasami)
    command = [arguments.hasami, "match", "--engine", *first, "--engine", *second, "--games", str(goal)]
    command += ["--openings", f"file={arguments.openings}", "order=random", "--seed", str(SEED), "--quiet"]
    command += ["--concurrency", str(arguments.concurrency), "--ratinginterval", "0", "--json", f"{cell.name}.json"]
    command += ["--journal", f"{cell.name}.jsonl"]
    for limit in ("startup", "ucinewgame", "ping", "silence"):
        command += [f"--{limit}-ms", str(PATIENCE_MS)]
    if (folder / f"{cell.name}.jsonl").exists():
        command += ["--resume"]
    # The match holds the lock as well: should only this script be killed, no second match joins the first.
    match = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, pass_fds=[lock])
    try:
        code = match.wait()
    finally:
        if match.poll() is None:
            match.terminate()
            match.wait()
    if code != 0:
        sys.exit(f"expected a match that ends well, found exit code {code} in {cell.name}")
    for number, game in games_of(folder, cell).items():
        if game["ending"] not in ENDINGS:
            found = f"'{game['ending']}' in {cell.name}, game {number + 1}"
            sys.exit(f"expected a game that ends by the rules, found {found}")


def play(arguments):
    folder = Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"expected a folder that nobody plays in, found another run in '{folder}'")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    cells = [cell for cell in CELLS if not arguments.cell or cell.name in arguments.cell]
    for goal in range(arguments.step, arguments.games + arguments.step, arguments.step):
        for cell in cells:
            # Both colours from every opening.
            games = 2 * math.ceil(min(goal, arguments.games) * cell.part / 2)
            if len(games_of(folder, cell)) < games:
                play_block(folder, cell, games, arguments, lock)
                print(cell.name, *record(summary(folder, cell)).values(), flush=True)
            fold(folder, cell)


def first_ply(position):
    """How many plies were played before a position in FEN."""
    _, side, *_, number = position.split()
    return 2 * (int(number) - 1) + (side == "b")


def measure(seats, coming):
    """The paper's Figure 7: of a tree whose nodes are given by their paths, and the moves that were then played."""

    def agreement(path):
        return len(os.path.commonprefix([path, coming]))

    return {
        "inherited": sum(path[:1] == coming[:1] for path in seats),
        "agreement": max(map(agreement, seats)),
        "depth": max(map(len, seats)),
    }


def entries_by_game(path):
    """A diary's entries by the position they began from, who began, and the ply: a game played anew replaces itself."""
    found = collections.defaultdict(dict)
    with open(path) as file:
        for line in file:
            if line.endswith("\n"):
                entry = json.loads(line)
                plies = len(entry["moves"])
                found[entry["start"], (plies + entry["reply"]) % 2][plies] = entry
    return found


def count_game(record, entries, histograms):
    """Adds a game's positions to the histograms; sums of the game itself for the error bars."""
    moves = [move["m"] for move in record["moves"]]
    begin = first_ply(record["position"])
    sums = {"positions": 0, **dict.fromkeys(MEASURES, 0)}
    for plies, entry in entries.items():
        seats = [seat["path"] for seat in entry["tree"]]
        known = entry["moves"] == moves[:plies] and plies < len(moves)
        if not known or not seats or begin + plies > LAST_PLY:
            continue
        sums["positions"] += 1
        for name, value in measure(seats, moves[plies:]).items():
            sums[name] += value
            histogram = histograms.setdefault(name, {})
            histogram[str(value)] = histogram.get(str(value), 0) + 1
    return sums


def fold(folder, cell):
    """Puts the diary of finished games into a file of counts, and the diary away."""
    diary, path = folder / f"{cell.name}.diary", folder / f"{cell.name}.counts"
    if not diary.exists():
        return
    counts = json.loads(path.read_text()) if path.exists() else {"games": {}, "histograms": {}}
    entries = entries_by_game(diary)
    for number, game in games_of(folder, cell).items():
        key = game["position"], game["players"].index("cluster")
        # A run that was killed between the two last lines below finds its games counted.
        if str(number) not in counts["games"] and key in entries:
            counts["games"][str(number)] = count_game(game, entries[key], counts["histograms"])
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(counts))
    fresh.replace(path)
    diary.unlink()


def summary(folder, cell):
    path = folder / f"{cell.name}.json"
    return json.loads(path.read_text())["encounters"][0] if path.exists() else None


def record(summary):
    """Won, lost, drawn, points, Elo, as the tables show them. Without an error the Elo says nothing yet."""
    if not summary:
        return dict.fromkeys(["games", "points", "elo"], "")
    won, lost, drawn = (summary[what] for what in ("wins", "losses", "draws"))
    value, error = (summary["elo"][what] for what in ("value", "error"))
    elo = f"{round(value):+d} ± {error:.0f}" if value is not None and error else ""
    points = 100 * (won + drawn / 2) / max(1, won + lost + drawn)
    return {"games": f"{won}-{lost}-{drawn}", "points": f"{points:.2f} %", "elo": elo}


def mean(sums, name):
    """Over all positions, with the error that games of one mind leave (95 %)."""
    positions = [game["positions"] for game in sums]
    total = sum(positions)
    if total == 0:
        return None
    value = sum(game[name] for game in sums) / total
    spread = sum((game[name] - value * count) ** 2 for game, count in zip(sums, positions))
    return value, 1.96 * math.sqrt(spread) / total


def rows(header, lines):
    table = [header, ["---"] * len(header), *lines]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in table)


PAPER = {
    "rank-8": (224, 105, 671), "rank-16": (267, 82, 651), "rank-32": (313, 64, 623),
    "gap-8": (223, 111, 666), "gap-16": (273, 89, 638), "gap-32": (29, 8, 63),
}  # fmt: skip


def elo(points):
    return -400 * math.log10(1 / points - 1)


def table_1(folder):
    ladder, lines = climb(folder), []
    for cell in TABLE:
        won, lost, drawn = PAPER[cell.name]
        points = (won + drawn / 2) / (won + lost + drawn)
        theirs = [f"{won}-{lost}-{drawn}", f"{100 * points:.2f} %", f"{elo(points):+.0f}"]
        ours = summary(folder, cell)
        lines.append([cell.workers, cell.model, *theirs, *record(ours).values(), worth(ours, ladder)])
    head = ["workers", "model", "paper: won-lost-drawn", "points", "Elo"]
    return rows([*head, "ours: won-lost-drawn", "points", "Elo", "worth"], lines)


def perfect(folder):
    """What more nodes alone give: doubling by doubling with the sum of the Elo, and at once."""
    ladder, lines = climb(folder), []
    for step, cell in enumerate(LADDER):
        total = f"{ladder[step + 1]:+.0f}" if step + 1 < len(ladder) else ""
        lines.append([f"{2 ** (step + 1)} : {2**step}", *record(summary(folder, cell)).values(), total])
    lines += [[f"{cell.workers} : 1", *record(summary(folder, cell)).values(), ""] for cell in PERFECT]
    return rows(["nodes", "won-lost-drawn", "points", "Elo", "sum of the doublings"], lines)


def climb(folder, begin=0):
    """The Elo of 1, 2, 4, ... times the nodes by the doublings, as far as it is known that they win."""
    found = [0]
    for cell in LADDER[begin:]:
        played = summary(folder, cell)
        value, error = (played["elo"][what] for what in ("value", "error")) if played else (None, None)
        if value is None or not error or value < error:
            break
        found.append(found[-1] + value)
    return found


def speed_up(value, ladder):
    """The m for which m times the nodes have this Elo, along the ladder; `None` where it does not reach."""
    for step, (low, high) in enumerate(zip(ladder, ladder[1:])):
        if value < high:
            return 2 ** (step + (value - low) / (high - low))
    return None


def worth(played, ladder):
    """The effective speed-up with the interval that the error of the Elo leaves."""
    value, error = (played["elo"][what] for what in ("value", "error")) if played else (None, None)
    if value is None or not error or len(ladder) < 2:
        return ""
    shown = [speed_up(value + side * error, ladder) for side in (0, -1, 1)]
    middle, low, high = ("?" if times is None else f"{times:.2f}" for times in shown)
    return f"{middle} ({low} to {high})"


def checks(folder):
    at_four = climb(folder, begin=2)
    lines = []
    for cell in CHECKS:
        played = summary(folder, cell)
        who = {"both": "both", "cluster": "the cluster", "nobody": "nobody"}[cell.ponder]
        ladder = at_four if cell.nodes > NODES else climb(folder)
        lines.append([cell.model, cell.nodes, who, *record(played).values(), worth(played, ladder)])
    return rows(["model", "nodes", "who ponders", "won-lost-drawn", "points", "Elo", "worth"], lines)


def counts_of(folder, cell):
    path = folder / f"{cell.name}.counts"
    return json.loads(path.read_text()) if path.exists() else {"games": {}, "histograms": {}}


def means(folder):
    lines, series = [], {name: {} for name in MEASURES}
    for cell in TABLE:
        sums = list(counts_of(folder, cell)["games"].values())
        found = [mean(sums, name) for name in MEASURES]
        for name, value in zip(MEASURES, found):
            if value:
                series[name].setdefault(cell.model, []).append((cell.workers, *value))
        shown = [f"{value[0]:.2f} ± {value[1]:.2f}" if value else "" for value in found]
        lines.append([cell.workers, cell.model, sum(game["positions"] for game in sums), *shown])
    head = ["workers", "model", "positions", "inherited workers", "deepest agreement", "depth of the tree"]
    return rows(head, lines), series


def distribution(folder, name):
    """The share of positions by value, with 16 workers."""
    series = {}
    for model in MODELS:
        histogram = counts_of(folder, Cell(f"{model}-16", model, 16))["histograms"].get(name, {})
        total = sum(histogram.values())
        values = sorted(map(int, histogram))
        span = range(values[0], values[-1] + 1) if values else []
        series[model] = [(value, 100 * histogram.get(str(value), 0) / total, 0) for value in span]
    return series


def distribution_rows(series, name):
    values = sorted({value for points in series.values() for value, *_ in points})
    shares = {model: {value: share for value, share, _ in points} for model, points in series.items()}
    lines = [[model, *(f"{shares[model].get(value, 0):.1f}" for value in values)] for model in series]
    return rows([name, *values], lines)


def positions(folder):
    """Figure 8: how many of all positions had come up by which ply, with 16 workers. Both sides' positions."""
    series, lines = {}, []
    for model in MODELS:
        plies = collections.Counter()
        games = games_of(folder, Cell(f"{model}-16", model, 16)).values()
        for game in games:
            begin = first_ply(game["position"])
            plies.update(range(begin, begin + len(game["moves"])))
        total, seen, points = sum(plies.values()), 0, []
        for ply in range(0, 301):
            seen += plies[ply]
            points.append((ply, 100 * seen / max(1, total), 0))
            if ply == LAST_PLY:
                lines.append([model, len(games), seen, f"{points[-1][1]:.0f} %"])
        series[model] = points
    lines.append(["paper", "1000", "about 74,000", "58 %"])
    return rows(["model", "games", f"positions up to ply {LAST_PLY}", "of all"], lines), series


COLOURS = {"rank": "#1f6fb4", "gap": "#d1571c"}


def ticks(low, high):
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    step = next(step * part for part in (0.1, 0.2, 0.5, 1, 2) if (high - low) / (step * part) <= 8)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def chart(title, across, up, series, xs=None):
    """A picture of lines with error bars; `xs`: marks of a logarithmic scale."""
    series = {name: points for name, points in series.items() if points}
    points = [point for line in series.values() for point in line] or [(0, 0, 0), (1, 1, 0)]
    scale = math.log2 if xs else float
    left, right = scale(min(xs or (x for x, _, _ in points))), scale(max(xs or (x for x, _, _ in points)))
    top = max(y + error for _, y, error in points) * 1.08 or 1
    place_x = lambda x: 60 + 400 * (scale(x) - left + 0.03 * (right - left)) / (1.06 * (right - left) or 1)
    place_y = lambda y: 250 - 210 * y / top
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" font-family="sans-serif" font-size="11">']
    out += ['<rect width="480" height="300" fill="white"/>', f'<text x="60" y="20" font-size="13">{title}</text>']
    for x in xs or ticks(left, right):
        out.append(f'<text x="{place_x(x):.1f}" y="266" text-anchor="middle">{x:g}</text>')
    for y in ticks(0, top):
        at = place_y(y)
        out.append(f'<line x1="60" x2="460" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="54" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    out.append(f'<text x="260" y="288" text-anchor="middle">{across}</text>')
    out.append(f'<text transform="translate(18 145) rotate(-90)" text-anchor="middle">{up}</text>')
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[name]
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y, _ in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for x, y, error in line if len(line) < 50 else []:
            out.append(f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="2.5" fill="{colour}"/>')
            low, high = place_y(y - error), place_y(y + error)
            out.append(f'<path d="M{place_x(x):.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>')
        out.append(f'<text x="{380 + 45 * number}" y="20" fill="{colour}">{name}</text>')
    return "\n".join([*out, "</svg>\n"])


def report(arguments):
    folder, page = Path(arguments.folder), Path(arguments.page)
    if not any(summary(folder, cell) for cell in CELLS):
        sys.exit(f"expected a folder with games of `play`, found none in '{folder}'")
    pictures = page.with_suffix("")
    pictures.mkdir(exist_ok=True)
    means_text, by_workers = means(folder)
    positions_text, by_ply = positions(folder)
    depths, inherited = distribution(folder, "depth"), distribution(folder, "inherited")
    blocks = {
        "table 1": table_1(folder),
        "perfect": perfect(folder),
        "checks": checks(folder),
        "means": means_text,
        "positions": positions_text,
        "distributions": distribution_rows(depths, "depth") + "\n" + distribution_rows(inherited, "inherited"),
    }
    fill(page, blocks)
    figures = {
        8: chart("Figure 8", "ply", "positions so far, %", by_ply),
        9: chart("Figure 9", "workers", "inherited workers (mean)", by_workers["inherited"], WORKERS),
        10: chart("Figure 10", "workers", "deepest agreement (mean)", by_workers["agreement"], WORKERS),
        11: chart("Figure 11", "workers", "depth of the tree (mean)", by_workers["depth"], WORKERS),
        12: chart("Figure 12", "depth of the tree, 16 workers", "positions, %", depths),
        13: chart("Figure 13", "inherited workers of 16", "positions, %", inherited),
    }
    for number, picture in figures.items():
        (pictures / f"figure{number}.svg").write_text(picture)


def positive(text):
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    player = commands.add_parser("play")
    player.set_defaults(run=play)
    player.add_argument("--folder", required=True, help="where the games are kept")
    player.add_argument("--hasami", type=os.path.abspath, default="target/release/hasami")
    player.add_argument("--openings", type=os.path.abspath, required=True)
    player.add_argument("--games", type=positive, default=1000, help="of each cell of Table 1; others get fewer")
    player.add_argument("--step", type=positive, default=4, help="games of each cell in a round")
    player.add_argument("--concurrency", type=positive, default=1)
    player.add_argument("--cell", action="append", choices=[cell.name for cell in CELLS], help="only this one")
    reporter = commands.add_parser("report")
    reporter.set_defaults(run=report)
    reporter.add_argument("--folder", required=True)
    reporter.add_argument("--page", default="scripts/experiments/2026-11-24-yokoyama2014.md")
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except OSError as why:
        sys.exit(f"expected files that can be read and written, found {why}")


if __name__ == "__main__":
    main()
