"""The referee's board beside two that share nothing with it: the engine's oracle and sgfmill's."""

import random

import pytest
from sgfmill.boards import Board as OtherBoard

from harness.match.board import BLACK, WHITE, Board, Illegal, format_vertex, parse_vertex
from reference_engine.game import Game
from reference_engine.vocabulary import Colour
from reference_engine.vocabulary import parse_vertex as engine_vertex


@pytest.mark.parametrize(("size", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4), (7, 5), (9, 6), (19, 7)])
def test_every_move_is_judged_as_by_the_oracle(size: int, seed: int) -> None:
    """Random moves, many in each other's way: the same are legal, the same stones stand, the same area."""
    draw = random.Random(seed)  # noqa: S311 - a game to be repeated
    board, game, other = Board(size), Game.new(size), OtherBoard(size)
    refused = dict.fromkeys(Illegal, 0)
    for turn in range(600 if size < 9 else 250):
        colour = Colour.BLACK if turn % 2 == 0 else Colour.WHITE
        point = (draw.randrange(size), draw.randrange(size))
        illegal = board.play(int(colour), point)
        assert (illegal is None) is game.allows(colour, point)
        if illegal is not None:
            refused[illegal] += 1
            continue
        game = game.after(colour, point)
        other.play(*point, "bw"[colour - 1])
        assert dict(board.stones()) == {p: int(c) for p, c in game.position.stones.items()}
    assert {(p, "_bw"[c]) for p, c in board.stones()} == {
        ((r, c), colour) for colour, (r, c) in other.list_occupied_points()
    }
    assert board.area() == game.position.area_margin() == other.area_score()
    assert refused[Illegal.OCCUPIED]
    if size == 2:
        assert refused[Illegal.SUPERKO]
    if size == 3:
        assert refused[Illegal.SUICIDE]


def test_superko_looks_back_over_captures() -> None:
    """A move that takes three stones and brings back the first position is refused, and changes nothing."""
    board = Board(2)
    for colour, vertex in ((BLACK, "A1"), (WHITE, "B2"), (WHITE, "A2"), (WHITE, "B1")):
        assert board.play(colour, parse_vertex(vertex, 2) or (9, 9)) is None
    before = dict(board.stones())

    assert before == dict.fromkeys([(0, 1), (1, 0), (1, 1)], WHITE)
    assert board.play(BLACK, (0, 0)) is Illegal.SUPERKO
    assert dict(board.stones()) == before


def test_dead_stones_count_for_the_other_side() -> None:
    """Area with some stones taken off."""
    board = Board(3)
    for row in range(3):
        assert board.play(BLACK, (row, 1)) is None
    assert board.play(WHITE, (1, 2)) is None

    assert board.area() == 6 - 1
    assert board.area([(1, 2)]) == 9


@pytest.mark.parametrize(
    "text", ["A1", "a1", "T19", "J9", "i9", "pass", "", "A0", "A20", "U1", "A1 ", "A¹", "A٣", "Z1"]
)
def test_vertices_are_read_as_by_the_engines_parser(text: str) -> None:
    """Two parsers that share nothing say the same."""
    try:
        expected = engine_vertex(text, 19)
    except ValueError:
        expected = None
    found = parse_vertex(text, 19)

    assert found == expected
    assert found is None or format_vertex(found) == text.upper()
