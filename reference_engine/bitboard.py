"""Sets of points on boards up to 9x9, a whole set a value, many games side by side.

A plane holds three rows of ten bits a word: nine columns and a gap, so that a stone on the edge has no
neighbour across it.  Smaller boards use the low corner.  Shifts leave rubbish in the gaps and above bit
29; every result here is to be masked with a set of real points, which callers do anyway.
"""

from typing import Final

from reference_engine.compiled import inlined
from reference_engine.lanes import (
    any_set,
    count_bits,
    equal,
    high_word,
    less,
    low_word,
    middle_word,
    plane,
    splat,
)

PITCH: Final = 10
"""Bits of a row."""
ROWS_A_WORD: Final = 3
"""Rows of a word."""
MOST: Final = 9
"""Largest board size."""


@inlined
def up(p):
    """Move a set one row up, towards higher rows."""
    a, b, c = low_word(p), middle_word(p), high_word(p)
    return plane(a << PITCH, (b << PITCH) | (a >> 20), (c << PITCH) | (b >> 20))


@inlined
def down(p):
    """Move a set one row down."""
    a, b, c = low_word(p), middle_word(p), high_word(p)
    return plane((a >> PITCH) | (b << 20), (b >> PITCH) | (c << 20), c >> PITCH)


@inlined
def right(p):
    """Move a set one column to the right."""
    return plane(low_word(p) << 1, middle_word(p) << 1, high_word(p) << 1)


@inlined
def left(p):
    """Move a set one column to the left."""
    return plane(low_word(p) >> 1, middle_word(p) >> 1, high_word(p) >> 1)


@inlined
def around(p):
    """Return the points with a neighbour in the set."""
    return up(p) | down(p) | left(p) | right(p)


@inlined
def any_of(p):
    """Return whether any game's set has a point."""
    return any_set(low_word(p) | middle_word(p) | high_word(p))


@inlined
def has_points(p):
    """Return the mask of the games whose set has a point."""
    return ~equal(low_word(p) | middle_word(p) | high_word(p), splat(0))


@inlined
def size_of(p):
    """Return every game's number of points in the set."""
    return count_bits(low_word(p)) + count_bits(middle_word(p)) + count_bits(high_word(p))


@inlined
def spread(mask):
    """Return a mask as a plane: every point of the games in it."""
    return plane(mask, mask, mask)


@inlined
def choose(mask, a, b):
    """Return the word ``a`` where the mask is set and ``b`` elsewhere."""
    return (a & mask) | (b & ~mask)


@inlined
def nth_point(p, n):
    """Return the n-th point (from 0, by bit) of every game's set; nothing where it has fewer."""
    a, b, c = low_word(p), middle_word(p), high_word(p)
    in_a, in_b = count_bits(a), count_bits(b)
    first = less(n, in_a)
    second = less(n, in_a + in_b) & ~first
    third = ~(first | second)
    word = (a & first) | (b & second) | (c & third)
    n = n - (in_a & ~first) - (in_b & third)
    # Halve the word six times: is the n-th bit among the low 16, the low 8, ... of what is left?
    place = splat(0)
    for half in (16, 8, 4, 2, 1):
        below = count_bits(word & ((1 << half) - 1))
        above = ~less(n, below)
        n = n - (below & above)
        step = above & half
        word = word >> step
        place = place + step
    bit = (word & 1) << place
    return plane(bit & first, bit & second, bit & third)
