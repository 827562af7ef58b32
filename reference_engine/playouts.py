"""Playouts from a position: the friendly side of the compiled kernels.

Positions and points in, frozen tallies out.  Importing this module loads Numba; nothing else in the
engine does so before the first genmove.

A playout is fixed by the kernel, the seed and its number; batches, threads and lanes change nothing.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from reference_engine import chain_kernel, lockstep
from reference_engine.board import Ban, Position
from reference_engine.compiled import announce_compilation as announce_compilation  # noqa: PLC0414 - re-exported
from reference_engine.records import ENDED, NO_CAP, Records, first_rows, records_for
from reference_engine.rules import rules_of as _rules_of
from reference_engine.selection import PASSES, RESIGNS, select
from reference_engine.shapes import shapes_of
from reference_engine.spec import SPEC, CapOrigin, ScoreView, Spec
from reference_engine.streams import seed_stream
from reference_engine.tally import count, count_choices
from reference_engine.vocabulary import PASS, Colour, Move, Point, format_vertex

Counts = NDArray[np.int64]

BATCH = 4096
"""Playouts of one call of a kernel on a small board: enough to make the end of a batch cheap."""
_BATCH_BYTES = 2**21
_MASK = (1 << 64) - 1
_NO_HISTOGRAM = np.zeros((0, 0), np.int64)

rules_of = cache(_rules_of)


class Kernel(StrEnum):
    """Two programs for the same playouts, with different generators of random numbers."""

    LOCKSTEP = "lockstep"
    """Bit boards, many games side by side: up to 9x9, most readings."""
    CHAINS = "chains"
    """Incremental chains, one game at a time: every size and reading."""


@dataclass(frozen=True, slots=True)
class Root:
    """Where playouts start: a position, whose turn it is, the length of the game so far, and komi."""

    position: Position
    colour: Colour
    moves_played: int = 0
    komi: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """What a number of playouts added up to; points are numbered in board order."""

    playouts: int
    nodes: int
    """Moves executed, as ref-nodes counts them."""
    doubled_wins: int
    """Twice the playouts won by the side to move, draws counting one."""
    visits: Counts
    """int64[points], all-moves-as-first counts."""
    wins: Counts
    """int64[points], twice the worth of those playouts."""
    owned: Counts
    """int64[2, points], playouts in which the point counted for Black, for White; or int64[2, 0]."""

    def __add__(self, other: "Tally") -> "Tally":
        """Return the tally of both."""
        return Tally(
            self.playouts + other.playouts,
            self.nodes + other.nodes,
            self.doubled_wins + other.doubled_wins,
            self.visits + other.visits,
            self.wins + other.wins,
            self.owned + other.owned,
        )


def index_of(size: int, point: Point) -> int:
    """Return a point's number in board order."""
    return point[0] * size + point[1]


def point_of(size: int, index: int) -> Point:
    """Return the point with a number in board order."""
    return divmod(index, size)


def kernel_for(size: int, spec: Spec = SPEC) -> Kernel:
    """Return the faster kernel that can play on a board of this size by these rules."""
    return Kernel.LOCKSTEP if size <= lockstep.MOST and lockstep.knows(spec) else Kernel.CHAINS


def cells_of(position: Position) -> NDArray[np.int8]:
    """Return the position as int8[points]."""
    cells = np.zeros(position.size**2, np.int8)
    for point, colour in position.stones.items():
        cells[index_of(position.size, point)] = colour
    return cells


def _ban(size: int, ban: Ban | None) -> tuple[int, int]:
    return (index_of(size, ban.point), int(ban.colour)) if ban else (-1, 0)


def record(
    root: Root,
    playouts: int,
    seed: int,
    first: int = 0,
    *,
    spec: Spec = SPEC,
    kernel: Kernel | None = None,
    owners: bool = False,
    moves: bool = False,
) -> Records:
    """Run playouts and keep what each one did.

    Args:
        root: where they start.
        playouts: how many; the memory grows with it.
        seed: any integer; its low 64 bits are used.
        first: number of the first playout of this seed.
        spec: the rules they follow.
        kernel: which program plays; the faster one by default.
        owners: keep whose every point was in the end.
        moves: keep the list of moves.
    """
    size = root.position.size
    records = records_for(size, playouts, owners=owners, moves=moves)
    _fill(records, root, seed, first, spec, kernel or kernel_for(size, spec))
    return records


def _fill(records: Records, root: Root, seed: int, first: int, spec: Spec, kernel: Kernel) -> None:
    position = root.position
    place = (
        cells_of(position),
        position.size,
        int(root.colour),
        *_ban(position.size, position.ko),
        root.moves_played,
        np.uint64(seed & _MASK),
        first,
    )
    if kernel is Kernel.LOCKSTEP:
        lockstep.play(*place, rules_of(spec), records)
    else:
        chain_kernel.play(*place, rules_of(spec), shapes_of(spec), records)


def batch_of(size: int) -> int:
    """Return how many playouts a kernel is asked for at a time."""
    return max(64, min(BATCH, _BATCH_BYTES // (2 * size * size)))


def run(
    root: Root,
    playouts: int,
    seed: int,
    first: int = 0,
    *,
    spec: Spec = SPEC,
    kernel: Kernel | None = None,
    owners: bool = False,
    histogram: Counts = _NO_HISTOGRAM,
) -> Tally:
    """Run playouts and add up what they show.

    Args:
        root: where they start.
        playouts: how many.
        seed: any integer; its low 64 bits are used.
        first: number of the first playout of this seed, so that a run can be made in parts.
        spec: the rules they follow.
        kernel: which program plays; the faster one by default.
        owners: count whose every point was in the end.
        histogram: int64[lengths, 2 * size**2 + 1], counted into by (nodes, Black's margin + size**2).

    Raises:
        ValueError: the histogram has no room for the longest playout; see ``histogram_for``.
    """
    size = root.position.size
    if 0 < len(histogram) <= longest_playout(size, spec):
        raise ValueError(f"a histogram of {len(histogram)} lengths is too small for these rules")
    visits, wins = np.zeros((2, size * size), np.int64)
    owned = np.zeros((2, size * size if owners else 0), np.int64)
    chosen = kernel or kernel_for(size, spec)
    batch = min(playouts, batch_of(size))
    records = records_for(size, batch, owners=owners)
    nodes, won = 0, 0
    for start in range(0, playouts, batch):
        rows = min(batch, playouts - start)
        if rows < batch:
            records = first_rows(records, rows)
        _fill(records, root, seed, first + start, spec, chosen)
        some_nodes, some_won = count(
            records,
            int(root.colour),
            float(root.komi),
            rules_of(spec),
            visits,
            wins,
            owned,
            histogram,
        )
        nodes += some_nodes
        won += some_won
    return Tally(playouts, nodes, won, visits, wins, owned)


def longest_playout(size: int, spec: Spec = SPEC) -> int:
    """Return the moves of the longest playout these rules allow."""
    return (spec.cap or NO_CAP) * size * size + int(spec.cap_origin is CapOrigin.SECOND_MOVE)


def histogram_for(size: int, spec: Spec = SPEC) -> Counts:
    """Return an empty table of nodes against margin, large enough for every playout by these rules."""
    return np.zeros((longest_playout(size, spec) + 1, 2 * size * size + 1), np.int64)


def course(
    root: Root, seed: int, number: int, spec: Spec = SPEC, kernel: Kernel | None = None
) -> tuple[list[Move], Tally]:
    """Return one playout's full list of moves with its tally."""
    size = root.position.size
    records = record(root, 1, seed, number, spec=spec, kernel=kernel, moves=True)
    moves = moves_of(size, records, 0)
    return moves, run(root, 1, seed, number, spec=spec, kernel=kernel)


def moves_of(size: int, records: Records, row: int) -> list[Move]:
    """Return the moves of one recorded playout."""
    line = records.moves[row]
    return [
        PASS if index < 0 else point_of(size, int(index)) for index in line[: int(np.argmax(line == ENDED))]
    ]


def playable(position: Position, colour: Colour, spec: Spec = SPEC) -> list[Point]:
    """Return the points ``spec`` lets the colour play, ko aside, in board order."""
    found = chain_kernel.playable(
        cells_of(position), position.size, int(colour), rules_of(spec), shapes_of(spec)
    )
    return [point_of(position.size, int(index)) for index in found]


def best(tally: Tally, size: int, candidates: list[Point], seed: int, spec: Spec = SPEC) -> tuple[Move, bool]:
    """Choose the move of the game among ``candidates`` (R7, R12).

    Returns:
        (the move, whether the bot resigns instead).
    """
    rng = np.zeros(4, np.uint64)
    seed_stream(rng, np.uint64(seed & _MASK), 0)
    numbers = np.array([index_of(size, point) for point in candidates], np.int64)
    chosen = int(select(rng, numbers, tally.visits, tally.wins, rules_of(spec)))
    return (PASS, chosen == RESIGNS) if chosen in {PASSES, RESIGNS} else (point_of(size, chosen), False)


def reported_score(tally: Tally, size: int, move: Move, spec: Spec = SPEC) -> float:
    """Return what ref-score prints (N2)."""
    if spec.score_view is ScoreView.BEST_MOVE and move is not None:
        index = index_of(size, move)
        if tally.visits[index]:
            return float(tally.wins[index] / (2 * tally.visits[index]))
    return tally.doubled_wins / (2 * tally.playouts)


def choice_counts(
    root: Root,
    playouts: int,
    genmoves: int,
    seed: int,
    first: int,
    candidates: list[Point],
    spec: Spec = SPEC,
    kernel: Kernel | None = None,
) -> dict[tuple[str, int], int]:
    """Repeat one genmove and count (vertex, twice the playouts won).

    ``candidates`` are the points that break no superko.  A resignation counts under ``resign``.
    """
    size = root.position.size
    area = size * size
    counts = np.zeros((area + 2, 2 * playouts + 1), np.int64)
    numbers = np.array([index_of(size, point) for point in candidates], np.int64)
    batch = max(1, batch_of(size) // playouts)
    for start in range(0, genmoves, batch):
        some = min(batch, genmoves - start)
        records = record(root, some * playouts, seed, (first + start) * playouts, spec=spec, kernel=kernel)
        count_choices(
            records,
            playouts,
            int(root.colour),
            float(root.komi),
            np.uint64(seed & _MASK),
            first + start,
            rules_of(spec),
            numbers,
            counts,
        )
    found = {}
    for row, won in zip(*np.nonzero(counts), strict=True):
        names = {area: "resign", area + 1: "pass"}
        name = names.get(int(row)) or format_vertex(point_of(size, int(row)))
        found[name, int(won)] = int(counts[row, won])
    return found
