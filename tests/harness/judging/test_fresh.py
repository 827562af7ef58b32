"""X1: genmoves that repeat, or that betray playouts run twice, are found; independent ones are left alone."""

from math import comb

import numpy as np
import pytest
from tiny_suite import FRESH, case_of

from harness.bots.driver import ask_case
from harness.bots.inprocess import InProcess
from harness.cases.case import Case
from harness.cases.start import start_of
from harness.judging.answers import Statistics
from harness.judging.exact import Reading, read_unit
from harness.judging.fresh import check_fresh, most_likely
from harness.making.demand import Order, make_reference
from harness.making.workshop import Workshop
from harness.statistics.evalues import Histogram
from harness.tables.tables import histogram_of
from reference_engine.spec import SPEC, Randomness, Spec

CASE = case_of(FRESH)


@pytest.fixture(scope="module")
def histogram() -> Histogram:
    """Return a small table of the case."""
    order = Order(start_of(CASE), (CASE.file.komi,), 60_000, states=0)
    return histogram_of(make_reference(order, Workshop(), CASE.id), CASE.file.komi)


def asked(
    spec: Spec, seeds: tuple[int, int], genmoves: int = 8, case: Case = CASE
) -> list[tuple[int, int, Reading]]:
    """Ask two processes of the engine."""
    found = []
    for process, seed in enumerate(seeds):
        bot = InProcess(case.file.playouts, seed, spec)
        for _ in range(genmoves):
            unit = ask_case(bot, case, case.file.playouts, process, lambda _: True)
            found.append((process, case.file.playouts, read_unit(case, unit, (7, 17))))
    return found


def test_independent_genmoves_are_left_alone(histogram: Histogram) -> None:
    """Thirty runs of two processes with different seeds have no finding (error 6e-5)."""
    runs = [check_fresh(CASE, asked(SPEC, (2 * i, 2 * i + 1)), histogram) for i in range(30)]
    assert [[] for _ in runs] == runs


@pytest.mark.parametrize("randomness", [Randomness.FIXED_PER_GENMOVE, Randomness.FIXED_PER_PROCESS])
def test_repeating_genmoves(histogram: Histogram, randomness: Randomness) -> None:
    """A generator seeded alike for every genmove or process is found out, naming X1."""
    found = check_fresh(CASE, asked(SPEC.changed(randomness=randomness), (1, 2)), histogram)
    assert [f.requirement for f in found] == ["X1"]
    assert "repeat another" in found[0].observed


def test_same_seed_twice(histogram: Histogram) -> None:
    """Two processes with one seed are found out by their second answers."""
    found = check_fresh(CASE, asked(SPEC, (7, 7)), histogram)
    assert [f.observed[:16] for f in found] == ["8 of them repeat"]


def test_playouts_run_twice(histogram: Histogram) -> None:
    """Playouts run twice with the same numbers leave even sums alone, which are found out."""
    spec = SPEC.changed(randomness=Randomness.REPEATED_PLAYOUTS)
    found = check_fresh(CASE, asked(spec, (1, 2)), histogram)
    assert [f.requirement for f in found] == ["X1"]
    assert "divisible by 2" in found[0].observed


@pytest.mark.parametrize("genmoves", [0, 1])
def test_too_few_genmoves(histogram: Histogram, genmoves: int) -> None:
    """Fewer than four genmoves prove nothing, even alike."""
    same = SPEC.changed(randomness=Randomness.FIXED_PER_GENMOVE)
    assert check_fresh(CASE, asked(same, (1, 1), genmoves), histogram) == []


def test_genmoves_without_statistics(histogram: Histogram) -> None:
    """Genmoves whose statistics could not be read prove nothing."""
    reading = Reading("C3", Statistics(None, None), ())
    assert check_fresh(CASE, [(0, 100, reading)] * 16, histogram) == []


def test_one_coincidence_may_be_chance() -> None:
    """Where chance alone repeats genmoves, as with one playout each, repetitions prove nothing."""
    coin = Histogram(np.array([(2.0, 0.0), (2.0, 1.0)]), np.array([500.0, 500.0]), np.zeros((1, 2)))
    readings = [(i % 2, 1, Reading("A1", Statistics(2, (2 * (i % 2), 2 * (i % 2))), ())) for i in range(16)]
    found = [f for f in check_fresh(CASE, readings, coin) if "repeat" in f.observed]
    assert found == []


def test_most_likely_of_coins() -> None:
    """The most likely sum of coin tosses is that of the binomial distribution."""
    coin = Histogram(np.array([(2.0, 0.0), (2.0, 1.0)]), np.array([500.0, 500.0]), np.zeros((1, 2)))
    assert pytest.approx(0.5) == most_likely(coin, 1)
    assert pytest.approx(comb(10, 5) / 2**10) == most_likely(coin, 10)
    assert pytest.approx(comb(100, 50) / 2**100) == most_likely(coin, 100)


def test_most_likely_of_pairs() -> None:
    """Lengths and wins are convolved together: two independent coins multiply."""
    values = np.array([(length, win) for length in (3.0, 4.0) for win in (0.0, 1.0)])
    pair = Histogram(values, np.full(4, 250.0), np.zeros((1, 2)))
    assert pytest.approx((comb(20, 10) / 2**20) ** 2) == most_likely(pair, 20)


def test_most_likely_of_what_never_varies() -> None:
    """Where every playout is alike, every genmove is."""
    single = Histogram(np.array([(5.0, 1.0)]), np.array([1000.0]), np.zeros((1, 2)))
    assert pytest.approx(1.0) == most_likely(single, 100)


def test_most_likely_bounds_what_is_seen(histogram: Histogram) -> None:
    """No pair of sums comes more often among 2000 genmoves than the bound allows (error below 1e-6)."""
    rng = np.random.default_rng(20)
    counts = rng.multinomial(4, histogram.counts / histogram.total, size=2000)
    totals = counts @ histogram.values
    _, seen = np.unique(totals, axis=0, return_counts=True)
    most = most_likely(histogram, 4)
    assert seen.max() / 2000 <= most + 6 * (most / 2000) ** 0.5
