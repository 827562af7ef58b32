"""What playouts from any position come to on average, by playouts of the engine: a reference made on demand.

It is small, so it serves only for genmoves of hundreds of playouts, and only for what is far off: by six
standard errors, in which both samples have their part (docs/statistics.md).
"""

from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reference_engine.board import Ban, Position
from reference_engine.game import Game
from reference_engine.vocabulary import Colour, Point

LEAST: Final = 256
"""Playouts of a genmove from which on it is compared."""
FARTHEST: Final = 6.0
"""Standard errors."""
_PLAYOUTS: Final = 2_048
_SEED: Final = 8_000_000
_PSEUDO: Final = 16
"""Wins and losses that are added to those seen before a variance is taken: rare ones may not be seen."""


class Simulated(NamedTuple):
    """What the engine's playouts came to.

    Attributes:
        length: mean, and its standard deviation of one playout, in moves.
        wins: mean, and its standard deviation of one playout, as the side to move sees it.
        visits: int64[points], playouts in which each point was credited.
        credit: int64[points], twice the wins of those.
    """

    length: tuple[float, float]
    wins: tuple[float, float]
    visits: NDArray[np.int64]
    credit: NDArray[np.int64]

    def visits_of(self, size: int, point: Point) -> int:
        """Return the playouts in which a point was credited."""
        return int(self.visits[point[0] * size + point[1]])

    def rate(self, size: int, point: Point) -> tuple[float, float]:
        """Return a point's win rate and the variance of one playout of it; without a visit 0 and infinity."""
        visits, wins = self.visits_of(size, point), self.credit[point[0] * size + point[1]] / 2
        if not visits:
            return 0.0, float("inf")
        return float(wins / visits), _variance(float(wins), visits)


def simulate(game: Game, colour: Colour) -> Simulated:
    """Return what playouts that ``colour`` begins come to."""
    position = game.position
    return _simulate(position.size, position.key(), position.ko, colour, len(game.moves), game.komi)


@lru_cache(maxsize=512)
def _simulate(
    size: int,
    stones: frozenset[tuple[Point, Colour]],
    ko: Ban | None,
    colour: Colour,
    moves: int,
    komi: float,
) -> Simulated:
    from reference_engine.playouts import Root, histogram_for, run  # noqa: PLC0415 - loads Numba

    histogram = histogram_for(size)
    root = Root(Position(size, dict(stones), ko), colour, moves, komi)
    tally = run(root, _PLAYOUTS, _SEED, histogram=histogram)
    lengths = histogram.sum(axis=1) / _PLAYOUTS
    values = np.arange(len(lengths))
    mean = float(lengths @ values)
    spread = sqrt(max(0.0, float(lengths @ (values - mean) ** 2)))
    won = tally.doubled_wins / 2
    return Simulated(
        (mean, spread),
        (won / _PLAYOUTS, sqrt(_variance(won, _PLAYOUTS))),
        tally.visits,
        tally.wins,
    )


def standard_error(spread: float, playouts: int) -> float:
    """Return the standard error of the difference between a bot's mean and the engine's."""
    return spread * sqrt(1 / playouts + 1 / _PLAYOUTS)


def standard_error_of_rates(
    first: tuple[float, float], other: tuple[float, float], visits: tuple[int, int], playouts: int
) -> float:
    """Return that of the difference between two rates, seen by a bot, and the same difference of the engine.

    Args:
        first: a rate and the variance of one playout.
        other: the same of the other.
        visits: the engine's, of both.
        playouts: the bot's.
    """
    parts = (
        v * (1 / n + _PLAYOUTS / (n * playouts)) for (_, v), n in zip((first, other), visits, strict=True)
    )
    return sqrt(sum(parts))


def _variance(wins: float, playouts: int) -> float:
    share = (wins + _PSEUDO) / (playouts + 2 * _PSEUDO)
    return share * (1 - share)
