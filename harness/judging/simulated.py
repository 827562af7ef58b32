"""Simulates genmoves with the engine from any position, to compare a bot with.

Means of lengths and scores are compared for genmoves of hundreds of playouts.  A difference of six standard
errors fails; the error counts the noise of both samples.  Answers are compared with the engine's answers: how
rare an answer is among them gives a p-value, and the p-values of all genmoves give an e-value
(docs/statistics.md).
"""

from collections.abc import Mapping
from functools import lru_cache
from math import log, sqrt
from typing import Final, NamedTuple

from harness.judging.referee import candidates
from reference_engine.board import Ban, Position
from reference_engine.game import Game
from reference_engine.vocabulary import Colour, Point, parse_vertex

LEAST: Final = 256
"""Playouts of a genmove from which on its figures are compared."""
FARTHEST: Final = 6.0
"""Standard errors."""
_PLAYOUTS: Final = 2_048
_GENMOVES: Final = 127
_MOST_WORK: Final = 30_000
"""Playouts of a genmove, times the points of the board, up to which answers are compared: 127 genmoves of the
engine then take a tenth of a second."""
_LEAST_PLAYOUTS: Final = 8
_SEED: Final = 8_000_000
_PSEUDO: Final = 16
"""Wins and losses that are added to those seen before a variance is taken: rare ones may not be seen."""
_POWER: Final = 0.25
"""Of the calibrator power * p ** (power - 1); half the stake is put on it (Vovk and Wang 2021)."""
_Start = tuple[int, frozenset[tuple[Point, Colour]], Ban | None, Colour, int, float]


class Means(NamedTuple):
    """Means of the engine's playouts, each with the standard deviation of one playout.

    Attributes:
        length: in moves.
        wins: as the side to move sees them.
    """

    length: tuple[float, float]
    wins: tuple[float, float]


def means_of(game: Game, colour: Colour) -> Means:
    """Return what playouts that ``colour`` begins come to on average."""
    return _means(_start(game, colour))


@lru_cache(maxsize=128)
def _means(start: _Start) -> Means:
    from reference_engine.playouts import Root, histogram_for, run  # noqa: PLC0415 - loads Numba

    size, stones, ko, colour, moves, komi = start
    histogram = histogram_for(size)
    tally = run(
        Root(Position(size, dict(stones), ko), colour, moves, komi), _PLAYOUTS, _SEED, histogram=histogram
    )
    counts = list(enumerate(histogram.sum(axis=1).tolist()))
    mean = sum(length * count for length, count in counts) / _PLAYOUTS
    spread = sqrt(sum(count * (length - mean) ** 2 for length, count in counts) / _PLAYOUTS)
    won = tally.doubled_wins / 2
    share = (won + _PSEUDO) / (_PLAYOUTS + 2 * _PSEUDO)
    return Means((mean, spread), (won / _PLAYOUTS, sqrt(share * (1 - share))))


def standard_error(spread: float, playouts: int) -> float:
    """Return the standard error of the difference between a bot's mean and the engine's."""
    return spread * sqrt(1 / playouts + 1 / _PLAYOUTS)


def log_e_of_answer(game: Game, colour: Colour, answer: Point, playouts: int) -> float:
    """Return a log e-value against the answer being chosen as the engine chooses; 0 without a comparison.

    There is no comparison if it would take too long, or if the engine sometimes passes: it passes when no
    move has data, and the text leaves open what is played then.
    """
    size = game.position.size
    if playouts < _LEAST_PLAYOUTS or playouts * size * size > _MOST_WORK:
        return 0.0
    counts = _answers(_start(game, colour), tuple(candidates(game, colour)), playouts)
    if len(counts) < 2 or None in counts:
        return 0.0
    pooled = counts.get(answer, 0) + 1
    rarer = 1 + sum(count for move, count in counts.items() if count + (move == answer) <= pooled)
    p_value = rarer / (_GENMOVES + 1)
    return log(0.5 + 0.5 * _POWER * p_value ** (_POWER - 1))


@lru_cache(maxsize=128)
def _answers(start: _Start, free: tuple[Point, ...], playouts: int) -> Mapping[Point | None, int]:
    """Return how often the engine answers each move; a pass is None."""
    from reference_engine.playouts import Root, choice_counts  # noqa: PLC0415 - loads Numba

    if len(free) < 2:
        return {}
    size, stones, ko, colour, moves, komi = start
    found: dict[Point | None, int] = {}
    root = Root(Position(size, dict(stones), ko), colour, moves, komi)
    for (vertex, _), count in choice_counts(root, playouts, _GENMOVES, _SEED, 0, list(free)).items():
        move = parse_vertex(vertex, size)
        found[move] = found.get(move, 0) + count
    return found


def _start(game: Game, colour: Colour) -> _Start:
    position = game.position
    return position.size, position.key(), position.ko, colour, len(game.moves), game.komi
