"""The matrix of deviations and cases: a line for each deviation, one full row, or a Markdown page."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.render.gfm import pipe_table
from harness.selftest.matrix import Cell, Column, ComparedQuantity, Matrix, MatrixRow
from harness.selftest.ztest import Sight, ZTest
from reference_engine.deviations import BY_NAME

_WITNESSES = 3
"""Number of statistical witnesses shown of each deviation."""
_UNITS = {ComparedQuantity.EXACT: "", ComparedQuantity.SUMS: "a playout", ComparedQuantity.MOVES: "a genmove"}
_LEGEND = """\
always: exact cases that an engine with the deviation never passed; beside it the one with the fewest
playouts.
Distances are in standard deviations of one playout, those with /g of one genmove: sqrt(2 nats).
9x9 empty: playouts that a z-test of a fixed number needs on the empty board; > where the deviation's
table cannot tell it from the reference.
"""
_HEAD = """\
# Deviations and cases

Made from the tables by `refbot list --matrix --markdown`; `make matrix` writes this file, a test holds it
against the tables. `refbot list --matrix NAME` shows one deviation, `--json` everything as data.

## The best witnesses of every deviation

- *always*: exact cases an engine with the deviation never passed; *cheapest*: the one with the fewest
  playouts.
- *statistical*: distances in standard deviations of one playout or, marked /g, of one genmove. About 18 /
  distance^2 draws convict at an error of 1e-4. Sums: Mahalanobis distance of the mean (length, win) by
  the reference's covariance; what hardly varies there counts as if it varied by 0.01 moves or 0.001 wins,
  so that a hundred means: at once. Moves: sqrt(2 nats) of the bet against the specification.
- *empty 9x9*: playouts that a two-sided z-test of a fixed number needs on the empty 9x9 board, with the
  better of length and win fraction (false alarm 1e-4, miss 1e-3; `harness/selftest/ztest.py`). `>`: the
  deviation's own table there does not tell it from the reference; more than so many playouts, if it is
  ever seen. *never*: both means are the reference's. Numbers in brackets: see below.
"""


def render_matrix(matrix: Matrix) -> RenderableType:
    """Return each deviation's exact witnesses, its best statistical ones, and the cost of the plain test."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("", "deviation", "always", "cheapest exact case", "best statistical cases", "9x9 empty"):
        right = name in ("always", "9x9 empty")
        table.add_column(name, justify="right" if right else "left", no_wrap=True)
    table.columns[4].no_wrap = False
    for row in matrix.rows:
        certain = row.certain
        table.add_row(
            row.requirement,
            row.deviation,
            f"{len(certain)}" if certain else "",
            row.best.case if certain and row.best else _none(row),
            "\n".join(f"{distance(c):>6} {c.case}" for c in row.statistical[:_WITNESSES]),
            price(row.z_test),
        )
    return Group(table, Text(f"\n{_LEGEND}", end=""), *(Text(line) for line in _remarks(matrix)))


def render_row(matrix: Matrix, row: MatrixRow) -> RenderableType:
    """Return all witnesses of one deviation, the strongest of each kind first."""
    requirement = {column.case: column.requirement for column in matrix.columns}
    head = Table.grid(padding=(0, 2))
    head.add_row("deviation", f"{row.deviation}, breaks {row.requirement}: {BY_NAME[row.deviation].about}")
    head.add_row("best witness", _best(row))
    head.add_row("z-test on the empty 9x9 board", _sentence(row.z_test))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("", "case", "shows", "playouts"):
        table.add_column(name, no_wrap=True, justify="right" if name == "playouts" else "left")
    rest = [c for c in row.cells if c.kind is ComparedQuantity.EXACT and not c.always]
    for cell in [*row.certain, *sorted(rest, key=lambda c: c.passed / c.runs), *row.statistical]:
        asked = "" if cell.kind is ComparedQuantity.SUMS else f"{cell.playouts:,}"
        table.add_row(requirement[cell.case], cell.case, _shown(cell), asked)
    return Group(head, Text(), table if row.cells else Text("no case shows it"))


def markdown(matrix: Matrix) -> str:
    """Return the whole matrix as a page: witnesses by deviation, distances, exact cases."""
    return "\n".join(line.rstrip() for line in _page(matrix)) + "\n"


def distance(cell: Cell) -> str:
    """Return a distance with three digits; ``/g`` marks a distance of one genmove."""
    places = 0 if cell.distance >= 100 else 1 if cell.distance >= 10 else 2 if cell.distance >= 0.1 else 3
    return f"{cell.distance:.{places}f}{'/g' if cell.kind is ComparedQuantity.MOVES else ''}"


def price(test: ZTest | None) -> str:
    """Return the number of playouts that the plain test needs, in short form."""
    if test is None or test.sight is Sight.UNKNOWN:
        return "n/a"
    if test.playouts is None:
        return str(test.sight)
    return f"> {_floor(test.playouts):,}" if test.sight is Sight.UNRESOLVED else f"{test.playouts:,}"


def _floor(number: int) -> int:
    """Return a bound rounded down to two digits."""
    unit: int = 10 ** max(0, len(str(number)) - 2)
    return number // unit * unit


def _sentence(test: ZTest | None) -> str:
    if test is None:
        return "no table of that board"
    because = f": {test.because}" if test.because else ""
    if test.sight is Sight.AFTER:
        return f"{test.playouts:,} playouts, by the {test.quantity}{because}"
    if test.sight is Sight.UNRESOLVED:
        return (
            f"more than {_floor(test.playouts or 0):,} playouts, perhaps never: its table shows no difference"
        )
    return f"{'not known' if test.sight is Sight.UNKNOWN else test.sight}{because}"


def _best(row: MatrixRow) -> str:
    if row.best is None:
        return _none(row)
    if row.best.always:
        return f"{row.best.case}, an exact case it never passes"
    return f"{row.best.case}, {_shown(row.best)}"


def _none(row: MatrixRow) -> str:
    """Return the text for a missing exact witness."""
    if row.best is not None:
        return ""
    return "no witness (tolerated: cases answer NON-STRICT)" if row.tolerated else "no witness"


def _shown(cell: Cell) -> str:
    if cell.kind is ComparedQuantity.EXACT:
        return "never passes" if cell.always else f"passes {cell.passed} of {cell.runs}"
    return f"{cell.distance:.4f} +- {cell.error:.4f} {_UNITS[cell.kind]}"


def _remarks(matrix: Matrix) -> Iterator[str]:
    if matrix.unmeasured:
        yield f"not measured yet: {', '.join(matrix.unmeasured)}; `refbot tables --rebuild`"
    if matrix.silent:
        yield f"cases in which no deviation shows: {', '.join(matrix.silent)}"


def _page(matrix: Matrix) -> Iterator[str]:
    yield from _HEAD.splitlines()
    yield ""
    yield from _witnesses(matrix)
    for kind, title in (
        (ComparedQuantity.SUMS, "Sums of playouts: distance of one playout"),
        (ComparedQuantity.MOVES, "Chosen moves: distance of one genmove"),
    ):
        columns = [column for column in matrix.columns if column.kind is kind]
        if columns:
            yield from _grid(matrix, columns, title)
    yield from _exact_cases(matrix)
    for line in _remarks(matrix):
        yield ""
        yield f"{line[0].upper()}{line[1:]}."


def _witnesses(matrix: Matrix) -> Iterator[str]:
    notes: list[str] = []
    lines = []
    for row in matrix.rows:
        certain, test = row.certain, row.z_test
        mark = ""
        if test is not None and test.because:
            if test.because not in notes:
                notes.append(test.because)
            mark = f" ({notes.index(test.because) + 1})"
        best = row.best.case if certain and row.best else _none(row)
        witnesses = ", ".join(f"{c.case} {distance(c)}" for c in row.statistical[:_WITNESSES])
        lines.append(
            (row.requirement, row.deviation, f"{len(certain)}", best, witnesses, f"{price(test)}{mark}")
        )
    yield from pipe_table(("", "deviation", "always", "cheapest", "statistical", "empty 9x9"), lines)
    yield ""
    for number, note in enumerate(notes, 1):
        yield f"{number}. {note[0].upper()}{note[1:]}."


def _grid(matrix: Matrix, columns: Sequence[Column], title: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    for number, column in enumerate(columns, 1):
        size = f", {column.playouts} playouts a genmove" if column.kind is ComparedQuantity.MOVES else ""
        yield f"{number}. {column.case}{size}"
    yield ""
    yield "Blank where nothing shows."
    yield ""
    lines = []
    for row in matrix.rows:
        found = {cell.case: cell for cell in row.cells}
        values = [distance(found[c.case]).removesuffix("/g") if c.case in found else "" for c in columns]
        if any(values):
            lines.append((row.deviation, *values))
    yield from pipe_table(("deviation", *(f"{n}" for n in range(1, len(columns) + 1))), lines)


def _exact_cases(matrix: Matrix) -> Iterator[str]:
    """Yield the exact cases.  Each is written as a list, because a table would have too many columns."""
    yield ""
    yield "## Exact cases"
    yield ""
    yield "Deviations that never passed, then those that passed some of their runs."
    yield ""
    lines = []
    for column in matrix.columns:
        if column.kind is ComparedQuantity.EXACT:
            cells = [(row.deviation, cell) for row in matrix.rows for cell in row.cells]
            here = [(name, cell) for name, cell in cells if cell.case == column.case]
            never = ", ".join(name for name, cell in here if cell.always)
            some = ", ".join(f"{name} {c.passed}/{c.runs}" for name, c in here if not c.always)
            lines.append((column.requirement, column.case, f"{column.playouts:,}", never, some))
    yield from pipe_table(("", "case", "playouts", "never pass", "pass some"), lines)
