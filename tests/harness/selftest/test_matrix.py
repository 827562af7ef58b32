"""The matrix of deviations and cases: its values are the tables', and so is the page of it in docs."""

from math import sqrt
from pathlib import Path

import msgspec
import numpy as np
import pytest
from certificates import shipped
from rich.console import Console

from harness.cases.case import Case, Dialogue
from harness.cases.level import BETA
from harness.cases.suite import Suite
from harness.render.matrix import distance, markdown, price, render_matrix, render_row
from harness.selftest.matrix import (
    Cell,
    Column,
    ComparedQuantity,
    Matrix,
    MatrixRow,
    cost_of,
    distance_error,
    matrix_of,
)
from harness.selftest.ztest import BOARD, OpeningMoments, Sight, ZTest, playouts_needed, z_test
from harness.statistics.evalues import Histogram
from harness.tables.tables import Shift
from reference_engine.deviations import BY_NAME, CATALOGUE

SUITE, TABLES = shipped()
MATRIX = matrix_of(SUITE, TABLES)
ROWS = {row.deviation: row for row in MATRIX.rows}
PAGE = Path(__file__).parents[3] / "docs" / "matrix.md"
EMPTY = OpeningMoments((100.0, 0.5), (16.0, 0.5), float("inf"), 400)


def shift(length: float, win: float) -> Shift:
    """Return a deviation with these means and the spread of ``EMPTY``."""
    return Shift([length, win], [256.0, 0.0, 0.25], 0.0)


def test_the_page_is_current() -> None:
    """docs/matrix.md is what `make matrix` would write."""
    assert PAGE.read_text("utf-8") == markdown(MATRIX), "run `make matrix`"


def test_every_deviation_has_a_row() -> None:
    """Rows are the catalogue in its order; every case with a table is a column, or silent or unmeasured."""
    assert [row.deviation for row in MATRIX.rows] == [d.name for d in CATALOGUE]
    columns = {column.case for column in MATRIX.columns}
    assert columns.isdisjoint(MATRIX.silent)
    tabled = {name for name, case in SUITE.cases.items() if not isinstance(case.question, Dialogue)}
    assert columns | {*MATRIX.silent, *MATRIX.unmeasured} == tabled
    for row in MATRIX.rows:
        assert {cell.case for cell in row.cells} <= columns


def test_exact_cells_are_the_table_of_passes() -> None:
    """A cell stands wherever a deviation failed an exact case at least once, with its passes and runs."""
    found = {(c.case, r.deviation): (c.passed, c.runs) for r in MATRIX.rows for c in r.cells if c.runs}
    wanted = {
        (case, name): (passed, runs)
        for case, rates in TABLES.exact.passes.items()
        for name, (passed, runs) in rates.items()
        if passed < runs and not SUITE.cases[case].is_statistical
    }
    assert found == wanted


@pytest.mark.parametrize(
    "case", [c for c in SUITE.cases.values() if c.file.sample and TABLES.has(c)], ids=lambda case: case.id
)
def test_distances_are_those_of_the_table(case: Case) -> None:
    """Distances between sums are the table's, and what is left out is within five standard errors of none."""
    null, table = TABLES.histogram(case), TABLES.sample(case)
    for name, known in table.shifts.items():
        found = [cell for cell in ROWS[name].cells if cell.case == case.id]
        if found:
            assert (found[0].kind, found[0].distance) == (ComparedQuantity.SUMS, known.distance)
        else:
            assert known.distance <= 5 * distance_error(null, known, table.playouts)


def test_distances_of_chosen_moves() -> None:
    """A genmove's distance is sqrt(2 nats), of a playout the root of the number less."""
    case = SUITE.cases["rate-before-visits"]
    nats = TABLES.rivals(case)["most-visited"].convict_rate
    cell = next(c for c in ROWS["most-visited"].cells if c.case == case.id)
    assert cell.kind is ComparedQuantity.MOVES
    assert cell.distance == pytest.approx(sqrt(2 * nats), abs=1e-4)
    assert cell.per_playout == pytest.approx(cell.distance / sqrt(8))


def test_error_of_a_distance_by_hand() -> None:
    """Lengths 10 +- 2 against 11 +- 3 of 10,000 playouts: half a standard deviation, +- 0.015.

    The distance is (11 - 10) / 2 and the error of 11 is 3 / 100, in units of 2; the reference is exact.
    """
    values = np.array([[8.0, 0.0], [12.0, 0.0], [8.0, 1.0], [12.0, 1.0]])
    null = Histogram(values, np.full(4, 0.25), values, error=0.0)
    other = Shift([11.0, 0.5], [9.0, 0.0, 0.25], 0.5)
    assert distance_error(null, other, 10_000) == pytest.approx(0.015, rel=1e-4)


def test_best_witness() -> None:
    """The best witness is a case never passed, the cheapest and of two alike its own; else the farthest."""
    best = ROWS["nodes-without-passes"].best
    assert best is not None
    assert (best.always, best.playouts) == (True, 1)
    best = ROWS["quit-unanswered"].best
    assert best is not None
    assert best.case == "quit-is-answered"
    best = ROWS["board-scan"].best
    assert best is not None
    assert best.kind is ComparedQuantity.SUMS
    assert best.per_playout == max(cell.per_playout for cell in ROWS["board-scan"].cells)


@pytest.mark.parametrize("name", ["cap-from-playout", "neighbour-scoring"])
def test_a_tolerated_reading_fails_nothing(name: str) -> None:
    """A tolerated reading passes every exact check; it shows in one case, one move before the cap."""
    row = ROWS[name]
    assert row.tolerated
    assert list(row.certain) == []
    assert [cell.case for cell in row.statistical] == ["first-entries-are-drawn-no-more-often"]


def test_every_deviation_that_must_fail_has_a_witness() -> None:
    """What is not tolerated has a best witness."""
    assert [row.deviation for row in MATRIX.rows if row.best is None and not row.tolerated] == []


def test_costs_of_exact_cases() -> None:
    """A script costs its genmoves, a whole game all it may take, a fresh case two processes."""
    assert cost_of(SUITE.cases["quit-is-answered"]) == 0
    assert cost_of(SUITE.cases["a-single-playout"]) == 1
    game = SUITE.cases["complete-game-3x3"]
    assert game.file.complete is not None
    assert cost_of(game) == game.file.playouts * game.file.complete.limit
    fresh = SUITE.cases["fresh-opening-9x9"]
    assert cost_of(fresh) == 2 * fresh.file.genmoves * fresh.file.playouts


def test_playouts_of_a_z_test_by_hand() -> None:
    """A shift of a whole standard deviation: (4.0556 + 3.0902)**2 = 51.06 playouts; of a tenth, 5,106."""
    assert playouts_needed(16.0, 16.0) == pytest.approx(51.06, abs=0.01)
    assert playouts_needed(-1.6, 16.0) == pytest.approx(5106, abs=1)
    test = z_test("no-ko", EMPTY, shift(101.6, 0.51), 200_000)
    assert test == ZTest(Sight.AFTER, 5107, "length")
    test = z_test("no-ko", EMPTY, shift(100.16, 0.55), 200_000)
    assert test == ZTest(Sight.AFTER, 5107, "win")


def test_a_z_test_of_that_size_misses_one_in_a_thousand() -> None:
    """Of 200,000 simulated tests of the size computed, 200 miss; 4 standard errors are 57 more or less."""
    rng = np.random.default_rng(20081013)
    n = playouts_needed(0.5, 16.0)
    means = rng.normal(0.5, 16.0 / sqrt(n), 200_000)
    missed = int((np.abs(means) * sqrt(n) / 16.0 < 4.05563).sum())
    assert abs(missed - 200_000 * BETA) < 57


def test_a_shift_within_the_error_of_its_table() -> None:
    """0.1 moves are no shift where 200,000 playouts leave four errors of 0.143: then n is more than what a
    shift as large as could be would need, 0.243 moves or 0.0045 wins.
    """
    test = z_test("no-ko", EMPTY, shift(100.1, 0.5), 200_000)
    assert test.sight is Sight.UNRESOLVED
    assert test.playouts == int(playouts_needed(0.1 + 4 * 16 / sqrt(200_000), 16.0))
    assert price(test) == "> 220,000"


@pytest.mark.parametrize(
    ("name", "sight", "playouts"),
    [
        ("half-the-playouts", Sight.AFTER, 6),  # 50 moves of 100 are missing, 51.06 * (16 / 50)**2 = 5.2
        ("one-playout-more", Sight.AFTER, 209_156),  # a quarter of a move: 51.06 * (16 / 0.25)**2
        ("nodes-cumulative", Sight.AT_ONCE, None),
        ("nodes-lost-when-read", Sight.NEVER, None),
        ("statistics-of-first", Sight.NEVER, None),
        ("playouts-twice", Sight.NEVER, None),
        ("most-visited", Sight.NEVER, None),
        ("ids-dropped", Sight.NEVER, None),
        ("score-of-best-move", Sight.UNKNOWN, None),
        ("integer-komi", Sight.UNKNOWN, None),
    ],
)
def test_what_sums_do_not_predict(name: str, sight: Sight, playouts: int | None) -> None:
    """Deviations outside single playouts are answered for one by one, with the reason."""
    test = z_test(name, EMPTY, None, 0)
    assert test.sight is sight
    assert test.because
    assert test.playouts == pytest.approx(playouts, abs=2)


def test_only_what_playouts_show_has_a_number() -> None:
    """In the shipped matrix every deviation of single playouts has a number, from the opening's table."""
    predicted = TABLES.sample(SUITE.cases[BOARD]).shifts
    for row in MATRIX.rows:
        assert row.z_test is not None
        assert (row.deviation in predicted) <= (row.z_test.sight in {Sight.AFTER, Sight.UNRESOLVED})


def test_cases_without_tables_are_named() -> None:
    """A case whose table is not made yet is no fault, but said; so is a case in which nothing shows."""
    case = msgspec.structs.replace(SUITE.cases["opening-5x5"].file, komi=1.5)
    cases = {
        "new": Case("new", case),
        "opening-2x2": SUITE.cases["opening-2x2"],
        "quit-is-answered": SUITE.cases["quit-is-answered"],
        "protocol-version-is-two": SUITE.cases["protocol-version-is-two"],
    }
    matrix = matrix_of(Suite(SUITE.requirements, cases, SUITE.folder), TABLES)
    assert [c.case for c in matrix.columns] == ["quit-is-answered", "opening-2x2"]
    assert (matrix.silent, matrix.unmeasured) == (("protocol-version-is-two",), ("new",))
    assert {row.z_test for row in matrix.rows} == {None}
    text = " ".join(shown(render_matrix(matrix)).split())
    assert "not measured yet: new;" in text
    assert "cases in which no deviation shows: protocol-version-is-two" in text
    assert "Not measured yet: new;" in markdown(matrix)


def test_the_matrix_goes_through_json() -> None:
    """The whole matrix is data: it comes back from JSON as it was."""
    assert msgspec.json.decode(msgspec.json.encode(MATRIX), type=Matrix) == MATRIX


def test_lines_of_the_terminal() -> None:
    """Every deviation has its line, with the witnesses' names whole and nothing cut."""
    text = shown(render_matrix(MATRIX))
    words = text.split()
    assert [name for name in BY_NAME if name not in words] == []
    assert "\u2026" not in text
    for row in MATRIX.rows:
        assert row.best is None or row.best.case in words


def test_distances_are_short() -> None:
    """Three figures, and the unit where it is a genmove."""
    sums = Cell("c", ComparedQuantity.SUMS, 1)
    values = [msgspec.structs.replace(sums, distance=d) for d in (1000.0, 25.8722, 1.5634, 0.0153)]
    assert [distance(cell) for cell in values] == ["1000", "25.9", "1.56", "0.015"]
    assert distance(Cell("c", ComparedQuantity.MOVES, 8, distance=2.0)) == "2.00/g"


def test_a_row_shows_its_strongest_first() -> None:
    """A row lists cases never passed, then those passed now and then, then distances from the largest."""
    cells = (
        Cell("now-and-then", ComparedQuantity.EXACT, 8, passed=2, runs=5),
        Cell("never-passed", ComparedQuantity.EXACT, 8, passed=0, runs=5),
        Cell("near", ComparedQuantity.SUMS, 1, distance=0.1, error=0.002),
        Cell("moves", ComparedQuantity.MOVES, 4, distance=1.0, error=0.01),
    )
    columns = tuple(Column(c.case, "R2", c.kind, c.playouts) for c in cells)
    row = MatrixRow("no-ko", "R2", tolerated=False, cells=cells, best=cells[1], z_test=None)
    text = shown(render_row(Matrix("", columns, (row,), (), ()), row))
    places = [text.rindex(name) for name in ("never-passed", "now-and-then", "moves", "near")]
    assert places == sorted(places)
    for words in (
        "never passes",
        "passes 2 of 5",
        "1.0000 +- 0.0100 a genmove",
        "0.1000 +- 0.0020 a playout",
    ):
        assert words in text


def shown(what: object) -> str:
    """Return what a terminal of 160 columns would show."""
    console = Console(width=160, no_color=True)
    with console.capture() as captured:
        console.print(what)
    return captured.get()
