"""Classes and odd ones out, from intervals alone."""

import pytest

from harness.statistics.classes import classes_of, odd_ones
from harness.statistics.intervals import Interval


def rows(*pairs: tuple[float, float] | None) -> list[Interval | None]:
    """Return intervals by value and half-width."""
    return [None if pair is None else Interval(*pair) for pair in pairs]


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        ([(0.1, 0.2), (-0.3, 0.2)], [0, 0]),
        ([(0.1, 0.2), (5.0, 0.2), (5.1, 0.2)], [0, 1, 1]),
        # The best measured is the anchor of its class; it comes first, wherever it stands.
        ([(5.0, 0.3), (9.0, 0.1), (9.3, 0.2)], [2, 1, 1]),
        # Too wide: not shown to be near, nor to differ.
        ([(0.1, 0.2), (0.5, 0.9)], [0, None]),
        # Shown to differ, and not shown to be within: apart.  Shown to differ, but within: the reference's.
        ([(0.9, 0.2), (0.5, 0.2)], [1, 0]),
        # Between two classes, and told from neither of them but the reference.
        ([(5.0, 0.1), (6.0, 0.9)], [1, None]),
        ([None, (0.0, 0.1)], [None, 0]),
        # Not transitive: each is near the next one, and the third is not near the first.
        ([(0.0, 0.1), (0.8, 0.1), (1.6, 0.1)], [0, 0, 1]),
    ],
)
def test_classes_with_a_reference(pairs: list[tuple[float, float] | None], wanted: list[int | None]) -> None:
    """Class 0 is anchored at the reference, here 0 with tolerance 1."""
    assert classes_of(rows(*pairs), 1.0, 0.0) == wanted


def test_classes_without_a_reference() -> None:
    """The best measured bot is the anchor of the first."""
    assert classes_of(rows((3.0, 0.2), (3.1, 0.1), (9.0, 0.3)), 1.0, None) == [1, 1, 2]


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        ([(0.0, 0.1), (0.1, 0.1), (3.0, 0.1)], {2: 2.95}),
        # Of two none is odd, nor where no majority agrees.
        ([(0.0, 0.1), (3.0, 0.1)], {}),
        ([(0.0, 0.1), (3.0, 0.1), (6.0, 0.1)], {}),
        ([(0.0, 0.1), (0.1, 0.1), (3.0, 0.1), (3.1, 0.1)], {}),
        # Two wrong ones that agree make the right one odd: what is right is not for a majority to say.
        ([(0.0, 0.1), (3.0, 0.1), (3.0, 0.1)], {0: -3.0}),
        # Two odd ones beside a majority.
        ([(0.0, 0.1), (0.0, 0.1), (0.0, 0.1), (3.0, 0.1), (-4.0, 0.1)], {}),
        ([(0.0, 0.1)] * 4 + [(3.0, 0.1), None], {4: 3.0}),
        # Different, but by less than the tolerance.
        ([(0.0, 0.1), (0.0, 0.1), (0.5, 0.1)], {}),
        # Too wide to differ from anything.
        ([(0.0, 0.1), (0.0, 0.1), (3.0, 5.0)], {}),
    ],
)
def test_odd_ones(pairs: list[tuple[float, float] | None], wanted: dict[int, float]) -> None:
    """A bot is odd if a majority that agrees is shown to differ from it."""
    assert odd_ones(rows(*pairs), 1.0) == pytest.approx(wanted)
