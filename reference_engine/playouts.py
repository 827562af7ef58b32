"""Playouts from a position: the friendly side of the compiled kernel.

Positions and points in, frozen tallies out.  Importing this module loads Numba; nothing else in the
engine does so before the first genmove.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from reference_engine import kernel
from reference_engine.board import Ban, Position
from reference_engine.chains import WALL
from reference_engine.selection import PASS_CELL, RESIGN_CELL, select
from reference_engine.spec import SPEC, ScoreView, Spec
from reference_engine.streams import seed_stream
from reference_engine.vocabulary import PASS, Colour, Move, Point, format_vertex

Cells = NDArray[np.int8]
Tallies = NDArray[np.int64]

_MASK = (1 << 64) - 1
_NO_HISTOGRAM = np.zeros((0, 0), np.int64)
_NO_TRACE = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class Root:
    """Where playouts start: a position, whose turn it is, the length of the game so far, and komi."""

    position: Position
    colour: Colour
    moves_played: int = 0
    komi: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """What a number of playouts added up to."""

    playouts: int
    nodes: int
    """Moves executed, as ref-nodes counts them."""
    doubled_wins: int
    """Twice the playouts won by the side to move, draws counting one."""
    visits: Tallies
    """All-moves-as-first counts per cell."""
    wins: Tallies
    """Twice the worth of those playouts, per cell."""


def cell_of(size: int, point: Point) -> int:
    """Return the kernel's cell of a point."""
    return (point[0] + 1) * (size + 1) + point[1] + 1


def point_of(size: int, cell: int) -> Point:
    """Return the point of a kernel's cell."""
    row, column = divmod(cell, size + 1)
    return row - 1, column - 1


def cells_of(position: Position) -> Cells:
    """Return the position as the kernel's cells."""
    size = position.size
    cells = np.full((size + 2) * (size + 1) + 1, WALL, np.int8)
    for point in position.points():
        cells[cell_of(size, point)] = position.stones.get(point, 0)
    return cells


@cache
def codes_of(spec: Spec) -> Tallies:
    """Return the rules as the kernels read them."""
    return np.array(spec.codes(), np.int64)


def _ban(position: Position, ban: Ban | None) -> tuple[int, int]:
    return (cell_of(position.size, ban.point), int(ban.colour)) if ban else (0, 0)


def run(
    root: Root,
    playouts: int,
    seed: int,
    first: int = 0,
    *,
    spec: Spec = SPEC,
    histogram: Tallies = _NO_HISTOGRAM,
    trace: NDArray[np.int32] = _NO_TRACE,
) -> Tally:
    """Run playouts from ``root``.

    Args:
        root: where they start.
        playouts: how many.
        seed: any integer; its low 64 bits are used.
        first: number of the first playout of this seed.
        spec: the rules they follow.
        histogram: int64[lengths, 2 * size**2 + 1], counted into by (length, Black's margin + size**2).
        trace: int32, receives the cells of the last playout.
    """
    cells = cells_of(root.position)
    visits, wins = np.zeros((2, cells.size), np.int64)
    nodes, won = kernel.run(
        cells,
        int(root.colour),
        *_ban(root.position, root.position.ko),
        root.moves_played,
        float(root.komi),
        playouts,
        np.uint64(seed & _MASK),
        first,
        codes_of(spec),
        visits,
        wins,
        histogram,
        trace,
    )
    return Tally(playouts, int(nodes), int(won), visits, wins)


def histogram_for(size: int) -> Tallies:
    """Return an empty table of length against margin, large enough for every playout of the kernel."""
    return np.zeros((kernel.NO_CAP * size * size + 1, 2 * size * size + 1), np.int64)


def course(root: Root, seed: int, number: int, spec: Spec = SPEC) -> tuple[list[Move], Tally]:
    """Return one playout's full list of moves with its tally."""
    size = root.position.size
    trace = np.full(kernel.NO_CAP * size * size + 2, -1, np.int32)
    tally = run(root, 1, seed, number, spec=spec, trace=trace)
    end = int(np.argmax(trace == -1))
    return [PASS if cell == 0 else point_of(size, int(cell)) for cell in trace[:end]], tally


def playable(position: Position, colour: Colour, spec: Spec = SPEC) -> list[Point]:
    """Return the points ``spec`` lets the colour play, ko aside, in board order."""
    cells = kernel.playable_cells(cells_of(position), int(colour), codes_of(spec))
    return [point_of(position.size, int(cell)) for cell in cells]


def best(tally: Tally, size: int, candidates: list[Point], seed: int, spec: Spec = SPEC) -> tuple[Move, bool]:
    """Choose the move of the game among ``candidates`` (R7, R12).

    Returns:
        (the move, whether the bot resigns instead).
    """
    rng = np.zeros(4, np.uint64)
    seed_stream(rng, np.uint64(seed & _MASK), 0)
    cells = np.array([cell_of(size, point) for point in candidates], np.int64)
    cell = int(select(rng, cells, tally.visits, tally.wins, codes_of(spec)))
    if cell in (PASS_CELL, RESIGN_CELL):
        return PASS, cell == RESIGN_CELL
    return point_of(size, cell), False


def reported_score(tally: Tally, size: int, move: Move, spec: Spec = SPEC) -> float:
    """Return what ref-score prints (N2)."""
    if spec.score_view is ScoreView.BEST_MOVE and move is not None:
        cell = cell_of(size, move)
        if tally.visits[cell]:
            return float(tally.wins[cell] / (2 * tally.visits[cell]))
    return tally.doubled_wins / (2 * tally.playouts)


def choice_counts(
    root: Root,
    playouts: int,
    genmoves: int,
    seed: int,
    first: int,
    candidates: list[Point],
    spec: Spec = SPEC,
) -> dict[tuple[str, int], int]:
    """Repeat one genmove and count (vertex, twice the playouts won).

    ``candidates`` are the points that break no superko.  A resignation counts under ``resign``.
    """
    size = root.position.size
    cells = cells_of(root.position)
    counts = np.zeros((cells.size + 1, 2 * playouts + 1), np.int64)
    kernel.sample_choices(
        cells,
        int(root.colour),
        *_ban(root.position, root.position.ko),
        root.moves_played,
        float(root.komi),
        playouts,
        genmoves,
        np.uint64(seed & _MASK),
        first,
        codes_of(spec),
        np.array([cell_of(size, point) for point in candidates], np.int64),
        counts,
    )
    found = {}
    for cell, won in zip(*np.nonzero(counts), strict=True):
        if cell == cells.size:
            name = "resign"
        else:
            name = format_vertex(PASS if cell == PASS_CELL else point_of(size, int(cell)))
        found[name, int(won)] = int(counts[cell, won])
    return found
