"""Sequential probability ratio test of a difference in strength, on pairs of games.

Each of two hypotheses names a difference in Elo points, and so a mean score.  Under each, the distribution of
a pair's score is taken to be the one with that mean under which the observed pairs are most likely.  The
ratio of these likelihoods is compared with Wald's bounds (the generalized SPRT, by which chess engines are
tested).  The spread of a pair enters by itself; it is smaller than that of two single games if openings or
colours decide games.  A score that was not observed yet counts as a thousandth of a pair, so that a player
who has won every game causes no division by zero.  The error rates are those of Wald's theory and are not
guaranteed; docs/match.md has simulated ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import scipy  # its parts are loaded when they are first used

from harness.statistics.even import SCORES
from harness.word import Word

_UNSEEN = 1e-3
_ROOM = 1e-12


@dataclass(frozen=True, slots=True)
class Sprt:
    """A choice between two differences in strength, in logistic Elo.

    Attributes:
        low: the difference that ends in FAIL.
        high: the difference that ends in PASS.
        alpha: the intended probability of PASS if the difference is ``low``.
        beta: the intended probability of FAIL if it is ``high``.
    """

    low: float
    high: float
    alpha: float
    beta: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log-likelihood ratio."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def judge(self, counts: Sequence[float]) -> Word:
        """Return PASS for ``high``, FAIL for ``low``, and INCONCLUSIVE while the evidence decides neither."""
        ratio, (least, most) = self.log_ratio(counts), self.bounds
        return Word.PASS if ratio >= most else Word.FAIL if ratio <= least else Word.INCONCLUSIVE

    def log_ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of ``high`` to ``low``; 0 without pairs."""
        if not sum(counts):
            return 0.0
        seen = [n or _UNSEEN for n in counts]
        total = sum(seen)
        low = _distribution(seen, total, expected_score(self.low))
        high = _distribution(seen, total, expected_score(self.high))
        return sum(n * log(h / lo) for n, h, lo in zip(seen, high, low, strict=True))


def expected_score(elo: float) -> float:
    """Return the mean score of a player who is stronger by this number of Elo points."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _distribution(seen: Sequence[float], total: float, mean: float) -> list[float]:
    """Return the distribution with this mean under which the observed scores are most likely.

    It has probabilities n / (total (1 + x (score - mean))), with x such that the mean is right.
    """

    def excess(x: float) -> float:
        return sum(n * (s - mean) / (1 + x * (s - mean)) for n, s in zip(seen, SCORES, strict=True))

    least, most = -1 / (1 - mean), 1 / mean
    room = _ROOM * (most - least)
    x = float(scipy.optimize.brentq(excess, least + room, most - room))
    return [n / total / (1 + x * (s - mean)) for n, s in zip(seen, SCORES, strict=True)]
