"""What playouts did: one row a playout, the one thing kernels write and tallies read.

Points are numbered ``row * size + column``, board order, whatever layout a kernel uses inside.  A row
stands at the playout's number less that of the first, so that no order of finishing can favour short
playouts.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

PASSED: Final = -1
"""A pass, in a list of moves."""
ENDED: Final = -2
"""What follows the last move in a list of moves."""
NO_CAP: Final = 10
"""Without a cap a playout need not end; kernels stop it after this many times N*N moves."""


class Records(NamedTuple):
    """The results of ``n`` playouts, filled by a kernel.

    Attributes:
        lengths: int32[n], moves made, passes included.
        passes: int32[n], passes among them.
        trailing: int32[n], passes in a row at the end.
        margins: int32[n], Black's count minus White's, before komi (R5).
        credits: uint16[n, size * size], how often the point counts as data for the root (R6): 0 or 1,
            unless a deviation counts repeats.
        owners: uint8[n, size * size], 1 where the point is Black's in the final count, 2 White's, 0
            nobody's; or uint8[n, 0] where nobody asks.
        moves: int16[n, most], the points played, ``PASSED`` and after the last ``ENDED``; or int16[n, 0].
    """

    lengths: NDArray[np.int32]
    passes: NDArray[np.int32]
    trailing: NDArray[np.int32]
    margins: NDArray[np.int32]
    credits: NDArray[np.uint16]
    owners: NDArray[np.uint8]
    moves: NDArray[np.int16]


def records_for(size: int, playouts: int, *, owners: bool = False, moves: bool = False) -> Records:
    """Return room for the results of a number of playouts."""
    area = size * size
    return Records(
        np.zeros(playouts, np.int32),
        np.zeros(playouts, np.int32),
        np.zeros(playouts, np.int32),
        np.zeros(playouts, np.int32),
        np.zeros((playouts, area), np.uint16),
        np.zeros((playouts, area if owners else 0), np.uint8),
        np.full((playouts, NO_CAP * area + 2 if moves else 0), ENDED, np.int16),
    )


def first_rows(records: Records, playouts: int) -> Records:
    """Return the part of the records that holds the first playouts: views, not copies."""
    return Records(
        records.lengths[:playouts],
        records.passes[:playouts],
        records.trailing[:playouts],
        records.margins[:playouts],
        records.credits[:playouts],
        records.owners[:playouts],
        records.moves[:playouts],
    )
