"""The test whether two players are even.  Its answer may be looked for after every pair of games.

A draw is the score of a *pair*: two games from one position with the colours swapped, so 0, 1/4, 1/2, 3/4 or
1.  Colours and openings favour one side within a pair, but not in its mean.  So the only assumption is that
each pair's expected score, given all pairs before it, is the strength in question.  Games that coincide by
chance satisfy it.  Games that had to repeat an earlier one do not.  It also fails for the games that remain
after those that coincide by chance are removed.

Against the hypothesis "the mean is at most m", a fraction x of the capital is staked on every pair.  The
capital is multiplied by 1 + x (score - m), which has a mean of at most 1.  So the capital is the evidence
against the hypothesis, and exceeds 1/alpha with probability alpha at most, however often one looks (Ville;
Waudby-Smith and Ramdas 2024).  No normal approximation is used.  The capital is averaged over several
fractions.  The product does not depend on the order, so counts are sufficient.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log, log1p
from operator import mul
from typing import Final

from harness.word import Word

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair."""
_PARTS: Final = tuple(2.0**-k for k in range(9))
"""Stakes as fractions of the largest safe one; the mean may lie near the bound or far away."""
_MOST: Final = 0.95
_STEPS: Final = 40


@dataclass(frozen=True, slots=True)
class Even:
    """The question whether the mean lies within ``margin`` of one half.

    Attributes:
        margin: the greatest distance from one half that counts as even.
        alpha: the greatest probability of FAIL if the mean lies within.
        beta: the greatest probability of PASS if it lies outside.
    """

    margin: float
    alpha: float
    beta: float

    def judge(self, counts: Sequence[float]) -> Word:
        """Return PASS, FAIL or INCONCLUSIVE for the numbers of pairs with each score (see ``SCORES``)."""
        if self.log_e_pass(counts) >= -log(self.beta):
            return Word.PASS
        return Word.FAIL if self.log_e_fail(counts) >= -log(self.alpha) else Word.INCONCLUSIVE

    def log_e_fail(self, counts: Sequence[float]) -> float:
        """Return the log of the evidence against "within", averaged over bets on either side."""
        high = log_e_above(counts, 0.5 + self.margin)
        low = log_e_above(_mirrored(counts), 0.5 + self.margin)
        return _log_mean((high, low))

    def log_e_pass(self, counts: Sequence[float]) -> float:
        """Return the log of the evidence against "outside": the lesser of that against either side."""
        high = log_e_above(counts, 0.5 - self.margin)
        low = log_e_above(_mirrored(counts), 0.5 - self.margin)
        return min(high, low)


def log_e_above(counts: Sequence[float], mean: float) -> float:
    """Return the log of the evidence that the mean score of pairs is above ``mean``."""
    if not 0 < mean < 1:
        return 0.0 if mean >= 1 else inf
    return _log_mean([sum(map(mul, counts, gains)) for gains in _log_gains(mean)])


def interval(counts: Sequence[float], error: float) -> tuple[float, float]:
    """Return bounds of the mean that hold at all times together, with probability 1 - ``error``."""
    upper = 1 - _lower(_mirrored(counts), error / 2)
    return _lower(counts, error / 2), upper


def _lower(counts: Sequence[float], error: float) -> float:
    if not sum(counts):
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if log_e_above(counts, middle) >= -log(error):
            low = middle
        else:
            high = middle
    return low


@lru_cache(maxsize=256)
def _log_gains(mean: float) -> list[list[float]]:
    """Return the log of the factor by which each bet grows, for a pair of each score."""
    return [[log1p(_MOST / mean * part * (score - mean)) for score in SCORES] for part in _PARTS]


def _log_mean(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + log(sum(exp(value - most) for value in logs) / len(logs))


def _mirrored(counts: Sequence[float]) -> Sequence[float]:
    return counts[::-1]
