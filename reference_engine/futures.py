"""The search ``futures``: a bonus for points whose owner the playouts leave open.

Don Dailey, "Reference bot enhancement", computer-go, 30 October 2008.  At the end of every playout each
point is tallied for its owner, +1 for Black and -1 for White.  A point that always went to one side is
certain, one that was split evenly is uncertain; a move is worth its rate plus a fraction of that.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reference_engine.valued import Valued, Values, rates

if TYPE_CHECKING:
    from reference_engine.playouts import Root
    from reference_engine.vocabulary import Point


class Form(StrEnum):
    """How uncertainty falls from 1, where a point is split evenly, to 0, where it never changes hands."""

    LINEAR = "linear"
    """1 - |tally| / playouts, as published."""
    TANH = "tanh"
    """tanh(3 * linear) / tanh(3): almost the full bonus but for points that are nearly certain.

    The author wanted most of the weight on avoiding those, and named tanh; the factor 3 is ours."""


class Scale(StrEnum):
    """What the bonus is added to; the text says "sc" and leaves open which it means."""

    FRACTION = "fraction"
    """The win rate from 0 to 1: a bonus of 0.025 weighs as much as 2.5% of wins."""
    SIGNED = "signed"
    """The mean result from -1 to 1, which the 2008 program kept: the same bonus weighs half as much."""


SHARPNESS = 3.0


@dataclass(frozen=True, slots=True)
class Futures:
    """A ``Search`` by win rate and uncertainty."""

    bonus: float = 0.025
    """Added in full where a point is split evenly; the author's first choice."""
    form: Form = Form.LINEAR
    scale: Scale = Scale.FRACTION

    def __call__(
        self,
        root: "Root",
        candidates: list["Point"],  # noqa: ARG002 - of Search
        playouts: int,
        seed: int,
        first: int,
    ) -> Valued:
        """Return rates with their bonus."""
        from reference_engine.playouts import run  # noqa: PLC0415 - loads Numba

        tally = run(root, playouts, seed, first, owners=True)
        weight = self.bonus / 2 if self.scale is Scale.SIGNED else self.bonus
        values = rates(tally.visits, tally.wins) + weight * uncertainty(tally.owned, playouts, self.form)
        return Valued(values, tally.nodes, tally.doubled_wins / (2 * playouts))


def uncertainty(owned: NDArray[np.int64], playouts: int, form: Form = Form.LINEAR) -> Values:
    """Return how open each point's owner is, 0 to 1: float64[points].

    A point that is nobody's at the end of a playout counts for neither side.

    Args:
        owned: int64[2, points], playouts in which the point was Black's, White's.
        playouts: all of them.
        form: of the way from 0 to 1.
    """
    linear: Values = 1.0 - np.abs(owned[0] - owned[1]) / playouts
    if form is Form.TANH:
        return np.asarray(np.tanh(SHARPNESS * linear) / np.tanh(SHARPNESS))
    return linear
