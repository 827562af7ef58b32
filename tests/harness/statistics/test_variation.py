"""The limit of a distance, held against every set of categories, and its error."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from harness.statistics import variation
from harness.statistics.variation import distance, distance_limit, sampling_error

ALPHA = 0.05
NAMES = "ABCDE"


def counted(names: list[str], draws: np.ndarray) -> dict[str, int]:
    """Return how often each category was drawn."""
    return dict(zip(names, np.bincount(draws, minlength=len(names)).tolist(), strict=True))


@settings(max_examples=150)
@given(
    st.lists(st.integers(0, 60), min_size=2, max_size=5).filter(sum),
    st.lists(st.integers(1, 20), min_size=5, max_size=5),
)
def test_the_chain_bounds_every_set(drawn: list[int], parts: list[int]) -> None:
    """At the limit every set's own hypothesis is refuted."""
    counts = dict(zip(NAMES, drawn, strict=False))
    weights = {name: part / sum(parts[: len(drawn)]) for name, part in zip(counts, parts, strict=False)}
    total = sum(drawn)
    limit = distance_limit(counts, weights, ALPHA)
    for size in range(1, len(counts) + 1):
        for chosen in combinations(counts, size):
            mean = sum(weights[name] for name in chosen) + limit
            if mean < 1:
                inside = np.array([float(sum(counts[name] for name in chosen))])
                capital = variation._least_log_capital(inside, total, np.array([mean]))
                assert capital >= -np.log(ALPHA) - 1e-3
    assert limit >= distance(counts, weights) - 1e-3


@pytest.mark.parametrize(
    "shifted",
    [
        {"A": 0.1, "B": 0.5, "C": 0.4},  # from the likeliest to one other
        {"A": 0.35, "B": 0.35, "C": 0.15, "D": 0.15},  # to a move that the reference never plays
        {"A": 0.5, "B": 0.5},  # a move is never played
    ],
)
def test_the_limit_misses_no_more_often_than_promised(shifted: dict[str, float]) -> None:
    """The limit lies below the true distance, at any of three looks, in a twentieth of runs at most."""
    weights = {"A": 0.5, "B": 0.35, "C": 0.15}
    if "D" not in shifted and "C" in shifted:
        true = distance({name: round(100 * p) for name, p in shifted.items()}, weights)
    else:
        true = 0.5 * sum(abs(shifted.get(n, 0.0) - weights.get(n, 0.0)) for n in "ABCD")
    rng, runs, missed = np.random.default_rng(20081013), 300, 0
    names, chances = list(shifted), list(shifted.values())
    for _ in range(runs):
        draws = rng.choice(len(names), size=200, p=chances)
        missed += any(
            distance_limit(counted(names, draws[:k]), weights, ALPHA) < true - 1e-9 for k in (40, 100, 200)
        )
    assert missed <= binom.ppf(0.999, runs, ALPHA)


def test_sampling_error_covers_samples() -> None:
    """A sample lies within the error that is allowed for it, in 2,000 of 2,000."""
    weights = {"A": 0.6, "B": 0.25, "C": 0.1, "D": 0.05}
    rng = np.random.default_rng(5)
    for size in (200, 5000):
        drawn = rng.multinomial(size, list(weights.values()), size=1000)
        furthest = max(distance(dict(zip(weights, row.tolist(), strict=True)), weights) for row in drawn)
        assert furthest < sampling_error(weights, size)


def test_nothing_drawn_says_nothing() -> None:
    """Without a draw the distance may be anything."""
    assert distance_limit({}, {"A": 1.0}, 0.01) == 1.0
