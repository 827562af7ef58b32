"""Who differs from the rest: rarely anybody where all are alike, always a source that does."""

import numpy as np
import pytest
from certificates import shipped
from scipy.stats import binom

from harness.statistics.homogeneity import ERROR, LEAST_DRAWS, LabelledSum, groups_of, outlying_groups

RUNS = 4_000


def batches(
    rng: np.random.Generator, case: str, sizes: list[tuple[str, int, int]], shift: float = 0.0
) -> tuple[list[LabelledSum], float, float]:
    """Draw lengths from a reference: batches of (who, number of them, draws of each), with mean and sd.

    The last group's draws are longer by ``shift``.
    """
    suite, tables = shipped()
    null = tables.histogram(suite.cases[case])
    weights = null.counts / null.counts.sum()
    found = []
    for place, (who, number, draws) in enumerate(sizes):
        counts = rng.multinomial(draws, weights, size=number)
        more = shift * draws if place == len(sizes) - 1 else 0.0
        found += [LabelledSum(who, draws, float(total) + more) for total in counts @ null.values[:, 0]]
    return found, float(null.mean[0]), float(null.covariance[0][0]) ** 0.5


@pytest.mark.parametrize(
    ("case", "sizes"),
    [
        ("opening-9x9", [("a", 40, 400), ("b", 40, 400), ("c", 1, 400)]),
        ("opening-2x2", [("a", 30, 64), ("b", 30, 64), ("c", 7, 64), ("d", 60, 64)]),
    ],
)
def test_innocents_are_rarely_named(case: str, sizes: list[tuple[str, int, int]]) -> None:
    """Of certificates by equal workers at most a twentieth names somebody where a twentieth may: no more than
    chance allows, though groups are small and draws are far from normal.
    """
    rng = np.random.default_rng(20081013)
    named = 0
    for _ in range(RUNS):
        drawn, mean, sd = batches(rng, case, sizes)
        named += bool(outlying_groups(drawn, mean, sd, len(groups_of(drawn)), error=0.05))

    assert binom.sf(named - 1, RUNS, 0.05) > 1e-6, named


def test_the_tail_is_not_too_heavy() -> None:
    """Farther out, where the real threshold is, the normal tail still bounds how often anybody is named."""
    rng = np.random.default_rng(7)
    named = 0
    for _ in range(RUNS):
        drawn, mean, sd = batches(rng, "opening-2x2", [("a", 7, 64), ("b", 30, 64)])
        named += bool(outlying_groups(drawn, mean, sd, 2, error=0.002))

    assert binom.sf(named - 1, RUNS, 0.002) > 1e-6, named


def test_a_source_that_differs_is_named_and_no_other() -> None:
    """One of four whose playouts are three moves longer is named alone, at the rate of error that is used."""
    rng = np.random.default_rng(1)
    sizes = [(who, 15, 400) for who in ("a", "b", "c", "d")]
    drawn, mean, sd = batches(rng, "opening-9x9", sizes, shift=3.0)

    found = outlying_groups(drawn, mean, sd, 1_000)

    assert [odd.who for odd in found] == ["d"]
    assert found[0].value - found[0].others == pytest.approx(3.0, abs=1.5)


def test_of_two_the_one_far_from_the_reference_is_named() -> None:
    """Where there is no majority, the reference tells who is wrong."""
    rng = np.random.default_rng(2)
    for order in (("a", "b"), ("b", "a")):
        drawn, mean, sd = batches(rng, "opening-9x9", [(who, 20, 400) for who in order], shift=4.0)
        assert [odd.who for odd in outlying_groups(drawn, mean, sd, 100)] == [order[1]]


def test_a_bot_that_is_wrong_everywhere_alike_names_nobody() -> None:
    """Batches that vary far more than the reference says, in every group alike, are no fault of a group."""
    rng = np.random.default_rng(3)
    drawn = [
        LabelledSum(who, 400, 400 * (100 + float(rng.normal(0, 8))))
        for who in ("a", "b", "c")
        for _ in range(20)
    ]

    assert outlying_groups(drawn, 100.0, 10.0, 3) == []
    assert outlying_groups([LabelledSum(b.who, b.draws, 400 * 100.0) for b in drawn], 100.0, 0.0, 3) == []


def test_small_groups_are_not_compared() -> None:
    """A group, or a rest, of few draws is left out."""
    assert groups_of([LabelledSum("a", LEAST_DRAWS, 0.0), LabelledSum("b", LEAST_DRAWS - 1, 0.0)]) == []
    assert groups_of([LabelledSum("a", LEAST_DRAWS, 0.0), LabelledSum("b", LEAST_DRAWS, 0.0)]) == ["a", "b"]
    assert ERROR == 1e-4
