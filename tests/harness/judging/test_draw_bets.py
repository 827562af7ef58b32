"""Bets on uneven draws: even ones are not convicted, and lists that end early are."""

from collections.abc import Callable
from math import exp, log
from random import Random

import pytest

from harness.judging.draw_bets import DrawBets
from reference_engine.board import Position
from reference_engine.vocabulary import Colour, Point

Draw = Callable[[Random, list[Point]], Point]


def draws_of(draw: Draw, count: int, seed: int, size: int = 19) -> DrawBets:
    """Return draws from the points of an empty board."""
    position, random, draws = Position(size), Random(seed), DrawBets()  # noqa: S311 - no secret
    points = position.empty_points()
    for _ in range(count):
        draws.add(position, Colour.BLACK, points, draw(random, points))
    return draws


def test_even_draws_seldom_pay() -> None:
    """By Markov's inequality one e-value in twenty reaches twenty: 20 of 400, and three errors more."""
    e_values = [exp(draws_of(Random.choice, 60, seed, 9).log_e) for seed in range(400)]

    assert sum(e >= 20 for e in e_values) <= 33
    assert sum(e_values) / len(e_values) < 3


@pytest.mark.parametrize(
    "draw",
    [
        lambda random, points: points[random.randrange(256)],
        lambda random, points: points[random.randrange(256) % len(points)],
        lambda random, points: points[-random.randrange(1, 257)],
        lambda random, points: sorted(points, key=lambda p: (p[1], p[0]))[random.randrange(300)],
        lambda random, points: min(random.choice(points), random.choice(points)),
    ],
    ids=["256 entries", "one byte", "the last 256 entries", "300 entries by columns", "the lesser of two"],
)
def test_uneven_draws_pay(draw: Draw) -> None:
    """250 draws on an empty 19x19 show a list that ends early, by rows or by columns, and a slope."""
    assert min(draws_of(draw, 250, seed).log_e for seed in range(5)) > log(1e6)


def test_points_that_are_drawn_again_pay() -> None:
    """A program that draws only some of the points draws the same ones again and again."""
    known = Random(5).sample(Position(19).empty_points(), 60)  # noqa: S311 - no secret

    draws = draws_of(lambda random, _: random.choice(known), 250, 1)

    assert draws.log_e > log(1e6)
    assert draws.sentence().startswith(("2", "1"))
    assert "of 250 draws are" in draws.sentence()
