"""Independence (X1): whether genmoves and processes are independent draws.

A genmove is identified by its moves executed, playouts won and chosen move.  How likely independent
genmoves are to agree in the first two, or to share a divisor in them, is bounded by the reference table.
"""

from math import comb, gcd
from typing import Final, NamedTuple

import numpy as np

from harness.cases.case import Case
from harness.judging.exact import UnitReading
from harness.judging.finding import Finding
from harness.statistics.evalues import TABLE_Z, UNSEEN_ERROR, Histogram, Vector
from harness.word import Word

ERROR: Final = 1e-6
"""Probability with which an innocent bot may be convicted in one case, at any look; half for either check."""

_WIDEST: Final = 1_000
"""Largest modulus for residues of sums; sums of 64 playouts on 9x9 spread over 128 moves."""
_ROUNDING: Final = 1e-12
"""Bound of the floating-point error of a Fourier transform, with room."""


_OF_ONE_COURSE: Final = ("R2", "R9", "X1")
"""Requirements of which one is broken if all playouts are the same one."""


class GenmoveFingerprint(NamedTuple):
    """What identifies a genmove."""

    playouts: int
    nodes: int
    wins: tuple[int, int]
    """The least and the greatest number of half wins that its printed score leaves possible."""
    move: str


def most_likely(histogram: Histogram, playouts: int) -> float:
    """Return a bound of the probability of the most likely (sum of lengths, wins) of a genmove.

    Sums in a wide range are told apart by their residues only, which makes none of them less likely.
    """
    spans = [playouts * int(np.ptp(column)) + 1 for column in _whole(histogram).T]
    chances, slack = _residues(histogram, playouts, [min(span, _WIDEST) for span in spans])
    return float(min(1.0, chances.max() + slack))


def divisible(histogram: Histogram, playouts: int, prime: int) -> float:
    """Return a bound of the probability that a prime divides the moves and the wins of a genmove.

    Wins are counted in the smallest steps that there are: half ones where playouts of the table were drawn.
    """
    chances, slack = _residues(histogram, playouts, [prime, prime])
    return float(min(1.0, chances[0, 0] + slack))


def _residues(histogram: Histogram, playouts: int, moduli: list[int]) -> tuple[Vector, float]:
    """Return the probabilities of the residues of a genmove's moves and wins, and how much they may be off.

    They are the n-fold cyclic convolution of those of one playout, whatever n: their Fourier transform is the
    n-th power.  The transform of the truth lies within four standard errors of a table's, and 2 for all that
    the table can have missed.  Powers of two numbers a, b in the unit circle differ by no more than
    n |a - b| max(|a|, |b|)^(n - 1).

    Args:
        histogram: reference lengths and wins of one playout.
        playouts: of a genmove.
        moduli: of the moves and of the wins.
    """
    single = np.zeros(moduli)
    np.add.at(single, tuple((_whole(histogram) % moduli).T), histogram.weights)
    transform = np.fft.fft2(single)
    size = np.minimum(np.abs(transform), 1.0)
    if histogram.error is None:
        missed = -2 * np.log(UNSEEN_ERROR) / histogram.total
        off = TABLE_Z * np.sqrt((1 - size**2) / histogram.total) + missed
    else:
        off = np.full(size.shape, 2 * histogram.error + _ROUNDING)
    slack = (playouts * off * np.minimum(size + off, 1.0) ** (playouts - 1)).mean()
    return np.fft.ifft2(transform**playouts).real, float(slack)


def _whole(histogram: Histogram) -> np.ndarray:
    """Return lengths, and wins in the smallest steps that there are: int64[k, 2]."""
    values = np.rint(histogram.values * [1, 2]).astype(np.int64)
    values[:, 1] //= _step(histogram)
    return values


def _step(histogram: Histogram) -> int:
    """Return the half wins that every playout of the table has a multiple of."""
    return gcd(*np.rint(2 * histogram.values[:, 1]).astype(int).tolist()) or 1


def repetition(genmoves: int, repeats: int, most: float) -> float:
    """Return a bound of the probability that some of independent genmoves repeat an earlier one.

    Taken in their order, each repeats an earlier one with probability at most (genmoves - 1) * ``most``,
    whatever these were.  So those of one choice all do so with at most that to the power of their number, and
    there are comb(genmoves, repeats) choices.

    Args:
        genmoves: how many there are.
        repeats: how many of them repeat an earlier one.
        most: bound of the probability that a genmove agrees with another given one.
    """
    return min(1.0, comb(genmoves, repeats) * ((genmoves - 1) * most) ** repeats)


def check_fresh(case: Case, asked: list[tuple[int, int, UnitReading]], histogram: Histogram) -> list[Finding]:
    """Return a finding when genmoves repeat, or share a divisor, more often than chance allows.

    Args:
        case: the case asked.
        asked: process, playouts and reading of each genmove.
        histogram: reference lengths and wins of one playout.
    """
    whole = [
        GenmoveFingerprint(playouts, r.statistics.nodes, r.statistics.wins, r.move)
        for _, playouts, r in asked
        if r.statistics.nodes is not None and r.statistics.wins is not None
    ]
    if not whole:
        return []
    wrong = _repeats(whole, 2 * case.file.genmoves, histogram) or _divisor(whole, histogram)
    if not wrong:
        return []
    several = _OF_ONE_COURSE if all(_is_of_one_course(genmove) for genmove in whole) else ()
    return [Finding("X1", case.id, Word.FAIL, *wrong, quantity="runs", candidates=several)]


def _is_of_one_course(genmove: GenmoveFingerprint) -> bool:
    """Whether the figures of a genmove allow that all its playouts were the same one."""
    return genmove.nodes % genmove.playouts == 0 and genmove.wins in ((0, 0), (2 * genmove.playouts,) * 2)


def _repeats(whole: list[GenmoveFingerprint], planned: int, histogram: Histogram) -> tuple[str, str] | None:
    """Return what was expected and observed if genmoves repeat.

    Before all that are planned were asked the bound is that of all of them: repetitions can only become more,
    so it holds at every look.
    """
    repeats = len(whole) - len(set(whole))
    if not repeats:
        return None
    # Scores printed coarsely are only known to agree as far as they are printed.
    width = max((genmove.wins[1] - genmove.wins[0]) // _step(histogram) + 1 for genmove in whole)
    most = most_likely(histogram, min(genmove.playouts for genmove in whole))
    chance = repetition(max(len(whole), planned), repeats, width * most)
    if chance >= ERROR / 2:
        return None
    expected = f"{len(whole)} genmoves in 2 processes are independent draws"
    return expected, f"{repeats} of them repeat another to the last playout (chance below {chance:.1g})"


def _divisor(whole: list[GenmoveFingerprint], histogram: Histogram) -> tuple[str, str] | None:
    """Return what was expected and observed if every genmove ran each of its playouts several times.

    How many times divides the number of playouts, then, and the moves and the wins.  Of primes that do not
    divide the playouts nothing is said.  That all genmoves so far are divisible can only become less true, so
    the bound holds at every look.
    """
    if any(least != most for _, _, (least, most), _ in whole):
        return None
    step, playouts = _step(histogram), gcd(*(genmove.playouts for genmove in whole))
    primes = [p for p in range(2, _WIDEST + 1) if playouts % p == 0 and all(p % q for q in range(2, p))]
    for p in primes:
        if any(nodes % p or halves % (p * step) for _, nodes, (halves, _), _ in whole):
            continue
        if len(primes) * divisible(histogram, playouts, p) ** len(whole) < ERROR / 2:
            expected = f"the {playouts} playouts of a genmove are independent draws"
            return expected, f"all of {len(whole)} genmoves have moves and wins divisible by {p}"
    return None
