"""A reference: how playouts from one start end, counted or computed.

Holds how often each pair of length and final margin came, so that every komi is read from the same
playouts; what each first play was worth at the komis of the suite's cases; and whose every point was.
One file each in ``fixtures/tables/positions``, or made on demand.  Data and its arithmetic; numpy is
not needed to read it.
"""

import hashlib
from math import inf

import msgspec

from harness.cases.start import Start
from reference_engine.vocabulary import Colour


class Sampled(msgspec.Struct, frozen=True):
    """What a number of playouts added up to; points in board order, A1 first, along the rows."""

    kernel: str
    seed: int
    playouts: int
    counts: list[tuple[int, int, int]]
    """Length, Black's final margin, how often."""
    visits: list[int]
    """Playouts in which the side to move was the first to play on the point (R6)."""
    wins: dict[str, list[int]]
    """By komi: twice the worth of those playouts for the side to move."""
    black: list[int]
    """Playouts in which the point was Black's in the end."""
    white: list[int]


class Exact(msgspec.Struct, frozen=True):
    """The distribution itself, computed by following every course of a playout."""

    states: int
    """Different states on the way."""
    error: float
    """Greatest relative error of any probability, by rounding."""
    chances: list[tuple[int, int, float]]
    """Length, Black's final margin, probability."""


class Reference(msgspec.Struct, frozen=True):
    """What is known of the playouts from one start."""

    start: Start
    engine: str
    """Digest of the sources that played."""
    sampled: Sampled
    exact: Exact | None = None
    """Where every course could be followed; then it decides, and the sample is for its maps only."""

    @property
    def size(self) -> float:
        """Playouts behind the distribution; infinite where it is exact."""
        return inf if self.exact else float(self.sampled.playouts)

    @property
    def outcomes(self) -> list[tuple[int, int, float]]:
        """Length, Black's final margin, and probability."""
        if self.exact:
            return self.exact.chances
        n = self.sampled.playouts
        return [(length, margin, count / n) for length, margin, count in self.sampled.counts]

    @property
    def digest(self) -> str:
        """Digest of all it holds, 16 hexadecimal digits."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


def worth(margin: int, komi: float, colour: Colour) -> float:
    """Return what a playout is worth for ``colour``: 1 won, 0 lost, 0.5 drawn (R5, N2).

    Args:
        margin: Black's area minus White's.
        komi: points for White.
        colour: whose view.
    """
    if margin == komi:
        return 0.5
    return float((margin > komi) == (colour is Colour.BLACK))


def komi_name(komi: float) -> str:
    """Return komi as the key of a table: without a fraction where it has none."""
    return str(int(komi)) if float(komi).is_integer() else repr(float(komi))
