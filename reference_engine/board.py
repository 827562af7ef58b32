"""The oracle's board: slow, obvious, and written to be read beside the rules of Go.

A ``Position`` is a frozen value; playing makes a new one.  It knows stones, captures, the simple-ko
ban and area; it knows nothing of history, komi, eyes or playouts.  What it finds out about its stones
it keeps, for the model of a dialogue asks the same position about every point.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from operator import xor
from random import Random
from types import MappingProxyType

from reference_engine.vocabulary import Colour, Point


@cache
def neighbours(size: int, point: Point) -> tuple[Point, ...]:
    """Return the orthogonal neighbours of a point that are on the board."""
    row, column = point
    around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return tuple(p for p in around if 0 <= p[0] < size and 0 <= p[1] < size)


@cache
def diagonals(size: int, point: Point) -> tuple[Point, ...]:
    """Return the diagonal neighbours of a point that are on the board."""
    row, column = point
    around = ((row + 1, column + 1), (row + 1, column - 1), (row - 1, column + 1), (row - 1, column - 1))
    return tuple(p for p in around if 0 <= p[0] < size and 0 <= p[1] < size)


@cache
def zobrist(point: Point, colour: Colour) -> int:
    """Return the 64 random bits of a stone, which Zobrist hashing adds up by exclusive or (Zobrist 1970)."""
    return Random(f"{point} {colour}").getrandbits(64)  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Ban:
    """A simple-ko ban: ``colour`` may not play on ``point`` in this turn."""

    point: Point
    colour: Colour


@dataclass(frozen=True)
class Position:
    """Stones on a square board, with the ko ban the last move left."""

    size: int
    stones: Mapping[Point, Colour] = field(default_factory=lambda: MappingProxyType({}))
    ko: Ban | None = None

    def points(self) -> Iterator[Point]:
        """Yield every point, from A1 along the rows."""
        return ((row, column) for row in range(self.size) for column in range(self.size))

    def empty_points(self) -> list[Point]:
        """Return the points without a stone, in board order."""
        return [point for point in self.points() if point not in self.stones]

    @cached_property
    def _chains(self) -> dict[Point, tuple[frozenset[Point], frozenset[Point]]]:
        """Stones and liberties of the chains that were asked for, by each of their stones."""
        return {}

    @cached_property
    def zobrist(self) -> int:
        """The Zobrist hash of the stones alone."""
        return reduce(xor, (zobrist(point, colour) for point, colour in self.stones.items()), 0)

    def chain(self, point: Point) -> tuple[frozenset[Point], frozenset[Point]]:
        """Return the stones and the liberties of the chain on ``point``."""
        if point in self._chains:
            return self._chains[point]
        colour = self.stones[point]
        chain, liberties, frontier = {point}, set(), [point]
        while frontier:
            for neighbour in neighbours(self.size, frontier.pop()):
                stone = self.stones.get(neighbour)
                if stone is None:
                    liberties.add(neighbour)
                elif stone is colour and neighbour not in chain:
                    chain.add(neighbour)
                    frontier.append(neighbour)
        found = frozenset(chain), frozenset(liberties)
        self._chains.update(dict.fromkeys(chain, found))
        return found

    def captured_by(self, colour: Colour, point: Point) -> frozenset[Point]:
        """Return the enemy stones that a stone of ``colour`` on the empty ``point`` would take."""
        taken: set[Point] = set()
        for neighbour in neighbours(self.size, point):
            if self.stones.get(neighbour) is colour.other and neighbour not in taken:
                chain, liberties = self.chain(neighbour)
                if liberties == {point}:
                    taken |= chain
        return frozenset(taken)

    def own_chain_after(self, colour: Colour, point: Point) -> tuple[frozenset[Point], frozenset[Point]]:
        """Return stones and liberties of the chain a stone on ``point`` would be in, captures aside."""
        around = neighbours(self.size, point)
        own = [self.chain(p) for p in around if self.stones.get(p) is colour]
        empty = frozenset(p for p in around if p not in self.stones)
        chain = frozenset({point}).union(*(stones for stones, _ in own))
        return chain, empty.union(*(liberties for _, liberties in own)) - {point}

    def is_suicide(self, colour: Colour, point: Point) -> bool:
        """Whether the move takes nothing and leaves its own chain without a liberty."""
        if any(p not in self.stones for p in neighbours(self.size, point)):
            return False
        return not self.captured_by(colour, point) and not self.own_chain_after(colour, point)[1]

    def is_ko(self, colour: Colour, point: Point) -> bool:
        """Whether the simple-ko ban forbids the move."""
        return self.ko == Ban(point, colour)

    def is_legal(self, colour: Colour, point: Point) -> bool:
        """Whether the point is empty and the move neither suicide nor a banned retake."""
        return (
            point not in self.stones and not self.is_ko(colour, point) and not self.is_suicide(colour, point)
        )

    def after(self, colour: Colour, point: Point) -> "Position":
        """Return the position after a stone is played on an empty point.

        Enemy chains without a liberty are removed; then, where suicide was played, the own chain.  A
        ko ban arises when exactly one stone was taken by a stone that stands alone with that one liberty.
        """
        taken = self.captured_by(colour, point)
        chain, liberties = self.own_chain_after(colour, point)
        gone = taken or (frozenset() if liberties else chain)
        stones = {**self.stones, point: colour}
        for stone in gone:
            del stones[stone]
        is_ko_shape = len(taken) == 1 and len(chain) == 1 and not liberties
        ban = Ban(next(iter(taken)), colour.other) if is_ko_shape else None
        return Position(self.size, MappingProxyType(stones), ban)

    def zobrist_after(self, colour: Colour, point: Point) -> int:
        """Return the Zobrist hash of the position after a stone is played on an empty point."""
        gone = self.captured_by(colour, point)
        if not gone and self.is_suicide(colour, point):
            return self.after(colour, point).zobrist
        changes = (zobrist(stone, colour.other) for stone in gone)
        return reduce(xor, changes, self.zobrist ^ zobrist(point, colour))

    def after_pass(self) -> "Position":
        """Return the position after a pass: the same stones, any ban lifted."""
        return Position(self.size, self.stones) if self.ko else self

    def regions(self) -> Iterator[tuple[frozenset[Point], frozenset[Colour]]]:
        """Yield every connected empty region with the colours that border it."""
        left = set(self.empty_points())
        while left:
            frontier = [left.pop()]
            region, borders = set(frontier), set()
            while frontier:
                for neighbour in neighbours(self.size, frontier.pop()):
                    stone = self.stones.get(neighbour)
                    if stone is not None:
                        borders.add(stone)
                    elif neighbour in left:
                        left.remove(neighbour)
                        region.add(neighbour)
                        frontier.append(neighbour)
            yield frozenset(region), frozenset(borders)

    def area_margin(self) -> int:
        """Return Black's area minus White's: stones, and regions that border one colour only."""
        margin = sum(1 if colour is Colour.BLACK else -1 for colour in self.stones.values())
        for region, borders in self.regions():
            if borders == {Colour.BLACK}:
                margin += len(region)
            elif borders == {Colour.WHITE}:
                margin -= len(region)
        return margin

    @cached_property
    def _key(self) -> frozenset[tuple[Point, Colour]]:
        return frozenset(self.stones.items())

    def key(self) -> frozenset[tuple[Point, Colour]]:
        """Return the stones alone, for comparing whole-board positions."""
        return self._key
