"""The matches to play: the cells of Table 1, and those of comparisons."""

import collections

NODES = 5000  # of one worker in a virtual second, which is the time for a move
WORKERS = [8, 16, 32]
MODELS = ["rank", "gap"]

# A cell without a model is played by a sequential engine with `workers` times as many nodes. `part` is the number of
# games as a share of those for a cell of Table 1.
Cell = collections.namedtuple("Cell", "name model workers nodes ponder part", defaults=[NODES, "both", 1.0])
TABLE = [Cell(f"{model}-{workers}", model, workers) for workers in WORKERS for model in MODELS]
# Each doubling plays against the previous one; with these node counts, it would win every game against the first.
LADDER = [Cell(f"double-{2 * times}", None, 2, NODES * times, part=0.5) for times in (1, 2, 4, 8, 16)]
PERFECT = [Cell(f"perfect-{workers}", None, workers, part=0.2) for workers in WORKERS]
CHECKS = [
    *(Cell(f"{model}-8-x4", model, 8, 4 * NODES, part=1 / 3) for model in MODELS),
    *(Cell(f"{model}-8-alone", model, 8, ponder="cluster", part=1 / 3) for model in MODELS),
    *(Cell(f"{model}-8-nobody", model, 8, ponder="nobody", part=1 / 3) for model in MODELS),
]
# In each round the fastest cells are played first.
CELLS = sorted(TABLE + LADDER + PERFECT + CHECKS, key=lambda cell: cell.workers * cell.nodes)


def engines(cell, hasami):
    """The arguments for both engines of `hasami match`; the virtual cluster is that of `hasami-lab` in the same folder."""
    table = 8 * cell.nodes // NODES  # MiB: more entries than a worker writes in a dozen moves
    both = [f"cmd={hasami}", f"option.Hash={table}"]
    plain = [*both, f"nodes={cell.nodes}", "option.Threads=1"]
    if cell.model is None:
        times = [f"option.Hash={cell.workers * table}", f"nodes={cell.workers * cell.nodes}"]
        return ["name=cluster", *plain, *times], ["name=sequential", *plain]
    clock = [f"cmd={hasami}-lab", "clock=virtual", f"option.Hash={table}", "st=1"]
    virtual = f"virtual --reply-time=1000 --speed={cell.nodes}"
    ponder = "false" if cell.ponder == "nobody" else "true"
    cluster = [*clock, f'args="{virtual} --workers={cell.workers} --penalty=50 --log={cell.name}.diary"']
    cluster += [f"option.TreeModel={cell.model}", f"option.Ponder={ponder}"]
    # A single worker stands for a sequential engine, so its messages to itself must have almost no delay.
    alone = [*clock, f'args="{virtual} --workers=1 --penalty=0 --delay=3"', "option.TreeModel=rank", "option.Ponder=true"]
    return ["name=cluster", *cluster], ["name=sequential", *(alone if cell.ponder == "both" else plain)]
