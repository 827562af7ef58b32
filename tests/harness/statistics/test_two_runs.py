"""The change between two samples: quiet however they stop, and sharp enough."""

from math import inf, sqrt

import numpy as np
import pytest

from harness.comparison.drift import ALPHA, TOP_UP
from harness.statistics.two_runs import DrawDeviation, apart_radius, detectable, is_countable, paired_radius

ONE = ALPHA / 28
"""Of one measure, of two in fourteen cases."""


def test_a_tenth_of_a_deviation_shows_after_the_top_up() -> None:
    """So many playouts show a tenth of a standard deviation with probability 0.999; half do not."""
    assert (
        detectable(DrawDeviation(1.0), TOP_UP, ONE, TOP_UP)
        <= 0.1
        < detectable(DrawDeviation(1.0), TOP_UP // 2, ONE, TOP_UP)
    )


def test_power_is_as_computed() -> None:
    """Two thousand pairs of samples a tenth apart: no more than a few are missed."""
    random = np.random.default_rng(3)
    radius = paired_radius(DrawDeviation(1.0), TOP_UP, ONE, TOP_UP)
    changes = random.normal(0.1, sqrt(2 / TOP_UP), 2000)

    # Two are expected.
    assert int((np.abs(changes) <= radius).sum()) <= 9


def test_quiet_at_every_look_together() -> None:
    """Whoever looks after every batch and stops at the worst moment is misled no oftener than alpha says."""
    random, alpha = np.random.default_rng(4), 0.02
    crossed = 0
    n = np.arange(64, 64 * 200 + 1, 64)
    bound = np.array([paired_radius(DrawDeviation(1.0), int(k), alpha, 2000) for k in n])
    for _ in range(1500):
        sums = random.normal(0, sqrt(2 * 64), 200).cumsum()
        crossed += bool((np.abs(sums / n) > bound).any())

    # Binomial(1500, 0.02): 30 +- 5.4; a bound that held at one look only would be crossed some 150 times.
    assert crossed <= 48


def test_an_estimated_spread_costs_width() -> None:
    """With ten degrees of freedom the radius is wider than with a hundred, and that wider than the truth."""
    radii = [paired_radius(DrawDeviation(1.0, freedom), 640, ONE, TOP_UP) for freedom in (10.0, 100.0, inf)]

    assert radii == sorted(radii, reverse=True)
    assert radii[1] < 1.3 * radii[2]


def test_means_alone_are_worth_less_than_pairs() -> None:
    """Two intervals added are wider than the interval of paired differences."""
    assert apart_radius(DrawDeviation(1.0), 5000, 5000, ONE, TOP_UP) > paired_radius(
        DrawDeviation(1.0), 5000, ONE, TOP_UP
    )


@pytest.mark.parametrize(
    ("sd", "draws", "enough"), [(0.0, 10_000, False), (0.01, 13_000, False), (0.08, 640, True)]
)
def test_rare_events_are_not_compared(sd: float, draws: int, enough: bool) -> None:
    """Sums of fewer than four expected events are not taken for normal ones."""
    assert is_countable(DrawDeviation(sd), draws) is enough
