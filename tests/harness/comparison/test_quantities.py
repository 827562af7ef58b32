"""Differences between bots, and between a bot and the reference: never by chance, as often as is claimed."""

import sys
from itertools import combinations

import pytest
from certificates import shipped
from comparisons import comparisons, sampled_cases

from harness.comparison import quantities
from harness.comparison.quantities import COMPARE_ALPHA, intervals_of, quantities_of
from harness.judging.run_assessment import RunAssessment

BOTS = 4


def false_differences(looks: list[list[RunAssessment]]) -> tuple[bool, bool, bool]:
    """Whether equal bots were ever told from each other, from the reference, or by their classes."""
    suite, tables = shipped()
    apart, off, classed = False, False, False
    for bots in looks:
        for q in quantities_of(bots, suite, tables, "standard", BOTS):
            intervals = [i for i in intervals_of(q) if i is not None]
            apart |= any(a.differs_from(b) for a, b in combinations(intervals, 2))
            off |= q.reference is not None and any(abs(i.value - q.reference) > i.radius for i in intervals)
            classed |= any(q.classes)
    return apart, off, classed


def rates(times: int, seed: int, deviation: str = "") -> tuple[int, int, int]:
    """Return in how many comparisons that happened."""
    suite, tables = shipped()
    found = [false_differences(looks) for looks in comparisons(suite, tables, BOTS, times, seed, deviation)]
    return tuple(sum(column) for column in zip(*found, strict=True))  # type: ignore[return-value]


def test_equal_bots_are_not_told_apart() -> None:
    """Of thirty comparisons of four conforming bots, looked at four times, none shows a difference."""
    assert rates(30, seed=1) == (0, 0, 0)


def missing(looks: list[list[RunAssessment]]) -> tuple[int, int]:
    """Return how many intervals ever miss what they are of, and how many there are."""
    suite, tables = shipped()
    missed: set[tuple[int, str, str]] = set()
    rows = [quantities_of(bots, suite, tables, "standard", BOTS) for bots in looks]
    for q in [q for row in rows for q in row]:
        for place, interval in enumerate(intervals_of(q)):
            if interval is not None and abs(interval.value - (q.reference or 0.0)) > interval.radius:
                missed.add((place, q.case, q.measure))
    return len(missed), BOTS * len(rows[0])


def test_the_error_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an error of 0.1 for each interval, no more than a tenth of them ever miss.

    That some do is how the test knows that the intervals are not merely enormous.
    """
    suite, tables = shipped()
    count = BOTS * 2 * len(sampled_cases(suite))
    monkeypatch.setattr(quantities, "COMPARE_ALPHA", 0.1 * count)

    found = [missing(looks) for looks in comparisons(suite, tables, BOTS, 25, seed=2)]
    missed, intervals = (sum(column) for column in zip(*found, strict=True))

    assert intervals == 25 * count
    assert 0.002 < missed / intervals < 0.1


@pytest.mark.slow
def test_measured_error_rates() -> None:
    """The figures of docs/statistics.md: whole comparisons, conforming and deviating bots, at every look."""
    apart, off, classed = rates(600, seed=3)
    twins = {
        name: rates(100, seed=4, deviation=name)[0] for name in ("no-ko", "list-scan", "eye-no-diagonals")
    }
    sys.stderr.write(f"\n600 comparisons of {BOTS}: {apart} apart, {off} off, {classed} classed; {twins}\n")

    assert apart + off + classed <= max(2, 600 * COMPARE_ALPHA * 3)
    assert sum(twins.values()) <= 2
