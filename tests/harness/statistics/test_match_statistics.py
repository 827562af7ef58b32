"""Questions asked of matches: against other programs' figures, and against their error rates."""

import math
import random

import numpy as np
import pytest
import statsmodels.api as sm
from pairs import pairs, words
from scipy.optimize import minimize
from scipy.stats import binomtest

from harness.statistics.even import SCORES, Even, interval, log_e_above
from harness.statistics.ratings import Score, rate
from harness.statistics.sprt import Sprt, expected_score
from harness.statistics.wilson import wilson
from harness.word import Word


@pytest.mark.parametrize(("won", "games"), [(0, 10), (7, 10), (10, 10), (450, 1000), (1, 3)])
def test_wilson_is_scipys(won: int, games: int) -> None:
    """The same interval."""
    expected = binomtest(won, games).proportion_ci(0.95, method="wilson")

    assert wilson(won, games) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("mean", [0.1, 0.45, 0.53, 0.9])
def test_evidence_is_fair_under_every_distribution_with_that_mean(mean: float) -> None:
    """The expected factor of one more pair is 1, whatever the distribution, and less for a smaller mean."""
    draw = random.Random(3)  # noqa: S311 - to be repeated
    for _ in range(50):
        low, high = draw.choice([s for s in SCORES if s < mean]), draw.choice([s for s in SCORES if s > mean])
        share = (mean - low) / (high - low)
        before = [float(draw.randrange(6)) for _ in SCORES]
        now = log_e_above(before, mean)
        after = 0.0
        for score, chance in ((low, 1 - share), (high, share)):
            counts = [n + (s == score) for n, s in zip(before, SCORES, strict=True)]
            after += chance * math.exp(log_e_above(counts, mean) - now)
        assert after == pytest.approx(1.0, abs=1e-9)


def test_evidence_of_counts_is_that_of_one_pair_after_the_other() -> None:
    """The product over pairs in any order, averaged over what is bet."""
    draw = random.Random(4)  # noqa: S311
    seen = [draw.choice(SCORES) for _ in range(200)]
    counts = [float(seen.count(score)) for score in SCORES]
    fortunes = [np.prod([1 + 0.95 / 0.4 * 2.0**-k * (score - 0.4) for score in seen]) for k in range(9)]

    assert log_e_above(counts, 0.4) == pytest.approx(math.log(np.mean(fortunes)), rel=1e-9)


def test_wrong_answers_are_rarer_than_promised() -> None:
    """Bots just on the margin, one colour far better than the other, looked at again and again."""
    even = Even(0.1, 0.1, 0.1)
    found = words(even.judge, 150, 400, 4, 0.45, 0.75)

    assert found[Word.FAIL] <= 0.1
    assert found[Word.PASS] <= 0.1


def test_even_bots_pass_and_others_fail() -> None:
    """With colours and draws that say nothing about strength."""
    even = Even(0.1, 0.01, 0.01)

    assert words(even.judge, 30, 900, 10, 0.3, 0.7)[Word.PASS] >= 0.9
    assert words(even.judge, 30, 900, 10, 0.45, 0.55, 0.1)[Word.PASS] >= 0.9
    assert words(even.judge, 30, 900, 10, 0.6, 0.8)[Word.FAIL] >= 0.9


def test_nothing_is_decided_by_nothing() -> None:
    """Nor by a few pairs."""
    even, sprt = Even(0.05, 0.01, 0.01), Sprt(0, 10, 0.05, 0.05)
    for counts in ([0] * 5, [0, 0, 3, 0, 0], [0, 0, 0, 0, 2]):
        assert even.judge(counts) is Word.INCONCLUSIVE
        assert sprt.judge(counts) is Word.INCONCLUSIVE
    assert interval([0] * 5, 0.05) == (0.0, 1.0)


def test_interval_is_what_the_evidence_does_not_exclude() -> None:
    """It holds the observed mean, narrows with more pairs, and its ends are at the bound."""
    few, many = [2.0, 5, 20, 9, 4], [20.0, 50, 200, 90, 40]
    mean = sum(n * s for n, s in zip(few, SCORES, strict=True)) / sum(few)
    wide, narrow = interval(few, 0.05), interval(many, 0.05)

    assert wide[0] < narrow[0] < mean < narrow[1] < wide[1]
    assert log_e_above(few, wide[0]) == pytest.approx(math.log(40), abs=1e-6)


def test_intervals_cover_at_all_times() -> None:
    """At every look, with a colour that decides most games."""
    missed = 0
    for run in range(60):
        source, counts = pairs(random.Random(run), 0.2, 0.9), [0.0] * 5  # noqa: S311
        for number in range(1, 201):
            counts[next(source)] += 1
            if number % 20 == 0:
                low, high = interval(counts, 0.1)
                if not low <= 0.55 <= high:
                    missed += 1
                    break
    assert missed <= 6


def _likelihood_by_search(counts: list[float], mean: float) -> float:
    """Return the greatest log-likelihood of pairs under distributions with a mean, by a general optimizer."""
    seen, scores = np.array(counts), np.array(SCORES)
    found = minimize(
        lambda p: -float(seen @ np.log(p)),
        np.full(5, 0.2),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ scores - mean},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -float(found.fun)


@pytest.mark.parametrize("counts", [[5.0, 12, 40, 18, 7], [1.0, 2, 3, 4, 5], [30.0, 5, 60, 5, 31]])
def test_log_ratio_is_that_of_the_likeliest_distributions(counts: list[float]) -> None:
    """As a general optimizer finds them."""
    sprt = Sprt(-10, 30, 0.05, 0.05)
    expected = _likelihood_by_search(counts, expected_score(30)) - _likelihood_by_search(
        counts, expected_score(-10)
    )

    assert sprt.log_ratio(counts) == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 50], [50, 0, 0, 0, 0], [0, 0, 50, 0, 0], [0, 1, 0, 0, 400]])
def test_sprt_survives_scores_that_never_came(counts: list[float]) -> None:
    """A bot that wins everything is stronger, one that loses everything is not; only draws are even."""
    sprt = Sprt(0, 100, 0.05, 0.05)
    ratio = sprt.log_ratio(counts)

    assert math.isfinite(ratio)
    assert sprt.judge(counts) is (Word.PASS if counts[4] else Word.FAIL)


def test_sprt_errs_as_rarely_as_it_says() -> None:
    """On either hypothesis; a small excess is Wald's approximation, see docs/match.md."""
    sprt = Sprt(0, 60, 0.1, 0.1)
    weaker = words(sprt.judge, 120, 2000, 4, 0.4, 0.6)
    stronger = words(sprt.judge, 120, 2000, 4, expected_score(60) - 0.1, expected_score(60) + 0.1)

    assert weaker[Word.INCONCLUSIVE] == stronger[Word.INCONCLUSIVE] == 0
    assert weaker[Word.PASS] <= 0.17
    assert stronger[Word.FAIL] <= 0.17


def test_expected_score() -> None:
    """120 points are two wins in three."""
    assert expected_score(120.412) == pytest.approx(2 / 3, abs=1e-5)


def test_ratings_and_errors_are_those_of_a_logistic_regression() -> None:
    """As statsmodels fits it, colour included; the prior is too weak to be seen."""
    truth, black = np.array([0.0, 50.0, -80.0, 30.0]), -40.0
    draw = np.random.default_rng(5)
    scores, design, outcome = [], [], []
    for b in range(4):
        for w in range(4):
            if b != w:
                won = draw.binomial(200, expected_score(truth[b] - truth[w] + black))
                scores.append(Score(b, w, 200, float(won)))
                row = np.zeros(4)
                for place, sign in ((b, 1), (w, -1)):
                    if place:
                        row[place - 1] = sign
                row[3] = 1
                design.append(row)
                outcome.append([won, 200 - won])
    found = rate(scores, 4)
    fit = sm.GLM(np.array(outcome), np.array(design), family=sm.families.Binomial()).fit()
    per_nat = 400 / math.log(10)

    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    assert found.black == pytest.approx(per_nat * fit.params[3], abs=0.1)
    assert found.black_error == pytest.approx(per_nat * fit.bse[3], abs=0.05)
    assert found.elo[2] - found.elo[0] == pytest.approx(per_nat * fit.params[1], abs=0.5)
    contrast = np.array([[-0.25, 0.75, -0.25, 0]])  # the third bot against the mean of the four
    error = per_nat * math.sqrt((contrast @ fit.cov_params() @ contrast.T).item())
    assert found.error[2] == pytest.approx(error, rel=0.01)


def test_a_player_who_has_won_every_game_has_a_rating() -> None:
    """Finite, and with an error that says how little is known."""
    found = rate([Score(0, 1, 10, 10.0), Score(1, 0, 10, 0.0)], 2)

    assert found.elo[0] - found.elo[1] > 400
    assert math.isfinite(found.error[0])
    assert found.error[0] > 100
