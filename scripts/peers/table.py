"""The cells of tables, and the tables."""

from dataclasses import dataclass

from .process import Gone, Silent

BEGIN = "<!-- peers: begin -->"
END = "<!-- peers: end -->"

ALONE = {
    "handshake": "ok, ready",
    "options": "options",
    "stop": "`stop`",
    "positions": "positions",
    "barrier": "`isready` before `go`",
    "solves": "`go mate`",
}
SERVED = {
    "opponent": "opponent",
    "one": "one child",
    "four": "four children",
    "remote": "other machine",
    "mates": "mate worker",
    "killed": "killed",
}


@dataclass(frozen=True)
class Cell:
    """The result of a check; `why` describes the fault."""

    text: str
    why: str | None = None


NOT_ASKED = Cell("-")
NO_TIME = Cell("not measured", "the time limit of the run was reached")


def measured(check, *arguments):
    """The result of a check; an exception becomes a failing cell."""
    try:
        return check(*arguments)
    except (Silent, Gone) as error:
        return Cell("fails", str(error))
    except OSError as error:
        return Cell("fails", f"cannot start it: {error}")


def count_cell(good, total, faults, more=""):
    """A cell `good of total`, with the first fault as the reason."""
    return Cell(f"{good} of {total}{more}", faults[0] if faults else None)


def one_line(text):
    return " ".join(text.replace("|", "/").split())


def table(columns, rows):
    """`rows`: name, version and cells of each engine."""
    head = ["engine", *columns.values()]
    lines = [row_of(head), row_of(["---"] * len(head))]
    for name, _, cells in rows:
        shown = [cells.get(column, NOT_ASKED) for column in columns]
        lines.append(row_of([name, *(f"**{one_line(cell.text)}**" if cell.why else one_line(cell.text) for cell in shown)]))
    return lines


def row_of(cells):
    return f"| {' | '.join(cells)} |"


def reasons(columns, rows):
    for name, _, cells in rows:
        for column, title in columns.items():
            cell = cells.get(column, NOT_ASKED)
            if cell.why:
                yield f"- {name}, {title}: {one_line(cell.why)}"


def versions(rows):
    return [row_of(["engine", "calls itself"]), row_of(["---", "---"]), *(row_of([name, one_line(version)]) for name, version, _ in rows)]


def document(rows, missing, head):
    """Everything between the markers of the page."""
    faults = [*reasons(ALONE, rows), *reasons(SERVED, rows)]
    parts = [
        [head],
        versions(rows),
        ["By itself:"],
        table(ALONE, rows),
        ["With Hasami:"],
        table(SERVED, rows),
        ["What fails, in bold above:" if faults else "Nothing fails."],
        faults,
        [f"Not installed: {', '.join(missing)}."] if missing else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def inserted(page, text):
    """The page with the text inserted between its markers."""
    before, found, rest = page.partition(BEGIN)
    _, also, after = rest.partition(END)
    if not found or not also:
        raise ValueError(f"expected {BEGIN} and {END}, found one of them or none")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
