"""The matrix of deviations and cases: what of each known mistake shows where, and how strongly.

Read from the tables, nothing is played.  A *cell* is one deviation in one case.  Of an exact case it holds
how often an engine with the deviation passed.  Of a statistical case it holds a distance in standard
deviations of one draw: a playout where sums are compared, a genmove where chosen moves are.  So about
``2 ln(1/error) / distance**2`` draws convict, and witnesses can be compared.
"""

from collections.abc import Iterator
from enum import StrEnum
from math import sqrt
from typing import Final

import msgspec

from harness.cases.case import Case, Complete, Dialogue, Fresh, Moves, Script
from harness.cases.suite import Suite
from harness.selftest.ztest import BOARD, OpeningMoments, ZTest, z_test
from harness.statistics.evalues import Categories, Histogram
from harness.tables.tables import Shift, Tables
from reference_engine.deviations import CATALOGUE

NOISE: Final = 5.0
"""Standard errors from which on a distance between sums counts as one; by chance alone, one comparison in
270,000 gets there (exp(-5**2 / 2) for two quantities)."""


class ComparedQuantity(StrEnum):
    """What a case compares."""

    EXACT = "exact"
    SUMS = "sums"
    """Length and score of playouts."""
    MOVES = "moves"
    """The chosen move, jointly with the playouts won."""


class Column(msgspec.Struct, frozen=True):
    """A case of the matrix."""

    case: str
    requirement: str
    kind: ComparedQuantity
    playouts: int
    """Playouts of asking an exact case once (for a whole game, the most it can take); of a statistical case,
    playouts of one draw, which is 1 where sums are compared."""


class Cell(msgspec.Struct, frozen=True):
    """What one deviation shows in one case."""

    case: str
    kind: ComparedQuantity
    playouts: int
    """The column's."""
    passed: int = 0
    """Exact: runs the deviation passed."""
    runs: int = 0
    """Exact: runs measured."""
    distance: float = 0.0
    """Sums: Mahalanobis distance of a playout's means by the reference's covariance.  Moves: sqrt(2 nats),
    with the nats a genmove yields against the specification; to the same scale, for a normal distribution
    shifted by d yields d**2 / 2."""
    error: float = 0.0
    """Standard error of the distance, from the deviation's own table."""

    @property
    def always(self) -> bool:
        """Whether it is an exact case that the deviation never passed."""
        return self.kind is ComparedQuantity.EXACT and self.passed == 0

    @property
    def per_playout(self) -> float:
        """Distance of one playout: that of a genmove is shared out among its playouts."""
        return self.distance / sqrt(self.playouts) if self.kind is not ComparedQuantity.EXACT else 0.0


class MatrixRow(msgspec.Struct, frozen=True):
    """One deviation."""

    deviation: str
    requirement: str
    tolerated: bool
    """The text leaves room for it: exact cases answer NON-STRICT, which counts as passed here."""
    cells: tuple[Cell, ...]
    """Cells of the cases in which it shows, in the order of the columns."""
    best: Cell | None
    """The exact case with the fewest playouts that it never passes, else the largest distance of a playout;
    None for a deviation without a witness."""
    z_test: ZTest | None
    """What the plain test on the empty 9x9 board needs; None where that board has no table."""

    @property
    def certain(self) -> list[Cell]:
        """Exact cases it never passed, fewest playouts first."""
        return sorted((c for c in self.cells if c.always), key=lambda c: c.playouts)

    @property
    def statistical(self) -> list[Cell]:
        """Statistical cases in which it shows, largest distance of a playout first."""
        found = (c for c in self.cells if c.kind is not ComparedQuantity.EXACT)
        return sorted(found, key=lambda c: -c.per_playout)


class Matrix(msgspec.Struct, frozen=True):
    """Deviations by cases."""

    suite: str
    """Digest of the fixtures it was read from."""
    columns: tuple[Column, ...]
    """Cases in which some deviation shows: exact ones, then sums, then moves."""
    rows: tuple[MatrixRow, ...]
    """Every deviation of the catalogue, in its order: by requirement."""
    silent: tuple[str, ...]
    """Cases in which none shows."""
    unmeasured: tuple[str, ...]
    """Cases without a table."""


def matrix_of(suite: Suite, tables: Tables) -> Matrix:
    """Return the matrix of a suite.

    Raises:
        FixtureError: a table cannot be read, or was made for another position.
    """
    columns, cells = [], {}
    silent, unmeasured = [], []
    # What a dialogue asks depends on the answers, so it has no table.
    cases = [case for case in suite.cases.values() if not isinstance(case.question, Dialogue)]
    for case in sorted(cases, key=_place):
        found = _cells(case, tables)
        if found is None:
            unmeasured.append(case.id)
        elif found:
            columns.append(_column(case))
            cells[case.id] = found
        else:
            silent.append(case.id)
    order = [column.case for column in columns]
    opening = _opening(suite, tables)
    rows = []
    for d in CATALOGUE:
        mine = tuple(cells[case][d.name] for case in order if d.name in cells[case])
        test = z_test(d.name, opening[0], opening[1].get(d.name), opening[2]) if opening else None
        best = _best(mine, {c.case: c.requirement == d.requirement for c in columns})
        rows.append(MatrixRow(d.name, d.requirement, d.tolerated, mine, best, test))
    return Matrix(suite.digest, tuple(columns), tuple(rows), tuple(silent), tuple(unmeasured))


def cost_of(case: Case) -> int:
    """Return the playouts of asking an exact case once; of a whole game, the most it can take."""
    question, n = case.question, case.file.playouts
    if isinstance(question, Script):
        return n * sum("genmove" in step.send.split() for step in question.steps)
    if isinstance(question, Dialogue):
        return n * question.commands
    if isinstance(question, Complete):
        return n * question.limit
    return 2 * n * case.file.genmoves if isinstance(question, Fresh) else n


def _kind(case: Case) -> ComparedQuantity:
    if not case.is_statistical:
        return ComparedQuantity.EXACT
    return ComparedQuantity.MOVES if isinstance(case.question, Moves) else ComparedQuantity.SUMS


def _place(case: Case) -> tuple[int, str, int, str]:
    """Return the sort key of a column: kind, then requirement."""
    return list(ComparedQuantity).index(_kind(case)), case.requirement[0], int(case.requirement[1:]), case.id


def _column(case: Case) -> Column:
    costs = {
        ComparedQuantity.EXACT: cost_of(case),
        ComparedQuantity.SUMS: 1,
        ComparedQuantity.MOVES: case.file.playouts,
    }
    return Column(case.id, case.requirement, _kind(case), costs[_kind(case)])


def _cells(case: Case, tables: Tables) -> dict[str, Cell] | None:
    """Return a case's cells by deviation; None where nothing was measured."""
    column = _column(case)
    if column.kind is ComparedQuantity.EXACT:
        passes = tables.exact.passes.get(case.id)
        return None if not passes else dict(_exact(column, passes))
    if not (case.needs_table and tables.has(case)):
        return None
    return dict(
        _moves(column, case, tables) if column.kind is ComparedQuantity.MOVES else _sums(column, case, tables)
    )


def _exact(column: Column, passes: dict[str, tuple[int, int]]) -> Iterator[tuple[str, Cell]]:
    for name, (passed, runs) in passes.items():
        if passed < runs:
            yield name, Cell(column.case, column.kind, column.playouts, passed=passed, runs=runs)


def _sums(column: Column, case: Case, tables: Tables) -> Iterator[tuple[str, Cell]]:
    null, table = tables.histogram(case), tables.sample(case)
    for name, shift in table.shifts.items():
        error = distance_error(null, shift, table.playouts)
        if shift.distance > NOISE * error:
            yield name, Cell(column.case, column.kind, 1, distance=shift.distance, error=round(error, 4))


def distance_error(null: Histogram, shift: Shift, playouts: int) -> float:
    """Return the standard error of a deviation's distance from the reference.

    The distance is the length of the difference in the reference's metric; its error is that of the two
    sampled means along the difference.

    Args:
        null: the reference.
        shift: the deviation.
        playouts: behind the deviation's means.
    """
    # As the table's distance has it: a quantity that never varies is given a little room.
    (a, b), (_, d) = ((float(x) for x in row) for row in null.covariance)
    room_a, room_d = a + 1e-4, d + 1e-6
    x, y = (m - float(n) for m, n in zip(shift.mean, null.mean, strict=True))
    determinant = room_a * room_d - b * b
    u, v = (room_d * x - b * y) / determinant, (room_a * y - b * x) / determinant
    square = u * x + v * y
    if square <= 0:
        return sqrt(2 / playouts)
    e, f, g = shift.covariance
    own = (e * u * u + 2 * f * u * v + g * v * v) / playouts
    reference = (a * u * u + 2 * b * u * v + d * v * v) / null.total
    return sqrt(max(0.0, own + reference) / square)


def _moves(column: Column, case: Case, tables: Tables) -> Iterator[tuple[str, Cell]]:
    null = Categories(tables.choice(case).counts)
    others = len(null.counts) + 1
    for name, rival in tables.rivals(case).items():
        if rival.convict_rate > 0:
            distance, n = sqrt(2 * rival.convict_rate), rival.categories.total
            square = sum(
                count / n * null.log_e_of(rival.categories, cell, others) ** 2
                for cell, count in rival.categories.counts.items()
            )
            # d(sqrt(2 r)) = dr / sqrt(2 r), with the error of a mean of n draws for dr.
            error = sqrt(max(0.0, square - rival.convict_rate**2) / n) / distance
            cell = Cell(column.case, column.kind, column.playouts, distance=round(distance, 4))
            yield name, msgspec.structs.replace(cell, error=round(error, 4))


def _best(cells: tuple[Cell, ...], is_own: dict[str, bool]) -> Cell | None:
    """Return the best witness; of cases that are as cheap, one of the deviation's own requirement."""
    certain = [c for c in cells if c.always]
    if certain:
        return min(certain, key=lambda c: (c.playouts, not is_own[c.case], c.case))
    rest = [c for c in cells if c.kind is not ComparedQuantity.EXACT]
    return max(rest, key=lambda c: c.per_playout) if rest else None


def _opening(suite: Suite, tables: Tables) -> tuple[OpeningMoments, dict[str, Shift], int] | None:
    """Return the reference on the empty 9x9 board, the shifts from it, and the playouts behind each."""
    case = suite.cases.get(BOARD)
    if case is None or not tables.has(case) or not tables.sample(case).shifts:
        return None
    null, table = tables.histogram(case), tables.sample(case)
    length, win = (float(m) for m in null.mean)
    spread = (sqrt(float(null.covariance[0][0])), sqrt(float(null.covariance[1][1])))
    return OpeningMoments((length, win), spread, null.total, case.file.playouts), table.shifts, table.playouts
