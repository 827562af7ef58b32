"""Answers are held against the engine's answers, with p-values that are not too small."""

from math import exp
from random import Random

import numpy as np

from harness.judging.simulated import log_e_of_answer
from reference_engine.game import Game
from reference_engine.search import Searcher
from reference_engine.vocabulary import Colour, Point


def position(seed: int) -> tuple[Game, Colour]:
    """Return a random position on 3x3 to 5x5 and a side to move."""
    random = Random(seed)  # noqa: S311 - no secret
    size = random.choice((3, 4, 5))
    game = Game.new(size, komi=random.choice((0.5, 0.0, -3.5, 6.5)))
    for _ in range(random.randrange(size * size // 2)):
        colour, point = random.choice(list(Colour)), random.choice(game.position.empty_points())
        if game.allows(colour, point):
            game = game.after(colour, point)
    return game, random.choice(list(Colour))


def test_e_values_of_a_conforming_bot_are_at_most_one_on_average() -> None:
    """300 positions; the mean is 0.75 with error 0.015, so 0.9 is ten errors off."""
    values = []
    for seed in range(70_000, 70_300):
        game, colour = position(seed)
        answer = Searcher(64, seed).genmove(game, colour).move
        if answer is not None:
            values.append(exp(log_e_of_answer(game, colour, answer, 64)))

    assert np.mean(values) < 0.9


def test_answers_at_random_are_told_soon() -> None:
    """A bot that answers any playable point is worth many e-values above one."""
    total = 0.0
    for seed in range(80_000, 80_060):
        game, colour = position(seed)
        legal: list[Point] = [p for p in game.position.empty_points() if game.allows(colour, p)]
        if legal:
            total += log_e_of_answer(game, colour, Random(seed).choice(legal), 256)  # noqa: S311

    assert total > np.log(1e6)


def test_few_playouts_and_large_boards_are_not_compared() -> None:
    """One playout has no data to choose by, and 19x19 would take too long."""
    assert log_e_of_answer(Game.new(5), Colour.BLACK, (2, 2), 1) == 0.0
    assert log_e_of_answer(Game.new(19), Colour.BLACK, (2, 2), 1000) == 0.0
