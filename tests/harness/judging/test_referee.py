"""The referee: every answer that may not be played is named with its rule, every other one passes."""

import pytest
from tiny_suite import EYE, KO, case_of

from harness.judging.referee import candidates, fault_in
from reference_engine.game import Game
from reference_engine.vocabulary import Colour, format_vertex, parse_vertex


def game_of(size: int, moves: str) -> Game:
    """Return a game after moves, colours alternating from Black."""
    game, colour = Game.new(size, komi=0.5), Colour.BLACK
    for word in moves.split():
        move = parse_vertex(word, size)
        assert game.allows(colour, move), word
        game, colour = game.after(colour, move), colour.other
    return game


def requirement(game: Game, colour: Colour, text: str) -> str | None:
    """Return the requirement an answer breaks."""
    fault = fault_in(game, colour, text)
    return fault[0] if fault else None


EYES = case_of(EYE).game
RETAKE = case_of(KO).game


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass", None),
        ("PASS", None),
        ("resign", "R1"),
        ("A4", "R8"),
        ("a2", "R8"),
        ("D3", "R10"),
        ("D1", "R10"),
        ("B4", "R1"),
        ("D4", "R1"),
        ("E1", "G5"),
        ("A5", "G5"),
        ("I1", "G5"),
        ("", "G5"),
        ("B", "G5"),
        ("pass please", "G5"),
    ],
)
def test_only_eyes_left(text: str, expected: str | None) -> None:
    """Where only eyes are left a pass is the one answer, and every other breaks its own rule."""
    assert expected == requirement(EYES, Colour.BLACK, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("pass", None), ("B1", "R11"), ("b1", "R11"), ("E1", "R8"), ("C3", "R1"), ("A4", "R10"), ("B4", "R1")],
)
def test_ko(text: str, expected: str | None) -> None:
    """A retake that brings the position back is a repetition."""
    assert expected == requirement(RETAKE, Colour.BLACK, text)


@pytest.mark.parametrize("text", ["A1", "C3", "E5", "e5"])
def test_empty_board(text: str) -> None:
    """Every point of an empty board may be played."""
    assert requirement(Game.new(5), Colour.WHITE, text) is None


def test_pass_while_a_move_is_left() -> None:
    """A pass while a point can be played without filling an eye breaks R8, and the fault names points."""
    fault = fault_in(Game.new(3), Colour.BLACK, "pass")
    assert fault is not None
    assert fault[0] == "R8"
    assert "A1, B1, C1, A2, B2" in fault[1]


def test_capture_without_own_liberty_is_no_suicide() -> None:
    """A stone that takes may be played though it has no liberty before."""
    game = game_of(3, "A2 A1 B2 B1 C2")
    assert requirement(game, Colour.BLACK, "C1") is None
    assert requirement(game, Colour.WHITE, "C1") == "R10"


def test_pass_beside_a_banned_point() -> None:
    """Where a repetition is among the points, a pass is accepted."""
    assert requirement(RETAKE, Colour.BLACK, "pass") is None


def test_candidates() -> None:
    """Candidates are the points that may be played, without eyes and repetitions."""
    assert candidates(EYES, Colour.BLACK) == []
    assert candidates(RETAKE, Colour.BLACK) == []
    assert len(candidates(Game.new(3), Colour.BLACK)) == 9


@pytest.mark.parametrize("game", [EYES, RETAKE, Game.new(3), game_of(5, "C3 B3 D3 C2 pass A1")])
@pytest.mark.parametrize("colour", list(Colour))
def test_candidates_are_what_passes(game: Game, colour: Colour) -> None:
    """The candidates are exactly the points no fault is found in."""
    points = [(row, column) for row in range(game.position.size) for column in range(game.position.size)]
    passing = [p for p in points if fault_in(game, colour, format_vertex(p)) is None]
    assert sorted(candidates(game, colour)) == sorted(passing)


def test_simple_ko_alone_binds_no_game_move() -> None:
    """The move right after a ko capture is refused as a repetition, and free once the position is another."""
    game = RETAKE
    assert requirement(game, Colour.BLACK, "B1") == "R11"
    other = case_of(
        KO.replace('"W C1"', '"W C1 B pass W A4"').replace(
            "\n. O O X X\nO O X X X\nO O X X X\nO . O", "\nO O O X X\nO O X X X\nO O X X X\nO . O"
        )
    )
    assert requirement(other.game, Colour.BLACK, "B1") is None
