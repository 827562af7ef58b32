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
    "takes a bent chain once": Play(
        "..XX. .XOOX XO.OX .XOOX ..XX.", "C3", "..XX. .XOOX XOXOX .XOOX ..XX."
    ),
    "takes two chains": Play(".X.X. XO.OX .X.X. ..... .....", "C4", ".X.X. X.X.X .X.X. ..... ....."),
    "takes three chains": Play("..X.. .XOX. XO.OX .X.X. .....", "C3", "..X.. .X.X. X.X.X .X.X. ....."),
    "takes four chains": Play("..X.. .XOX. XO.OX .XOX. ..X..", "C3", "..X.. .X.X. X.X.X .X.X. ..X.."),
    "takes one of two chains": Play(".X.X. XO.O. .X.X. ..... .....", "C4", ".X.X. X.XO. .X.X. ..... ....."),
    "takes a stone it joins two chains around": Play("... .X. OX.", "A2", "... XX. .X."),
    "takes a ko": Play(".XO. XO.O .XO. ....", "C3", ".XO. X.XO .XO. ....", "B3"),
    "takes a ko on the edge": Play("..... ..... .XO.. XO.O. .....", "C2", "..... ..... .XO.. XOXO. ....."),
    "takes a ko at the edge": Play(".... .... .XO. XO.O", "C1", ".... .... .XO. X.XO", "B1"),
    "takes a ko in the corner": Play("... XO. O.O", "B1", "... XO. .XO", "A1"),
    "takes one stone and keeps a liberty, so no ko": Play(
        ".XO. XO.. .XO. ....", "C3", ".XO. X.X. .XO. ...."
    ),
    "takes back in a snapback, so no ko": Play(
        "..... .OO.. OXXO. OX.XO OOXO.", "C2", "..... .OO.. OXXO. OXXXO OOXO."
    ),
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
    "ko": ("... XO. O.O", "", "B1"),
    "capture without an own liberty": (".OX OXX OOX", "", ""),
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
    "empty board": (". . " + "", 0),
    "one stone owns all": ("... .X. ...", 9),
    "one white stone owns all": ("... .O. ...", -9),
    "two stones share": ("X.. ... ..O", 0),
    "walls": (".XO. .XO. .XO. .XO.", 0),
    "uneven walls": ("..XO. ..XO. ..XO. ..XO. ..XO.", 5),
    "a neutral point between": ("X.O X.O X.O", 0),
    "three regions": (".X.O. XX.OO ..... OO.XX .O.X.", 0),
    "regions of several points": ("..XXO .XOOO XX.OX OOOX. ..OXX", 0),
    "seki of shared liberties": (".XO.X XXO.X OOOXX OXXX. OX.XX", 0),
    "full but one": ("XX XO", 2),
    "one eye": (".XO XXO OOO", -1),
    "stones inside count as they stand": (".X.X. XOX.. .X... ..... .....", 0),
}
