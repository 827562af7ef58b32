"""The first moves of the compiled playouts have the shares that the oracle gives them (see ``draws``)."""

import pytest
from draws import Fit, Plan, drawn, lines_of, prove_draws, require
from replay import KERNELS_AND_DEVIATIONS, READINGS, part

from reference_engine.board import Position
from reference_engine.playouts import Kernel, Root
from reference_engine.reading import first_turn
from reference_engine.spec import SPEC
from reference_engine.vocabulary import Colour

FIRST_MOVES: Plan = {2: (6, 1), 3: (9, 1), 4: (9, 1), 5: (9, 1), 7: (6, 1), 8: (6, 1), 9: (6, 1), 13: (3, 1)}
LINES: Plan = {2: (12, 3), 3: (150, 3), 4: (100, 2), 5: (30, 2), 6: (12, 2)}
LINES_OF_A_DEVIATION: Plan = {2: (6, 3), 3: (24, 3), 4: (15, 2)}

UNFORESEEN = {"list-scan", "last-never-drawn", "three-bit-random", "eight-bit-modulo"}
"""Deviations whose later moves depend on the order of a list that only the kernel knows."""


@pytest.mark.parametrize("name", ["specification", *(n for n, spec in READINGS.items() if spec.choice)])
@pytest.mark.parametrize("kernel", Kernel)
def test_first_moves(kernel: Kernel, name: str) -> None:
    """First moves have the shares of the choice, on large boards too; false failure 1 in 10**6."""
    if name == "specification" or (kernel, name) in KERNELS_AND_DEVIATIONS:
        assert prove_draws(kernel, READINGS[name], part(FIRST_MOVES, kernel)) > 30


@pytest.mark.parametrize("kernel", Kernel)
def test_lines_of_the_specification(kernel: Kernel) -> None:
    """Every line of two or three moves is drawn, and has its share; false failure 1 in 10**6."""
    assert prove_draws(kernel, SPEC, LINES) > 100


@pytest.mark.parametrize(
    ("kernel", "name"), [pair for pair in KERNELS_AND_DEVIATIONS if pair[1] not in UNFORESEEN]
)
def test_lines_of_a_deviation(kernel: Kernel, name: str) -> None:
    """Every line of two or three moves is drawn, and has its share; false failure 1 in 10**6 each."""
    assert prove_draws(kernel, READINGS[name], LINES_OF_A_DEVIATION) > 40


@pytest.mark.parametrize("size", [3, 9, 11, 17])
def test_first_moves_by_remainder(size: int) -> None:
    """Of 256 numbers each entry of a list of empty points has its even share, the first of them one more, and
    those beyond none; false failure 1 in 10**6.
    """
    root, points = Root(Position(size), Colour.BLACK), list(Position(size).points())
    shares = {(point,): len(range(i, 256, len(points))) / 256 for i, point in enumerate(points)}
    chances = {line: share for line, share in shares.items() if share}
    require([Fit.of(drawn(root, READINGS["eight-bit-modulo"], Kernel.CHAINS, 1, 2**14), chances)])


@pytest.mark.parametrize("kernel", Kernel)
def test_first_moves_of_whole_playouts(kernel: Kernel) -> None:
    """Nothing a playout does changes the first moves of those after it; false failure 1 in 10**6."""

    def fit(size: int) -> Fit:
        root = Root(Position(size), Colour.BLACK)
        chances = lines_of(first_turn(root.position, root.colour, 0, SPEC), 1)
        return Fit.of(drawn(root, SPEC, kernel, 1, 2**15), chances)

    require(fit(size) for size in (2, 3, 5, 9))
