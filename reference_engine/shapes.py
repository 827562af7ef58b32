"""What stands around a point, as 16 bits, and what the eye rule makes of each of the 65,536 codes.

Two bits a neighbour: one is set for Black, the other for White, both where the board ends, none for an
empty point.  The bits of a kind stand together, so that "which neighbours are Black's" is a mask of four:

    bits   0-3        4-7        8-11          12-15
           diagonals  diagonals  orthogonals   orthogonals
           Black      White      Black         White

with the diagonals in the order -row -column, -row +column, +row -column, +row +column, and the
orthogonals -row, -column, +column, +row.

Eye clauses look at nothing else, and a code says itself whether its point is on the edge (one
orthogonal neighbour is off the board) or in a corner (two).  So a table made once for a reading of the
rules takes the place of the clauses, and a deviation costs a playout nothing.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reference_engine.spec import EyeDiagonals, EyeOwner, Spec
from reference_engine.vocabulary import Colour

CODES: Final = 1 << 16
_POPULATION: Final = np.array([mask.bit_count() for mask in range(16)], np.uint8)


def diagonals_of(codes: NDArray[np.int64], colour: Colour) -> NDArray[np.int64]:
    """Return which diagonal neighbours are the colour's or off the board, as masks of four bits."""
    return (codes >> (0 if colour is Colour.BLACK else 4)) & 15


def orthogonals_of(codes: NDArray[np.int64], colour: Colour) -> NDArray[np.int64]:
    """Return which orthogonal neighbours are the colour's or off the board, as masks of four bits."""
    return (codes >> (8 if colour is Colour.BLACK else 12)) & 15


def _eyes(spec: Spec, colour: Colour) -> NDArray[np.bool_]:
    """Return for each code whether an empty point there is an eye of the colour (R4)."""
    codes = np.arange(CODES)
    own, other = diagonals_of(codes, colour), diagonals_of(codes, colour.other)
    against = ~own & 15 if spec.eye_diagonals is EyeDiagonals.NOT_OWN else other & ~own
    beside = orthogonals_of(codes, colour)
    sides = _POPULATION[beside & orthogonals_of(codes, colour.other)]
    tolerated = np.array([spec.eye_centre, spec.eye_edge, *[spec.eye_corner] * 3])[sides]
    is_eye: NDArray[np.bool_] = (beside == 15) & (_POPULATION[against] <= tolerated)
    return is_eye


@cache
def shapes_of(spec: Spec) -> NDArray[np.uint8]:
    """Return the table of a reading of the rules: uint8[CODES], read-only.

    An entry has a colour's bit (1 Black, 2 White) set where playouts of that colour leave an empty point
    with this code alone (R4).  It never has where a neighbour is empty.
    """
    shapes = np.zeros(CODES, np.uint8)
    for colour in Colour:
        owners: dict[EyeOwner, list[Colour]] = {
            EyeOwner.MOVER: [colour],
            EyeOwner.EITHER: list(Colour),
            EyeOwner.NOBODY: [],
            EyeOwner.BLACK: [colour] if colour is Colour.BLACK else [],
            EyeOwner.OPPONENT: [colour.other],
        }
        for owner in owners[spec.eye_owner]:
            shapes[_eyes(spec, owner)] |= int(colour)
    shapes.setflags(write=False)
    return shapes
