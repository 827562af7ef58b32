"""A board to be drawn: stones, the numbers of the moves on them, the ko ban, the side to move.  Data only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.cases.case import Case, Forced, MoveChoice
from harness.judging.answers import parse_answer
from reference_engine.game import Game
from reference_engine.vocabulary import Colour, Move, Point, format_vertex

_MOST_NUMBERED: Final = 99
"""Moves up to which they are numbered; of a longer game only the last is marked."""

NumberedMove = tuple[int, Colour, Move]


@dataclass(frozen=True, slots=True)
class Picture:
    """One board with what is to be seen on it."""

    size: int
    stones: Mapping[Point, Colour]
    to_move: Colour | None
    """None where it does not matter."""
    numbers: Mapping[Point, int] = field(default_factory=dict)
    """Numbers of the moves whose stones are still on the board, by point."""
    elsewhere: tuple[NumberedMove, ...] = ()
    """Numbered moves that are not to be seen: passes, captured stones, points played again."""
    last: Point | None = None
    ban: tuple[Point, Colour] | None = None
    """Where a ko may not be retaken in this turn, and by whom."""
    wanted: tuple[Point, ...] = ()
    """Answers that a conforming bot may give, if only these."""
    forbidden: tuple[Point, ...] = ()
    answer: Point | None = None
    """The bot's."""


def picture_of_case(case: Case, answer: str = "") -> Picture:
    """Return the position of a case, its moves numbered, with the answers it allows and the one that came."""
    question = case.question
    wanted: Sequence[str] = ()
    forbidden: Sequence[str] = ()
    if isinstance(question, Forced):
        wanted = question.answers
    elif isinstance(question, MoveChoice):
        wanted, forbidden = question.allowed, question.forbidden
    set_up = len(case.plays) - len(case.file.moves.split()) // 2
    size = case.file.size
    return _picture(
        case.game,
        set_up,
        case.colour,
        _points(wanted, size),
        _points(forbidden, size),
        _point(answer, size),
    )


def picture_of_game(game: Game, to_move: Colour | None = None) -> Picture:
    """Return the position a game has come to, with its last move."""
    return _picture(game, max(0, len(game.moves) - 1), to_move, (), (), None)


def _picture(
    game: Game,
    set_up: int,
    to_move: Colour | None,
    wanted: tuple[Point, ...],
    forbidden: tuple[Point, ...],
    answer: Point | None,
) -> Picture:
    stones = dict(game.position.stones)
    moves = [(number, *move) for number, move in enumerate(game.moves[set_up:], start=1)]
    numbered = moves if 1 < len(moves) <= _MOST_NUMBERED else []
    last_on = {move: number for number, _, move in numbered if move is not None}
    numbers = {
        move: number
        for number, colour, move in numbered
        if move is not None and last_on[move] == number and stones.get(move) is colour
    }
    elsewhere = tuple(m for m in numbered if m[2] is None or numbers.get(m[2]) != m[0])
    last = moves[-1][2] if moves else None
    ban = game.position.ko
    return Picture(
        game.position.size,
        stones,
        to_move,
        numbers,
        elsewhere,
        last if last in stones else None,
        (ban.point, ban.colour) if ban else None,
        wanted,
        forbidden,
        answer,
    )


def _point(text: str, size: int) -> Point | None:
    found = parse_answer(text, size)
    return found if isinstance(found, tuple) else None


def _points(vertices: Sequence[str], size: int) -> tuple[Point, ...]:
    return tuple(point for text in vertices if (point := _point(text, size)) is not None)


def in_words(picture: Picture) -> str:
    """Return a board in one sentence or a few, for those who cannot see it."""
    parts = []
    for colour in Colour:
        points = sorted(point for point, stone in picture.stones.items() if stone is colour)
        shown = " ".join(format_vertex(point) for point in points) or "no stone"
        parts.append(f"{str(colour).capitalize()}: {shown}.")
    if picture.last is not None:
        parts.append(f"Last move: {format_vertex(picture.last)}.")
    if picture.ban is not None:
        parts.append(f"Ko: {picture.ban[1]} may not play {format_vertex(picture.ban[0])}.")
    if picture.wanted:
        parts.append(f"Allowed: {' '.join(map(format_vertex, picture.wanted))}.")
    if picture.forbidden:
        parts.append(f"Forbidden: {' '.join(map(format_vertex, picture.forbidden))}.")
    if picture.answer is not None:
        parts.append(f"The bot answered {format_vertex(picture.answer)}.")
    return " ".join(parts)
