"""Recorded playouts replayed through the oracle, move by move.

A playout proves itself by its list of moves: each is one the oracle's turn allows, the list ends exactly
where the oracle's playout does, and all else that was recorded follows from it.  The oracle's board takes
its own captures, so a capture missed or made up shows at the latest in the owners of the last board.

Chance never refutes a right kernel, with one exception: under superko the chains kernel passes after forty
draws in a row that repeat a position, though another point were left.  A fault that shows in a share q of
the playouts escapes n of them with probability (1 - q)**n.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from drawings import format_drawing
from random_games import random_game

from reference_engine import lockstep, playouts, reading
from reference_engine.board import Position
from reference_engine.deviations import CATALOGUE
from reference_engine.game import Game
from reference_engine.playouts import Kernel, Root
from reference_engine.reading import Turn
from reference_engine.records import ENDED, PASSED, Records
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import PASS, Colour, Move, Point, format_vertex

SEED = 20081013
FIELDS = {
    "choice",
    "ko",
    "ending_passes",
    "cap",
    "cap_origin",
    "eye_centre",
    "eye_edge",
    "eye_corner",
    "eye_diagonals",
    "eye_owner",
    "suicide",
    "scoring",
    "amaf",
    "generator",
}
"""The clauses a kernel's records depend on, but for the one that runs every playout twice."""
READINGS = {"specification": SPEC} | {d.name: d.spec for d in CATALOGUE if FIELDS & set(d.changes)}
"""The specification, and every deviation whose playouts are others."""

TRIES = 30
"""Random games that are tried for one with a ko ban; there is none on 2x2."""

Plan = Mapping[int, tuple[int, int]]
"""By size: how many starts, and how many playouts from each in one batch."""


def can(kernel: Kernel, size: int, spec: Spec = SPEC) -> bool:
    """Whether a kernel plays on boards of the size by these rules."""
    return kernel is Kernel.CHAINS or (size <= lockstep.MOST and lockstep.knows(spec))


def part(plan: Plan, kernel: Kernel) -> Plan:
    """Return what of a plan the kernel can play."""
    return {size: counts for size, counts in plan.items() if can(kernel, size)}


def deviations_of(kernel: Kernel) -> list[str]:
    """Return the deviations that a kernel can play."""
    return [name for name, spec in READINGS.items() if spec != SPEC and can(kernel, 2, spec)]


KERNELS_AND_DEVIATIONS = [(kernel, name) for kernel in Kernel for name in deviations_of(kernel)]


class RefutedError(AssertionError):
    """A recorded playout that is none of the oracle's."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was recorded of one playout, in the oracle's words."""

    moves: tuple[Move, ...]
    length: int
    passes: int
    trailing: int
    margin: int
    data: dict[Point, int]
    """How often each point counts as data for the root, zeros left out."""
    owners: dict[Point, int]
    """Whose each point is, nobody's left out."""


def rows_of(size: int, records: Records) -> Iterator[Row]:
    """Yield the rows of records that keep owners and moves."""
    points = list(Position(size).points())
    for line, length, passes, trailing, margin, data, owners in zip(
        *(
            array.tolist()
            for array in (
                records.moves,
                records.lengths,
                records.passes,
                records.trailing,
                records.margins,
                records.credits,
                records.owners,
            )
        ),
        strict=True,
    ):
        moves = line[: line.index(ENDED)]
        yield Row(
            tuple(PASS if index == PASSED else points[index] for index in moves),
            length,
            passes,
            trailing,
            margin,
            {point: times for point, times in zip(points, data, strict=True) if times},
            {point: owner for point, owner in zip(points, owners, strict=True) if owner},
        )


def replay(root: Root, spec: Spec, moves: tuple[Move, ...]) -> list[Turn]:
    """Play the moves through the oracle.

    Returns:
        Every turn, and where the playout ended.

    Raises:
        RefutedError: a move is not possible, or the end is not where it must be.
    """
    turns = [reading.first_turn(root.position, root.colour, root.moves_played, spec)]
    for move in moves:
        if turns[-1].is_over():
            raise RefutedError(f"goes on after its end\n{_scene(turns)}")
        if not turns[-1].allows(move):
            raise RefutedError(f"{format_vertex(move)} is not possible\n{_scene(turns)}")
        turns.append(turns[-1].after(move))
    if not turns[-1].is_over():
        raise RefutedError(f"stops before its end\n{_scene(turns)}")
    return turns


def _scene(turns: list[Turn]) -> str:
    last = turns[-1]
    return (
        f"move {len(turns)}, {last.colour} to move, ban {last.position.ko}\n{format_drawing(last.position)}"
    )


def prove(root: Root, spec: Spec, row: Row) -> list[Turn]:
    """Replay a recorded playout and compare all else that was recorded of it.

    Returns:
        Every turn, and where the playout ended.

    Raises:
        RefutedError: it is none of the oracle's, or was recorded wrongly.
    """
    turns = replay(root, spec, row.moves)
    last = turns[-1]
    owners = reading.owners(last.position, spec)
    expected = Row(
        row.moves,
        length=len(row.moves),
        passes=row.moves.count(PASS),
        trailing=last.passes,
        margin=sum(1 if owner is Colour.BLACK else -1 for owner in owners.values()),
        data=dict(reading.data_for_root(row.moves, spec)),
        owners={point: int(owner) for point, owner in owners.items()},
    )
    for name in Row.__slots__:
        told, true = getattr(row, name), getattr(expected, name)
        if told != true:
            raise RefutedError(f"{name} recorded as {told}, not {true}\n{_scene(turns)}")
    return turns


@cache
def _game(size: int, number: int) -> Game:
    """Return the empty board for 0, a game that ends with a ko ban for odd numbers, else any random game."""
    rng = np.random.default_rng((SEED, size, number))
    wants_ko = number % 2 == 1 and 3 <= size < 20
    for _ in range(TRIES if wants_ko else 1):
        plies = 0 if number == 0 else int(rng.integers(min(2 * size * size, 300)))
        game = random_game(size, plies, rng, until_ko=wants_ko)
        if game.position.ko:
            break
    return game


def starts(size: int, count: int, spec: Spec = SPEC) -> Iterator[Root]:
    """Yield roots: the empty board, then random games, up to a ko ban every other time.

    Both sides move first, the one whose turn it is and the other.  Every third root is near the cap, on
    either side of it, the others are far from it.
    """
    area = size * size
    cap = (spec.cap or SPEC.cap) * area
    for number in range(count):
        game = _game(size, number)
        last = game.moves[-1][0] if game.moves else Colour.WHITE
        played = max(0, cap + 2 - number % 13) if number % 3 == 2 else min(area, len(game.moves))
        yield Root(game.position, last if number % 4 == 3 else last.other, played)


def recorded(root: Root, spec: Spec, kernel: Kernel, count: int, first: int = 0) -> list[Row]:
    """Return a batch of playouts of a kernel."""
    records = playouts.record(root, count, SEED, first, spec=spec, kernel=kernel, owners=True, moves=True)
    return list(rows_of(root.position.size, records))


def prove_kernel(kernel: Kernel, spec: Spec, plan: Plan) -> Counter[str]:
    """Prove every playout of a plan.

    Returns:
        How many playouts there were, and how many showed what a proof should have seen.

    Raises:
        RefutedError: one of them is none of the oracle's.
    """
    seen: Counter[str] = Counter()
    for size, (roots, count) in plan.items():
        for number, root in enumerate(starts(size, roots, spec)):
            for row in recorded(root, spec, kernel, count, number * count):
                seen.update(_sights(root, prove(root, spec, row)))
    return seen


def _sights(root: Root, turns: list[Turn]) -> dict[str, bool]:
    """Return what a playout showed."""
    ban, last = root.position.ko, turns[-1]
    stones = len(root.position.stones) + sum(turn.passes == 0 for turn in turns[1:])
    return {
        "playouts": True,
        "black first": root.colour is Colour.BLACK,
        "white first": root.colour is Colour.WHITE,
        "ban for the mover": ban is not None and ban.colour is root.colour,
        "ban for the other": ban is not None and ban.colour is not root.colour,
        "ban on the way": any(turn.position.ko for turn in turns[1:]),
        "captures": len(last.position.stones) < stones,
        "cut off": last.left == 0,
        "ended by passes": last.passes == last.spec.ending_passes,
        "one move": len(turns) == 2,
        "pass on the way": any(one.passes and not other.passes for one, other in pairwise(turns)),
    }
