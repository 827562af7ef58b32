"""X1: genmoves that repeat, or that betray playouts run twice, are found; independent ones are left alone."""

from dataclasses import replace
from math import comb, sqrt

import numpy as np
import pytest
from certificates import shipped
from tiny_suite import FRESH, case_of

from harness.bots.driver import ask_case
from harness.bots.inprocess import InProcess
from harness.cases.case import Case
from harness.cases.start import start_of
from harness.judging.answers import GenmoveStatistics
from harness.judging.exact import UnitReading, read_unit
from harness.judging.fresh import ERROR, check_fresh, divisible, most_likely, repetition
from harness.statistics.evalues import Histogram
from harness.table_build.demand import ReferenceRequest, make_reference
from harness.table_build.sampler import Sampler
from harness.tables.tables import histogram_of
from reference_engine.spec import SPEC, Randomness, Spec

CASE = case_of(FRESH)


@pytest.fixture(scope="module")
def histogram() -> Histogram:
    """Return a small table of the case."""
    order = ReferenceRequest(start_of(CASE), (CASE.file.komi,), 60_000, states=0)
    return histogram_of(make_reference(order, Sampler(), CASE.id), CASE.file.komi)


def asked(
    spec: Spec, seeds: tuple[int, int], genmoves: int = 8, case: Case = CASE
) -> list[tuple[int, int, UnitReading]]:
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


def test_playouts_that_are_all_the_same(histogram: Histogram) -> None:
    """If all playouts of all genmoves are one, then nothing was drawn: R2, R9 or X1 is broken."""
    count = CASE.file.playouts
    readings = [
        (
            process,
            playouts,
            replace(reading, statistics=GenmoveStatistics(20 * count, (2 * count, 2 * count))),
        )
        for process, playouts, reading in asked(SPEC, (1, 2))
    ]
    assert [f.candidates for f in check_fresh(CASE, readings, histogram)] == [("R2", "R9", "X1")]


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
    reading = UnitReading("C3", GenmoveStatistics(None, None), ())
    assert check_fresh(CASE, [(0, 100, reading)] * 16, histogram) == []


# What is likely.

SIGMAS = 5.0
COIN = Histogram(np.array([(2.0, 0.0), (2.0, 1.0)]), np.array([0.5, 0.5]), np.zeros((1, 2)), 0.0)
DRAWN = Histogram(
    np.array([(2.0, 0.0), (3.0, 0.5), (3.0, 1.0)]), np.array([0.3, 0.3, 0.4]), np.zeros((1, 2)), 0.0
)
ODD = Histogram(
    np.array([(3.0, 0.0), (5.0, 1.0), (9.0, 1.0)]), np.array([0.5, 0.3, 0.2]), np.zeros((1, 2)), 0.0
)
SKEW = Histogram(
    np.array([(length, win) for length in (4.0, 5, 7, 8, 13) for win in (0.0, 1.0)]),
    np.outer([0.3, 0.3, 0.2, 0.15, 0.05], [0.6, 0.4]).ravel(),
    np.zeros((1, 2)),
    0.0,
)
SHAPES = {"coin": COIN, "draws": DRAWN, "odd lengths": ODD, "skew": SKEW}


def genmove_sums(histogram: Histogram, playouts: int) -> dict[tuple[int, int], float]:
    """Return the probability of every (moves, half wins) of a genmove, adding playout to playout."""
    sums = {(0, 0): 1.0}
    for _ in range(playouts):
        longer: dict[tuple[int, int], float] = {}
        for (moves, halves), chance in sums.items():
            for (length, win), weight in zip(histogram.values, histogram.weights, strict=True):
                key = (moves + int(length), halves + int(2 * win))
                longer[key] = longer.get(key, 0.0) + chance * float(weight)
        sums = longer
    return sums


def readings(
    rng: np.random.Generator, histogram: Histogram, playouts: int, count: int, times: int = 1, grain: int = 1
) -> list[tuple[int, int, UnitReading]]:
    """Draw genmoves of independent playouts, or of playouts run so many ``times`` each, all of one move.

    Of half wins is said only between which multiples of ``grain`` they lie.
    """
    draws = rng.multinomial(playouts // times, histogram.weights, count) @ histogram.values * times
    found = []
    for place, (moves, wins) in enumerate(draws):
        least = int(2 * wins) // grain * grain
        statistics = GenmoveStatistics(int(moves), (least, least + grain - 1))
        found.append((place % 2, playouts, UnitReading("A1", statistics, ())))
    return found


@pytest.mark.parametrize("playouts", [1, 2, 3, 6, 10, 16])
@pytest.mark.parametrize("name", SHAPES)
def test_probabilities_are_those_of_all_sums(name: str, playouts: int) -> None:
    """The likeliest sums, and those with a divisor, are as likely as adding playout to playout makes them."""
    histogram = SHAPES[name]
    sums = genmove_sums(histogram, playouts)
    step = 1 if name == "draws" else 2

    assert most_likely(histogram, playouts) == pytest.approx(max(sums.values()), abs=1e-9)
    for prime in (2, 3, 5):
        chance = sum(
            p for (moves, halves), p in sums.items() if moves % prime == halves % (prime * step) == 0
        )
        assert divisible(histogram, playouts, prime) == pytest.approx(chance, abs=1e-9)


def test_divisors_of_two_playouts() -> None:
    """On 5x5 after a pass both sums of two playouts are even in 0.47 of genmoves, not in a quarter: all of 16
    are so by chance 6 times in a million, and are left alone.
    """
    suite, tables = shipped()
    case = suite.cases["fresh-after-a-pass-5x5"]
    chance = divisible(tables.histogram(case), 2, 2)

    assert chance == pytest.approx(0.4706, abs=1e-3)
    assert chance**16 > ERROR
    reading = UnitReading("A1", GenmoveStatistics(70, (0, 0)), ())
    others = [
        (i % 2, 2, UnitReading("A1", GenmoveStatistics(70 + 2 * i, (4 * (i % 2),) * 2), ()))
        for i in range(15)
    ]
    assert check_fresh(case, [(1, 2, reading), *others], tables.histogram(case)) == []


@pytest.mark.parametrize("playouts", [1, 2, 8, 64])
@pytest.mark.parametrize("name", SHAPES)
def test_no_redrawn_table_makes_sums_too_rare(name: str, playouts: int) -> None:
    """The bounds of 300 tables of 10,000 playouts are never below the truth (error 3e-5 for each of them)."""
    truth = SHAPES[name]
    rng = np.random.default_rng([41, playouts])
    for counts in rng.multinomial(10_000, truth.weights, 300):
        table = Histogram(truth.values, counts.astype(float), truth.corners)
        assert most_likely(table, playouts) >= most_likely(truth, playouts) - 1e-9
        for prime in (2, 3):
            assert divisible(table, playouts, prime) >= divisible(truth, playouts, prime) - 1e-9


def test_bounds_of_large_tables_are_close() -> None:
    """For the packaged cases, with their own playouts, tables add less than a hundredth."""
    suite, tables = shipped()
    for name in ("fresh-after-a-pass-5x5", "fresh-opening-9x9"):
        case, table = suite.cases[name], tables.histogram(suite.cases[name])
        truth = Histogram(table.values, table.counts, table.corners, 0.0)
        playouts = case.file.playouts
        assert 1 < most_likely(table, playouts) / most_likely(truth, playouts) < 1.01
        assert 1 < divisible(table, playouts, 2) / divisible(truth, playouts, 2) < 1.01


def test_most_likely_of_coins() -> None:
    """The most likely sum of coin tosses is that of the binomial distribution."""
    assert most_likely(COIN, 1) == pytest.approx(0.5)
    assert most_likely(COIN, 10) == pytest.approx(comb(10, 5) / 2**10)
    assert most_likely(COIN, 100) == pytest.approx(comb(100, 50) / 2**100)
    assert most_likely(COIN, 100_000) == pytest.approx(1 / sqrt(50_000 * np.pi), rel=1e-3)


def test_most_likely_of_pairs() -> None:
    """Lengths and wins are convolved together: two independent coins multiply."""
    values = np.array([(length, win) for length in (3.0, 4.0) for win in (0.0, 1.0)])
    pair = Histogram(values, np.full(4, 0.25), np.zeros((1, 2)), 0.0)
    assert most_likely(pair, 20) == pytest.approx((comb(20, 10) / 2**20) ** 2)


def test_most_likely_of_what_never_varies() -> None:
    """Where every playout is alike, every genmove is."""
    single = Histogram(np.array([(5.0, 1.0)]), np.array([1000.0]), np.zeros((1, 2)))
    assert most_likely(single, 100) == 1.0


def test_most_likely_bounds_what_is_seen(histogram: Histogram) -> None:
    """No pair of sums comes more often among 2000 genmoves than the bound allows (error below 1e-6)."""
    rng = np.random.default_rng(20)
    counts = rng.multinomial(4, histogram.counts / histogram.total, size=2000)
    totals = counts @ histogram.values
    _, seen = np.unique(totals, axis=0, return_counts=True)
    most = most_likely(histogram, 4)
    assert seen.max() / 2000 <= most + 6 * (most / 2000) ** 0.5


@pytest.mark.parametrize(("genmoves", "repeats"), [(4, 1), (8, 2), (16, 3)])
def test_repetition_is_a_bound(genmoves: int, repeats: int) -> None:
    """So many of some dice repeat an earlier one no more often than the bound says, in 20,000 throws."""
    rng = np.random.default_rng([42, genmoves])
    throws = rng.integers(0, 400, (20_000, genmoves))
    share = float(np.mean([genmoves - len(set(row)) >= repeats for row in throws.tolist()]))
    bound = repetition(genmoves, repeats, 1 / 400)

    assert share > 0
    assert share <= bound + SIGMAS * sqrt(bound / 20_000)


# Innocents, with a larger error so that some are convicted at all.

RUNS, LOOKS = 2_000, (3, 4, 6, 8, 11, 16)


def share_convicted(
    monkeypatch: pytest.MonkeyPatch,
    seed: list[int],
    histogram: Histogram,
    playouts: int,
    grain: int,
    word: str,
) -> float:
    """Return the share of runs of 16 innocent genmoves that are convicted at any of some looks.

    The error is 0.4, half of it for either check.
    """
    most, rng = most_likely(histogram, playouts), np.random.default_rng(seed)
    monkeypatch.setattr("harness.judging.fresh.most_likely", lambda *_: most)  # the same every time, and slow
    monkeypatch.setattr("harness.judging.fresh.ERROR", 0.4)
    found = 0
    for _ in range(RUNS):
        drawn = readings(rng, histogram, playouts, 16, grain=grain)
        looks = (check_fresh(CASE, drawn[:k], histogram) for k in LOOKS)
        found += any(word in finding.observed for findings in looks for finding in findings)
    return found / RUNS


@pytest.mark.parametrize("name", ["draws", "odd lengths", "skew"])
@pytest.mark.parametrize("playouts", [2, 6])
def test_innocents_with_a_divisor(name: str, playouts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than a fifth are convicted by a divisor, at any of six looks."""
    share = share_convicted(monkeypatch, [43, playouts], SHAPES[name], playouts, 1, "divisible")

    assert share <= 0.2 + SIGMAS * sqrt(0.2 * 0.8 / RUNS)


@pytest.mark.parametrize(("playouts", "grain"), [(64, 1), (400, 1), (400, 20), (400, 80)])
def test_innocents_that_repeat(playouts: int, grain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than a fifth are convicted by repetitions, at any of six looks, however coarse their scores."""
    share = share_convicted(monkeypatch, [44, playouts, grain], SKEW, playouts, grain, "repeat")

    assert share <= 0.2 + SIGMAS * sqrt(0.2 * 0.8 / RUNS)


def test_looks_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four genmoves with one repetition are weighed as all sixteen would be: others are yet to come."""
    first = readings(np.random.default_rng(46), SKEW, 64, 3)
    drawn = [*first, first[0]]
    least, whole = (repetition(k, 1, most_likely(SKEW, 64)) for k in (4, 16))

    assert least < whole
    monkeypatch.setattr("harness.judging.fresh.ERROR", 2 * (least + whole) / 2)
    assert check_fresh(CASE, drawn, SKEW) == []
    monkeypatch.setattr("harness.judging.fresh.ERROR", 2.1 * whole)
    assert len(check_fresh(CASE, drawn, SKEW)) == 1


@pytest.mark.parametrize(("playouts", "times"), [(64, 2), (64, 4), (15, 5), (9, 3), (98, 7)])
@pytest.mark.parametrize("name", ["draws", "skew"])
def test_playouts_run_several_times(name: str, playouts: int, times: int) -> None:
    """Playouts run several times are found; with draws their wins need not be divisible, half wins are."""
    rng = np.random.default_rng([45, playouts, times])
    found = check_fresh(CASE, readings(rng, SHAPES[name], playouts, 16, times), SHAPES[name])

    assert [f.requirement for f in found] == ["X1"]


def test_divisors_of_other_numbers_say_nothing() -> None:
    """Of seven playouts not all can be run twice: that all sums are even has another reason, or none."""
    reading = [(i % 2, 7, UnitReading("A1", GenmoveStatistics(40 + 2 * i, (4, 4)), ())) for i in range(16)]
    assert check_fresh(CASE, reading, SKEW) == []
    assert check_fresh(CASE, [(p, 8, r) for p, _, r in reading], SKEW) != []


def test_one_coincidence_may_be_chance() -> None:
    """Where chance alone repeats genmoves, as with one playout each, repetitions prove nothing."""
    readings = [
        (i % 2, 1, UnitReading("A1", GenmoveStatistics(2, (2 * (i % 2), 2 * (i % 2))), ())) for i in range(16)
    ]
    assert check_fresh(CASE, readings, COIN) == []
