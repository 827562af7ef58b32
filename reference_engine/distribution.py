"""Exact distributions of playouts: what follows from the rules without drawing a single random number.

A playout is a Markov chain.  Its state is the board, the ko ban, the side to move and whether the last
move was a pass; every playable point is equally likely.  The states that can be reached from a position
are found with the oracle, breadth first; then the probability of each is carried forward move by move
until every playout has ended.  On 2x2 and 3x3, and late in the game on any board, that is feasible.

Probabilities are floating-point numbers, yet the result comes with a bound: nothing negative is ever
added, so that relative errors only add up (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from reference_engine.board import Ban, Position
from reference_engine.playout import move_cap, playable_points
from reference_engine.vocabulary import Colour, Point

_Board = tuple[int, ...]
_Place = tuple[_Board, Ban | None]
_State = tuple[_Board, Ban | None, Colour, bool]
"""Stones in board order, the ban, the side to move, whether the last move of the playout was a pass."""


class TooManyStatesError(Exception):
    """More states can be reached than were allowed; the argument says how many were found."""


@dataclass(frozen=True)
class Distribution:
    """What a playout from one position comes to."""

    outcomes: Mapping[tuple[int, int], float]
    """(length, margin) -> probability; the length counts passes, the margin is Black's area less White's."""
    first_plays: Mapping[Point, Mapping[int, float]]
    """Point -> margin -> probability that the side to move at the root plays there before anybody else and
    the playout ends with the margin (R6); empty where it was not asked for."""
    error: float
    """Bound on the relative error of every probability."""
    states: int
    """States the playout can pass through."""

    def results(self, komi: float, colour: Colour) -> list[tuple[int, int, float]]:
        """Return (length, twice the result for ``colour``, probability), draws counting one."""
        found: dict[tuple[int, int], float] = defaultdict(float)
        for (length, margin), probability in self.outcomes.items():
            found[length, _doubled(margin, komi, colour)] += probability
        return [(length, result, p) for (length, result), p in sorted(found.items())]

    def data(self, komi: float, colour: Colour) -> dict[Point, tuple[float, float]]:
        """Return per point the expected data of a playout, and twice the expected wins among them."""
        return {
            point: (
                sum(by_margin.values()),
                sum(p * _doubled(margin, komi, colour) for margin, p in by_margin.items()),
            )
            for point, by_margin in self.first_plays.items()
        }


def _doubled(margin: int, komi: float, colour: Colour) -> int:
    score = margin - komi if colour is Colour.BLACK else komi - margin
    return 2 if score > 0 else 0 if score < 0 else 1


def _position(board: _Board, ban: Ban | None) -> Position:
    size = round(len(board) ** 0.5)
    stones = {divmod(i, size): Colour(c) for i, c in enumerate(board) if c}
    return Position(size, MappingProxyType(stones), ban)


def _place_of(position: Position) -> _Place:
    return tuple(int(position.stones.get(point, 0)) for point in position.points()), position.ko


@lru_cache(maxsize=500_000)
def _plays(board: _Board, ban: Ban | None, colour: Colour) -> tuple[tuple[Point, _Place], ...]:
    """Return every point the playout may draw here, with what it leads to."""
    position = _position(board, ban)
    return tuple(
        (point, _place_of(position.after(colour, point))) for point in playable_points(position, colour)
    )


@dataclass
class _Graph:
    """The states that can be reached and the moves between them."""

    states: dict[_State, int] = field(default_factory=dict)
    moves: list[tuple[int, int, float, Point | None]] = field(default_factory=list)
    """Source, target, probability, point."""
    last: list[int] = field(default_factory=list)
    """States whose only move is the second pass in a row."""

    def number(self, state: _State) -> int:
        """Return a state's number, a new one for a new state."""
        return self.states.setdefault(state, len(self.states))


def _graph_from(root: _State, moves: int, limit: int) -> _Graph:
    """Find everything that can be reached in so many moves, breadth first."""
    graph = _Graph()
    graph.number(root)
    waiting, source, made, ring = [root], 0, 0, 1
    while source < len(waiting):
        if source == ring:
            made, ring = made + 1, len(waiting)
        if made == moves:
            break
        board, ban, colour, passed = waiting[source]
        plays = _plays(board, ban, colour)
        nexts: list[tuple[_State, Point | None]] = [
            ((*place, colour.other, False), point) for point, place in plays
        ]
        if not plays and passed:
            graph.last.append(source)
        elif not plays:
            nexts.append(((board, None, colour.other, True), None))
        for state, point in nexts:
            target = graph.number(state)
            if target == len(waiting):
                waiting.append(state)
            graph.moves.append((source, target, 1 / len(nexts), point))
        if len(waiting) > limit:
            raise TooManyStatesError(len(waiting))
        source += 1
    return graph


class _Chain:
    """A graph as arrays, and one step of any vector of masses along it."""

    def __init__(self, graph: _Graph) -> None:
        self.size = len(graph.states)
        self.source = np.array([m[0] for m in graph.moves], np.int64)
        self.target = np.array([m[1] for m in graph.moves], np.int64)
        self.share = np.array([m[2] for m in graph.moves], np.float64)
        self.point = [m[3] for m in graph.moves]
        self.last = np.array(graph.last, np.int64)
        margins = {board: _position(board, None).area_margin() for board in {s[0] for s in graph.states}}
        self.margin = np.array([margins[s[0]] for s in graph.states], np.int64)
        self.colour = np.array([int(s[2]) for s in graph.states], np.int64)

    def step(self, mass: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mass of every state one move later; what ends is gone."""
        return self.gathered(mass[self.source] * self.share)

    def gathered(self, flow: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mass of every state from what flows along every move."""
        return np.bincount(self.target, flow, self.size).astype(np.float64)

    def by_margin(self, mass: NDArray[np.float64], states: NDArray[np.int64]) -> dict[int, float]:
        """Return the mass of some states by their board's margin."""
        offset = int(self.margin.min())
        sums = np.bincount(self.margin[states] - offset, mass[states])
        return {int(place) + offset: float(sums[place]) for place in np.flatnonzero(sums)}


def distribution_of(
    position: Position,
    colour: Colour,
    moves_played: int = 0,
    *,
    limit: int = 200_000,
    first_plays: bool = True,
) -> Distribution:
    """Return the exact distribution of playouts from a position, by the specification.

    Args:
        position: the board with any ko ban of the game's last move.
        colour: the side to move.
        moves_played: moves of the game so far; they count towards the cap (R3).
        limit: the greatest number of states to go through.
        first_plays: find the all-moves-as-first data too; it takes as long again for every point.

    Raises:
        TooManyStatesError: the limit is not enough.
    """
    moves = max(1, move_cap(position.size) - moves_played)
    graph = _graph_from((*_place_of(position), colour, False), moves, limit)
    chain = _Chain(graph)
    root = np.zeros(chain.size)
    root[0] = 1.0
    outcomes: dict[tuple[int, int], float] = defaultdict(float)
    mass, plies = root, 0
    everywhere = np.arange(chain.size)
    while mass.any():
        plies += 1
        for margin, probability in chain.by_margin(mass, chain.last).items():
            outcomes[plies, margin] += probability
        mass = chain.step(mass)
        if plies == moves:
            for margin, probability in chain.by_margin(mass, everywhere).items():
                outcomes[plies, margin] += probability
            break
    points = sorted({point for point in chain.point if point is not None}) if first_plays else []
    # Roundings on the way to a probability: the share, the product and the sum of every move; the last sum.
    degree = int(np.bincount(chain.target).max()) if len(chain.target) else 0
    roundings = plies * (degree + 2) + chain.size + plies
    unit = float(np.finfo(np.float64).eps) / 2
    return Distribution(
        MappingProxyType(dict(sorted(outcomes.items()))),
        MappingProxyType({point: _first_play(chain, point, colour, root, moves) for point in points}),
        roundings * unit / (1 - roundings * unit),
        chain.size,
    )


def _first_play(
    chain: _Chain, point: Point, colour: Colour, root: NDArray[np.float64], moves: int
) -> Mapping[int, float]:
    """Return, by final margin, the mass of the playouts in which ``colour`` is the first to play a point."""
    is_here = np.array([p == point for p in chain.point])
    is_ours = is_here & (chain.colour[chain.source] == int(colour))
    untouched, ours = root, np.zeros(chain.size)
    found: dict[int, float] = defaultdict(float)
    everywhere = np.arange(chain.size)
    for ply in range(1, moves + 1):
        if not untouched.any() and not ours.any():
            break
        for margin, probability in chain.by_margin(ours, chain.last).items():
            found[margin] += probability
        flow = untouched[chain.source] * chain.share
        ours = chain.step(ours) + chain.gathered(flow * is_ours)
        untouched = chain.gathered(flow * ~is_here)
        if ply == moves:
            for margin, probability in chain.by_margin(ours, everywhere).items():
                found[margin] += probability
    return MappingProxyType(dict(sorted(found.items())))
