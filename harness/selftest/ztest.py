"""What the plain alternative would cost: a z-test of a fixed number of playouts on the empty 9x9 board.

The yardstick for the suite's own positions.  Such a test fixes its number of playouts beforehand and
compares two means with the reference: ref-nodes per declared playout, and the score; each two
sided, the false alarm shared out between them (Bonferroni).  For a mean that is off by d, with s the
standard deviation of one playout by the specification, it needs

    n = ((z(1 - alpha/4) + z(1 - beta)) s / |d|)**2

playouts; alpha and beta are the certificate's.  Arithmetic on tables: nothing is played here.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, inf, sqrt
from statistics import NormalDist
from typing import Final

import msgspec

from harness.cases.level import ALPHA, BETA
from harness.tables.predict import leaves_sums_alone
from harness.tables.tables import Shift
from reference_engine.deviations import BY_NAME
from reference_engine.spec import PlayoutsRun, Protocol, Randomness, ScoreView, Statistics

BOARD: Final = "opening-9x9"
"""The case whose table is read."""
RESOLVED: Final = 4.0
"""Standard errors of its own table from which on a difference of means counts as one."""

_Z: Final = NormalDist().inv_cdf(1 - ALPHA / 4) + NormalDist().inv_cdf(1 - BETA)
_QUANTITIES: Final = ("length", "win")


class Sight(StrEnum):
    """What such a test sees of a deviation."""

    AFTER = "after"
    """It sees it, after a number of playouts."""
    UNRESOLVED = "unresolved"
    """The deviation's table cannot tell its means from the reference's: more than a number of playouts,
    perhaps never."""
    AT_ONCE = "at once"
    NEVER = "never"
    """The two means are the reference's."""
    UNKNOWN = "unknown"
    """No table holds what the deviation does to the two means, or the test cannot be set up."""


class ZTest(msgspec.Struct, frozen=True):
    """What a fixed-size test needs to see one deviation."""

    sight: Sight
    playouts: int | None = None
    """That it needs; where nothing is resolved, that it needs more than."""
    quantity: str = ""
    """``length`` or ``win``, whichever takes fewer playouts."""
    because: str = ""
    """Why, where that is not a matter of numbers."""


@dataclass(frozen=True, slots=True)
class OpeningMoments:
    """The reference on the board of the test.

    Attributes:
        mean: moves of one playout, score.
        sd: standard deviations of one playout: moves, wins.
        size: playouts behind the means; infinite where they are exact.
        genmove: playouts of one genmove.
    """

    mean: tuple[float, float]
    sd: tuple[float, float]
    size: float
    genmove: int


def playouts_needed(shift: float, sd: float) -> float:
    """Return the playouts that show a mean which is off by ``shift``; infinite for none.

    Args:
        shift: difference of the means, per playout.
        sd: standard deviation of one playout, in the same unit.
    """
    return (_Z * sd / shift) ** 2 if shift else inf


def z_test(name: str, opening: OpeningMoments, shift: Shift | None, playouts: int) -> ZTest:
    """Return what the test needs to see a deviation.

    Args:
        name: the deviation.
        opening: the reference.
        shift: what the deviation does to sums there; None where no table holds that.
        playouts: behind ``shift``.
    """
    return _unmeasured(name, opening) if shift is None else _measured(opening, shift, playouts)


def _measured(opening: OpeningMoments, shift: Shift, playouts: int) -> ZTest:
    needed, least = {}, inf
    for place, quantity in enumerate(_QUANTITIES):
        difference, sd = abs(shift.mean[place] - opening.mean[place]), opening.sd[place]
        own = shift.covariance[2 * place]
        error = sqrt(max(0.0, own) / playouts + sd**2 / opening.size)
        if difference > RESOLVED * error:
            needed[quantity] = playouts_needed(difference, sd)
        least = min(least, playouts_needed(difference + RESOLVED * error, sd))
    if not needed:
        return ZTest(Sight.UNRESOLVED, int(least) if least < inf else None)
    best = min(needed, key=lambda quantity: needed[quantity])
    return ZTest(Sight.AFTER, ceil(needed[best]), best)


def _unmeasured(name: str, opening: OpeningMoments) -> ZTest:
    """Return the answer for a deviation that is outside single playouts."""
    spec = BY_NAME[name].spec
    length, sd = opening.mean[0], opening.sd[0]
    if spec.playouts_run is PlayoutsRun.HALF:
        needed = ceil(playouts_needed(length / 2, sd))
        return ZTest(Sight.AFTER, needed, "length", "half the moves per declared playout")
    if spec.playouts_run is PlayoutsRun.ONE_MORE:
        needed = ceil(playouts_needed(length / opening.genmove, sd))
        because = f"one playout's moves too many in a genmove of {opening.genmove}, the fewer the easier"
        return ZTest(Sight.AFTER, needed, "length", because)
    if spec.statistics is Statistics.CUMULATIVE:
        return ZTest(Sight.AT_ONCE, None, "length", "the second genmove reports twice the moves")
    if spec.statistics is Statistics.LOST_WHEN_READ:
        return ZTest(Sight.NEVER, because="every figure is read once")
    if spec.statistics is Statistics.FIRST_GENMOVE or spec.randomness is not Randomness.FRESH:
        return ZTest(Sight.NEVER, because="the means are right; it is repetition that is wrong")
    if spec.score_view is ScoreView.BEST_MOVE:
        return ZTest(Sight.UNKNOWN, because="the win rate of the best of many moves is in no table")
    if spec.protocol is Protocol.INTEGER_KOMI:
        return ZTest(Sight.UNKNOWN, because="the komi of the test is refused")
    if leaves_sums_alone(name):
        return ZTest(Sight.NEVER, because="only the move of the game differs")
    return ZTest(Sight.NEVER, because="only answers to commands differ, on this board no figures")
