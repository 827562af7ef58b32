"""Playouts on boards of every size, one game at a time, by every reading of the rules.

The board is that of ``chain_board``.  A playout draws from the list of empty cells; a cell that cannot
be played goes behind the others, and the draw is repeated among the rest.  What stands around a cell
is one code, and ``shapes`` says for every code whether an eye forbids it.

Where a program for this game spends its time is branches that no processor can guess.  So what can be
decided without one is: a cell's eye, suicide and capture are computed whole and tested once.

The deviations run from the same source (see ``rules``); each costs the specification nothing.
"""

from typing import Final

import numpy as np
from numba import int64, uint16, uint64

from reference_engine.chain_board import (
    BESIDE,
    CELLS,
    CODE,
    EMPTY,
    FOUR,
    HEAD,
    LINK,
    MARK,
    MASK,
    ONE,
    ROW,
    SIZE,
    STONES,
    TWO,
    WEIGHTS,
    ZERO,
    Contact,
    U,
    cell_of,
    other_of,
    place,
    point_of,
    remove,
    set_up,
    touch,
)
from reference_engine.chain_count import count_up
from reference_engine.compiled import compiled, inlined
from reference_engine.instructions import lowest
from reference_engine.records import ENDED, NO_CAP, PASSED
from reference_engine.rules import rule
from reference_engine.spec import CODE as CLAUSE
from reference_engine.spec import Amaf, CapOrigin, Choice, Generator, Ko, Randomness, Suicide
from reference_engine.streams import seed_stream

_CHOICE, _KO, _ENDING = CLAUSE["choice"], CLAUSE["ko"], CLAUSE["ending_passes"]
_CAP, _ORIGIN = CLAUSE["cap"], CLAUSE["cap_origin"]
_AMAF, _GENERATOR = CLAUSE["amaf"], CLAUSE["generator"]
_SUICIDE, _RANDOMNESS = CLAUSE["suicide"], CLAUSE["randomness"]

_BOARD_SCAN, _LIST_SCAN = int(Choice.BOARD_SCAN), int(Choice.LIST_SCAN)
_PASS_DRAWN, _LAST_NEVER = int(Choice.PASS_DRAWN), int(Choice.LAST_NEVER)
_BESIDE_LAST = int(Choice.BESIDE_LAST)
_SIMPLE, _NO_KO, _KO_LOST = int(Ko.SIMPLE), int(Ko.NONE), int(Ko.LOST_AT_ROOT)
_KO_ANY, _KO_OUTLIVES = int(Ko.ANY_SINGLE_CAPTURE), int(Ko.OUTLIVES_TURN)
_KO_PASS, _KO_SUPER = int(Ko.SURVIVES_PASS), int(Ko.SUPERKO)
_FROM_PLAYOUT, _FROM_SECOND = int(CapOrigin.PLAYOUT), int(CapOrigin.SECOND_MOVE)
_BY_SELF, _EVERY, _BOTH = int(Amaf.FIRST_BY_SELF), int(Amaf.EVERY_PLAY), int(Amaf.BOTH_COLOURS)
_FIRST_MOVE, _EARLY = int(Amaf.FIRST_MOVE_ONLY), int(Amaf.EARLY_TWICE)
_SEVERAL, _STRICT = int(Suicide.SEVERAL_STONES), int(Suicide.BEFORE_CAPTURE)
_COARSE, _MODULO = int(Generator.THREE_BITS), int(Generator.EIGHT_BITS_MODULO)
_TWICE = int(Randomness.REPEATED_PLAYOUTS)

TRIES: Final = 40
"""Moves that are tried, under superko, before a pass."""
PASS: Final = ~U(0)
"""A place in the list of empty cells that stands for a pass."""


@inlined
def _next(rng):
    """Return 64 random bits and the state after: ``streams.next64`` with its state in registers."""
    a, b, c, d = rng
    total = a + d
    bits = (total << U(23) | total >> U(41)) + a
    shifted = b << U(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return bits, (a, b, c, d << U(45) | d >> U(19))


@inlined
def _draw(rng, n, rules):
    """Return an index below n, exactly uniform unless the rules' generator is coarse (R9), and the state."""
    bits, rng = _next(rng)
    if rule(rules, _GENERATOR) == _COARSE:
        return ((bits >> U(61)) * n) >> U(3), rng
    if rule(rules, _GENERATOR) == _MODULO:
        return (bits >> U(56)) % n, rng
    product = (bits >> U(32)) * n
    if product & U(0xFFFFFFFF) < n:
        threshold = U(0x100000000) % n
        while product & U(0xFFFFFFFF) < threshold:
            bits, rng = _next(rng)
            product = (bits >> U(32)) * n
    return product >> U(32), rng


@inlined
def _is_playable(b, libs, contact, colour, ko, rules, shapes):
    """Whether a playout may play the cell of the contact (R2, R4, R10)."""
    if rule(rules, _KO) != _SIMPLE and contact.cell == ko:
        return False
    if libs[contact.cell] != ZERO:
        return True  # an empty neighbour: no suicide, no eye, and no ko of the usual kind
    lives = contact.own & ~contact.last
    if rule(rules, _SUICIDE) != _STRICT:
        lives |= contact.foe & contact.last
    if rule(rules, _SUICIDE) == _SEVERAL:
        lives |= contact.own
    # One branch for both: the first term is 1 when nothing lives, written so that it is not made a branch.
    forbidden = (lives - ONE) >> U(63) | uint64(shapes[uint64(b[CODE + contact.cell])]) & colour
    return forbidden == ZERO and contact.cell != ko


@inlined
def _no_contact():
    return Contact(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)


@inlined
def _scan(b, libs, empties, colour, ko, size, rng, rules, shapes):
    """Return what ``_choose`` returns, by a scan from a random place on (a deviation)."""
    on_board = rule(rules, _CHOICE) == _BOARD_SCAN
    length = uint64(size * size) if on_board else empties
    start, rng = _draw(rng, length, rules)
    for k in range(length):
        i = (start + k) % length
        if on_board:
            cell, i = cell_of(i, size), ZERO
            while i < empties and uint64(b[EMPTY + i]) != cell:
                i += ONE
            if i == empties:
                continue
        contact = touch(b, libs, uint64(b[EMPTY + i]), colour)
        if _is_playable(b, libs, contact, colour, ko, rules, shapes):
            return i, contact, rng
    return PASS, _no_contact(), rng


@inlined
def _choose_beside(b, libs, last, colour, ko, rng, rules, shapes):
    """Return what ``_choose`` returns, of the playable neighbours of a cell alone (a deviation)."""
    code = uint64(b[CODE + last])
    free = ~(code >> U(8) | code >> U(12)) & MASK
    chosen, found = ZERO, ZERO
    while free != ZERO:
        cell = last + BESIDE[lowest(free)]
        if _is_playable(b, libs, touch(b, libs, cell, colour), colour, ko, rules, shapes):
            found += ONE
            drawn, rng = _draw(rng, found, rules)
            chosen = cell if drawn == ZERO else chosen
        free &= free - ONE
    if found == ZERO:
        return PASS, _no_contact(), rng
    i = ZERO
    while uint64(b[EMPTY + i]) != chosen:
        i += ONE
    return i, touch(b, libs, chosen, colour), rng


@inlined
def _choose(b, libs, empties, last, colour, ko, size, rng, rules, shapes):
    """Choose the playout's next move (R2).

    Returns:
        (its place in the list of empty cells or ``PASS``, the contact of the cell, the generator's state).

    Uniform: draw from the empty cells without replacement until one is playable.  After a rejected
    draw the rest is again drawn from uniformly, so each playable cell is equally likely.
    """
    choice = rule(rules, _CHOICE)
    if rules is not None:  # spares the compiler what it would throw away
        if choice in (_BOARD_SCAN, _LIST_SCAN) and empties > ZERO:
            return _scan(b, libs, empties, colour, ko, size, rng, rules, shapes)
        if choice == _BESIDE_LAST and last != ZERO:
            coin, rng = _draw(rng, TWO, rules)
            if coin == ZERO:
                i, contact, rng = _choose_beside(b, libs, last, colour, ko, rng, rules, shapes)
                if i != PASS:
                    return i, contact, rng
    left = empties
    if choice == _LAST_NEVER and left > ONE:
        left -= ONE
    while left > ZERO:
        i, rng = _draw(rng, left + ONE if choice == _PASS_DRAWN else left, rules)
        if choice == _PASS_DRAWN and i == left:
            break
        contact = touch(b, libs, uint64(b[EMPTY + i]), colour)
        if _is_playable(b, libs, contact, colour, ko, rules, shapes):
            return i, contact, rng
        left -= ONE
        b[EMPTY + i] = b[EMPTY + left]
        b[EMPTY + left] = uint16(contact.cell)
    return PASS, _no_contact(), rng


@inlined
def _repeats(b, libs, empties, i, colour, contact, trial, past, turns):
    """Whether a move makes a position that the playout has had."""
    trial_b, trial_libs = trial
    for k in range(b.size):
        trial_b[k] = b[k]
    for k in range(libs.size):
        trial_libs[k] = libs[k]
    left = place(trial_b, trial_libs, empties, i, colour, contact)
    for turn in range(turns):
        if past[turn, CELLS] == left:
            same = True
            for cell in range(CELLS):
                same &= past[turn, cell] == trial_b[cell]
            if same:
                return True
    return False


@inlined
def _credit(mark, to_move, is_first, length, rules):
    """Return how often a point counts as data for the root (R6); see ``_mark`` for its mark."""
    amaf = rule(rules, _AMAF)
    if amaf == _BY_SELF:
        return uint16(mark >> TWO != ZERO)
    if amaf == _EVERY:
        return uint16(mark >> TWO)
    if amaf == _BOTH:
        return uint16(mark != ZERO)
    if amaf == _FIRST_MOVE:
        return uint16(is_first)
    if amaf == _EARLY:
        return uint16((mark & U(3) == to_move) * (1 + int64(TWO * (mark >> TWO) <= uint64(length))))
    return uint16(mark & U(3) == to_move)


@inlined
def _mark(mark, colour, to_move, length, rules):
    """Return the mark of a point after a play there.

    It is whose the first play was, and four times the number of the root's plays; or of that first move,
    where it matters how early it came.
    """
    amaf = rule(rules, _AMAF)
    mark = colour if mark == ZERO else mark
    if amaf == _EARLY and mark < FOUR:
        mark += FOUR * uint64(length)
    if amaf in (_BY_SELF, _EVERY) and colour == to_move:
        mark += FOUR
    return mark


@inlined
def _restore(b, libs, start, start_libs, empties, size):
    """Set the board to the start of playouts."""
    used = uint64((size + 2) * ROW + 2)
    for i in range(used):
        libs[i] = start_libs[i]
    for region in (CODE, HEAD, LINK, STONES, MARK):
        for i in range(used):
            b[region + i] = start[region + i]
    for i in range(empties):
        b[EMPTY + i] = start[EMPTY + i]


@inlined
def _ban_after(ban, colour, taken, cell, is_alone, rules):
    """Return the ko ban after a stone was played (R2).

    Args:
        ban: the ban so far: (its cell, 0 for none; the colour it holds for; turns it has held).
        colour: of the stone.
        taken: how many stones it took.
        cell: of one of them.
        is_alone: whether it has no friend beside it, and no liberty but that cell.
        rules: see ``rules``.
    """
    ko = rule(rules, _KO)
    if taken == ONE and ko != _KO_SUPER and (is_alone or ko == _KO_ANY):
        return cell, other_of(colour), 0
    if taken == ZERO and ko == _KO_OUTLIVES and ban[2] < 2:
        return ban[0], ban[1], ban[2] + 1
    return ZERO, ban[1], ban[2]


@compiled
def play(board, size, to_move, ko_point, ko_colour, moves_played, seed, first, rules, shapes, records):
    """Play out games from one position, one for every row of the records.

    Args:
        board: int8[size * size], 0 empty, 1 Black, 2 White, in board order.
        size: of the board, 2 to 25.
        to_move: 1 Black, 2 White.
        ko_point: the point banned by simple ko, or -1.
        ko_colour: the colour it is banned for.
        moves_played: moves of the game so far, passes included.
        seed: uint64; with a playout's number it fixes the playout.
        first: number of the first playout.
        rules: None for the specification, or int64 ``Spec.codes()`` of another reading.
        shapes: ``shapes_of`` the same reading.
        records: ``Records``, filled.
    """
    area, root = size * size, uint64(to_move)
    cap = (rule(rules, _CAP) if rule(rules, _CAP) != 0 else NO_CAP) * area
    if rule(rules, _CAP) != 0 and rule(rules, _ORIGIN) != _FROM_PLAYOUT:
        cap -= moves_played - int64(rule(rules, _ORIGIN) == _FROM_SECOND)

    start, start_libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
    start_empties = set_up(board, size, start, start_libs)
    start_margin = 0
    for point in range(area):
        start_margin += int64(board[point] == 1) - int64(board[point] == 2)
    start_ban = ZERO
    if ko_point >= 0 and rule(rules, _KO) != _KO_LOST:
        start_ban = cell_of(ko_point, size)
    b, libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
    region, marks = np.zeros(area, np.uint64), np.zeros(CELLS, np.int64)
    words = np.zeros(4, np.uint64)
    is_super = rule(rules, _KO) == _KO_SUPER
    # Codes, which tell a position, and the number of empty cells, which tells most positions apart.
    past = np.zeros((NO_CAP * area + 1 if is_super else 0, CELLS + 1), np.uint16)
    trial = (np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64))

    owners, moves, credited = records.owners, records.moves, records.credits
    for row in range(records.lengths.size):
        number = first + row
        if rule(rules, _RANDOMNESS) == _TWICE:
            number -= number % 2
        seed_stream(words, seed, number)
        rng = (words[0], words[1], words[2], words[3])
        _restore(b, libs, start, start_libs, start_empties, size)
        empties, margin, colour, last = start_empties, start_margin, root, ZERO
        ban = (start_ban, uint64(ko_colour), 1)
        length, passes, trailing, opening = 0, 0, 0, ZERO
        while True:
            ko = ban[0] if ban[1] == colour and rule(rules, _KO) != _NO_KO else ZERO
            i, contact, rng = _choose(b, libs, empties, last, colour, ko, size, rng, rules, shapes)
            if rules is not None and is_super:
                for k in range(CELLS):
                    past[length, k] = b[k]
                past[length, CELLS] = empties
                tries = 1
                while i != PASS and _repeats(b, libs, empties, i, colour, contact, trial, past, length + 1):
                    i, contact, rng = _choose(b, libs, empties, last, colour, ko, size, rng, rules, shapes)
                    tries += 1
                    if tries > TRIES:
                        i = PASS
            if moves.shape[1] > 0:
                moves[row, length] = PASSED if i == PASS else int64(point_of(contact.cell, size))
            length += 1
            if i == PASS:
                passes += 1
                trailing += 1
                last = ZERO
                if rule(rules, _KO) != _KO_PASS:
                    ban = (ZERO, ban[1], ban[2])
                if trailing == rule(rules, _ENDING):
                    break
            else:
                trailing = 0
                cell, first_taken = contact.cell, empties - ONE
                last = cell
                if length == 1:
                    opening = cell
                b[MARK + cell] = uint16(_mark(uint64(b[MARK + cell]), colour, root, length, rules))
                empties = place(b, libs, empties, i, colour, contact)
                taken = empties - first_taken
                sign = 3 - 2 * int64(colour)
                margin += sign * (1 + int64(taken))
                captured, is_alone = ZERO, False
                if taken == ONE:
                    captured = uint64(b[EMPTY + first_taken])
                    is_alone = contact.own == ZERO and libs[cell] == WEIGHTS[captured]
                ban = _ban_after(ban, colour, taken, captured, is_alone, rules)
                if rule(rules, _SUICIDE) == _SEVERAL and libs[uint64(b[HEAD + cell])] == ZERO:
                    first_taken = empties
                    empties = remove(b, libs, uint64(b[HEAD + cell]), colour, empties)
                    margin -= sign * int64(empties - first_taken)
            if length >= cap:
                break
            colour = other_of(colour)

        records.lengths[row] = length
        records.passes[row] = passes
        records.trailing[row] = trailing
        if moves.shape[1] > 0:
            moves[row, length] = ENDED
        records.margins[row] = count_up(b, libs, empties, size, margin, region, marks, owners, row, rules)
        for line in range(size):
            for column in range(size):
                cell = uint64((line + 1) * ROW + column + 1)
                credit = _credit(uint64(b[MARK + cell]), root, cell == opening, length, rules)
                credited[row, line * size + column] = credit


@compiled
def playable(board, size, colour, rules, shapes):
    """Return the points a playout would draw from, ko aside: int64 numbers in board order (R4, R10)."""
    b, libs = np.zeros(SIZE, np.uint16), np.zeros(CELLS, np.uint64)
    set_up(board, size, b, libs)
    found, n = np.zeros(size * size, np.int64), 0
    for point in range(size * size):
        if board[point] == 0:
            contact = touch(b, libs, cell_of(point, size), uint64(colour))
            if _is_playable(b, libs, contact, uint64(colour), ZERO, rules, shapes):
                found[n] = point
                n += 1
    return found[:n]
