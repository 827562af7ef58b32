"""The referee: whether a genmove's answer is legal, whatever its statistics.

Uses the oracle's board; knows nothing of the harness's evidence.
"""

from typing import NamedTuple

from harness.judging.answers import parse_answer
from reference_engine.board import neighbours
from reference_engine.game import Game
from reference_engine.playout import is_eye, move_cap, playable_points
from reference_engine.vocabulary import Colour, Point, format_vertex


class Fault(NamedTuple):
    """What is wrong with an answer of genmove."""

    requirement: str
    """The requirement that is broken."""
    text: str
    """What the answer does wrong, in words."""
    point: str = ""
    """The requirement that is broken instead if the playouts make the same mistake at this point."""


OCCUPIED = "is occupied"
"""Suffix of the fault of an answer on a point with a stone."""
PASSED = "it passed"
"""Prefix of the fault of a pass while a point could have been played."""


def moves_left(size: int, played: int) -> int:
    """Return the moves of a playout before the limit of 3*N*N; one move is always played (R3)."""
    return max(1, move_cap(size) - played)


def candidates(game: Game, colour: Colour) -> list[Point]:
    """Return the points a genmove may choose from: playable and not repeating a position."""
    unbanned = game.position.after_pass()
    return [p for p in playable_points(unbanned, colour) if not game.repeats(colour, p)]


def fault_in(game: Game, colour: Colour, text: str) -> Fault | None:
    """Return the rule an answer of genmove breaks, or None when it may be played."""
    answer = parse_answer(text, game.position.size)
    if answer is None:
        return Fault("G5", f"{text!r} is no vertex of this board")
    if answer == "resign":
        return Fault("R1", "it resigned; a complete game is played to its end")
    if answer == "pass":
        playable = playable_points(game.position.after_pass(), colour)
        banned = [p for p in playable if game.repeats(colour, p)]
        # Data may be on the banned points only; then a pass and an unseen move are both accepted.
        if playable and not banned:
            free = ", ".join(format_vertex(p) for p in playable[:5])
            return Fault(
                "R8",
                f"{PASSED}, though {free} can be played without filling an eye",
                _left_out(game, colour, playable[0]),
            )
        return None
    if isinstance(answer, str):
        return Fault("G5", f"{text!r} is no vertex of this board")
    if answer in game.position.stones:
        return Fault("R1", f"{text} {OCCUPIED}")
    if game.position.is_suicide(colour, answer):
        return Fault("R10", f"{text} is suicide", "R10")
    if game.repeats(colour, answer):
        return Fault("R11", f"{text} brings an earlier position of the game back")
    if is_eye(game.position, colour, answer):
        return Fault("R8", f"{text} fills an own one-point eye; a pass was due", "R4")
    return None


def _left_out(game: Game, colour: Colour, point: Point) -> str:
    """Return the requirement that is broken when a playable point is left out."""
    position = game.position
    if is_eye(position, colour.other, point):
        return "R4"
    if {position.stones.get(near) for near in neighbours(position.size, point)} == {colour}:
        return "R4"
    _, liberties = position.own_chain_after(colour, point)
    return "R2" if liberties else "R10"
