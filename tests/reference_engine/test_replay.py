"""The compiled kernels against the oracle: every recorded playout is one of its own.

The replays cannot fail by chance.  A fault that shows in a share q of the playouts escapes n of them with
probability (1 - q)**n: of the specification's playouts on boards up to 5x5 the fast test replays over
ten thousand per kernel, so that a fault in one playout of a thousand escapes it with probability below
5e-5; the slow test replays half a million, where the same holds for one in fifty thousand.
"""

from dataclasses import fields

import pytest
from drawings import format_drawing
from replay import (
    FIELDS,
    KERNELS_AND_DEVIATIONS,
    READINGS,
    Plan,
    RefutedError,
    can,
    part,
    prove,
    prove_kernel,
    recorded,
    starts,
)

from reference_engine import playouts, reading
from reference_engine.board import Position
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.playouts import Kernel, Root
from reference_engine.reading import first_turn
from reference_engine.records import NO_CAP
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import Colour

SPECIFICATION: Plan = {
    2: (60, 60),
    3: (60, 60),
    4: (36, 60),
    5: (24, 60),
    6: (9, 50),
    7: (6, 50),
    8: (4, 50),
    9: (4, 50),
    10: (6, 6),
    11: (5, 5),
    12: (4, 4),
    13: (4, 4),
    19: (3, 2),
    25: (1, 1),
}
DEVIATION: Plan = {2: (6, 36), 3: (9, 36), 4: (5, 36), 5: (3, 24), 7: (2, 12), 9: (2, 4)}
LONG_SPECIFICATION: Plan = {
    2: (600, 250),
    3: (600, 250),
    4: (500, 200),
    5: (500, 200),
    6: (300, 100),
    7: (200, 100),
    8: (150, 100),
    9: (150, 100),
    10: (60, 20),
    11: (60, 20),
    12: (40, 20),
    13: (40, 20),
    19: (10, 10),
    25: (4, 10),
}
LONG_DEVIATION: Plan = {
    2: (60, 40),
    3: (60, 40),
    4: (60, 20),
    5: (60, 20),
    7: (12, 24),
    9: (9, 12),
    13: (6, 3),
}

POSITIONS = {2: 60, 3: 60, 4: 40, 5: 40, 6: 20, 7: 20, 8: 10, 9: 10, 13: 4, 19: 3}
"""By size: positions whose playable points are compared."""

SIGHTS = {
    "playouts",
    "black first",
    "white first",
    "ban for the mover",
    "ban for the other",
    "ban on the way",
    "captures",
    "cut off",
    "ended by passes",
    "one move",
    "pass on the way",
}
"""What a proof of the specification must have seen."""

LIKE_THE_SPECIFICATION = {
    "board-scan": "other shares of the same moves",
    "list-scan": "other shares of the same moves",
    "contact-bias": "other shares of the same moves",
    "three-bit-random": "other shares of the same moves",
    "eight-bit-modulo": "other shares of the same moves",
    "ko-survives-pass": "who took a ko can always play, so no pass comes between ban and retake",
    "amaf-wrong-view": "the same data, counted for the other side",
}
"""Deviations every playout of which is also one of the specification's, and why."""
EYE_AND_SUICIDE = [name for name in READINGS if name.startswith(("eye-", "suicide-", "no-eye"))]
"""Deviations that change which points are playable."""


@pytest.mark.parametrize("kernel", Kernel)
def test_every_playout_of_the_specification(kernel: Kernel) -> None:
    """Moves, end and records on all sizes are those of the oracle; chance never fails the test."""
    plan = part(SPECIFICATION, kernel)
    seen = prove_kernel(kernel, SPEC, plan)
    assert seen["playouts"] == sum(roots * count for roots, count in plan.values())
    assert {sight for sight in SIGHTS if seen[sight]} == SIGHTS


@pytest.mark.parametrize(("kernel", "name"), KERNELS_AND_DEVIATIONS)
def test_every_playout_of_a_deviation(kernel: Kernel, name: str) -> None:
    """Moves, end and records are those of the oracle under the reading; chance never fails the test."""
    prove_kernel(kernel, READINGS[name], part(DEVIATION, kernel))


@pytest.mark.parametrize("name", sorted(set(READINGS) - {"specification"}))
def test_the_readings_are_told_apart(name: str) -> None:
    """Some playout of a deviation is none of the specification's, unless no list of moves can show it."""

    def is_refuted(size: int) -> bool:
        for number, root in enumerate(starts(size, 18, READINGS[name])):
            for row in recorded(
                root, READINGS[name], playouts.kernel_for(size, READINGS[name]), 40, number * 40
            ):
                try:
                    prove(root, SPEC, row)
                except RefutedError:
                    return True
        return False

    assert any(is_refuted(size) for size in (3, 4, 5)) == (name not in LIKE_THE_SPECIFICATION)


def test_the_twice_run_playouts_are_the_even_ones() -> None:
    """Playouts run twice are those of the specification with even numbers; chance never fails the test."""
    for kernel in Kernel:
        root = Root(Position(4), Colour.BLACK)
        once, twice = (recorded(root, spec, kernel, 80) for spec in (SPEC, BY_NAME["playouts-twice"].spec))
        assert twice == [once[number - number % 2] for number in range(80)]


def test_the_readings_are_those_of_the_catalogue() -> None:
    """No field of ``Spec`` but those that playouts do not know is left out, and both know one end."""
    others = {d.name: set(d.changes) for d in CATALOGUE if not FIELDS & set(d.changes)}
    assert set().union(*others.values()) == {field.name for field in fields(Spec)} - FIELDS
    assert reading.ENDLESS == NO_CAP


@pytest.mark.parametrize("name", ["specification", *EYE_AND_SUICIDE])
def test_playable_points(name: str) -> None:
    """Eyes and suicides in random games, ko aside, are those of the oracle; chance never fails the test."""
    spec = READINGS[name]
    for size, count in POSITIONS.items():
        for root in starts(size, count):
            position = root.position.after_pass()
            for colour in Colour:
                expected = first_turn(position, colour, 0, spec).playable()
                assert expected == playouts.playable(position, colour, spec), format_drawing(position)


@pytest.mark.long
@pytest.mark.parametrize("size", LONG_SPECIFICATION)
@pytest.mark.parametrize("kernel", Kernel)
def test_every_playout_of_the_specification_at_length(kernel: Kernel, size: int) -> None:
    """The same for many more playouts; chance never fails the test."""
    if can(kernel, size):
        seen = prove_kernel(kernel, SPEC, {size: LONG_SPECIFICATION[size]})
        print(f"{kernel}, {size}x{size}: {dict(seen)}")


@pytest.mark.long
@pytest.mark.parametrize(("kernel", "name"), KERNELS_AND_DEVIATIONS)
def test_every_playout_of_a_deviation_at_length(kernel: Kernel, name: str) -> None:
    """The same for many more playouts; chance never fails the test."""
    seen = prove_kernel(kernel, READINGS[name], part(LONG_DEVIATION, kernel))
    print(f"{kernel}, {name}: {dict(seen)}")
