"""The catalogue of known mistakes, and of what cannot be told: complete, named and described."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

from reference_engine.board import Position, neighbours
from reference_engine.deviations import BY_NAME, CATALOGUE, UNTELLABLE, Deviation
from reference_engine.spec import SPEC
from reference_engine.vocabulary import Colour

SEED = 20081013


def test_names_are_those_of_the_catalogue() -> None:
    """Names are unique, in lower case with hyphens, and lead back to their entries."""
    assert len(BY_NAME) == len(CATALOGUE)
    assert all(re.fullmatch(r"[a-z0-9A-Z]+(-[a-z0-9A-Z]+)*", deviation.name) for deviation in CATALOGUE)
    assert all(deviation is BY_NAME[deviation.name] for deviation in CATALOGUE)


def test_no_two_deviations_are_the_same() -> None:
    """Every deviation differs from the specification, and from every other."""
    codes = {deviation.spec.codes() for deviation in CATALOGUE}
    assert SPEC.codes() not in codes
    assert len(codes) == len(CATALOGUE)


@pytest.mark.parametrize("deviation", CATALOGUE, ids=lambda deviation: deviation.name)
def test_a_deviation_is_described(deviation: Deviation) -> None:
    """A deviation names a requirement, says what the bot does in one line, and changes fields of Spec."""
    assert re.fullmatch(r"R([1-9]|1[0-2])|N[1-4]|X1|G([1-9]|1\d)", deviation.requirement)
    assert deviation.about
    assert "\n" not in deviation.about
    assert all(getattr(SPEC, name) != value for name, value in deviation.changes.items())


def test_what_cannot_be_told_is_described() -> None:
    """It is named like a deviation and is none, and says why it cannot be told."""
    names = [item.name for item in UNTELLABLE]
    assert len(set(names)) == len(names)
    assert set(names).isdisjoint(BY_NAME)
    for item in UNTELLABLE:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", item.name)
        assert re.fullmatch(r"R([1-9]|1[0-2])|N[1-4]|X1|G([1-9]|1\d)", item.requirement)
        assert item.about
        assert item.why.endswith(".")


def positions(size: int, count: int) -> Iterable[Position]:
    """Yield random boards on which every chain has a liberty."""
    rng = np.random.default_rng((SEED, size))
    points = list(Position(size).points())
    while count:
        cells = rng.choice([0, 1, 2], len(points), p=[0.3, 0.35, 0.35])
        stones = {point: Colour(int(c)) for point, c in zip(points, cells, strict=True) if c}
        board = Position(size, stones)
        if all(board.chain(point)[1] for point in stones):
            count -= 1
            yield board


def test_the_ban_of_a_lone_stone_with_other_liberties_bans_nothing() -> None:
    """Wherever a stone without friends takes one and has another liberty too, the retake is suicide."""
    seen = Counter[bool]()
    for position in (*positions(3, 400), *positions(4, 400), *positions(5, 200)):
        for colour, point in product(Colour, position.empty_points()):
            taken = position.captured_by(colour, point)
            beside = {position.stones.get(p) for p in neighbours(position.size, point)}
            if len(taken) != 1 or colour in beside:
                continue
            after = position.after(colour, point)
            is_ko = after.chain(point)[1] == taken
            assert is_ko != after.is_suicide(colour.other, min(taken))
            seen[is_ko] += 1
    assert min(seen[True], seen[False]) > 20, seen
