"""E-values: fair under the specification, paid under a deviation, whatever the table missed."""

from collections import Counter
from math import exp, inf, log, pi, sqrt

import numpy as np
import pytest
from made_up import (
    CHANCES,
    CORNERS,
    LIMITS,
    MEAN,
    MOVES,
    OTHER_MOVES,
    SIGMAS,
    VALUES,
    assert_fair,
    bound,
    exact,
    shifted,
    sums,
    table,
    true_log_mgf,
)

from harness.statistics.evalues import (
    Categories,
    Histogram,
    Mixture,
    Tilt,
    best_tilt,
    log_mean,
)


@pytest.mark.parametrize("n", [1, 8, 64, 500])
@pytest.mark.parametrize("by", [-0.3, 0.05, 0.4])
def test_tilt_is_fair(n: int, by: float) -> None:
    """A tilt chosen beforehand earns nothing on average against a table of 100 n draws of the truth (error
    3e-7 each).
    """
    rng = np.random.default_rng([1, n, int(100 * by) + 100])
    tilt = best_tilt(exact(), shifted(by) @ VALUES, LIMITS).tilt
    logs = []
    for _ in range(60):
        bet = bound(tilt, table(rng, 100 * n))
        logs += [bet.log_e(total, n) for total in sums(rng, n, 100)]
    assert_fair(logs)


@pytest.mark.parametrize("n", [1, 8, 64, 500, 4000])
def test_mixture_is_fair(n: int) -> None:
    """The mixture earns nothing on average against a table of 100 n draws of the truth (error 3e-7 each)."""
    rng = np.random.default_rng([2, n])
    logs = []
    for _ in range(60):
        mixture = Mixture.against(table(rng, 100 * n))
        logs += [mixture.log_e([total], n) for total in sums(rng, n, 100)]
    assert_fair(logs)


def categories(rng: np.random.Generator, chances: dict[str, float], size: int) -> Categories:
    """Sample a table of names."""
    counts = rng.multinomial(size, list(chances.values()))
    return Categories({name: int(c) for name, c in zip(chances, counts, strict=True) if c})


def draws(rng: np.random.Generator, chances: dict[str, float], n: int) -> dict[str, int]:
    """Sample ``n`` names and count them."""
    return dict(categories(rng, chances, n).counts)


@pytest.mark.parametrize("n", [1, 10, 100, 1000])
def test_unknown_moves_are_fair(n: int) -> None:
    """The bet on an unspecified distribution of moves earns nothing on average, moves that the table of 100 n
    missed included (error 3e-7 each).
    """
    rng = np.random.default_rng([3, n])
    logs = []
    for _ in range(200):
        null = categories(rng, MOVES, 100 * n)
        logs += [null.log_e_unknown(draws(rng, MOVES, n), len(null.counts) + 1, 10.0) for _ in range(40)]
    assert_fair(logs)


@pytest.mark.parametrize("n", [1, 10, 100, 1000])
def test_known_moves_are_fair(n: int) -> None:
    """The bet on one known distribution of moves earns nothing on average, moves that the table of 100 n
    missed included (error 3e-7 each).
    """
    rng = np.random.default_rng([4, n])
    logs = []
    for _ in range(200):
        null = categories(rng, MOVES, 100 * n)
        other = categories(rng, OTHER_MOVES, 10 * n)
        others = len(null.counts) + 1
        for _ in range(40):
            found = draws(rng, MOVES, n)
            logs.append(sum(c * null.log_e_of(other, name, others) for name, c in found.items()))
    assert_fair(logs)


RUNS = 1500
CONVICTED = 0.01 * RUNS + SIGMAS * sqrt(0.01 * 0.99 * RUNS)
"""Most of ``RUNS`` runs that may ever reach 100, at an error of 3e-7."""


def test_mixture_seldom_ever_reaches_100() -> None:
    """Looked at after every one of 40 genmoves, the mixture reaches 100 in at most a hundredth of the runs
    (error 3e-7).
    """
    rng = np.random.default_rng(5)
    ever = 0
    for _ in range(RUNS // 50):
        mixture = Mixture.against(table(rng, 40 * 32 * 100))
        walks = np.cumsum(sums(rng, 32, 50 * 40).reshape(50, 40, 2), axis=1)
        ever += sum(
            any(mixture.log_e([walk[k]], 32 * (k + 1)) >= log(100) for k in range(40)) for walk in walks
        )
    assert ever <= CONVICTED


def test_tilt_seldom_ever_reaches_100() -> None:
    """Looked at after every one of 500 genmoves, a tilt reaches 100 in at most a hundredth of the runs (error
    3e-7).
    """
    rng = np.random.default_rng(6)
    ever, tilt = 0, best_tilt(exact(), shifted(0.15) @ VALUES, LIMITS).tilt
    for _ in range(RUNS // 50):
        bet = bound(tilt, table(rng, 500 * 8 * 100))
        walks = np.cumsum(sums(rng, 8, 50 * 500).reshape(50, 500, 2), axis=1)
        logs = walks @ np.array(bet.tilt) - np.arange(8, 8 * 501, 8) * bet.log_mgf
        ever += int((logs >= log(100)).any(axis=1).sum())
    assert ever <= CONVICTED


def test_unknown_moves_seldom_ever_reach_100() -> None:
    """Looked at after every fifth of 200 genmoves, the bet on unknown moves reaches 100 in at most a
    hundredth of the runs (error 3e-7).
    """
    rng = np.random.default_rng(7)
    names, chances = list(MOVES), list(MOVES.values())
    ever = 0
    for _ in range(RUNS // 50):
        null = categories(rng, MOVES, 200 * 100)
        for _ in range(50):
            walk = np.cumsum(rng.multinomial(5, chances, size=40), axis=0)
            ever += any(
                null.log_e_unknown(
                    {n: int(c) for n, c in zip(names, look, strict=True) if c}, len(null.counts) + 1, 10.0
                )
                >= log(100)
                for look in walk
            )
    assert ever <= CONVICTED


@pytest.mark.parametrize("by", [-0.4, 0.1, 0.3])
def test_tilt_gains_its_rate(by: float) -> None:
    """Under the alternative it was made for, a tilt gains its rate per draw (error 6e-7 each)."""
    rng = np.random.default_rng([8, int(100 * by) + 100])
    other = shifted(by)
    bet = best_tilt(table(rng, 1_000_000), other @ VALUES, LIMITS)
    logs = np.array([bet.log_e(total, 100) for total in sums(rng, 100, 2000, other)])
    assert bet.rate > 0
    assert abs(logs.mean() - 100 * bet.rate) <= SIGMAS * logs.std() / sqrt(2000)


def test_best_tilt_is_nearly_the_likelihood_ratio() -> None:
    """Against an alternative that is itself a tilt of the truth, the best bet gains nearly the divergence,
    which no bet can exceed.
    """
    other = shifted(0.3)
    divergence = float(other @ np.log(other / CHANCES))
    bet = best_tilt(exact(), other @ VALUES, LIMITS)
    assert 0.99 * divergence <= bet.rate <= divergence + 1e-9


def test_no_difference_is_not_bet_on() -> None:
    """Against an alternative with the same means there is nothing to gain, and the bet is no bet."""
    bet = best_tilt(exact(), MEAN, LIMITS)
    assert pytest.approx(0.0, abs=1e-6) == bet.rate
    assert pytest.approx(0.0, abs=1e-3) == bet.log_e(1000 * MEAN, 1000)


@pytest.mark.parametrize("by", [0.05, 0.3, 1.0])
def test_mixture_gains_nearly_the_best_rate(by: float) -> None:
    """Whatever the shift, the mixture gains at least seven tenths of the best bet's rate, less the price of
    its many bets (error below 1e-6 each).
    """
    rng = np.random.default_rng([9, int(100 * by)])
    other = shifted(by)
    null = table(rng, 4_000_000)
    mixture, best = Mixture.against(null), best_tilt(null, other @ VALUES, LIMITS)
    n = int(40 / best.rate)
    logs = np.array([mixture.log_e([total], n) for total in sums(rng, n, 500, other)])
    expected = 0.7 * n * best.rate - log(len(mixture.log_mgf))
    assert logs.mean() + SIGMAS * logs.std() / sqrt(500) >= expected


def test_mixture_is_the_mean_of_its_bets() -> None:
    """The mixture's e-value is the mean of the e-values of its bets."""
    rng = np.random.default_rng(10)
    mixture = Mixture.against(table(rng, 100_000))
    total = sums(rng, 50, 1)[0]
    each = [
        Tilt(tuple(t), m, 0.0).log_e(total, 50) for t, m in zip(mixture.tilts, mixture.log_mgf, strict=True)
    ]
    assert pytest.approx(log(sum(map(exp, each)) / len(each))) == mixture.log_e([total], 50)


def test_known_moves_gain_their_rate() -> None:
    """Under the alternative, the bet on its moves gains the stated rate per draw (error 6e-7)."""
    rng = np.random.default_rng(11)
    null, other = categories(rng, MOVES, 1_000_000), categories(rng, OTHER_MOVES, 1_000_000)
    others = len(null.counts) + 1
    found = draws(rng, OTHER_MOVES, 20_000)
    logs = np.repeat(
        [null.log_e_of(other, name, others) for name in found],
        list(found.values()),
    )
    rate = null.rate_of(other, others)
    assert rate > 0
    assert abs(logs.mean() - rate) <= SIGMAS * logs.std() / sqrt(len(logs)) + 0.005


def test_unknown_moves_gain_nearly_the_divergence() -> None:
    """Under another distribution the bet on unknown moves gains nearly the divergence per draw (error below
    1e-6).
    """
    rng = np.random.default_rng(12)
    null = categories(rng, MOVES, 1_000_000)
    divergence = sum(p * log(p / MOVES[name]) for name, p in OTHER_MOVES.items())
    n = 5000
    found = [null.log_e_unknown(draws(rng, OTHER_MOVES, n), len(null.counts) + 1, 10.0) for _ in range(100)]
    # Half of log n for each of the six names is the price of not knowing the chances.
    assert np.mean(found) >= 0.8 * n * divergence - 3 * log(n)


TABLES = 2000


@pytest.mark.parametrize("size", [200, 2_000, 50_000])
@pytest.mark.parametrize("tilt", [(0.02, 0.0), (0.2, -0.5), (-1.0, 1.0), (0.0, 3.0), (1.0, 0.0), (0.6, 0.0)])
def test_log_mgf_is_an_upper_bound(size: int, tilt: tuple[float, float]) -> None:
    """The bound lies below the truth in no more than 1 of 1000 sampled tables, the promise being below 1e-4
    (error 2e-4 for all comparisons, were the true rate 1e-4).
    """
    rng = np.random.default_rng([13, size, int(100 * tilt[0]) + 200, int(100 * tilt[1]) + 200])
    truth = true_log_mgf(np.array(tilt))
    below = sum(table(rng, size).log_mgf(np.array([tilt]))[0] < truth for _ in range(TABLES))
    assert below <= TABLES // 1000


def test_log_mgf_closes_in_on_the_truth() -> None:
    """With a table of ten million the bound costs little where tilts are moderate."""
    rng = np.random.default_rng(14)
    tilts = np.array([(0.02, 0.0), (-0.1, 0.5), (0.1, 0.1), (0.0, 2.0)])
    bound = table(rng, 10_000_000).log_mgf(tilts)
    truth = np.array([true_log_mgf(t) for t in tilts])
    assert bound.shape == (4,)
    assert np.all(bound - truth <= 0.005)


def test_log_mgf_of_no_tilt() -> None:
    """Not betting costs no more than the unseen mass."""
    assert pytest.approx(-np.log(1e-5) / 1e15, abs=1e-9) == exact().log_mgf(np.zeros((1, 2)))[0]


def test_log_mgf_of_wild_tilts_is_no_overflow() -> None:
    """The largest tilts of a table give finite bounds that allow for the unseen corners."""
    rng = np.random.default_rng(15)
    bound = table(rng, 1000).log_mgf(np.array([(15.0, 30.0), (-15.0, -30.0), (30.0, 0.0)]))
    assert np.all(np.isfinite(bound))
    assert bound[0] >= 15 * 75 + 30 + log(log(1e5) / 1000) - 1e-6


@pytest.mark.parametrize("values", [[1.0], [0.5, 2.0, 7.25], [1e-300, 1e300], [1e-9] * 5, [pi, pi, 0.1]])
def test_log_mean(values: list[float]) -> None:
    """The log of a mean agrees with the mean computed directly."""
    assert pytest.approx(log(sum(values) / len(values))) == log_mean([log(v) for v in values])


def test_log_mean_of_extremes() -> None:
    """No e-values are an e-value of 1; enormous and vanishing ones neither overflow nor vanish."""
    assert log_mean([]) == 0.0
    assert pytest.approx(5000 - log(2)) == log_mean([5000.0, -5000.0])
    assert pytest.approx(-5000.0) == log_mean([-5000.0, -5000.0])
    assert pytest.approx(-log(2)) == log_mean([0.0, -inf])


def always_won(size: int = 1_000_000) -> Histogram:
    """Return a table in which every playout is won and lengths vary."""
    return Histogram(np.array([(6.0, 1.0), (8.0, 1.0)]), np.array([0.5, 0.5]) * size, CORNERS)


def test_constant_coordinate_and_what_cannot_be() -> None:
    """Where the table saw wins alone, wins prove nothing and a genmove of losses proves much."""
    mixture = Mixture.against(always_won())
    assert np.all(np.isfinite(mixture.log_mgf))
    assert mixture.log_e([np.array([700.0, 100.0])], 100) <= 0.0
    assert mixture.log_e([np.array([56.0, 0.0])], 8) >= log(1e4)


def test_best_tilt_finds_the_bet_on_what_cannot_be() -> None:
    """Where the table saw wins alone, losses in half of the playouts are a bet worth nats per playout."""
    gain = float(7.0 * 0 - 0.5 * 10 - always_won().log_mgf(np.array([(0.0, -10.0)]))[0])
    assert gain > 4.0  # one good tilt, for comparison: the best is no worse
    bet = best_tilt(always_won(), np.array([7.0, 0.5]), LIMITS)
    assert bet.rate >= gain
    assert bet.log_e(np.array([56.0, 0.0]), 8) >= log(1e4)
    assert bet.log_e(np.array([56.0, 8.0]), 8) <= 0.0


def test_constant_table_and_what_cannot_be() -> None:
    """Where the table saw a single outcome, that outcome proves nothing and others prove much."""
    null = Histogram(np.array([(9.0, 0.0)]), np.array([1e6]), CORNERS)
    mixture = Mixture.against(null)
    assert np.all(np.isfinite(mixture.log_mgf))
    assert mixture.log_e([np.array([72.0, 0.0])], 8) <= 0.0
    assert mixture.log_e([np.array([14.0 * 64, 0.0])], 64) >= log(1e4)
    assert mixture.log_e([np.array([4.0 * 64, 0.0])], 64) >= log(1e4)
    assert mixture.log_e([np.array([72.0, 8.0])], 8) >= log(1e4)


def test_fully_tied_coordinates() -> None:
    """Where length and win decide each other, breaking the tie proves much."""
    null = Histogram(np.array([(4.0, 0.0), (10.0, 1.0)]), np.array([5e5, 5e5]), CORNERS)
    mixture = Mixture.against(null)
    assert mixture.log_e([np.array([7.0 * 8, 4.0])], 8) <= 0.0
    assert mixture.log_e([np.array([4.0 * 8, 8.0])], 8) >= log(1e4)


def test_impossible_move_is_large_evidence() -> None:
    """Five moves that a table of a million never saw prove much, for the unspecified bet and for the bet on a
    distribution that has them.
    """
    rng = np.random.default_rng(18)
    null = categories(rng, MOVES, 1_000_000)
    others = len(null.counts) + 1
    assert null.log_e_unknown({"E5 8": 5}, others, 10.0) >= log(1e4)
    other = Categories({"E5 8": 90, "A1 3": 10})
    assert 5 * null.log_e_of(other, "E5 8", others) >= log(1e4)


def test_no_draws_are_no_evidence() -> None:
    """Before anything was asked every e-value is 1."""
    null = Categories({"A1 1": 10})
    assert null.log_e_unknown({}, 2, 10.0) == 0.0
    mixture = Mixture.against(always_won())
    assert pytest.approx(0.0, abs=1e-12) == mixture.log_e([np.zeros(2)], 0)
    assert Tilt((1.0, 2.0), 0.5, 0.1).log_e(np.zeros(2), 0) == 0.0


def test_estimates_are_nearly_a_distribution() -> None:
    """The estimates of all names seen and of one unseen add up to no more than 1."""
    counts = {"A1 1": 7, "B1 2": 2, "PASS 0": 1}
    null = Categories(counts)
    total = sum(null.estimate(name, 4) for name in (*counts, "E5 9"))
    assert pytest.approx(1.0) == total
    assert all(null.upper(name) > count / 10 for name, count in Counter(counts).items())


def test_histogram_moments() -> None:
    """Mean and covariance are those of the sample."""
    null = Histogram(np.array([(2.0, 0.0), (4.0, 1.0)]), np.array([3.0, 1.0]), CORNERS)
    assert null.total == 4.0
    assert list(null.mean) == [2.5, 0.25]
    assert null.covariance.tolist() == [[0.75, 0.375], [0.375, 0.1875]]
