"""The tables and figures of the page, from the sum of all pieces: counts by name of the cell."""

import math

from pentanomial import elo, estimate
from yokoyama.cells import CHECKS, LADDER, MODELS, NODES, PERFECT, TABLE, WORKERS
from yokoyama.chart import chart
from yokoyama.pieces import SHOWN
from yokoyama.trees import LAST_PLY, MEASURES

PAPER = {
    "rank-8": (224, 105, 671), "rank-16": (267, 82, 651), "rank-32": (313, 64, 623),
    "gap-8": (223, 111, 666), "gap-16": (273, 89, 638), "gap-32": (29, 8, 63),
}  # fmt: skip


def rows(header, lines):
    table = [header, ["---"] * len(header), *lines]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in table)


def strength(counts):
    """Elo and its error; None for both if one is undefined, because an Elo without an error has no meaning."""
    value, error = estimate(counts["pairs"]) if counts else (None, None)
    return (value, error) if value is not None and error else (None, None)


def record(counts):
    """Wins, losses, draws, points and Elo as the tables show them."""
    if not counts:
        return ["", "", ""]
    won, lost, drawn = (counts[what] for what in ("wins", "losses", "draws"))
    value, error = strength(counts)
    shown = f"{round(value):+d} ± {error:.0f}" if error else ""
    return [f"{won}-{lost}-{drawn}", f"{100 * (won + drawn / 2) / (won + lost + drawn):.2f} %", shown]


def mean(trees, name):
    """The mean over all positions, with its error (95 %) if games are independent but positions are not."""
    positions = trees["positions"] if trees else 0
    if positions == 0:
        return None
    found = trees[name]
    value = found["sum"] / positions
    spread = found["squared"] - 2 * value * found["by_positions"] + value**2 * trees["positions_squared"]
    return value, 1.96 * math.sqrt(max(0, spread)) / positions


def trees_of(sums, cell):
    return sums.get(cell.name, {}).get("trees")


def climb(sums, begin=0):
    """The Elo of 1, 2, 4, ... times the nodes, from the doublings that are known to win."""
    found = [0]
    for cell in LADDER[begin:]:
        value, error = strength(sums.get(cell.name))
        if not error or value < error:
            break
        found.append(found[-1] + value)
    return found


def speed_up(value, ladder):
    """The factor m for which m times the nodes have this Elo, interpolated between the measured doublings; None if it
    is beyond them."""
    for step, (low, high) in enumerate(zip(ladder, ladder[1:])):
        if value < high:
            return 2 ** (step + (value - low) / (high - low))
    return None


def worth(counts, ladder):
    """The effective speed-up, with the interval that corresponds to the error of the Elo."""
    value, error = strength(counts)
    if not error or len(ladder) < 2:
        return ""
    shown = [speed_up(value + side * error, ladder) for side in (0, -1, 1)]
    middle, low, high = ("?" if times is None else f"{times:.2f}" for times in shown)
    return f"{middle} ({low} to {high})"


def paper_points(cell):
    won, lost, drawn = PAPER[cell.name]
    return (won + drawn / 2) / (won + lost + drawn)


def table_1(sums):
    ladder, lines = climb(sums), []
    for cell in TABLE:
        points = paper_points(cell)
        theirs = ["-".join(map(str, PAPER[cell.name])), f"{100 * points:.2f} %", f"{elo(points):+.0f}"]
        ours = sums.get(cell.name)
        lines.append([cell.workers, cell.model, *theirs, *record(ours), worth(ours, ladder)])
    head = ["workers", "model", "paper: won-lost-drawn", "points", "Elo"]
    return rows([*head, "ours: won-lost-drawn", "points", "Elo", "worth"], lines)


def perfect(sums):
    """The effect of more nodes alone: each doubling with the sum of the Elo, and all doublings at once."""
    ladder, lines = climb(sums), []
    for step, cell in enumerate(LADDER):
        total = f"{ladder[step + 1]:+.0f}" if step + 1 < len(ladder) else ""
        lines.append([f"{2 ** (step + 1)} : {2**step}", *record(sums.get(cell.name)), total])
    lines += [[f"{cell.workers} : 1", *record(sums.get(cell.name)), ""] for cell in PERFECT]
    return rows(["nodes", "won-lost-drawn", "points", "Elo", "sum of the doublings"], lines)


def checks(sums):
    at_four, lines = climb(sums, begin=2), []
    for cell in CHECKS:
        counts = sums.get(cell.name)
        who = {"both": "both", "cluster": "the cluster", "nobody": "nobody"}[cell.ponder]
        ladder = at_four if cell.nodes > NODES else climb(sums)
        lines.append([cell.model, cell.nodes, who, *record(counts), worth(counts, ladder)])
    return rows(["model", "nodes", "who ponders", "won-lost-drawn", "points", "Elo", "worth"], lines)


def means(sums):
    lines, series = [], {name: {} for name in MEASURES}
    for cell in TABLE:
        trees = trees_of(sums, cell)
        found = [mean(trees, name) for name in MEASURES]
        for name, value in zip(MEASURES, found):
            if value:
                series[name].setdefault(cell.model, []).append((cell.workers, *value))
        shown = [f"{value[0]:.2f} ± {value[1]:.2f}" if value else "" for value in found]
        lines.append([cell.workers, cell.model, trees["positions"] if trees else 0, *shown])
    head = ["workers", "model", "positions", "inherited workers", "deepest agreement", "depth of the tree"]
    return rows(head, lines), series


def distribution(sums, name):
    """The share of positions by value."""
    series = {}
    for model in MODELS:
        histogram = sums.get(f"{model}-{SHOWN}", {}).get("trees", {}).get(name, {}).get("histogram", {})
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


def positions(sums):
    """Figure 8: the share of positions that had occurred by each ply, for the positions of both sides."""
    series, lines = {}, []
    for model in MODELS:
        counts = sums.get(f"{model}-{SHOWN}", {})
        begins, ends = counts.get("begins", {}), counts.get("ends", {})
        going, seen, all_seen = 0, 0, []
        for ply in range(max(300, *map(int, ends)) + 1 if ends else 301):
            going += begins.get(str(ply), 0) - ends.get(str(ply), 0)
            seen += going
            all_seen.append(seen)
        shares = [100 * found / seen for found in all_seen[:301]] if seen else []
        series[model] = [(ply, share, 0) for ply, share in enumerate(shares)]
        shown = f"{shares[LAST_PLY]:.0f} %" if shares else ""
        lines.append([model, sum(begins.values()), all_seen[LAST_PLY], shown])
    lines.append(["paper", "1000", "about 74,000", "58 %"])
    return rows(["model", "games", f"positions up to ply {LAST_PLY}", "of all"], lines), series


FEW = 30  # smallest number of games whose error is reliable


def difference(one, other):
    """The difference of two values with errors."""
    if not one or not other or one[1] is None or other[1] is None:
        return None
    return one[0] - other[0], math.hypot(one[1], other[1])


def verdict(found, games):
    """The verdict on a difference that is positive in the paper, with this number of games in the smaller cell."""
    if found is None or games < FEW:
        return "too few games" if games else "no games"
    value, error = found
    return "confirmed" if value > error else "the opposite" if value < -error else "cannot be told"


def games_of(counts):
    return 2 * sum(counts["pairs"])


def differences(sums):
    """The findings of the paper, and whether the games of this run confirm them beyond the error (95 %)."""
    by_name = {cell.name: cell for cell in TABLE}

    def fewest(*names):
        return min(games_of(sums[name]) if name in sums else 0 for name in names)

    def elo_line(what, name, than=None):
        theirs = elo(paper_points(by_name[name])) - (elo(paper_points(by_name[than])) if than else 0)
        one, other = strength(sums.get(name)), strength(sums.get(than)) if than else (0, 0)
        found = difference(one, other)
        shown = f"{found[0]:+.0f} ± {found[1]:.0f}" if found else ""
        games = fewest(*(each for each in (name, than) if each))
        return [what, f"{theirs:+.0f} Elo", shown, verdict(found, games)]

    lines = []
    for model in MODELS:
        lines.append(elo_line(f"8 workers are stronger than one (`{model}`)", f"{model}-8"))
        for more, fewer in ((16, 8), (32, 16)):
            lines.append(elo_line(f"{more} are stronger than {fewer} (`{model}`)", f"{model}-{more}", f"{model}-{fewer}"))
    words = {"inherited": "more workers are inherited", "agreement": "the agreement is deeper", "depth": "the tree is deeper"}
    for name, what in words.items():
        for workers in WORKERS:
            both = [f"{model}-{workers}" for model in ("gap", "rank")]
            found = difference(*(mean(trees_of(sums, by_name[each]), name) for each in both))
            shown = f"{found[0]:+.2f} ± {found[1]:.2f}" if found else ""
            theirs = "+0.49" if (name, workers) == ("depth", 16) else "more"
            lines.append([f"{what} by `gap`, {workers} workers", theirs, shown, verdict(found, fewest(*both))])
    return rows(["the paper's difference", "there", "here", "told"], lines)


def played(pieces):
    """The contents of each piece, one row each."""
    lines = []
    for piece in sorted(pieces, key=lambda piece: piece["seed"]):
        games = {name: games_of(counts) for name, counts in piece["cells"].items()}
        shown = ", ".join(f"{name} {count}" for name, count in games.items())
        lines.append([piece["seed"], piece["engine"], sum(games.values()), shown])
    return rows(["seed", "engine", "games", "of them"], lines)


def drawn(by_workers, by_ply, depths, inherited):
    """The pictures by number, without pictures that have no games."""
    all_figures = {
        8: ("ply", "positions so far, %", by_ply, None),
        9: ("workers", "inherited workers (mean)", by_workers["inherited"], WORKERS),
        10: ("workers", "deepest agreement (mean)", by_workers["agreement"], WORKERS),
        11: ("workers", "depth of the tree (mean)", by_workers["depth"], WORKERS),
        12: (f"depth of the tree, {SHOWN} workers", "positions, %", depths, None),
        13: (f"inherited workers of {SHOWN}", "positions, %", inherited, None),
    }
    return {number: chart(f"Figure {number}", *words) for number, words in all_figures.items() if any(words[2].values())}


def images(figures, numbers, folder):
    shown = [f"![Figure {number}]({folder}/figure{number}.svg)" for number in numbers if number in figures]
    return (" ".join(shown) or "No figures: there are no games yet.") + "\n"


def blocks_and_figures(pieces, sums, folder):
    """The text for the page, and the pictures for its folder by number."""
    means_text, by_workers = means(sums)
    positions_text, by_ply = positions(sums)
    depths, inherited = distribution(sums, "depth"), distribution(sums, "inherited")
    figures = drawn(by_workers, by_ply, depths, inherited)
    blocks = {
        "pieces": played(pieces),
        "differences": differences(sums),
        "table 1": table_1(sums),
        "perfect": perfect(sums),
        "checks": checks(sums),
        "means": means_text,
        "figures 9 to 11": images(figures, (9, 10, 11), folder),
        "positions": positions_text,
        "distributions": distribution_rows(depths, "depth") + "\n" + distribution_rows(inherited, "inherited"),
        "figures 8, 12 and 13": images(figures, (8, 12, 13), folder),
    }
    return blocks, figures
