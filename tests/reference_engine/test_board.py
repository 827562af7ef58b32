"""The oracle's board: drawn cases, and the same games on sgfmill's board."""

from dataclasses import dataclass

import numpy as np
import pytest
from drawings import format_drawing, parse_drawing, parse_points
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_point
from sgfmill.boards import Board

from reference_engine.board import Ban, Position, diagonals, neighbours
from reference_engine.vocabulary import PASS, Colour, parse_vertex

BLACK, WHITE = Colour.BLACK, Colour.WHITE


@dataclass(frozen=True, slots=True)
class Play:
    """A board, a move of Black on it and the board that must follow."""

    before: str
    vertex: str
    after: str
    banned: str = ""
    """The vertex White may not retake."""


PLAYS = {
    "nothing happens": Play("... ... ...", "B2", "... .X. ..."),
    "joins its chain": Play("... .X. ...", "B1", "... .X. .X."),
    "takes a stone in the centre": Play(".X. XO. .X.", "C2", ".X. X.X .X."),
    "takes a stone on the edge": Play("... .X. XO.", "C1", "... .X. X.X"),
    "takes a stone in the corner": Play("... X.. O..", "B1", "... X.. .X."),
    "leaves a stone with a liberty": Play(".X. XO. ...", "C2", ".X. XOX ..."),
    "takes a chain": Play(".XX. XOO. .XX. ....", "D3", ".XX. X..X .XX. ...."),
    "takes a bent chain once": Play("..XX. .XOOX XO.OX .XOOX ..XX.", "C3", "..XX. .X..X X.X.X .X..X ..XX."),
    "takes two chains": Play(".X.X. XO.OX .X.X. ..... .....", "C4", ".X.X. X.X.X .X.X. ..... ....."),
    "takes three chains": Play("..X.. .XOX. XO.OX .X.X. .....", "C3", "..X.. .X.X. X.X.X .X.X. ....."),
    "takes four chains": Play("..X.. .XOX. XO.OX .XOX. ..X..", "C3", "..X.. .X.X. X.X.X .X.X. ..X.."),
    "takes one of two chains": Play(".X.X. XO.O. .X.X. ..... .....", "C4", ".X.X. X.XO. .X.X. ..... ....."),
    "takes a stone it joins two chains around": Play("... .X. OX.", "A2", "... XX. .X."),
    "takes a ko": Play(".XO. XO.O .XO. ....", "C3", ".XO. X.XO .XO. ....", "B3"),
    "takes a ko on the edge": Play("..... ..... .XO.. XO.O. .....", "C2", "..... ..... .XO.. XOXO. ....."),
    "takes a ko at the edge": Play(".... .... .XO. XO.O", "C1", ".... .... .XO. X.XO", "B1"),
    "takes a ko in the corner": Play("... XO. O.O", "B1", "... XO. .XO", "A1"),
    "takes one stone and keeps a liberty, so no ko": Play(".XO. XO.. .XO. ....", "C3", ".XO. X.X. .XO. ...."),
    "takes a thrown-in stone, so no ko": Play(
        "..... ..... .OOO. OXXXO OXO.O", "D1", "..... ..... .OOO. OXXXO OX.XO"
    ),
    "snaps back, so no ko": Play("..... ..... .XXX. XOOOX XO.OX", "C1", "..... ..... .XXX. X...X X.X.X"),
    "takes one stone with two, so no ko": Play(
        ".XOO. XO.XO .XOO. ..... .....", "C4", ".XOO. X.XXO .XOO. ..... ....."
    ),
    "takes two stones with one, so no ko": Play(
        ".XXO. XOO.O .XXO. ..... .....", "D4", ".XXO. X..XO .XXO. ..... ....."
    ),
    "takes two single stones, so no ko": Play(
        ".X.X. XO.OX .XOX. ..O.. .....", "C4", ".X.X. X.X.X .XOX. ..O.. ....."
    ),
    "suicide of one stone": Play("... O.. .O.", "A1", "... O.. .O."),
    "suicide of a chain": Play(".... OO.. XXO. X.O.", "B1", ".... OO.. ..O. ..O."),
    "suicide of the whole board": Play("X. XX", "B2", ".. .."),
}


@pytest.mark.parametrize("case", PLAYS.values(), ids=PLAYS.keys())
@pytest.mark.parametrize("colour", Colour)
def test_play(case: Play, colour: Colour) -> None:
    """A move, and the same move with colours exchanged, leaves the board and the ban drawn for it."""
    swap = str.maketrans("XO", "OX") if colour is WHITE else {}
    before = parse_drawing(case.before.translate(swap))
    point = parse_vertex(case.vertex, before.size)
    assert point is not PASS
    after = before.after(colour, point)
    assert case.after.translate(swap).split() == format_drawing(after).split()
    banned = parse_vertex(case.banned, before.size) if case.banned else None
    assert after.ko == (Ban(banned, colour.other) if banned else None)
    taken = {p for p, stone in before.stones.items() if stone is not colour and p not in after.stones}
    assert taken == before.captured_by(colour, point)


def test_a_ban_is_for_one_colour_and_one_turn() -> None:
    """The side that lost the ko may not retake at once; the other may fill, and any move lifts the ban."""
    position = parse_drawing(".XO. XO.O .XO. ....").after(BLACK, (2, 2))
    assert position.ko == Ban((2, 1), WHITE)
    assert not position.is_legal(WHITE, (2, 1))
    assert position.is_legal(BLACK, (2, 1))
    assert position.after_pass().is_legal(WHITE, (2, 1))
    assert position.after(WHITE, (0, 0)).ko is None
    assert position.after(WHITE, (0, 0)).after(BLACK, (0, 3)).is_legal(WHITE, (2, 1))


def test_a_pass_changes_no_stone() -> None:
    """A pass lifts the ban and leaves the stones; without a ban it leaves the very position."""
    position = parse_drawing(".XO. XO.O .XO. ....").after(BLACK, (2, 2))
    assert position.key() == position.after_pass().key()
    assert position.after_pass().ko is None
    plain = position.after_pass()
    assert plain is plain.after_pass()


SUICIDES = {
    # A board, the points that are suicide for Black, and those that are suicide for White.
    "empty board": ("... ... ...", "", ""),
    "corner": ("... O.. .O.", "A1", ""),
    "every point of a ponnuki": (".O. O.O .O.", "A1 A3 B2 C1 C3", ""),
    "last liberty of a chain": (".... OO.. XXO. X.O.", "B1", ""),
    "two eyes": (".X.X XXXX .... ....", "", "A4 C4"),
    "eye of two points": ("..X. XXX. .... ....", "", ""),
    "eye of two points, half filled": ("O.X. XXX. .... ....", "", "B4"),
    "last point of the board": ("X. XX", "B2", ""),
    "ko": ("... XO. O.O", "", ""),
    "capture without an own liberty": (".OXX OXX. XX.. ....", "", "A4"),
}


@pytest.mark.parametrize(("drawing", "black", "white"), SUICIDES.values(), ids=SUICIDES.keys())
def test_is_suicide(drawing: str, black: str, white: str) -> None:
    """Suicide is a move that takes nothing and leaves its chain without a liberty; it is not legal."""
    position = parse_drawing(drawing)
    for colour, vertices in ((BLACK, black), (WHITE, white)):
        suicides = {p for p in position.empty_points() if position.is_suicide(colour, p)}
        assert parse_points(vertices) == suicides
        assert suicides == {p for p in position.empty_points() if not position.is_legal(colour, p)}


def test_an_occupied_point_is_not_legal() -> None:
    """Nobody may play on a stone."""
    position = parse_drawing("... .X. ...")
    assert not any(position.is_legal(colour, (1, 1)) for colour in Colour)


AREAS = {
    # A board and Black's area minus White's.
    "empty board belongs to nobody": ("... ... ...", 0),
    "one stone owns all": ("... .X. ...", 9),
    "two stones share": ("X.. ... ..O", 0),
    "walls": (".XO. .XO. .XO. .XO.", 0),
    "uneven walls": ("..XO. ..XO. ..XO. ..XO. ..XO.", 5),
    "neutral points between": ("XX.O XX.O XX.O XX.O", 4),
    "an enemy stone spoils a region": ("O.X. ..X. XXX. ....", 11),
    "shared liberties": ("O.XO. O.XO. OOXO. OOOO. .....", -17),
    "one region each and two": ("..XO. ..XOO XXXO. OOOOO .....", -7),
    "last point of the board": ("X. XX", 4),
    "checkers": (".X.X X.X. .X.X X.X.", 16),
    "checkers of both": ("X.O .X. O.X", 1),
}


@pytest.mark.parametrize(("drawing", "margin"), AREAS.values(), ids=AREAS.keys())
def test_area_margin(drawing: str, margin: int) -> None:
    """Stones count, and so does a whole empty region that borders one colour only."""
    assert margin == parse_drawing(drawing).area_margin()
    assert -margin == parse_drawing(drawing.translate(str.maketrans("XO", "OX"))).area_margin()


def test_regions_split_the_empty_points() -> None:
    """Every empty point is in exactly one region, and a region knows the colours around it."""
    position = parse_drawing("O.X. ..X. XXX. ....")
    regions = dict(position.regions())
    assert {
        frozenset(parse_points("B4 A3 B3")): {BLACK, WHITE},
        frozenset(parse_points("D4 D3 D2 A1 B1 C1 D1")): {BLACK},
    } == regions


def test_chain() -> None:
    """A chain is the stones connected along lines; each of its liberties counts once."""
    position = parse_drawing(".X.. XX.O ..X. ....")
    stones, liberties = position.chain((3, 1))
    assert (parse_points("B4 B3 A3"), parse_points("A4 C4 C3 A2 B2")) == (stones, liberties)
    assert (parse_points("C2"), parse_points("C3 B2 D2 C1")) == position.chain((1, 2))


def test_neighbours_and_diagonals_stay_on_the_board() -> None:
    """A corner has two neighbours and one diagonal, an edge three and two, the rest four and four."""
    counts = {point: (len(neighbours(3, point)), len(diagonals(3, point))) for point in Position(3).points()}
    assert {(0, 0): (2, 1), (0, 1): (3, 2), (1, 1): (4, 4)}.items() <= counts.items()
    assert {(0, 1), (1, 0)} == set(neighbours(2, (0, 0)))
    assert {(1, 1)} == set(diagonals(2, (0, 0)))


def sgfmill_drawing(board: Board) -> list[str]:
    """Return the rows of a board of sgfmill, top row first."""
    glyphs = {None: ".", "b": "X", "w": "O"}
    return [
        "".join(glyphs[board.get(row, column)] for column in range(board.side))
        for row in reversed(range(board.side))
    ]


def assert_same(position: Position, board: Board, banned: tuple[int, int] | None) -> None:
    """Complain unless stones, area and the point of the ban are those of sgfmill."""
    assert sgfmill_drawing(board) == format_drawing(position).split()
    assert board.area_score() == position.area_margin()
    assert banned == (position.ko.point if position.ko else None)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(size=st.integers(2, 9), seed=st.integers(0, 2**32 - 1))
def test_random_legal_games_are_those_of_sgfmill(size: int, seed: int) -> None:
    """Stones, area and ko point stay those of sgfmill in random legal games; chance never fails it."""
    rng = np.random.default_rng(seed)
    position, board, colour = Position(size), Board(size), BLACK
    for _ in range(3 * size * size):
        move = random_point(position, colour, rng)
        if move is PASS:
            position = position.after_pass()
            assert position.ko is None
        else:
            position = position.after(colour, move)
            assert_same(position, board, board.play(*move, colour.letter.lower()))
        colour = colour.other


@settings(max_examples=120, deadline=None, derandomize=True)
@given(size=st.integers(2, 6), seed=st.integers(0, 2**32 - 1))
def test_any_plays_are_those_of_sgfmill(size: int, seed: int) -> None:
    """Any plays on empty points, suicides too, do what they do on sgfmill; chance never fails it."""
    rng = np.random.default_rng(seed)
    position, board = Position(size), Board(size)
    for _ in range(4 * size * size):
        empty = position.empty_points()
        point, colour = empty[rng.integers(len(empty))], Colour(int(rng.integers(1, 3)))
        is_suicide = position.is_suicide(colour, point)
        position = position.after(colour, point)
        assert_same(position, board, banned := board.play(*point, colour.letter.lower()))
        assert is_suicide == (board.get(*point) is None)
        assert position.ko == (Ban(banned, colour.other) if banned else None)
