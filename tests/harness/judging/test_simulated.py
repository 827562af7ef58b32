"""Answers are held against the engine's answers, with e-values that are fair."""

from random import Random

import numpy as np

from harness.judging.simulated import BETS, log_e_of_answer
from harness.statistics.evalues import log_mean
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


def test_e_values_of_a_conforming_bot_are_one_on_average() -> None:
    """300 positions: each mean is within four standard errors of 1 (1 of 650 runs fails by chance)."""
    values = []
    for seed in range(70_000, 70_300):
        game, colour = position(seed)
        answer = Searcher(64, seed).genmove(game, colour).move
        found = log_e_of_answer(game, colour, answer, 64, 1) if answer is not None else None
        if found is not None:
            values.append(np.exp(found))
    mean, error = np.mean(values, axis=0), np.std(values, axis=0) / np.sqrt(len(values))

    assert mean.shape == (BETS,)
    assert (mean < 1 + 4 * error).all()
    assert (mean > 1 - 4 * error).all()


def test_no_answer_of_the_engine_is_used_twice() -> None:
    """The same question, asked again and again: the product over six genmoves is still 1 on average."""
    game = Game.new(4, komi=0.5)
    products = []
    for first in range(0, 600, 6):
        found = [
            log_e_of_answer(game, Colour.BLACK, point, 64, number)
            for number in range(first + 1, first + 7)
            if (point := Searcher(64, 90_000 + number).genmove(game, Colour.BLACK).move) is not None
        ]
        products.append(np.exp(np.sum([each for each in found if each is not None], axis=0)))
    mean, error = np.mean(products, axis=0), np.std(products, axis=0) / np.sqrt(len(products))

    assert (mean < 1 + 4 * error).all()


def test_answers_at_random_are_told_soon() -> None:
    """A bot that answers any playable point is told within 30 genmoves."""
    total = np.zeros(BETS)
    for seed in range(80_000, 80_030):
        game, colour = position(seed)
        legal: list[Point] = [p for p in game.position.empty_points() if game.allows(colour, p)]
        found = (
            log_e_of_answer(game, colour, Random(seed).choice(legal), 256, 1)  # noqa: S311
            if legal
            else None
        )
        total += np.zeros(BETS) if found is None else np.array(found)

    assert log_mean(total.tolist()) > np.log(1e6)


def test_few_playouts_and_large_boards_are_not_compared() -> None:
    """One playout has no data to choose by, and 19x19 would take too long."""
    assert log_e_of_answer(Game.new(5), Colour.BLACK, (2, 2), 1, 1) is None
    assert log_e_of_answer(Game.new(19), Colour.BLACK, (2, 2), 1000, 1) is None
