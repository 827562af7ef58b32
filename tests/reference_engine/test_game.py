"""The state of a game, as the server keeps it: size, komi, stones, ko, superko, undo."""

import numpy as np
import pytest
from random_games import random_game
from sessions import Session
from sgfmill.boards import Board

from reference_engine.board import Position
from reference_engine.server import draw
from reference_engine.vocabulary import Colour, format_vertex


@pytest.mark.parametrize("size", range(2, 26))
def test_boardsize(size: int) -> None:
    """Each size from 2 to 25 is accepted, empties the board and has its last point and none beyond."""
    session = Session()
    session.play("bA1")
    session.ok(f"boardsize {size}")
    assert session.ok("showboard") == draw(Position(size), "komi 0").strip()
    session.play(f"b{format_vertex((size - 1, size - 1))}")
    assert session.error(f"play w A{size + 1}") == "illegal move"
    session.ok("undo")
    assert session.error("undo") == "cannot undo"


def test_a_refused_boardsize_keeps_the_game() -> None:
    """An unacceptable size leaves size and stones."""
    session = Session(5)
    session.play("bC3")
    session.error("boardsize 26")
    assert session.error("play w C3") == "illegal move"
    assert session.error("play w F1") == "illegal move"


def test_clear_board_starts_a_new_game() -> None:
    """clear_board takes stones, history and moves away, and keeps size and komi."""
    session = Session(5)
    session.ok("komi 2.5")
    session.play("bC3 wB2")
    session.ok("clear_board")
    assert session.error("undo") == "cannot undo"
    assert session.ok("final_score") == "W+2.5"
    session.play("bC3")
    assert session.ok("final_score") == "B+22.5"


KOMIS = {
    "0": "0",
    "7.5": "W+7.5",
    "-7.5": "B+7.5",
    "+3": "W+3",
    "7.": "W+7",
    ".5": "W+0.5",
    "1e1": "W+10",
    "6.25": "W+6.25",
    "-0": "0",
}


@pytest.mark.parametrize(("komi", "score"), KOMIS.items())
def test_komi(komi: str, score: str) -> None:
    """Any finite number is a komi, and survives clear_board, boardsize and undo."""
    session = Session()
    session.ok(f"komi {komi}")
    assert score == session.ok("final_score")
    session.ok("clear_board")
    session.ok("boardsize 7")
    session.play("bA1")
    session.ok("undo")
    assert score == session.ok("final_score")


def test_undo_keeps_a_later_komi() -> None:
    """Undo takes back a move, not the komi set after it."""
    session = Session()
    session.play("bA1")
    session.ok("komi 3.5")
    session.ok("undo")
    assert session.ok("final_score") == "W+3.5"


def test_an_error_changes_no_komi() -> None:
    """A komi that is no number leaves the komi."""
    session = Session()
    session.ok("komi 5.5")
    session.error("komi x")
    assert session.ok("final_score") == "W+5.5"


def test_one_colour_may_play_twice() -> None:
    """Nobody asks whose turn it is."""
    session = Session(5)
    session.play("bA1 bB1 bC1 wE5 wE4")
    assert session.ok("final_score") == "B+1"


def test_occupied_points_and_suicide_are_illegal() -> None:
    """A play on a stone and a suicide of one or more stones are refused; the board stays."""
    session = Session(5)
    session.play("bA2 bB1 wA3 wB2 wC1")
    assert session.error("play b A2") == session.error("play w A2") == "illegal move"
    assert session.error("play b A1") == "illegal move"
    session.play("wA1")
    assert session.error("play b A1") == "illegal move"
    assert session.ok("showboard").count("X") == 0


KO = "bB3 bA2 bB1 wC3 wD2 wC1 wB2 bC2"
"""Black takes on C2; the banned retake is on B2."""


def test_undo_brings_the_ko_ban_back() -> None:
    """A retake is illegal at once and after an undo that leads back, legal after an exchange elsewhere."""
    session = Session(5)
    session.play(KO)
    assert session.error("play w B2") == "illegal move"
    session.play("wE5 bE4")
    session.play("wB2")
    session.ok("undo")
    session.ok("undo")
    session.ok("undo")
    assert session.error("play w B2") == "illegal move"
    session.ok("undo")
    session.play("bC2")
    assert session.error("play w B2") == "illegal move"


def test_a_pass_does_not_make_a_repetition_legal() -> None:
    """After passes the simple ban is gone, yet the retake would repeat the whole board, so superko holds."""
    session = Session(5)
    session.play(KO)
    session.play("wpass bpass")
    assert session.error("play w B2") == "illegal move"
    session.play("bE5")
    session.play("wB2")


def test_undo_forgets_the_position() -> None:
    """A position taken back may come again: undo removes it from superko's memory."""
    session = Session(5)
    session.play("bA1 wE5")
    session.ok("undo")
    session.play("wE5")
    session.play(KO)
    session.ok("undo")
    session.play("bC2")


@pytest.mark.parametrize("size", [2, 3])
def test_superko_looks_back_over_the_whole_game(size: int) -> None:
    """Repetitions found with sgfmill in random games are refused; chance never fails the test."""
    assert sum(repetitions_refused(size, seed) for seed in range(10)) >= 10


def repetitions_refused(size: int, seed: int) -> int:
    """Complain unless the legal moves of a game are those of sgfmill; return how many others repeated."""
    rng = np.random.default_rng(seed)
    session, board, banned = Session(size), Board(size), None
    seen = {drawing_of(board)}
    repetitions = 0
    for ply in range(40):
        colour = "bw"[ply % 2]
        legal = []
        for point in board.board_points:
            after = board.copy()
            is_open = board.get(*point) is None
            if is_open:
                after.play(*point, colour)
            is_repeated = is_open and drawing_of(after) in seen
            is_otherwise_legal = is_open and after.get(*point) == colour and point != banned
            is_legal = is_otherwise_legal and not is_repeated
            repetitions += is_otherwise_legal and is_repeated
            answer = session.server.answer(f"play {colour} {format_vertex(point)}".encode())
            assert answer == ("=\n\n" if is_legal else "? illegal move\n\n")
            if is_legal:
                legal.append(point)
                session.ok("undo")
        if legal:
            point = legal[rng.integers(len(legal))]
            session.play(f"{colour}{format_vertex(point)}")
            banned = board.play(*point, colour)
            seen.add(drawing_of(board))
        else:
            session.play(f"{colour}pass")
            banned = None
    return repetitions


def drawing_of(board: Board) -> str:
    """Return the stones of a board of sgfmill as text."""
    return "".join(board.get(*point) or "." for point in board.board_points)


def test_undo_goes_back_to_the_start() -> None:
    """Every move, genmoves and passes too, can be taken back one by one, boards as they were; no chance."""
    session = Session(5)
    boards = [session.ok("showboard")]
    for command in ("play b C3", "genmove w", "play b pass", "genmove w", "genmove w", "genmove b"):
        session.ok(command)
        boards.append(session.ok("showboard"))
    for board in reversed(boards):
        assert board == session.ok("showboard")
        if board is not boards[0]:
            session.ok("undo")
    assert session.error("undo") == "cannot undo"


def test_random_games_are_those_of_the_oracle() -> None:
    """Random games are accepted and leave the oracle's board and legal moves; chance never fails the test."""
    rng = np.random.default_rng(20081013)
    for size in (2, 3, 5, 9):
        for _ in range(5):
            session, game = Session(size), random_game(size, 3 * size * size, rng)
            for colour, move in game.moves:
                session.ok(f"play {colour} {format_vertex(move)}")
            assert draw(game.position, "komi 0").strip() == session.ok("showboard")
            for colour in Colour:
                for point in game.position.points():
                    answer = session.server.answer(f"play {colour} {format_vertex(point)}\n".encode())
                    assert answer.startswith("=") == game.allows(colour, point)
                    if answer.startswith("="):
                        session.ok("undo")
