"""The statistics against others' programs: definitions integrated, closed forms, statsmodels, scipy.stats.

What is compared is deterministic and claims no error rate, but for the calibrations at the end: there a
p-value is simulated under its null hypothesis.  SIGMAS standard errors of a simulated share are an error
below 3e-7 for each comparison.
"""

from dataclasses import dataclass, field
from math import comb, exp, inf, isinf, lgamma, log, pi, sqrt
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from certificates import shipped
from numpy.typing import NDArray
from scipy import integrate, optimize, stats
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_confint
from tiny_suite import FRESH, SAMPLE, case_of

from harness.cases.case import Fresh
from harness.cases.level import ALPHA, BETA
from harness.judging.answers import GenmoveStatistics
from harness.judging.case_assessment import CaseAssessment
from harness.judging.exact import UnitReading
from harness.judging.fresh import check_fresh, divisible, most_likely
from harness.judging.likelihood import _GRAIN, _fit_of_moves, _log_normal, fit
from harness.judging.sums import BatchSums
from harness.selftest.kill_matrix import Rate
from harness.selftest.ztest import playouts_needed
from harness.statistics.batches import SumDistribution
from harness.statistics.evalues import Categories, Histogram, Mixture, best_tilt, radius
from harness.table_build.audit import LEAST_EXPECTED, _z, chi_square
from harness.tables.figures import Moments
from harness.tables.tables import Shift, Tables

Vector = NDArray[np.float64]

SIGMAS = 5.0
TAILS = (0.01, 0.1, 0.5)


def coin(chance: float, length: float = 5.0) -> Histogram:
    """Return the known distribution of a playout of one length that is won with a probability."""
    values = np.array([(length, 0.0), (length, 1.0)])
    return Histogram(values, np.array([1 - chance, chance]), values, 0.0)


# Intervals.


def log_martingale(total: float, n: int, rho: float) -> float:
    """Integrate exp(l S - l^2 n / 2) over l, normal with variance 1/rho, as Howard et al. define it."""
    centre, width = total / (n + rho), 1 / sqrt(n + rho)
    peak = total**2 / (2 * (n + rho))

    def integrand(tilt: float) -> float:
        return exp(tilt * total - tilt**2 * (n + rho) / 2 - peak) * sqrt(rho / (2 * pi))

    value, _ = integrate.quad(integrand, centre - 12 * width, centre + 12 * width, epsabs=0, epsrel=1e-11)
    return float(np.log(value)) + peak


def boundary(n: int, rho: float, alpha: float) -> float:
    """Return the sum at which the integrated martingale reaches 1/alpha, by root finding."""
    return float(
        optimize.brentq(lambda s: log_martingale(s, n, rho) + log(alpha), 0, 60 * sqrt(n + rho), rtol=1e-12)
    )


@pytest.mark.parametrize("alpha", [0.05, BETA / 2])
@pytest.mark.parametrize("planned", [100, 5_000])
def test_radius_is_where_the_mixture_crosses(alpha: float, planned: int) -> None:
    """The interval ends where the mixture martingale reaches 1/alpha, whose tuning is the narrowest when
    planned; both found numerically, at a tenth of the plan, at the plan and at ten times as much.
    """
    found = optimize.minimize_scalar(
        lambda x: boundary(planned, exp(x), alpha),
        bounds=(log(planned) - 6, log(planned) + 1),
        method="bounded",
        options={"xatol": 1e-7},
    )
    rho = exp(found.x)
    for n in (planned // 10, planned, 10 * planned):
        assert radius(2.5, n, inf, alpha, planned) == pytest.approx(
            2.5 * boundary(n, rho, alpha) / n, rel=1e-5
        )
    own = radius(1.0, planned, inf, alpha, planned) * planned
    assert log_martingale(own, planned, rho) == pytest.approx(-log(alpha), rel=1e-5)


@pytest.mark.parametrize(("count", "total"), [(1, 10), (3, 7), (50, 100), (999, 1000), (44, 45)])
def test_rates_have_the_interval_of_clopper_and_pearson(count: int, total: int) -> None:
    """Both ends are those of statsmodels."""
    assert Rate(count, total).interval == pytest.approx(proportion_confint(count, total, 0.05, "beta"))


@pytest.mark.parametrize("total", [1, 45, 1000])
def test_rates_at_either_end_are_one_sided(total: int) -> None:
    """Of none or of all, the one end that says anything has all of the 5%: 45 of 45 is 93.6% or more."""
    assert Rate(0, total).interval == pytest.approx(proportion_confint(0, total, 0.10, "beta"))
    assert Rate(total, total).interval == pytest.approx(proportion_confint(total, total, 0.10, "beta"))


@pytest.mark.parametrize("shift", [0.02, -0.3, 1.5])
def test_sizes_of_the_z_test(shift: float) -> None:
    """Statsmodels wants as many playouts for the same alpha, shared by two quantities, and the same power."""
    wanted = NormalIndPower(ddof=0).solve_power(
        effect_size=abs(shift) / 2.5, alpha=ALPHA / 2, power=1 - BETA, ratio=0, alternative="two-sided"
    )
    assert playouts_needed(shift, 2.5) == pytest.approx(wanted, rel=1e-6)


# Bets.


def upper(counts: dict[str, int], name: str) -> float:
    """Return the bound of a probability as docs/statistics.md words it."""
    seen = counts.get(name, 0)
    return (seen + 4 * sqrt(seen) + log(1e5)) / sum(counts.values())


@pytest.mark.parametrize("draws", [{"A1 1": 1}, {"A1 1": 7, "B1 2": 2}, {"B1 2": 6}])
def test_unknown_of_two_categories(draws: dict[str, int]) -> None:
    """The bet on an unknown distribution of two names is the likelihood integrated over a beta distribution,
    with 10 draws' worth of the table, over the bounds of the table's probabilities.
    """
    counts = {"A1 1": 70, "B1 2": 30}
    null = Categories(counts)
    a, b = (10 * (counts[name] + 0.25) / 100.5 for name in counts)
    k, m = (draws.get(name, 0) for name in counts)
    value, _ = integrate.quad(lambda p: p**k * (1 - p) ** m * stats.beta.pdf(p, a, b), 0, 1, epsrel=1e-11)
    price = sum(n * log(upper(counts, name)) for name, n in draws.items())

    assert null.log_e_unknown(draws, 2, 10.0) == pytest.approx(log(value) - price, rel=1e-8)


@pytest.mark.parametrize(
    "draws", [{"A1 1": 3, "B1 2": 2, "C1 0": 4}, {"A1 1": 5, "C1 0": 1}, {"B1 2": 3}, {"A1 1": 20, "B1 2": 1}]
)
def test_unknown_of_three_categories(draws: dict[str, int]) -> None:
    """The same over a Dirichlet distribution of three names, drawn or not, integrated over the triangle."""
    counts = {"A1 1": 50, "B1 2": 30, "C1 0": 20}
    weights = np.array([10 * (n + 0.5 / 3) / 100.5 for n in counts.values()])
    times = [draws.get(name, 0) for name in counts]
    scale = exp(lgamma(10) - sum(lgamma(w) for w in weights))

    def likelihood(q: float, p: float) -> float:
        chances = np.array([p, q, max(0.0, 1 - p - q)])
        return scale * float(np.prod(chances ** (weights - 1 + times)))

    value, _ = integrate.dblquad(likelihood, 0, 1, 0, lambda p: 1 - p, epsabs=0, epsrel=1e-6)
    price = sum(n * log(upper(counts, name)) for name, n in draws.items())

    assert Categories(counts).log_e_unknown(draws, 3, 10.0) == pytest.approx(log(value) - price, abs=1e-5)


@pytest.mark.parametrize(("n", "won"), [(1, 1), (8, 0), (64, 20), (64, 45), (400, 110)])
def test_mixture_on_a_coin_is_a_mean_of_likelihood_ratios(n: int, won: int) -> None:
    """Each bet of the mixture is the likelihood ratio of a coin to the reference's coin."""
    chance = 0.3
    mixture = Mixture.against(coin(chance))
    odds = chance / (1 - chance) * np.exp(mixture.tilts[:, 1])
    ratios = stats.binom.pmf(won, n, odds / (1 + odds)) / stats.binom.pmf(won, n, chance)

    assert mixture.log_e([np.array([5.0 * n, won])], n) == pytest.approx(log(ratios.mean()), abs=1e-9)


@pytest.mark.parametrize("other", [0.05, 0.25, 0.31, 0.9])
def test_best_bet_on_a_coin_is_the_likelihood_ratio(other: float) -> None:
    """The best bet for another coin gains the divergence of the two, and pays their likelihood ratio."""
    chance, limits = 0.3, np.array([15.0, 30.0])
    bet = best_tilt(coin(chance), np.array([5.0, other]), limits)
    divergence = other * log(other / chance) + (1 - other) * log((1 - other) / (1 - chance))

    assert bet.rate == pytest.approx(divergence, rel=1e-4)
    for n, won in ((1, 0), (64, 20), (200, 150)):
        ratio = stats.binom.logpmf(won, n, other) - stats.binom.logpmf(won, n, chance)
        assert bet.log_e(np.array([5.0 * n, won]), n) == pytest.approx(ratio, abs=2e-3 * n)


@pytest.mark.parametrize(("draws", "chance"), [(1, 0.5), (8, 0.1), (64, 0.3), (400, 0.97)])
def test_sums_of_coins_are_binomial(draws: int, chance: float) -> None:
    """Convolution, distances and the bets' prices are those of the binomial distribution."""
    sums = SumDistribution.of(np.array([0.0, 1.0]), coin(chance), draws)
    wins = np.arange(draws + 1)
    pmf = stats.binom.pmf(wins, draws, chance)
    mean, variance = stats.binom.stats(draws, chance)
    distance = np.minimum((wins - mean) ** 2 / variance, 16.0)
    bets = np.array([0.45, 0.3, 0.2, 0.1, 0.05, -0.1, -0.3, -0.8, -2.0])
    held = slice(sums.first, sums.first + len(sums.weights))

    assert sums.weights == pytest.approx(pmf[held], abs=1e-12)
    assert pmf[held].sum() == pytest.approx(1, abs=1e-12)
    assert sums.distance(wins.astype(float)) == pytest.approx(distance, rel=1e-8, abs=1e-8)
    assert sums.log_mgf == pytest.approx(np.log(np.exp(np.outer(bets, distance)) @ pmf), abs=1e-7)


# Diagnosis.


@pytest.mark.parametrize("seed", range(5))
def test_log_normal(seed: int) -> None:
    """Densities but for 2 pi, and squared Mahalanobis distances, are scipy's, the grain of sums added."""
    rng = np.random.default_rng([31, seed])
    root = rng.normal(size=(2, 2)) * 10 ** rng.uniform(-1, 3)
    covariance = root @ root.T
    gap = rng.normal(size=(7, 2)) @ root.T
    logs, squares = _log_normal(gap, covariance[[0, 0, 1], [0, 1, 1]])
    grained = covariance + np.array([[_GRAIN[0], _GRAIN[1]], [_GRAIN[1], _GRAIN[2]]])
    scipys = stats.multivariate_normal(np.zeros(2), grained).logpdf(gap)

    assert logs - log(2 * pi) == pytest.approx(scipys)
    assert squares == pytest.approx(np.einsum("ij,jk,ik->i", gap, np.linalg.inv(grained), gap))


# Calibration: under the null hypothesis a p-value is at most x with probability x, or less.


def shares(p_values: list[float]) -> dict[float, float]:
    """Return for each tail by how many standard errors the share of p-values in it exceeds it."""
    found = np.array(p_values)
    return {x: ((found <= x).mean() - x) / sqrt(x * (1 - x) / len(found)) for x in TAILS}


def assert_exact(p_values: list[float]) -> None:
    """Accept p-values that are uniform as far as the tails tell."""
    assert all(abs(z) <= SIGMAS for z in shares(p_values).values()), shares(p_values)


def assert_bound(p_values: list[float]) -> None:
    """Accept p-values that are seldom small."""
    assert all(z <= SIGMAS for z in shares(p_values).values()), shares(p_values)


LENGTHS = np.array([4.0, 5, 6, 8, 13, 30])
VALUES = np.array([(length, win) for length in LENGTHS for win in (0.0, 1.0)])
CHANCES = np.outer([0.2, 0.3, 0.25, 0.15, 0.08, 0.02], [0.55, 0.45]).ravel()
CHANCES = CHANCES * np.where(VALUES[:, 1] > 0, 1 + 0.01 * VALUES[:, 0], 1.0)
CHANCES /= CHANCES.sum()
"""Skew lengths, correlated with wins."""
PLAYOUT = Histogram(VALUES, CHANCES, VALUES, 1e-12)


@dataclass
class Drawn:
    """Tables in which a deviation's means were estimated from playouts; the reference is exact."""

    shifts: dict[str, Shift] = field(default_factory=dict)
    playouts: int = 0

    def histogram(self, _case: object) -> Histogram:
        """Return the reference."""
        return PLAYOUT

    def sample(self, _case: object) -> Any:
        """Return what the deviation does."""
        return SimpleNamespace(shifts=self.shifts, playouts=self.playouts)


def test_fit_of_sums_is_calibrated() -> None:
    """Under a deviation whose means are known from 20,000 playouts, p-values of 2,000 are uniform."""
    rng, case, runs, n, size = np.random.default_rng(33), case_of(SAMPLE), 6_000, 2_000, 20_000
    covariance = PLAYOUT.covariance[[0, 0, 1], [0, 1, 1]].tolist()
    means = rng.multinomial(size, CHANCES, runs) @ VALUES / size
    sums = rng.multinomial(n, CHANCES, runs) @ VALUES
    p_values = []
    for mean, total in zip(means, sums, strict=True):
        tables = Drawn({"no-ko": Shift(mean.tolist(), covariance, 0.0)}, size)
        halves = np.array([[2 * int(total[1])] * 2])
        assessed = CaseAssessment(case, sums=BatchSums(np.array([n]), np.array([int(total[0])]), halves))
        p_values.append(fit(assessed, ("no-ko",), cast("Tables", tables)))
    assert_exact(p_values)


MANY_MOVES = 1 / np.arange(1, 120) ** 1.3
ONE_MOVE = np.array([99.0] + [0.02] * 50)
"""One choice nearly always, any of fifty others once in a while."""


@pytest.mark.parametrize("n", [10, 60, 300, 1_000])
@pytest.mark.parametrize("weights", [MANY_MOVES, ONE_MOVE], ids=["many", "one"])
def test_fit_of_moves_is_calibrated(n: int, weights: Vector) -> None:
    """Under the distribution a table was drawn from, genmoves a hundredth as many seldom fit badly."""
    rng = np.random.default_rng([34, n, len(weights)])
    chances, names = weights / weights.sum(), [f"A{i} 0" for i in range(len(weights))]
    p_values = []
    for _ in range(4_000):
        table = {name: int(k) for name, k in zip(names, rng.multinomial(100 * n, chances), strict=True) if k}
        draws = {name: int(k) for name, k in zip(names, rng.multinomial(n, chances), strict=True) if k}
        p_values.append(_fit_of_moves(draws, Categories(table), 100 * n))
    assert_bound(p_values)


def test_moves_that_cannot_be_do_not_fit() -> None:
    """Two passes among 60 genmoves fit no table of 100,000 without any; nor does it fit that what is one in
    three never comes.
    """
    assert _fit_of_moves({"A1 0": 58, "PASS 2": 2}, Categories({"A1 0": 100_000}), 100_000) < 1e-4
    rest = {f"B{i} 0": 500 for i in range(1, 61)}
    assert _fit_of_moves({"A1 0": 60}, Categories({"A1 0": 60_000, **rest}), 90_000) < 1e-4


def test_a_move_that_is_too_rare_for_the_table_fits() -> None:
    """One move that the table never saw refutes it after 40,000,000 genmoves, and not after 60,000."""
    table = Categories({"A1 0": 40_000_000})
    assert _fit_of_moves({"A1 0": 79, "B1 0": 1}, table, table.total) < 1e-5
    assert _fit_of_moves({"A1 0": 79, "B1 0": 1}, table, 60_000) > 1e-3


def repeats_found(k: int, playouts: int, runs: int, seed: int) -> int:
    """Count the runs of ``k`` independent genmoves, all of one move, in which repetition is found."""
    case = case_of(FRESH.replace("genmoves = 8", f"genmoves = {k // 2}"))
    rng = np.random.default_rng([35, seed])
    found = 0
    for _ in range(runs):
        sums = (rng.multinomial(playouts, CHANCES, k) @ VALUES).astype(int)
        asked = [
            (i % 2, playouts, UnitReading("A1", GenmoveStatistics(int(s), (2 * int(w), 2 * int(w))), ()))
            for i, (s, w) in enumerate(sums)
        ]
        found += any("repeat" in f.observed for f in check_fresh(case, asked, PLAYOUT))
    return found


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("playouts", [4, 16, 64])
def test_chance_of_a_repetition_is_a_bound(
    tail: float, playouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were X1 to convict below another chance, innocents would be convicted no more often."""
    most = most_likely(PLAYOUT, playouts)
    monkeypatch.setattr("harness.judging.fresh.ERROR", 2 * tail)  # half of it for repetitions
    monkeypatch.setattr("harness.judging.fresh.most_likely", lambda *_: most)  # the same every time, and slow
    runs = 1_000
    share = repeats_found(6, playouts, runs, playouts) / runs
    assert share <= tail + SIGMAS * sqrt(tail * (1 - tail) / runs)


def test_chance_of_a_repetition_by_hand() -> None:
    """Two of 6 genmoves agree with a chance of at most 15 times that of the likeliest sum."""
    most = most_likely(PLAYOUT, 64)
    rng = np.random.default_rng(36)
    sums = rng.multinomial(64, CHANCES, (20_000, 6)) @ VALUES
    keys = sums[:, :, 0] * 1000 + sums[:, :, 1]
    shared = np.array([len(set(row)) < 6 for row in keys.tolist()]).mean()
    assert shared <= comb(6, 2) * most + SIGMAS * sqrt(most * 15 / 20_000)


def test_chance_of_a_common_divisor() -> None:
    """In every packaged case of X1 the chance that a prime divides moves and wins of a genmove is the one by
    the table, or at most a fiftieth more, whatever the playouts.
    """
    suite, tables = shipped()
    cases = [case for case in suite.cases.values() if isinstance(case.question, Fresh)]
    assert len(cases) > 1
    for case in cases:
        histogram = tables.histogram(case)
        for playouts, prime in ((2, 2), (4, 2), (64, 2), (15, 3), (15, 5), (100, 5), (77, 7), (499, 499)):
            chance = exactly_divisible(histogram, playouts, prime)
            assert chance <= divisible(histogram, playouts, prime) <= 1.02 * max(chance, 1e-4)


def exactly_divisible(histogram: Histogram, playouts: int, prime: int) -> float:
    """Return the chance that moves and wins of a genmove are divisible: the mean over characters."""
    turns = np.arange(prime) / prime
    lengths, wins = (np.exp(2j * pi * np.outer(turns, column)) for column in histogram.values.T)
    characters = (lengths * histogram.weights) @ wins.T
    return float((characters**playouts).mean().real)


def test_chance_of_a_divisor_by_hand() -> None:
    """Of two fair coins worth two moves each, the heads are even half of the time, the moves always."""
    assert exactly_divisible(coin(0.5, 2.0), 2, 2) == pytest.approx(0.5)
    assert divisible(coin(0.5, 2.0), 2, 2) == pytest.approx(0.5)


@pytest.mark.parametrize("total", [5_000, inf])
def test_chi_square_of_tables_is_calibrated(total: float) -> None:
    """Between a table, or a known distribution, and a second sample p-values are uniform."""
    rng = np.random.default_rng([37, 0 if isinf(total) else int(total)])
    chances = np.array([0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.03, 0.02])
    p_values = []
    for _ in range(6_000):
        mine = chances if isinf(total) else rng.multinomial(int(total), chances).astype(float)
        second = dict(enumerate(rng.multinomial(4_000, chances).tolist()))
        p_values.append(chi_square(dict(enumerate(mine.tolist())), total, second)[0])
    assert_exact(p_values)


def test_chi_square_is_scipys() -> None:
    """With enough in every cell the audit's test is that of scipy, for one sample and for two."""
    mine, second = np.array([400.0, 250, 350]), np.array([190, 160, 150])
    assert second.min() > LEAST_EXPECTED
    own = dict(enumerate(mine.tolist()))
    counts = dict(enumerate(second.tolist()))
    two = stats.chi2_contingency(np.array([mine, second]), correction=False)
    one = stats.chisquare(second, 500 * mine / 1000)

    assert chi_square(own, 1000.0, counts)[0] == pytest.approx(two.pvalue)
    shares_of = {cell: n / 1000 for cell, n in own.items()}
    assert chi_square(shares_of, inf, counts)[0] == pytest.approx(one.pvalue)


def test_z_of_means_is_calibrated() -> None:
    """The difference of two samples' mean lengths, in its standard errors, is standard normal."""
    rng, p_values = np.random.default_rng(38), []
    for a, b in zip(*(rng.multinomial(n, CHANCES, 6_000) for n in (5_000, 2_000)), strict=True):
        mean = [moments(counts) for counts in (a, b)]
        p_values.append(float(2 * stats.norm.sf(abs(_z(*mean)))))
    assert_exact(p_values)


def moments(counts: NDArray[np.int64]) -> Moments:
    """Return mean length and its error."""
    n = counts.sum()
    mean = counts @ VALUES[:, 0] / n
    return Moments(mean, sqrt(counts @ (VALUES[:, 0] - mean) ** 2 / n), 0.0, 4, 30, float(n))
