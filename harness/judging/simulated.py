"""Simulates genmoves of the engine from any position, for comparison with a bot.

Means of lengths and scores are compared for genmoves of hundreds of playouts.  A difference of six standard
errors fails; the error counts the noise of both samples.

Answers are compared with answers of the engine to the same question.  If the bot chooses as the engine does,
its answer and the engine's are exchangeable: given all of them together, each is equally likely to be the
bot's.  So for any weights w of the moves, which may depend on how often each move was answered, the weight of
the bot's answer divided by the mean weight of all answers has a mean of 1: it is an e-value.  Weights are
powers of those frequencies.  They bet on bots that choose rare moves more often than the engine does, or less
often, always or in a share of their genmoves (docs/statistics.md).
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
_POWERS: Final = (-1.0, 0.25, 0.5, 0.75, 1.0, 1.5)
"""A move that was answered with frequency f has the weight f ** -power; 1.0 bets on a bot that chooses all
moves equally often."""
_STAKES: Final = (0.02, 0.1, 0.3, 1.0)
"""Shares of the genmoves in which a bot is bet on choosing otherwise."""
BETS: Final = len(_POWERS) * len(_STAKES)
"""E-values of one answer; over the answers of a bot each is multiplied by itself, and their mean counts."""
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


def log_e_of_answer(
    game: Game, colour: Colour, answer: Point, playouts: int, number: int
) -> tuple[float, ...] | None:
    """Return ``BETS`` log e-values against the answer being chosen as the engine chooses.

    There is no comparison, and None, if it would take too long, or if the engine sometimes passes: it passes
    when no move has data, and the text leaves open what is played then.

    Args:
        game: before the genmove.
        colour: the side to move.
        answer: the bot's.
        playouts: of the genmove.
        number: of the genmove in its dialogue, so that no answers of the engine are used twice.
    """
    size = game.position.size
    if playouts < _LEAST_PLAYOUTS or playouts * size * size > _MOST_WORK:
        return None
    counts = _answers(_start(game, colour), tuple(candidates(game, colour)), playouts, number)
    if len(counts) < 2 or None in counts:
        return None
    pooled = {**counts, answer: counts.get(answer, 0) + 1}
    total = _GENMOVES + 1
    found = []
    for power in _POWERS:
        weights = {move: (count / total) ** -power for move, count in pooled.items()}
        mean = sum(count * weights[move] for move, count in pooled.items()) / total
        found += [log(1 + stake * (weights[answer] / mean - 1)) for stake in _STAKES]
    return tuple(found)


@lru_cache(maxsize=4096)
def _answers(
    start: _Start, free: tuple[Point, ...], playouts: int, number: int
) -> Mapping[Point | None, int]:
    """Return how often the engine answers each move; a pass is None."""
    from reference_engine.playouts import Root, choice_counts  # noqa: PLC0415 - loads Numba

    if len(free) < 2:
        return {}
    size, stones, ko, colour, moves, komi = start
    found: dict[Point | None, int] = {}
    root = Root(Position(size, dict(stones), ko), colour, moves, komi)
    first = number * _GENMOVES
    for (vertex, _), count in choice_counts(root, playouts, _GENMOVES, _SEED, first, list(free)).items():
        move = parse_vertex(vertex, size)
        found[move] = found.get(move, 0) + count
    return found


def _start(game: Game, colour: Colour) -> _Start:
    position = game.position
    return position.size, position.key(), position.ko, colour, len(game.moves), game.komi
