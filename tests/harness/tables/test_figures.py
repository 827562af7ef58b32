"""Figures of references: computed by hand for a handful of playouts, and as sampled, for an exact one."""

from math import inf, sqrt

import pytest

from harness.cases.start import Start
from harness.tables.figures import (
    lengths_of,
    margins_of,
    odd_margins,
    owners_of,
    quantiles_of,
    visits_of,
    wins_of,
    worths_of,
)
from harness.tables.reference import Exact, Reference, Sampled, komi_name, worth
from reference_engine.vocabulary import Colour

COUNTS = [(4, -3, 1), (4, 1, 2), (6, 1, 4), (9, 2, 1)]


def reference(to_move: str = "black", exact: Exact | None = None) -> Reference:
    """Return eight playouts."""
    start = Start(2, (". .", ". ."), to_move, 0)
    sampled = Sampled("chains", 1, 8, COUNTS, [4, 2, 8, 0], {"0.5": [8, 0, 8, 0]}, [8, 6, 0, 0], [0, 2, 8, 0])
    return Reference(start, "engine", sampled, exact)


def test_moments() -> None:
    """Mean, spread, skewness and error of length and margin."""
    lengths = [4, 4, 4, 6, 6, 6, 6, 9]
    mean = sum(lengths) / 8
    variance = sum((v - mean) ** 2 for v in lengths) / 8
    found = lengths_of(reference())
    assert found.mean == pytest.approx(mean)
    assert found.sd == pytest.approx(sqrt(variance))
    assert found.skewness == pytest.approx(sum((v - mean) ** 3 for v in lengths) / 8 / variance**1.5)
    assert found.error == pytest.approx(sqrt(variance / 8))
    assert (found.least, found.greatest) == (4, 9)
    assert margins_of(reference()).mean == pytest.approx((-3 + 6 + 2) / 8)
    assert odd_margins(reference()) == pytest.approx(7 / 8)


def test_wins() -> None:
    """Wins follow from the margins at any komi, for either side, draws half."""
    assert wins_of(reference(), 0.5).value == pytest.approx(7 / 8)
    assert wins_of(reference(), 1).value == pytest.approx((6 / 2 + 1) / 8)
    assert wins_of(reference("white"), 1).value == pytest.approx((6 / 2 + 1) / 8)
    assert wins_of(reference("white"), 0.5).value == pytest.approx(1 / 8)
    share = wins_of(reference(), 0.5)
    assert share.error == pytest.approx(sqrt(7 / 64 / 8))


def test_quantiles() -> None:
    """A quantile is the least length that the part of the playouts does not exceed."""
    assert quantiles_of(reference()) == {
        0.001: 4, 0.01: 4, 0.05: 4, 0.25: 4, 0.5: 6, 0.75: 6, 0.95: 9, 0.99: 9, 0.999: 9
    }  # fmt: skip


def test_maps() -> None:
    """Maps are parts of the playouts."""
    assert visits_of(reference()) == [0.5, 0.25, 1.0, 0.0]
    assert owners_of(reference()) == [(1, 0), (0.75, 0.25), (0, 1), (0, 0)]
    assert worths_of(reference(), 0.5) == [1.0, 0.0, 0.5, None]
    assert worths_of(reference(), 3.5) == []


def test_exact_figures_have_no_error() -> None:
    """Where the distribution is known it decides, not the sample, and nothing is uncertain."""
    found = reference(exact=Exact(3, 1e-15, [(5, 1, 0.25), (7, 1, 0.75)]))
    assert found.size == inf
    lengths = lengths_of(found)
    assert (lengths.mean, lengths.error) == (6.5, 0.0)
    assert (wins_of(found, 0.5).value, wins_of(found, 0.5).error) == (1.0, 0.0)


def test_what_never_varies() -> None:
    """A quantity with one value has no spread and no skewness."""
    found = lengths_of(reference(exact=Exact(1, 0.0, [(5, 1, 0.1)] * 10)))
    assert (found.sd, found.skewness) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("margin", "komi", "black", "white"),
    [(1, 0.5, 1.0, 0.0), (1, 1.0, 0.5, 0.5), (1, 1.5, 0.0, 1.0), (-2, -2.0, 0.5, 0.5), (-2, -2.5, 1.0, 0.0)],
)
def test_worth(margin: int, komi: float, black: float, white: float) -> None:
    """Black needs more than komi; equal is a draw."""
    assert worth(margin, komi, Colour.BLACK) == black
    assert worth(margin, komi, Colour.WHITE) == white


def test_names_of_komis() -> None:
    """A komi has one name, however it is given."""
    assert [komi_name(k) for k in (0, 0.0, -3.5, 7.50, 6)] == ["0", "0", "-3.5", "7.5", "6"]
