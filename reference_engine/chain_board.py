"""The compiled board: chains with sums over their liberties, kept up to date stone by stone.

A cell is a number.  The rows of every board stand ``PITCH`` cells apart, whatever its size, so that the
four neighbours of a cell are at constant distances; a wall of one cell is around the board.

A chain is named by one of its stones, its head, and holds one word: the sum of ``WEIGHTS`` over its
pseudo-liberties, that is over all pairs of a stone of the chain and an empty neighbour of that stone.
A weight packs (1, cell, cell**2), so the word counts the pseudo-liberties and knows the sum and the
sum of squares of their cells.  A chain's last liberty is p exactly when its word is a multiple of the
weight of p: by Cauchy and Schwarz, count * squares = sum**2 only where all cells are the same.  That
is one multiplication, for four neighbours at once, and no chain is ever walked to find its liberties.

An empty cell is kept as a chain of itself: its own head, one stone, and the word is the sum over its
empty neighbours.  A stone without friends beside it becomes a chain without any work, and "has an
empty neighbour" is "the word is not zero".

State is two arrays.  ``b`` is uint16[SIZE] in regions of ``CELLS`` (a field of a cell is a constant
distance from it), then the list of empty cells in any order.  ``libs`` is uint64[CELLS], the words,
valid at heads.  The length of the list of empty cells is passed by hand.  All numbers are unsigned,
down to the constants: a signed index costs a test, and mixed signs are floating point to Numba.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import uint16, uint64

from reference_engine.compiled import inlined
from reference_engine.instructions import equal_mask, flip, lowest, multiple_mask
from reference_engine.vocabulary import MAX_SIZE

U: Final = np.uint64
ZERO, ONE, TWO, FOUR, MASK = U(0), U(1), U(2), U(4), U(15)
BLACK, WHITE = U(1), U(2)

ROW: Final = MAX_SIZE + 1
PITCH: Final = U(ROW)
CELLS: Final = (MAX_SIZE + 2) * ROW + 2
"""Cells of the largest board, its walls and one to spare."""

# Regions of ``b``.  CODE: what stands around the cell (see ``shapes``).  HEAD: the head of its chain.
# LINK: the chain's next stone, in a ring.  STONES: the length of the ring, valid at heads.  MARK: for
# the playout, see ``chain_kernel``.  EMPTY: the empty cells.
CODE, HEAD, LINK, STONES, MARK, EMPTY = (U(CELLS * region) for region in range(6))
SIZE: Final = int(EMPTY) + MAX_SIZE**2 + 4
"""Of ``b``; removing a chain may write a little beyond the list."""

# A word: pseudo-liberties, the sum of their cells, the sum of the squares.  The largest count is 834:
# a chain of s stones has at most 2 * s + 2 pseudo-liberties, and each empty point gives at most four.
COUNT: Final = U(0xFFF)
_CELLS, _SQUARES = 12, 34
WEIGHTS: Final = np.array([1 | cell << _CELLS | cell * cell << _SQUARES for cell in range(CELLS)], np.uint64)

BESIDE: Final = np.array([-ROW, -1, 1, ROW, 0]).astype(np.uint64)
"""From a cell to its neighbours, in the order of masks, then to itself."""

# What a black stone adds to the codes of the three cells below, beside and above it; a white one's bits
# are four places higher.  The neighbour below, left sees it as diagonal 3, the one below as orthogonal 3.
_BELOW: Final = U(1 << 3 | 1 << 16 + 11 | 1 << 32 + 2)
_LEVEL: Final = U(1 << 10 | 1 << 32 + 9)
_ABOVE: Final = U(1 << 1 | 1 << 16 + 8 | 1 << 32 + 0)


class Contact(NamedTuple):
    """An empty cell and what a stone of some colour would touch there; masks have a bit a neighbour."""

    cell: Any
    weight: Any
    """Of the cell."""
    south: Any
    """Head of the neighbour in the row before."""
    west: Any
    east: Any
    north: Any
    own: Any
    """Mask of the neighbours of the colour."""
    foe: Any
    """Mask of the neighbours of the other colour."""
    last: Any
    """Mask of the chains whose last liberty is the cell; only bits of own and foe have a meaning."""


@inlined
def other_of(colour):
    """Return the other colour."""
    return BLACK + WHITE - colour


@inlined
def cell_of(point, size):
    """Return the cell of a point numbered in board order."""
    row = uint64(point) // uint64(size)
    return (row + ONE) * PITCH + (uint64(point) - row * uint64(size)) + ONE


@inlined
def point_of(cell, size):
    """Return the number, in board order, of the point on a cell."""
    row = cell // PITCH
    return (row - ONE) * uint64(size) + (cell - row * PITCH) - ONE


@inlined
def stones_beside(code, colour):
    """Return which orthogonal neighbours hold stones of the colour, as a mask."""
    mine, theirs = code >> (FOUR + FOUR * colour), code >> (U(16) - FOUR * colour)
    return mine & ~theirs & MASK


@inlined
def stone_on(b, cell):
    """Return what is on a cell of the board, 0 for empty: the cell to the west has it in its code."""
    code = uint64(b[CODE + cell - ONE])
    return (code >> U(10) & ONE) | (code >> U(14) & ONE) << ONE


@inlined
def touch(b, libs, cell, colour):
    """Return what a stone of the colour would touch on an empty cell."""
    weight = WEIGHTS[cell]
    south, west = uint64(b[HEAD + cell - PITCH]), uint64(b[HEAD + cell - ONE])
    east, north = uint64(b[HEAD + cell + ONE]), uint64(b[HEAD + cell + PITCH])
    last = multiple_mask(libs[south], libs[west], libs[east], libs[north], weight, COUNT)
    code = uint64(b[CODE + cell])
    own, foe = stones_beside(code, colour), stones_beside(code, other_of(colour))
    return Contact(cell, weight, south, west, east, north, own, foe, last)


@inlined
def _surround(b, cell, colour):
    """Add or take away a stone in the codes of the eight cells around."""
    shift = FOUR * (colour - ONE)
    flip(b, CODE + cell - PITCH - ONE, _BELOW << shift)
    flip(b, CODE + cell - ONE, _LEVEL << shift)
    flip(b, CODE + cell + PITCH - ONE, _ABOVE << shift)


@inlined
def _join(b, libs, one, two):
    """Join two chains; return the head, which is that of the larger one."""
    small, big = one, two
    if b[STONES + small] > b[STONES + big]:
        small, big = big, small
    # Six stones at a time: once around the ring again does no harm, and one branch in six is missed.
    stone, left = small, uint64(b[STONES + small])
    while True:
        for _ in range(6):
            b[HEAD + stone] = uint16(big)
            stone = uint64(b[LINK + stone])
        if left <= U(6):
            break
        left -= U(6)
    after = b[LINK + small]
    b[LINK + small] = b[LINK + big]
    b[LINK + big] = after
    b[STONES + big] += b[STONES + small]
    libs[big] += libs[small]
    return big


@inlined
def remove(b, libs, head, colour, empties):
    """Take a chain of the colour off the board; return the new number of empty cells."""
    first, end = empties, empties + uint64(b[STONES + head])
    stone = head
    while empties < end:
        # Two at a time: a single stone is its own successor, and what is written twice is cut off.
        for _ in range(2):
            after = uint64(b[LINK + stone])
            b[EMPTY + empties] = uint16(stone)
            b[HEAD + stone] = uint16(stone)
            b[LINK + stone] = uint16(stone)
            b[STONES + stone] = uint16(1)
            libs[stone] = ZERO
            stone = after
            empties += ONE
    for i in range(first, end):
        cell = uint64(b[EMPTY + uint64(i)])
        weight = WEIGHTS[cell]
        libs[uint64(b[HEAD + cell - PITCH])] += weight
        libs[uint64(b[HEAD + cell - ONE])] += weight
        libs[uint64(b[HEAD + cell + ONE])] += weight
        libs[uint64(b[HEAD + cell + PITCH])] += weight
        _surround(b, cell, colour)
    return end


@inlined
def place(b, libs, empties, i, colour, contact):
    """Put a stone on the cell of the contact, number ``i`` in the list, and take what it captures.

    Returns:
        The new number of empty cells.  Those captured are at the end of the list; before, it was one
        less than ``empties``.
    """
    cell, weight, own = contact.cell, contact.weight, contact.own
    empties -= ONE
    b[EMPTY + i] = b[EMPTY + empties]
    libs[contact.south] -= weight
    libs[contact.west] -= weight
    libs[contact.east] -= weight
    libs[contact.north] -= weight
    _surround(b, cell, colour)
    # The chain of the first own neighbour, or of the cell itself: one way for both, for half the moves
    # go either way and no processor can guess which.
    head = uint64(b[HEAD + cell + BESIDE[lowest(own | U(16))]])
    word = libs[cell]
    libs[cell] = ZERO
    b[STONES + cell] = uint16(0)
    libs[head] += word
    b[STONES + head] += uint16(1)
    b[HEAD + cell] = uint16(head)
    b[LINK + cell] = b[LINK + head]
    b[LINK + head] = uint16(cell)
    others = own & ~equal_mask(contact.south, contact.west, contact.east, contact.north, head)
    while others != ZERO:
        other = uint64(b[HEAD + cell + BESIDE[lowest(others)]])
        if other != head:
            head = _join(b, libs, other, head)
        others &= others - ONE
    dying = contact.foe & contact.last
    while dying != ZERO:
        other = uint64(b[HEAD + cell + BESIDE[lowest(dying)]])
        # A chain that touches the stone twice is gone the second time; its cells have liberties then.
        if libs[other] == ZERO:
            empties = remove(b, libs, other, other_of(colour), empties)
        dying &= dying - ONE
    return empties


@inlined
def set_up(board, size, b, libs):
    """Fill zeroed arrays from int8[size * size], in board order; return the number of empty cells."""
    for cell in range(uint64(CELLS)):
        b[HEAD + cell] = uint16(cell)
        b[LINK + cell] = uint16(cell)
        b[STONES + cell] = uint16(1)
    for point in range(size * size):
        row, column = point // size, point % size
        south, west, east, north = row == 0, column == 0, column == size - 1, row == size - 1
        across = (south | west) | (south | east) << 1 | (north | west) << 2 | (north | east) << 3
        beside = south | west << 1 | east << 2 | north << 3
        b[CODE + cell_of(point, size)] = uint16(across * 0x11 | beside * 0x1100)
    for point in range(size * size):
        if board[point] != 0:
            cell, colour = cell_of(point, size), uint64(board[point])
            own = stones_beside(uint64(b[CODE + cell]), colour)
            _surround(b, cell, colour)
            while own != ZERO:
                head, other = uint64(b[HEAD + cell]), uint64(b[HEAD + cell + BESIDE[lowest(own)]])
                if head != other:
                    _join(b, libs, head, other)
                own &= own - ONE
    empties = ZERO
    for point in range(size * size):
        if board[point] == 0:
            cell = cell_of(point, size)
            b[EMPTY + empties] = uint16(cell)
            empties += ONE
            for i in range(4):
                libs[uint64(b[HEAD + cell + BESIDE[i]])] += WEIGHTS[cell]
    return empties
