"""The compiled board: chains with pseudo-liberties on cells with a one-point wall.

Cells: ``(size + 2) * (size + 1) + 1`` of them, pitch ``size + 1``; point ``(row, column)`` stands at
``(row + 1) * pitch + column + 1``, and one wall column serves both edges.  All state of a board is one
integer array ``b`` of ``ROWS`` rows, so that a playout starts by one copy and kernels pass one array.

A chain's pseudo-liberties count each empty neighbour once per stone that touches it; a move takes a
chain exactly when it touches it as often as the chain has pseudo-liberties.
"""

from typing import Final

from reference_engine.compiled import compiled
from reference_engine.spec import CODE, EyeDiagonals, EyeOwner, Ko, Suicide

WALL: Final = 3

# Rows of a board.
CELL, HEAD, LINK, LIBS, COUNT, PLACE, EMPTY, FLAG, ROWS = range(9)
# CELL: 0 empty, 1 Black, 2 White, 3 wall.  HEAD: a cell that names the chain.  LINK: the chain's next
# stone, in a ring.  LIBS, COUNT: pseudo-liberties and stones, valid at heads.  EMPTY: the empty cells
# in any order; PLACE: where in it a cell stands.  FLAG: the scalars below.
EMPTIES, KO_POINT, KO_COLOUR, KO_AGE, TAKEN, TAKEN_POINT = range(6)

_KO, _SUICIDE = CODE["ko"], CODE["suicide"]
_CENTRE, _EDGE, _CORNER = CODE["eye_centre"], CODE["eye_edge"], CODE["eye_corner"]
_DIAGONALS, _OWNER = CODE["eye_diagonals"], CODE["eye_owner"]
_NO_KO = int(Ko.NONE)
_SEVERAL, _STRICT = int(Suicide.SEVERAL_STONES), int(Suicide.BEFORE_CAPTURE)
_NOT_OWN = int(EyeDiagonals.NOT_OWN)
_EITHER, _NOBODY = int(EyeOwner.EITHER), int(EyeOwner.NOBODY)


@compiled
def place_stone(p, colour, pitch, b):
    """Put a stone on the empty cell p, take enemies without liberties, then its own chain if it has none.

    TAKEN is left with the number of enemy stones taken, TAKEN_POINT with the last of them.
    """
    last = b[EMPTY, b[FLAG, EMPTIES] - 1]
    b[EMPTY, b[PLACE, p]] = last
    b[PLACE, last] = b[PLACE, p]
    b[FLAG, EMPTIES] -= 1
    b[CELL, p] = colour
    b[HEAD, p] = p
    b[LINK, p] = p
    b[COUNT, p] = 1
    free = 0
    for d in (1, -1, pitch, -pitch):
        q = p + d
        if b[CELL, q] == 0:
            free += 1
        elif b[CELL, q] != WALL:
            b[LIBS, b[HEAD, q]] -= 1
    b[LIBS, p] = free
    for d in (1, -1, pitch, -pitch):
        q = p + d
        if b[CELL, q] == colour and b[HEAD, q] != b[HEAD, p]:
            _merge(b[HEAD, p], b[HEAD, q], b)
    b[FLAG, TAKEN] = 0
    for d in (1, -1, pitch, -pitch):
        q = p + d
        if b[CELL, q] == 3 - colour and b[LIBS, b[HEAD, q]] == 0:
            _remove(b[HEAD, q], pitch, b)
    if b[LIBS, b[HEAD, p]] == 0:
        taken = b[FLAG, TAKEN]
        _remove(b[HEAD, p], pitch, b)
        b[FLAG, TAKEN] = taken


@compiled
def _merge(one, two, b):
    """Join two chains under the larger one's head."""
    big, small = one, two
    if b[COUNT, big] < b[COUNT, small]:
        big, small = small, big
    b[COUNT, big] += b[COUNT, small]
    b[LIBS, big] += b[LIBS, small]
    x = small
    while True:
        b[HEAD, x] = big
        x = b[LINK, x]
        if x == small:
            break
    after = b[LINK, big]
    b[LINK, big] = b[LINK, small]
    b[LINK, small] = after


@compiled
def _remove(chain, pitch, b):
    """Take a chain off the board and give its neighbours their liberties back."""
    x = chain
    while True:
        b[CELL, x] = 0
        b[PLACE, x] = b[FLAG, EMPTIES]
        b[EMPTY, b[FLAG, EMPTIES]] = x
        b[FLAG, EMPTIES] += 1
        b[FLAG, TAKEN] += 1
        b[FLAG, TAKEN_POINT] = x
        for d in (1, -1, pitch, -pitch):
            y = x + d
            if b[CELL, y] == 1 or b[CELL, y] == 2:
                b[LIBS, b[HEAD, y]] += 1
        x = b[LINK, x]
        if x == chain:
            break


@compiled
def is_suicide(p, colour, pitch, b, rules):
    """Whether the rules forbid the move for want of liberties (R10)."""
    east, west, north, south = p + 1, p - 1, p + pitch, p - pitch
    if b[CELL, east] == 0 or b[CELL, west] == 0 or b[CELL, north] == 0 or b[CELL, south] == 0:
        return False
    # Walls have a head of their own, cell 0, whose count nobody reads: no test for them is needed.
    b[LIBS, b[HEAD, east]] -= 1
    b[LIBS, b[HEAD, west]] -= 1
    b[LIBS, b[HEAD, north]] -= 1
    b[LIBS, b[HEAD, south]] -= 1
    takes, joins, friends = False, False, False
    for q in (east, west, north, south):
        if b[CELL, q] == colour:
            friends = True
            joins = joins or b[LIBS, b[HEAD, q]] > 0
        elif b[CELL, q] == 3 - colour:
            takes = takes or b[LIBS, b[HEAD, q]] == 0
    b[LIBS, b[HEAD, east]] += 1
    b[LIBS, b[HEAD, west]] += 1
    b[LIBS, b[HEAD, north]] += 1
    b[LIBS, b[HEAD, south]] += 1
    if rules[_SUICIDE] == _STRICT:
        return not joins
    if takes or joins:
        return False
    return not (rules[_SUICIDE] == _SEVERAL and friends)


@compiled
def is_eye_of(p, colour, pitch, b, rules):
    """Whether the empty cell is a one-point eye of the colour (R4)."""
    # A wall is 3, both colours' bits: a neighbour is friendly or wall exactly when it has the colour's bit.
    around = b[CELL, p + 1] & b[CELL, p - 1] & b[CELL, p + pitch] & b[CELL, p - pitch]
    if around & colour == 0:
        return False
    walls, bad = 0, 0
    for d in (1, -1, pitch, -pitch):
        walls += b[CELL, p + d] == WALL
    for d in (pitch + 1, pitch - 1, 1 - pitch, -1 - pitch):
        c = b[CELL, p + d]
        bad += c == 3 - colour or (c == 0 and rules[_DIAGONALS] == _NOT_OWN)
    if walls == 0:
        return bad <= rules[_CENTRE]
    if walls == 1:
        return bad <= rules[_EDGE]
    return bad <= rules[_CORNER]


@compiled
def is_playable(p, colour, pitch, b, rules):
    """Whether a playout may play the empty cell (R2, R4, R10)."""
    if b[FLAG, KO_POINT] == p and b[FLAG, KO_COLOUR] == colour and rules[_KO] != _NO_KO:
        return False
    owner = rules[_OWNER]
    if owner != _NOBODY:
        if is_eye_of(p, colour, pitch, b, rules):
            return False
        if owner == _EITHER and is_eye_of(p, 3 - colour, pitch, b, rules):
            return False
    return not is_suicide(p, colour, pitch, b, rules)


@compiled
def set_up(root, pitch, b):
    """Fill a zeroed board array from plain cells: chains, pseudo-liberties and the list of empty cells."""
    size = pitch - 1
    b[CELL, :] = root
    for row in range(size):
        for column in range(size):
            p = (row + 1) * pitch + column + 1
            if root[p] == 0:
                b[PLACE, p] = b[FLAG, EMPTIES]
                b[EMPTY, b[FLAG, EMPTIES]] = p
                b[FLAG, EMPTIES] += 1
                continue
            b[HEAD, p] = p
            b[LINK, p] = p
            b[COUNT, p] = 1
            for d in (1, -1, pitch, -pitch):
                if root[p + d] == 0:
                    b[LIBS, p] += 1
            for d in (-1, -pitch):
                q = p + d
                if root[q] == root[p] and b[HEAD, q] != b[HEAD, p]:
                    _merge(b[HEAD, q], b[HEAD, p], b)
