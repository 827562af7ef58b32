"""genmove and the statistics of its playouts, as the server gives them."""

import pytest
from sessions import PLAYOUTS, SEED, Session

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.playouts import Root
from reference_engine.search import Report, root_candidates
from reference_engine.vocabulary import Colour, parse_vertex


def test_before_any_genmove_statistics_are_answered() -> None:
    """The private commands answer well-formed numbers before the first genmove."""
    session = Session()
    assert session.ok("ref-nodes") == "0"
    assert float(session.ok("ref-score")) == 0
    assert str(PLAYOUTS) == session.ok("ref-playouts")


@pytest.mark.parametrize("colour", Colour)
def test_statistics_are_those_of_the_playouts(colour: Colour) -> None:
    """Nodes, score and playouts are those of the same playouts run by hand; chance never fails the test."""
    session = Session(7, playouts=300)
    session.ok("komi 4.5")
    session.play("bD4 wC3")
    session.ok(f"genmove {colour}")
    position = Position(7).after(Colour.BLACK, (3, 3)).after(Colour.WHITE, (2, 2))
    tally = playouts.run(Root(position, colour, 2, 4.5), 300, SEED)
    assert str(tally.nodes) == session.ok("ref-nodes")
    assert f"{tally.doubled_wins / 600:.7f}" == session.ok("ref-score")
    assert session.ok("ref-playouts") == "300"


def test_reading_changes_no_statistics() -> None:
    """The statistics stay when read, when moves are played and when the board is cleared (N3)."""
    session = Session()
    session.ok("genmove b")
    first = [session.ok(f"ref-{name}") for name in ("nodes", "score", "playouts")]
    session.play("wA1")
    session.ok("clear_board")
    session.ok("komi 3")
    assert first == [session.ok(f"ref-{name}") for name in ("nodes", "score", "playouts")]


def test_statistics_are_of_the_last_genmove() -> None:
    """A second genmove replaces the statistics: its nodes are its own (N3); chance never fails the test."""
    session = Session(5, playouts=100)
    move = parse_vertex(session.ok("genmove b"), 5)
    session.ok("genmove w")
    position = Position(5)
    assert move is not None
    tally = playouts.run(Root(position.after(Colour.BLACK, move), Colour.WHITE, 1), 100, SEED, 100)
    assert str(tally.nodes) == session.ok("ref-nodes")


def test_genmove_plays_for_the_colour_given() -> None:
    """Genmove sets a stone of the colour asked for, twice the same colour too, on a legal point."""
    session = Session(5)
    for count, colour in enumerate(("black", "b", "WHITE", "w"), start=1):
        vertex = session.ok(f"genmove {colour}")
        assert vertex != "pass"
        assert session.error(f"play b {vertex}") == "illegal move"
        drawing = session.ok("showboard").split("\n", 1)[1]
        assert (min(count, 2), max(0, count - 2)) == (drawing.count("X"), drawing.count("O"))


def test_genmove_passes_when_it_must() -> None:
    """Where nothing but own eyes and suicide is left the answer is a pass, and it can be taken back."""
    session = Session(2)
    session.play("bA1 bB1 bA2")
    assert session.ok("genmove b") == "pass"
    session.ok("undo")
    assert session.ok("genmove w") == "B2"


def test_genmove_keeps_superko() -> None:
    """Whole games of genmoves never repeat a position and never fill an eye, to two passes; no chance."""
    session = Session(3, playouts=20)
    game, colour = Game.new(3), Colour.BLACK
    passes = 0
    for _ in range(60):
        move = parse_vertex(session.ok(f"genmove {colour}"), 3)
        assert game.allows(colour, move)
        candidates = root_candidates(game, colour)
        assert move in candidates or (move is None and not candidates)
        game = game.after(colour, move)
        passes = passes + 1 if move is None else 0
        colour = colour.other
        if passes == 2:
            break


def test_a_seed_fixes_the_game() -> None:
    """Two sessions with one seed play the same game; chance never fails the test."""
    first, second = Session(5), Session(5)
    commands = ["genmove b", "genmove w"] * 6
    assert [first.ok(command) for command in commands] == [second.ok(command) for command in commands]


def test_a_report_is_empty_at_first() -> None:
    """A report without a genmove has no nodes and no score."""
    assert Report() == Report(0, 0.0, 0)
