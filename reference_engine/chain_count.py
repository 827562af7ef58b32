"""What a finished playout on the board of ``chain_board`` counts: area, by every reading of the rules.

By the specification a playout that ends by passes has no two empty points side by side, so a look at
each one's neighbours is enough.  Regions are flooded where a playout was stopped, or breaks the rules.
"""

from numba import int64, uint64

from reference_engine.chain_board import (
    BESIDE,
    BLACK,
    CODE,
    EMPTY,
    MASK,
    ONE,
    WHITE,
    ZERO,
    U,
    cell_of,
    point_of,
    stone_on,
    stones_beside,
)
from reference_engine.compiled import inlined
from reference_engine.instructions import lowest
from reference_engine.rules import rule
from reference_engine.spec import CODE as CLAUSE
from reference_engine.spec import Scoring

_SCORING = CLAUSE["scoring"]
_STONES, _TERRITORY, _NEIGHBOURS = int(Scoring.STONES), int(Scoring.TERRITORY), int(Scoring.NEIGHBOURS)


@inlined
def _flood(b, cell, region, marks, stamp):
    """Collect the empty region around a cell.

    Returns:
        (its size, whether Black borders it, whether White does); its cells are in ``region``.
    """
    region[0] = cell
    marks[cell] = stamp
    black, white, done, found = ZERO, ZERO, ZERO, ONE
    while done < found:
        code = uint64(b[CODE + region[done]])
        black |= stones_beside(code, BLACK)
        white |= stones_beside(code, WHITE)
        free = ~(code >> U(8) | code >> U(12)) & MASK
        while free != ZERO:
            other = region[done] + BESIDE[lowest(free)]
            if marks[other] != stamp:
                marks[other] = stamp
                region[found] = other
                found += ONE
            free &= free - ONE
        done += ONE
    return int64(found), black, white


@inlined
def count_up(b, libs, empties, size, margin, region, marks, owners, row, rules):
    """Count a finished playout (R5).

    Args:
        b: the board; as the following two, see ``chain_board``.
        libs: the board.
        empties: the board.
        size: of the board.
        margin: black stones less white ones.
        region: uint64[size * size], scratch.
        marks: int64[CELLS], scratch that only this function writes.
        owners: uint8[rows, size * size], where a row is set to whose each point is; or uint8[rows, 0].
        row: the playout's, another one at each call.
        rules: see ``rules``.

    Returns:
        Black's count less White's.
    """
    scoring, stamp = rule(rules, _SCORING), row + 1
    for point in range(owners.shape[1]):
        owners[row, point] = 0 if scoring == _TERRITORY else stone_on(b, cell_of(point, size))
    if scoring == _STONES:
        return margin
    if scoring == _TERRITORY:
        margin = 0
    for i in range(empties):
        cell = uint64(b[EMPTY + i])
        if marks[cell] == stamp:
            continue
        code = uint64(b[CODE + cell])
        found, black, white = 1, stones_beside(code, BLACK), stones_beside(code, WHITE)
        region[0] = cell
        if libs[cell] != ZERO and scoring != _NEIGHBOURS:
            found, black, white = _flood(b, cell, region, marks, stamp)
        margin += found * (int64(black != ZERO) - int64(white != ZERO))
        if owners.shape[1] > 0:
            owner = int64(black != ZERO) + 2 * int64(white != ZERO)
            for k in range(found):
                owners[row, point_of(region[k], size)] = owner if owner != 3 else 0
    return margin
