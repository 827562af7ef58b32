"""X1: whether genmoves and processes are independent draws.

A genmove is identified by its moves executed, playouts won and chosen move.  How likely it is that
independent genmoves agree in the first two is computed from the reference table by convolution.
"""

from collections import Counter
from math import comb, gcd

import numpy as np

from harness.cases.case import Case
from harness.judging.exact import Reading
from harness.judging.finding import Finding
from harness.statistics.evalues import Histogram
from harness.word import Word

ERROR = 1e-6
"""Probability with which an innocent bot may be convicted here."""


_MOST_SUMS = 4_000_000
"""Different sums of a genmove that are computed; 9x9 with 64 playouts has 1.7 million."""


def most_likely(histogram: Histogram, playouts: int) -> float:
    """Return a bound of the probability of the most likely (sum of lengths, half wins) of a genmove.

    It is that probability itself, unless there are so many playouts that fewer of them have to stand for
    all: no sum becomes likelier by adding another draw to it.
    """
    lengths = histogram.values[:, 0].astype(int)
    wins = np.rint(2 * histogram.values[:, 1]).astype(int)
    lengths = lengths - lengths.min()
    steps = max(1, int(lengths.max())) * max(1, int(wins.max()))
    playouts = max(1, min(playouts, int((_MOST_SUMS / steps) ** 0.5)))
    shape = (playouts * int(lengths.max()) + 1, playouts * max(1, int(wins.max())) + 1)
    single = np.zeros(shape)
    np.add.at(single, (lengths, wins), histogram.weights)
    total = np.fft.irfft2(np.fft.rfft2(single) ** playouts, s=shape)
    return float(min(1.0, max(total.max(), 1e-12)))


def check_fresh(case: Case, asked: list[tuple[int, int, Reading]], histogram: Histogram) -> list[Finding]:
    """Return a finding when genmoves repeat more than chance allows.

    Args:
        case: the case asked.
        asked: process, playouts and reading of each genmove.
        histogram: reference lengths and wins of one playout.
    """
    whole = [
        (playouts, r.statistics.nodes, r.statistics.wins, r.move)
        for _, playouts, r in asked
        if r.statistics.nodes is not None and r.statistics.wins is not None
    ]
    if len(whole) < 4:
        return []
    playouts = whole[0][0]
    most = most_likely(histogram, playouts)
    counts = Counter(whole)
    repeats = len(whole) - len(counts)
    # Each of the repeats equals one of at most k - 1 others, with probability `most` each at best.
    k = len(whole)
    chance = min(1.0, comb(k, repeats) * ((k - 1) * most) ** repeats)
    if repeats and chance < ERROR:
        expected = f"{k} genmoves in 2 processes are independent draws"
        observed = f"{repeats} of them repeat another to the last playout (chance below {chance:.1g})"
        return [Finding("X1", case.id, Word.FAIL, expected, observed)]
    common = gcd(
        *(nodes for _, nodes, _, _ in whole if nodes is not None), *(w[0] // 2 for _, _, w, _ in whole if w)
    )
    if common > 1 and all(w and w[0] == w[1] for _, _, w, _ in whole) and 4.0**-k * 10 < ERROR:
        expected = f"the {playouts} playouts of a genmove are independent draws"
        observed = f"all of {k} genmoves have moves and wins divisible by {common}"
        return [Finding("X1", case.id, Word.FAIL, expected, observed)]
    return []
