"""Positions that the search for witnesses tries: random ones of several kinds, and small changes of one."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from reference_engine.board import Ban, Position, neighbours
from reference_engine.playout import playable_points
from reference_engine.playouts import Root, course
from reference_engine.vocabulary import Colour, Point


@dataclass(frozen=True)
class Candidate:
    """A position to be tried."""

    position: Position
    colour: Colour
    moves_played: int
    komi: float = 0.5
    """For genmoves; of playouts every half komi is tried."""
    origin: str = ""

    @property
    def root(self) -> Root:
        """Return it as the engine takes it."""
        return Root(self.position, self.colour, self.moves_played, self.komi)


class Dice(Protocol):
    """Where random numbers come from."""

    rng: np.random.Generator

    def seed(self) -> int:
        """Return a seed that was not used before."""


def is_possible(position: Position) -> bool:
    """Whether every chain has a liberty."""
    seen: set[Point] = set()
    for point in position.stones:
        if point not in seen:
            chain, liberties = position.chain(point)
            if not liberties:
                return False
            seen |= chain
    return True


def moves_of_drawing(position: Position) -> int:
    """Return the moves in which a case sets a drawing up: stones of the two sides in turn, passes between."""
    black = sum(colour is Colour.BLACK for colour in position.stones.values())
    white = len(position.stones) - black
    return 2 * black - 1 if black > white else 2 * white


class Source:
    """Makes candidates."""

    def __init__(self, dice: Dice, sizes: tuple[int, ...]) -> None:
        self._dice = dice
        self._rng = dice.rng
        self.sizes = sizes

    def any(self) -> Candidate:
        """Return a new candidate of a random kind and size."""
        kinds = (
            self._cut_game,
            self._cut_game,
            self._at_a_ko,
            self._near_the_end,
            self._near_the_end,
            self._filled,
        )
        while True:
            made = kinds[self._rng.integers(len(kinds))](int(self._rng.choice(self.sizes)))
            if made is not None and playable_points(made.position, made.colour):
                return replace(made, komi=self._komi(made.position.size))

    def _komi(self, size: int) -> float:
        return float(self._rng.integers(-size, size)) + 0.5

    def _game(self, size: int) -> list[tuple[Position, Colour, int]]:
        """Return the states of a random game, all those after the first move."""
        position, colour, states = Position(size), Colour.BLACK, []
        moves, _ = course(Root(position, colour), self._dice.seed(), 0)
        for number, move in enumerate(moves, 1):
            position = position.after_pass() if move is None else position.after(colour, move)
            colour = colour.other
            states.append((position, colour, number))
        return states

    def _cut_game(self, size: int) -> Candidate | None:
        states = self._game(size)
        return Candidate(*states[self._rng.integers(len(states))], origin="game")

    def _at_a_ko(self, size: int) -> Candidate | None:
        states = [state for state in self._game(size) if state[0].ko]
        return Candidate(*states[self._rng.integers(len(states))], origin="ko") if states else None

    def _near_the_end(self, size: int) -> Candidate | None:
        final = self._game(size)[-1][0]
        points = list(final.stones)
        if not points:
            return None
        away = self._rng.choice(
            len(points), min(len(points), int(self._rng.integers(1, 3 * size))), replace=False
        )
        gone = {points[i] for i in away}
        return self._drawn(size, {p: c for p, c in final.stones.items() if p not in gone}, "end")

    def _filled(self, size: int) -> Candidate | None:
        share = self._rng.uniform(0.3, 0.95)
        black = self._rng.uniform(0.2, 0.8)
        stones = {
            point: Colour.BLACK if self._rng.random() < black else Colour.WHITE
            for point in Position(size).points()
            if self._rng.random() < share
        }
        return self._drawn(size, stones, "filled")

    def _drawn(self, size: int, stones: dict[Point, Colour], origin: str) -> Candidate | None:
        position = Position(size, stones)
        if not is_possible(position):
            return None
        colour = Colour.BLACK if self._rng.random() < 0.5 else Colour.WHITE
        return Candidate(position, colour, moves_of_drawing(position), origin=origin)

    def near(self, candidate: Candidate) -> Candidate | None:
        """Return a small change of a candidate, None where that is no position."""
        size, stones = candidate.position.size, dict(candidate.position.stones)
        ban, colour, komi = candidate.position.ko, candidate.colour, candidate.komi
        what = self._rng.random()
        if what < 0.1:
            colour, ban = colour.other, None
        elif what < 0.2:
            komi += float(self._rng.choice((-1.0, 1.0)))
        else:
            points = list(candidate.position.points())
            for _ in range(int(self._rng.integers(1, 5))):
                point = points[self._rng.integers(len(points))]
                sign = int(self._rng.integers(3))
                if sign == 2:
                    stones.pop(point, None)
                else:
                    stones[point] = Colour.BLACK if sign else Colour.WHITE
            ban = _still(ban, size, stones)
        position = Position(size, stones, ban)
        if not is_possible(position) or not playable_points(position, colour):
            return None
        # A game's own number of moves is kept while its ban is: it was reached by play.
        played = candidate.moves_played if ban else moves_of_drawing(position)
        return Candidate(position, colour, played, komi, f"{candidate.origin.removesuffix('+')}+")


def _still(ban: Ban | None, size: int, stones: dict[Point, Colour]) -> Ban | None:
    """Return a ban if the stones around it still are those of a ko just taken, else None."""
    if ban is None or ban.point in stones:
        return None
    if any(stones.get(p) is not ban.colour.other for p in neighbours(size, ban.point)):
        return None
    return ban if len(Position(size, stones).captured_by(ban.colour, ban.point)) == 1 else None
