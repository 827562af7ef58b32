"""Are two players even?  An answer that may be looked for after every pair of games.

What is drawn is the score of a *pair*: two games from one position with the colours swapped, so 0, 1/4, 1/2,
3/4 or 1.  Colours and openings favour one side within a pair, never in its mean, so all that is assumed is
that each pair's expected score, whatever came before, is the strength asked about.  A game that is an earlier
one by chance keeps to that.  One that had to be the same does not; nor do the games that are left when those
which are the same by chance are taken out.

Against "the mean is at most m" one bets a part x of one's fortune on every pair: it is multiplied by
1 + x (score - m), whose mean is at most 1.  So it is the evidence against that mean, and exceeds 1/alpha with
probability alpha at most, however often one looks (Ville; Waudby-Smith and Ramdas 2024).  Nothing is taken
to be normal.  Several parts are bet at once and the fortunes averaged.  The product does not depend on the
order, so counts are all that is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log, log1p
from operator import mul
from typing import Final

from harness.word import Word

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair can be worth."""
_PARTS: Final = tuple(2.0**-k for k in range(9))
"""Bets as parts of the greatest one that cannot lose all; the mean may lie near the bound, or far away."""
_MOST: Final = 0.95
_STEPS: Final = 40


@dataclass(frozen=True, slots=True)
class Even:
    """The question whether the mean lies within ``margin`` of one half.

    Attributes:
        margin: how far from one half still counts as even.
        alpha: greatest chance of FAIL where it lies within.
        beta: greatest chance of PASS where it lies outside.
    """

    margin: float
    alpha: float
    beta: float

    def judge(self, counts: Sequence[float]) -> Word:
        """Return PASS, FAIL, or INCONCLUSIVE for pairs of each score (see ``SCORES``)."""
        if self.log_e_pass(counts) >= -log(self.beta):
            return Word.PASS
        return Word.FAIL if self.log_e_fail(counts) >= -log(self.alpha) else Word.INCONCLUSIVE

    def log_e_fail(self, counts: Sequence[float]) -> float:
        """Return the log of the evidence against "within": either side may have been bet on."""
        high = log_e_above(counts, 0.5 + self.margin)
        low = log_e_above(_mirrored(counts), 0.5 + self.margin)
        return _log_mean((high, low))

    def log_e_pass(self, counts: Sequence[float]) -> float:
        """Return the log of the evidence against "outside": both sides must be excluded."""
        high = log_e_above(counts, 0.5 - self.margin)
        low = log_e_above(_mirrored(counts), 0.5 - self.margin)
        return min(high, low)


def log_e_above(counts: Sequence[float], mean: float) -> float:
    """Return the log of the evidence that pairs are worth more than ``mean`` on average."""
    if not 0 < mean < 1:
        return 0.0 if mean >= 1 else inf
    return _log_mean([sum(map(mul, counts, gains)) for gains in _log_gains(mean)])


def interval(counts: Sequence[float], error: float) -> tuple[float, float]:
    """Return bounds of the mean that hold at all times at once, with probability 1 - ``error``."""
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
    """Return by how much each bet grows, as a log, with a pair of each score."""
    return [[log1p(_MOST / mean * part * (score - mean)) for score in SCORES] for part in _PARTS]


def _log_mean(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs) / len(logs))


def _mirrored(counts: Sequence[float]) -> Sequence[float]:
    return counts[::-1]
