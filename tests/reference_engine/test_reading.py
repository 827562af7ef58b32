"""The oracle under any reading: the specification's is that of ``playout``, the others do what they say."""

from collections import Counter

import numpy as np
import pytest
from drawings import format_drawing, parse_drawing, parse_points
from eyes import EYES
from random_games import random_game

from reference_engine import playout, reading
from reference_engine.board import Position
from reference_engine.deviations import BY_NAME
from reference_engine.reading import Turn, first_turn
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import PASS, Colour, Move, Point, format_vertex, parse_vertex

SEED = 20081013
BLACK, WHITE = Colour.BLACK, Colour.WHITE


def spec_of(name: str) -> Spec:
    """Return the reading of a deviation, or without a name the specification."""
    return BY_NAME[name].spec if name else SPEC


def turns_after(turn: Turn, vertices: str) -> list[Turn]:
    """Return the turn and those after each of the moves."""
    turns = [turn]
    for vertex in vertices.split():
        turns.append(turns[-1].after(parse_vertex(vertex, turn.position.size)))
    return turns


@pytest.mark.parametrize("size", range(2, 10))
def test_the_specification_is_that_of_the_plain_oracle(size: int) -> None:
    """Playable points, bans, the end and the margin are those of ``playout``; chance never fails the test."""
    rng = np.random.default_rng((SEED, size))
    for number in range(60 // size):
        position = random_game(size, int(rng.integers(size * size)), rng, until_ko=True).position
        played = int(rng.integers(3 * size * size)) if number % 2 else 0
        turns = [first_turn(position, BLACK, played, SPEC)]

        def choose(
            position: Position, colour: Colour, playable: list[Point], turns: list[Turn] = turns
        ) -> Move:
            turn = turns[-1]
            assert not turn.is_over()
            assert (turn.position, turn.colour) == (position, colour)
            assert turn.playable() == playable
            assert turn.may_pass() == (not playable)
            move = playable[rng.integers(len(playable))] if playable else PASS
            turns.append(turn.after(move))
            return move

        course = playout.play_out(position, BLACK, played, choose)
        assert turns[-1].is_over()
        owners = Counter(reading.owners(turns[-1].position, SPEC).values())
        assert owners[BLACK] - owners[WHITE] == course.margin


OPEN_KO = parse_drawing(".XO. XO.O .XO. ....")
"""Black takes at C3, White retakes at B3."""
TAKEN_KO = OPEN_KO.after(BLACK, (2, 2))
KO_AND_CAPTURE = parse_drawing(".XO.. XO.O. .XO.. ..... OX...")
"""Black takes at C4, and takes A1 at A2."""
SNAPBACK = parse_drawing(".... XXX. OOX. .XO.")
"""White takes B1 at A1; Black may take three back at B1."""

BANS = {
    # A deviation, the root, its side to move, moves, and the bans before the first and after each.
    "of the game": ("", TAKEN_KO, WHITE, "A1 B1", "B3W - -"),
    "of the game, no ko": ("no-ko", TAKEN_KO, WHITE, "A1", "- -"),
    "of the game, lost at the root": ("ko-lost-at-root", TAKEN_KO, WHITE, "A1", "- -"),
    "of the game, superko": ("superko-in-playouts", TAKEN_KO, WHITE, "A1", "B3W -"),
    "of the game, outlives its turn": ("ko-outlives-turn", TAKEN_KO, WHITE, "A1 B1", "B3W B3W -"),
    "of the game, the taker moves": ("", TAKEN_KO, BLACK, "A1", "B3W -"),
    "of the game, outlives the taker": ("ko-outlives-turn", TAKEN_KO, BLACK, "A1 B1", "B3W B3W -"),
    "on the way": ("", OPEN_KO, BLACK, "C3 A1", "- B3W -"),
    "on the way, no ko": ("no-ko", OPEN_KO, BLACK, "C3 A1", "- - -"),
    "on the way, lost at the root": ("ko-lost-at-root", OPEN_KO, BLACK, "C3 A1", "- B3W -"),
    "on the way, superko": ("superko-in-playouts", OPEN_KO, BLACK, "C3 A1", "- - -"),
    "on the way, outlives": ("ko-outlives-turn", OPEN_KO, BLACK, "C3 A1 D1 B1", "- B3W B3W B3W -"),
    "a capture lifts it": ("", KO_AND_CAPTURE, BLACK, "C4 E5 A2", "- B4W - -"),
    "a capture lifts what outlives": ("ko-outlives-turn", KO_AND_CAPTURE, BLACK, "C4 E5 A2", "- B4W B4W -"),
    "any capture": ("ko-any-capture", KO_AND_CAPTURE, BLACK, "C4 E5 A2", "- B4W - A1W"),
    "a pass lifts it": ("", OPEN_KO, BLACK, "C3 pass", "- B3W -"),
    "a pass lifts what outlives": ("ko-outlives-turn", OPEN_KO, BLACK, "C3 pass", "- B3W -"),
    "survives a pass": ("ko-survives-pass", OPEN_KO, BLACK, "C3 pass pass D1", "- B3W B3W B3W -"),
    "snapback": ("", SNAPBACK, WHITE, "A1", "- -"),
    "snapback, any capture": ("ko-any-capture", SNAPBACK, WHITE, "A1", "- B1B"),
    "two stones taken": ("ko-any-capture", parse_drawing("... XX. OO."), BLACK, "C1", "- -"),
}


@pytest.mark.parametrize(("name", "root", "colour", "moves", "expected"), BANS.values(), ids=BANS.keys())
def test_bans(name: str, root: Position, colour: Colour, moves: str, expected: str) -> None:
    """A ban arises, stays and goes as the reading says, and refuses its point to its colour alone."""
    found = []
    for turn in turns_after(first_turn(root, colour, 0, spec_of(name)), moves):
        ban = turn.position.ko
        found.append(format_vertex(ban.point) + ban.colour.letter if ban else "-")
        if ban:
            assert turn.is_playable(ban.point) == (turn.colour is not ban.colour)
    assert expected == " ".join(found)


SUPERKO = {
    # Moves from OPEN_KO, and whether the next side, White, may retake at B3.
    "at once": ("C3", False),
    "after two passes": ("C3 pass pass", False),
    "on another board": ("C3 A1 D1", True),
    "on a board that came back": ("C3 A1 D1 B3 B1 C1 C3", False),
}


@pytest.mark.parametrize(("moves", "may"), SUPERKO.values(), ids=SUPERKO.keys())
def test_superko_in_playouts(moves: str, *, may: bool) -> None:
    """No board since the playout's start may come again."""
    turn = turns_after(first_turn(OPEN_KO, BLACK, 0, spec_of("superko-in-playouts")), moves)[-1]
    assert turn.colour is WHITE
    assert may == turn.is_playable((2, 1))


PASSES = {
    # A deviation, a board, and whether Black may pass.
    "nothing playable": ("", ".X XX", True),
    "something playable": ("", ".. XX", False),
    "board scan": ("board-scan", ".. XX", False),
    "list scan": ("list-scan", ".. XX", False),
    "drawn": ("pass-drawn", "... ... ...", True),
    "one of two empty points": ("", ".XX XXO XO.", False),
    "last never drawn, nothing playable": ("last-never-drawn", ".X XX", True),
    "last never drawn, one of two empty points": ("last-never-drawn", ".XX XXO XO.", True),
    "last never drawn, both": ("last-never-drawn", ".. XX", False),
    "last never drawn, the only empty point": ("last-never-drawn", "XXX XXO XO.", False),
}


@pytest.mark.parametrize(("name", "drawing", "may"), PASSES.values(), ids=PASSES.keys())
def test_when_a_pass_is_possible(name: str, drawing: str, *, may: bool) -> None:
    """A pass is possible where nothing can be drawn, and where the reading may miss what can."""
    turn = first_turn(parse_drawing(drawing), BLACK, 0, spec_of(name))
    assert may == turn.may_pass() == turn.allows(PASS)


LENGTHS = {
    # A deviation, moves of the game on a 3x3 board, and the most moves of a playout.
    "cap": ("", 0, 27),
    "cap, moves of the game": ("", 20, 7),
    "at the cap": ("", 27, 1),
    "beyond the cap": ("", 100, 1),
    "one board": ("cap-NN", 5, 4),
    "one move late": ("cap-off-by-one", 0, 28),
    "one move late, moves of the game": ("cap-off-by-one", 20, 8),
    "one move late, at the cap": ("cap-off-by-one", 27, 1),
    "two boards": ("cap-2NN", 10, 8),
    "four boards": ("cap-4NN", 10, 26),
    "from the playout": ("cap-from-playout", 100, 27),
    "none": ("no-cap", 100, 90),
}


@pytest.mark.parametrize(("name", "played", "most"), LENGTHS.values(), ids=LENGTHS.keys())
def test_where_a_playout_is_cut_off(name: str, played: int, most: int) -> None:
    """The cap counts the game's moves or does not, and one move is always made."""
    turn = first_turn(Position(3), BLACK, played, spec_of(name).changed(ending_passes=1000))
    for _ in range(most):
        assert not turn.is_over()
        turn = turn.after(PASS)
    assert turn.is_over()


@pytest.mark.parametrize(("name", "passes"), [("", 2), ("one-pass-ends", 1), ("three-passes-end", 3)])
def test_passes_that_end_a_playout(name: str, passes: int) -> None:
    """So many passes in a row end a playout; a stone between them starts the count again."""
    turn = first_turn(Position(3), BLACK, 0, spec_of(name))
    for _ in range(passes - 1):
        turn = turn.after(PASS)
    assert not turn.after((0, 0)).is_over()
    assert turn.after((0, 0)).passes == 0
    assert turn.after(PASS).is_over()


REFUSED = {
    # A deviation, a board, and the points Black is refused for want of liberties.
    "suicide of one": ("", "... O.. .O.", "A1"),
    "suicide of one, several": ("suicide-several", "... O.. .O.", "A1"),
    "suicide of two": ("", ".... OO.. XO.. .O..", "A1"),
    "suicide of two, several": ("suicide-several", ".... OO.. XO.. .O..", ""),
    "capture": ("", ".OX. OOX. XX.. ....", ""),
    "capture, looked at too late": ("suicide-before-capture", ".OX. OOX. XX.. ....", "A4"),
    "capture, joined to a free chain": ("suicide-before-capture", "OX.. .X.. OX.. X...", ""),
}


@pytest.mark.parametrize(("name", "drawing", "vertices"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_for_want_of_liberties(name: str, drawing: str, vertices: str) -> None:
    """Who may take the own last liberty depends on the reading."""
    position = parse_drawing(drawing)
    refused = {p for p in position.empty_points() if reading.is_refused(position, BLACK, p, spec_of(name))}
    assert parse_points(vertices) == refused


OWNERS = {
    # A deviation, a board, and whose every point is.
    "area": ("", ".XO. XXO. XXOO ....", "XXOO XXOO XXOO ...."),
    "stones": ("stones-only", ".XO. XXO. XXOO ....", ".XO. XXO. XXOO ...."),
    "territory": ("territory-only", ".XO. XXO. XXOO ....", "X..O ...O .... ...."),
    "neighbours": ("neighbour-scoring", ".XO. XXO. XXOO ....", "XXOO XXOO XXOO XXOO"),
    "all of one colour": ("", "... ... X..", "XXX XXX XXX"),
    "beyond the neighbours": ("neighbour-scoring", "... ... X..", "... X.. XX."),
    "empty": ("", "... ... ...", "... ... ..."),
}


@pytest.mark.parametrize(("name", "drawing", "expected"), OWNERS.values(), ids=OWNERS.keys())
def test_owners(name: str, drawing: str, expected: str) -> None:
    """What is counted, and for whom, depends on the reading."""
    position = parse_drawing(drawing)
    owners = reading.owners(position, spec_of(name))
    assert expected.split() == format_drawing(Position(position.size, owners)).split()


COURSE = "A1 B1 B1 C1 A1 pass pass D1"
DATA = {
    # A deviation, the moves of a playout, and the points that count for the root.
    "first by either": ("", COURSE, "A1"),
    "wrong view": ("amaf-wrong-view", COURSE, "A1"),
    "first by the side to move": ("amaf-own-first", COURSE, "A1 B1"),
    "every play": ("amaf-every-play", COURSE, "A1 A1 B1"),
    "both colours": ("amaf-both-colours", COURSE, "A1 B1 C1 D1"),
    "first move": ("amaf-first-move", COURSE, "A1"),
    "early twice": ("amaf-weighted", COURSE, "A1 A1"),
    "early twice, in the middle": ("amaf-weighted", "A1 B1 C1 D1", "A1 A1 C1"),
    "early twice, half of five": ("amaf-weighted", "A1 B1 C1 D1 A2", "A1 A1 C1 A2"),
    "early twice, half of six": ("amaf-weighted", "A1 B1 C1 D1 A2 B2", "A1 A1 C1 C1 A2"),
    "first move, a pass": ("amaf-first-move", "pass A1 B1", ""),
}


@pytest.mark.parametrize(("name", "course", "expected"), DATA.values(), ids=DATA.keys())
def test_data_for_the_root(name: str, course: str, expected: str) -> None:
    """Which moves are data for the root depends on the reading; a pass never is."""
    moves = [parse_vertex(vertex, 4) for vertex in course.split()]
    data = reading.data_for_root(moves, spec_of(name))
    assert Counter(expected.split()) == {format_vertex(point): times for point, times in data.items()}


OF_WHITE = {
    # The same, for White.
    "Black's eyes only": ("eye-black-only", ".XO. XXO. OO.O ..O.", "C2 D1", ""),
    "the opponent's eyes alone": ("eye-opponent-only", ".XO. XXO. OO.O ..O.", "C2 D1", "A4"),
}


@pytest.mark.parametrize(("name", "drawing", "more", "less"), OF_WHITE.values(), ids=OF_WHITE.keys())
def test_eyes_of_white(name: str, drawing: str, more: str, less: str) -> None:
    """Some readings do not treat the colours alike, or mix them up."""
    position = parse_drawing(drawing)
    under_rules = set(first_turn(position, WHITE, 0, SPEC).playable())
    deviating = set(first_turn(position, WHITE, 0, spec_of(name)).playable())
    assert (parse_points(more), parse_points(less)) == (deviating - under_rules, under_rules - deviating)


@pytest.mark.parametrize(("name", "drawing", "more", "less"), EYES.values(), ids=EYES.keys())
def test_eyes(name: str, drawing: str, more: str, less: str) -> None:
    """Which empty points are left alone as eyes depends on the reading."""
    position = parse_drawing(drawing)
    under_rules = set(first_turn(position, BLACK, 0, SPEC).playable())
    deviating = set(first_turn(position, BLACK, 0, spec_of(name)).playable())
    assert (parse_points(more), parse_points(less)) == (deviating - under_rules, under_rules - deviating)
