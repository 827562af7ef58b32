"""Starts of playouts: positions as data, the same start the same digest, whatever the komi."""

import msgspec
import pytest
from tiny_suite import KO, SAMPLE, case_of

from harness.cases.case import Case
from harness.cases.start import Start, start_of
from harness.cases.suite import load_suite
from reference_engine.board import Ban, Position
from reference_engine.vocabulary import Colour

CASES = load_suite().cases.values()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_position_comes_back(case: Case) -> None:
    """A start holds its case's position, ban, side to move and number of moves, through a file as well."""
    start = start_of(case)
    read = msgspec.json.decode(msgspec.json.encode(start), type=Start)
    assert start == read
    assert case.game.position.key() == read.position.key()
    assert (case.game.position.size, case.game.position.ko) == (read.position.size, read.position.ko)
    assert (case.colour, len(case.plays)) == (read.colour, read.moves_played)


def test_what_is_part_of_a_start() -> None:
    """Stones, ban, side to move and moves played make a start; komi and playouts do not."""
    start = start_of(case_of(SAMPLE))
    assert start == start_of(case_of(SAMPLE.replace("playouts = 50", "playouts = 7\nkomi = 3.5")))
    plain = Position(3)
    others = [
        Start.of(plain, Colour.WHITE, 0),
        Start.of(plain, Colour.BLACK, 1),
        Start.of(Position(4), Colour.BLACK, 0),
        Start.of(Position(3, {(0, 0): Colour.BLACK}), Colour.BLACK, 0),
        Start.of(Position(3, {(0, 0): Colour.WHITE}), Colour.BLACK, 0),
        Start.of(Position(3, {}, Ban((0, 0), Colour.BLACK)), Colour.BLACK, 0),
        Start.of(Position(3, {}, Ban((0, 0), Colour.WHITE)), Colour.BLACK, 0),
    ]
    assert len({s.digest for s in (start, *others)}) == 8
    assert len({s.name for s in (start, *others)}) == 8


def test_names_for_people() -> None:
    """A start says in words what it is, and its name holds the board, the stones and the side to move."""
    start = start_of(case_of(KO))
    assert start.about == "5x5, 20 stones, black to move after 22 moves, black B1 is banned"
    assert start.name == f"5x5-20-stones-black-{start.digest[:8]}"
    empty = Start.of(Position(3), Colour.WHITE, 1)
    assert empty.about == "3x3, empty, white to move after 1 move"
    assert empty.name == f"3x3-empty-white-{empty.digest[:8]}"


@pytest.mark.parametrize(
    "change",
    [
        {"rows": (". .", ". .")},
        {"rows": (". . .", ". . .", ". .")},
        {"rows": (". . .", ". # .", ". . .")},
        {"ko": "white pass"},
        {"ko": "white K9"},
        {"ko": "green A1"},
    ],
)
def test_drawings_that_draw_nothing(change: dict[str, object]) -> None:
    """A drawing or a ban that is none is refused, never half understood."""
    start = msgspec.structs.replace(start_of(case_of(SAMPLE)), **change)
    with pytest.raises(ValueError, match=r"drawing|ban|board|colour"):
        _ = start.position
