"""Every outcome that the playouts of a genmove can have, where they are few enough to be enumerated.

One move before the limit a playout is one draw; near the end of a game it has few courses.  There the rules
say which figures and which answers are possible, on any board, without a table.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from harness.judging.referee import moves_left
from reference_engine.board import Ban, Position
from reference_engine.game import Game
from reference_engine.playout import is_playable, playable_points
from reference_engine.reading import owners
from reference_engine.spec import SPEC, Scoring
from reference_engine.vocabulary import PASS, Colour, Move, Point

_BY_NEIGHBOURS = SPEC.changed(scoring=Scoring.NEIGHBOURS)
_MOST_POSITIONS = {1: 625, 2: 150}
"""Positions of one enumeration, by the moves that are left before the limit."""
_USUAL = 30
"""Positions of any other enumeration; larger ones seldom come to an end."""
_MOST_PLAYABLE = 3
"""Playable points at the root from which on only the last moves before the limit are enumerated."""
_FEW_LEFT = 2
"""Moves before the limit of which an enumeration may still succeed, however many points are playable."""


class Outcome(NamedTuple):
    """One possible playout, as far as figures and answers tell playouts apart."""

    length: int
    """Moves, passes included."""
    half_wins: int
    """Of the side to move at the root: 0, 1 or 2."""
    lenient_half_wins: int
    """The same if only the neighbours of an empty point say whose it is."""
    credited: frozenset[Point]
    """Points that get this playout's result: played by the side to move before anybody else played there."""


def half_wins_of(margin: int, komi: float, colour: Colour) -> int:
    """Return the half wins of a playout that ends so many points ahead for a colour, komi left out."""
    ahead = margin - (komi if colour is Colour.BLACK else -komi)
    return (ahead > 0) + (ahead >= 0)


def outcomes_of(game: Game, colour: Colour) -> frozenset[Outcome] | None:
    """Return every outcome of a playout that ``colour`` begins; None if they cannot be enumerated.

    There may be too many; or a retake may be possible that takes a second chain too, and whether that is
    banned is open.
    """
    position = game.position
    left = moves_left(position.size, len(game.moves))
    return _outcomes(position.size, position.key(), position.ko, colour, game.komi, left)


def outcome_of_draw(game: Game, colour: Colour, point: Point) -> Outcome | None:
    """Return the outcome of a playout of one move that draws a point; None if it cannot be drawn."""
    position = game.position
    if not is_playable(position, colour, point):
        return None
    enumeration = _Enumeration(colour, game.komi, 1)
    return enumeration.outcome(position.after(colour, point), (point,))


@lru_cache(maxsize=8192)
def _outcomes(
    size: int,
    stones: frozenset[tuple[Point, Colour]],
    ko: Ban | None,
    colour: Colour,
    komi: float,
    left: int,
) -> frozenset[Outcome] | None:
    enumeration = _Enumeration(colour, komi, left)
    try:
        return frozenset(enumeration.outcomes(Position(size, dict(stones), ko), colour, ()))
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """Not every outcome can be known."""


class _Enumeration:
    def __init__(self, colour: Colour, komi: float, left: int) -> None:
        self._colour = colour
        self._komi = komi
        self._left = left
        self._room = _MOST_POSITIONS.get(left, _USUAL)

    def outcomes(self, position: Position, colour: Colour, moves: tuple[Move, ...]) -> Iterator[Outcome]:
        """Yield the outcomes of all courses that begin with these moves."""
        if len(moves) == self._left or moves[-2:] == (PASS, PASS):
            yield self.outcome(position, moves)
            return
        if _is_open(position, colour):
            raise _TooManyError
        playable: list[Move] = [*playable_points(position, colour)] or [PASS]
        if not moves and len(playable) > _MOST_PLAYABLE and self._left > _FEW_LEFT:
            raise _TooManyError
        for move in playable:
            self._room -= 1
            if self._room < 0:
                raise _TooManyError
            after = position.after_pass() if move is None else position.after(colour, move)
            yield from self.outcomes(after, colour.other, (*moves, move))

    def outcome(self, position: Position, moves: tuple[Move, ...]) -> Outcome:
        """Return the outcome of a playout that ends here."""
        credited = frozenset(
            move for place, move in enumerate(moves) if move and not place % 2 and move not in moves[:place]
        )
        half_wins, lenient = (
            self._half_wins(margin) for margin in (position.area_margin(), _margin_by_neighbours(position))
        )
        return Outcome(len(moves), half_wins, lenient, credited)

    def _half_wins(self, margin: int) -> int:
        return half_wins_of(margin if self._colour is Colour.BLACK else -margin, self._komi, self._colour)


def _is_open(position: Position, colour: Colour) -> bool:
    ban = position.ko
    return ban is not None and ban.colour is colour and len(position.captured_by(colour, ban.point)) > 1


def _margin_by_neighbours(position: Position) -> int:
    owned = Counter(owners(position, _BY_NEIGHBOURS).values())
    return owned[Colour.BLACK] - owned[Colour.WHITE]
