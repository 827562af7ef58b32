"""The oracle's playout: clauses R2-R5 and R10 written out as plainly as the specification has them.

Slow on purpose.  The kernel is replayed through this module move by move.
"""

from collections.abc import Callable
from dataclasses import dataclass

from reference_engine.board import Position, diagonals, neighbours
from reference_engine.vocabulary import PASS, Colour, Move, Point


@dataclass(frozen=True, slots=True)
class Course:
    """One finished playout."""

    moves: tuple[Move, ...]
    final: Position

    @property
    def length(self) -> int:
        """Moves executed, passes included (N1)."""
        return len(self.moves)

    @property
    def margin(self) -> int:
        """Black's area minus White's at the end (R5)."""
        return self.final.area_margin()


def is_eye(position: Position, colour: Colour, point: Point) -> bool:
    """Whether an empty point is a one-point eye of ``colour`` (R4).

    All orthogonal neighbours are its stones; off the edge at most one diagonal holds an enemy stone, on
    the edge or in a corner none does.
    """
    if any(position.stones.get(p) is not colour for p in neighbours(position.size, point)):
        return False
    enemies = sum(position.stones.get(p) is colour.other for p in diagonals(position.size, point))
    on_edge = any(coordinate in (0, position.size - 1) for coordinate in point)
    return enemies == 0 if on_edge else enemies <= 1


def playable_points(position: Position, colour: Colour) -> list[Point]:
    """Return the points a playout draws from: legal, no own eye (R2, R4, R10)."""
    return [point for point in position.empty_points() if is_playable(position, colour, point)]


def is_playable(position: Position, colour: Colour, point: Point) -> bool:
    """Whether a playout may draw a point."""
    return position.is_legal(colour, point) and not is_eye(position, colour, point)


def move_cap(size: int) -> int:
    """Return the number of moves, the game's included, after which a playout stops (R3)."""
    return 3 * size * size


def play_out(
    position: Position,
    colour: Colour,
    moves_played: int,
    choose: Callable[[Position, Colour, list[Point]], Move],
) -> Course:
    """Play from ``position`` until two passes follow each other or the cap is reached.

    Args:
        position: the board with any ko ban of the game's last move.
        colour: the side to move.
        moves_played: moves of the game so far, passes included; they count towards the cap (R3).
        choose: given position, side to move and its playable points, returns one of them.  Asked for a
            pass too (with an empty list), so that a recorded playout can be replayed.

    Returns:
        The course; at least one move long.
    """
    moves: list[Move] = []
    while not moves or moves_played + len(moves) < move_cap(position.size):
        move = choose(position, colour, playable_points(position, colour))
        position = position.after_pass() if move is None else position.after(colour, move)
        moves.append(move)
        colour = colour.other
        if moves[-2:] == [PASS, PASS]:
            break
    return Course(tuple(moves), position)


def only_course(position: Position, colour: Colour, moves_played: int) -> Course | None:
    """Return the playout from ``position`` if it has exactly one possible course, else None."""

    def sole(_position: Position, _colour: Colour, playable: list[Point]) -> Move:
        if len(playable) > 1:
            raise _BranchingError
        return playable[0] if playable else PASS

    try:
        return play_out(position, colour, moves_played, sole)
    except _BranchingError:
        return None


class _BranchingError(Exception):
    """More than one point is playable."""
