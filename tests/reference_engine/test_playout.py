"""The oracle's playout: eyes, the end, the cap."""

from collections.abc import Callable

import numpy as np
import pytest
from drawings import parse_drawing, parse_points

from reference_engine.board import Position
from reference_engine.playout import is_eye, move_cap, only_course, play_out, playable_points
from reference_engine.vocabulary import PASS, Colour, Move, Point, parse_vertex

BLACK, WHITE = Colour.BLACK, Colour.WHITE
Chooser = Callable[[Position, Colour, list[Point]], Move]

EYES: dict[str, tuple[str, str, bool]] = {
    # A board, a point, and whether it is an eye of Black's.
    "centre, no enemy": ("..... .XXX. .X.X. .XXX. .....", "C3", True),
    "centre, one enemy": ("..... .XXX. .X.X. .XXO. .....", "C3", True),
    "centre, one enemy elsewhere": ("..... .OXX. .X.X. .XXX. .....", "C3", True),
    "centre, two enemies across": ("..... .OXX. .X.X. .XXO. .....", "C3", False),
    "centre, two enemies on one side": ("..... .OXO. .X.X. .XXX. .....", "C3", False),
    "centre, three enemies": ("..... .OXO. .X.X. .XXO. .....", "C3", False),
    "centre, four enemies": ("..... .OXO. .X.X. .OXO. .....", "C3", False),
    "centre, empty diagonals": ("..... ..X.. .X.X. ..X.. .....", "C3", True),
    "centre, one enemy, three empty": ("..... ..X.. .X.X. ..XO. .....", "C3", True),
    "centre, two enemies, two empty": ("..... ..XO. .X.X. ..XO. .....", "C3", False),
    "centre, a neighbour empty": ("..... .XXX. .X... .XXX. .....", "C3", False),
    "centre, a neighbour of the enemy": ("..... .XXX. .XOX. .X.X. .XXX.", "C2", False),
    "beside the edge, one enemy on it": ("..... ..... ..X.. .X.X. ..XO.", "C2", True),
    "edge, no enemy": ("..... ..... ..... .XXX. .X.X.", "C1", True),
    "edge, one enemy": ("..... ..... ..... .XXO. .X.X.", "C1", False),
    "edge, two enemies": ("..... ..... ..... .OXO. .X.X.", "C1", False),
    "edge, empty diagonals": ("..... ..... ..... ..X.. .X.X.", "C1", True),
    "edge, a neighbour empty": ("..... ..... ..... .X.X. .X.X.", "C1", False),
    "left edge, no enemy": ("..... X.... .X... X.... .....", "A3", True),
    "left edge, one enemy": ("..... XO... .X... X.... .....", "A3", False),
    "right edge, one enemy": ("..... ....X ...X. ...OX .....", "E3", False),
    "top edge, no enemy": (".X.X. ..X.. ..... ..... .....", "C5", True),
    "top edge, one enemy": (".X.X. .OX.. ..... ..... .....", "C5", False),
    "corner, no enemy": ("... XX. .X.", "A1", True),
    "corner, one enemy": ("... XO. .X.", "A1", False),
    "corner, empty diagonal": ("... X.. .X.", "A1", True),
    "corner, a neighbour empty": ("... XX. ...", "A1", False),
    "other corner, no enemy": (".X. XX. ...", "A3", True),
    "other corner, one enemy": (".X. .OX ...", "C3", False),
    "far corner, one enemy": ("... .OX .X.", "C1", False),
    "smallest board, no enemy": ("XX .X", "A1", True),
    "smallest board, one enemy": ("XO .X", "A1", False),
    "beside the border of a 3x3 board, one enemy": ("OX. X.X .X.", "B2", True),
    "beside the border of a 3x3 board, two enemies": ("OX. X.X .XO", "B2", False),
}


@pytest.mark.parametrize(("drawing", "vertex", "expected"), EYES.values(), ids=EYES.keys())
def test_is_eye(drawing: str, vertex: str, expected: bool) -> None:
    """One enemy diagonal is tolerated off the edge and none on it; colours may be exchanged."""
    position = parse_drawing(drawing)
    exchanged = parse_drawing(drawing.translate(str.maketrans("XO", "OX")))
    point = parse_vertex(vertex, position.size)
    assert point is not PASS
    assert expected is is_eye(position, BLACK, point)
    assert expected is is_eye(exchanged, WHITE, point)
    assert not is_eye(position, WHITE, point)


def test_playable_points_leave_eyes_and_suicides() -> None:
    """Own eyes, suicides and banned retakes are not playable; the enemy's eye is when it captures."""
    assert len(playable_points(Position(9), BLACK)) == 81
    two_eyes = parse_drawing(".X.X XXXX .... ....")
    assert parse_points("A2 B2 C2 D2 A1 B1 C1 D1") == set(playable_points(two_eyes, BLACK))
    assert parse_points("A2 B2 C2 D2 A1 B1 C1 D1") == set(playable_points(two_eyes, WHITE))
    last_eye = parse_drawing(".X XX")
    assert playable_points(last_eye, BLACK) == []
    assert playable_points(last_eye, WHITE) == [(1, 0)]
    false_eye = parse_drawing("..... ..... ..... .XXO. .X.X.")
    assert (0, 2) in playable_points(false_eye, BLACK)
    after_ko = parse_drawing(".XO. XO.O .XO. ....").after(BLACK, (2, 2))
    assert (2, 1) not in playable_points(after_ko, WHITE)
    assert (2, 1) in playable_points(after_ko.after_pass(), WHITE)
    assert (2, 1) in playable_points(after_ko, BLACK)


def at_random(seed: int) -> Chooser:
    """Return a chooser that draws uniformly, and passes when it must."""
    rng = np.random.default_rng(seed)
    return lambda _position, _colour, playable: playable[rng.integers(len(playable))] if playable else PASS


def in_order(_position: Position, _colour: Colour, playable: list[Point]) -> Move:
    """Choose the first playable point."""
    return playable[0] if playable else PASS


@pytest.mark.parametrize("size", range(2, 8))
@pytest.mark.parametrize("seed", range(10))
def test_a_playout_ends(size: int, seed: int) -> None:
    """A playout ends with the first two passes in a row, or at the cap; chance never fails the test."""
    course = play_out(Position(size), BLACK, 0, at_random(seed))
    pairs = list(zip(course.moves, course.moves[1:], strict=False))
    assert (PASS, PASS) not in pairs[:-1]
    assert pairs[-1] == (PASS, PASS) or course.length == move_cap(size)
    assert course.length == len(course.moves) <= move_cap(size)


@pytest.mark.parametrize("left", [1, 2, 3, 10, 26])
def test_the_cap_counts_the_moves_of_the_game(left: int) -> None:
    """A playout that starts so many moves before the cap makes exactly those moves."""
    assert left == play_out(Position(5), WHITE, move_cap(5) - left, in_order).length


@pytest.mark.parametrize("beyond", [0, 1, 1000])
@pytest.mark.parametrize("colour", Colour)
def test_at_least_one_move_is_tried(beyond: int, colour: Colour) -> None:
    """A playout from a game at or beyond the cap makes one move."""
    course = play_out(Position(3), colour, move_cap(3) + beyond, in_order)
    assert course.moves == ((0, 0),)
    assert course.final.stones == {(0, 0): colour}
    full = play_out(parse_drawing(".X XX"), BLACK, move_cap(2) + beyond, in_order)
    assert full.moves == (PASS,)


def test_the_cap_is_three_boards() -> None:
    """The cap is three times the points of the board."""
    assert [move_cap(size) for size in (2, 9, 19)] == [12, 243, 1083]


def test_a_pass_of_the_game_is_not_counted() -> None:
    """Two passes of the playout itself end it, whatever the game's last move was."""
    settled = parse_drawing(".XO. XXOO XXOO .XO.")
    assert play_out(settled, BLACK, 1, in_order).moves == (PASS, PASS)
    assert play_out(settled, WHITE, 0, in_order).moves == (PASS, PASS)


def test_a_single_pass_does_not_end_a_playout() -> None:
    """A pass between stones is one of the moves, and the count of passes starts again."""
    course = play_out(parse_drawing(".X XX"), BLACK, 0, in_order)
    assert course.moves[:3] == (PASS, (1, 0), (0, 0))
    assert (PASS, PASS) not in zip(course.moves[:-2], course.moves[1:-1], strict=True)


def test_the_chooser_sees_every_turn() -> None:
    """The chooser is asked in turn for both colours, with an empty list for a pass."""
    asked: list[tuple[Colour, int]] = []

    def choose(_position: Position, colour: Colour, playable: list[Point]) -> Move:
        asked.append((colour, len(playable)))
        return playable[0] if playable else PASS

    course = play_out(Position(2), WHITE, 0, choose)
    assert [(WHITE, BLACK)[ply % 2] for ply in range(course.length)] == [colour for colour, _ in asked]
    assert [move is PASS for move in course.moves] == [count == 0 for _, count in asked]


def test_the_margin_is_that_of_the_last_board() -> None:
    """A course's margin is the area of its final position, stones of the playout included."""
    course = play_out(parse_drawing("..XO. ..XO. ..XO. ..XO. ..XO."), BLACK, move_cap(5), in_order)
    assert course.margin == course.final.area_margin() == 5
    course = play_out(parse_drawing("X.. ... ..."), WHITE, move_cap(3), in_order)
    assert course.margin == 0


def test_only_course() -> None:
    """A position without a choice has one course; one with a choice has none."""
    settled = only_course(parse_drawing(".XO. XXOO XXOO .XO."), BLACK, 0)
    assert settled is not None
    assert (settled.moves, settled.margin) == ((PASS, PASS), 0)
    assert only_course(Position(2), BLACK, 0) is None
    assert only_course(Position(2), BLACK, move_cap(2)) is None
    forced = only_course(parse_drawing(".X XX"), WHITE, move_cap(2) - 1)
    assert forced is not None
    assert forced.moves == ((1, 0),)


def test_replay_gives_the_same_course() -> None:
    """A recorded playout replayed through the chooser is the same playout; chance never fails the test."""
    first = play_out(Position(5), BLACK, 0, at_random(20081013))
    recorded = iter(first.moves)
    again = play_out(Position(5), BLACK, 0, lambda _position, _colour, _playable: next(recorded))
    assert (first.moves, first.final.key()) == (again.moves, again.final.key())
