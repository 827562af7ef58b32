"""The outcomes that are enumerated are those that playouts have: no more, no fewer."""

from collections import Counter
from random import Random

import pytest

from harness.judging.outcomes import outcome_of_draw, outcomes_of
from reference_engine.game import Game
from reference_engine.playout import move_cap, play_out, playable_points
from reference_engine.vocabulary import PASS, Colour, Move, Point


def near_limit(seed: int) -> Game:
    """Return a random game that ends with passes up to a few moves before the limit."""
    random = Random(seed)  # noqa: S311 - no secret
    size = random.choice((2, 3, 4, 5))
    game = Game.new(size, komi=random.choice((0.5, 0.0, -2.0, 6.5)))
    for _ in range(random.randrange(size * size)):
        colour = random.choice(list(Colour))
        point = random.choice(game.position.empty_points())
        if game.allows(colour, point):
            game = game.after(colour, point)
    while len(game.moves) < move_cap(size) - random.choice((1, 2, 3)):
        game = game.after(Colour.BLACK, PASS)
    return game


def played(game: Game, colour: Colour, seed: int) -> tuple[int, int, frozenset[Point]]:
    """Return length, half wins and credited points of one playout of the oracle."""
    random = Random(seed)  # noqa: S311 - no secret

    def draw(_position: object, _colour: object, playable: list[Point]) -> Move:
        return random.choice(playable) if playable else PASS

    course = play_out(game.position, colour, len(game.moves), draw)
    ahead = (course.margin - game.komi) * (1 if colour is Colour.BLACK else -1)
    mine = [p for n, p in enumerate(course.moves) if p and not n % 2 and p not in course.moves[:n]]
    return course.length, (ahead > 0) + (ahead >= 0), frozenset(mine)


@pytest.mark.parametrize("seed", range(40))
def test_playouts_have_the_enumerated_outcomes(seed: int) -> None:
    """Of 300 playouts each has one of the outcomes, and where there are few, each outcome comes up."""
    game, colour = near_limit(seed), list(Colour)[seed % 2]
    outcomes = outcomes_of(game, colour)
    if outcomes is None:
        pytest.skip("too many outcomes to enumerate")
    possible = {(o.length, o.half_wins, o.credited) for o in outcomes}

    seen = Counter(played(game, colour, 1000 * seed + n) for n in range(300))

    assert set(seen) <= possible
    if len(possible) <= 12:  # the rarest then comes with 1 in 25 or more: missed with 5e-6
        assert set(seen) == possible


@pytest.mark.parametrize("seed", range(20))
def test_one_draw_has_the_outcome_of_its_point(seed: int) -> None:
    """At the limit the outcome of one point is the one that the whole enumeration has for it."""
    game = near_limit(seed)
    while len(game.moves) < move_cap(game.position.size):
        game = game.after(Colour.WHITE, PASS)
    outcomes = outcomes_of(game, Colour.WHITE)
    assert outcomes is not None

    for point in playable_points(game.position, Colour.WHITE):
        assert outcome_of_draw(game, Colour.WHITE, point) in outcomes
    for point in game.position.stones:
        assert outcome_of_draw(game, Colour.WHITE, point) is None


def test_an_open_game_has_too_many_outcomes() -> None:
    """On an empty board nothing is enumerated."""
    assert outcomes_of(Game.new(5), Colour.BLACK) is None
