"""Random legal games, for tests that need positions nobody would think of drawing."""

import numpy as np

from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.vocabulary import PASS, Colour, Move


def random_point(position: Position, colour: Colour, rng: np.random.Generator) -> Move:
    """Return a uniformly chosen legal point (simple ko, no superko), or a pass where there is none."""
    empty = position.empty_points()
    for index in rng.permutation(len(empty)):
        if position.is_legal(colour, empty[index]):
            return empty[index]
    return PASS


def random_move(game: Game, colour: Colour, rng: np.random.Generator, pass_rate: float = 0.05) -> Move:
    """Return a uniformly chosen point the game allows, or a pass: where there is none, and sometimes."""
    if rng.random() < pass_rate:
        return PASS
    empty = game.position.empty_points()
    for index in rng.permutation(len(empty)):
        if game.allows(colour, empty[index]):
            return empty[index]
    return PASS


def random_game(size: int, plies: int, rng: np.random.Generator, *, until_ko: bool = False) -> Game:
    """Return a game of so many random moves, colours mostly in turn.

    Args:
        size: of the board.
        plies: moves to make.
        rng: where the choices come from.
        until_ko: go on for at most as many moves again, and 4 * size**2, until the last one bans a retake.
    """
    game, colour = Game.new(size), Colour.BLACK
    limit = 2 * plies + 4 * size * size if until_ko else plies
    while len(game.moves) < limit:
        if len(game.moves) >= plies and game.position.ko:
            break
        game = game.after(colour, random_move(game, colour, rng))
        if rng.random() < 0.95:
            colour = colour.other
    return game
