"""Playouts on boards up to 9x9: many games in lock step, whole boards as bit sets.

Every step, all games look for their next move together.  The points that are empty and no own eye come
out of a dozen shifts for the whole board; one is drawn; captures and suicide are found by flooding.  A
game whose point turns out to be suicide leaves it out and draws again in the next step, while the others
move on: drawing without replacement, so exactly uniform over the playable points.  When a game ends its
lane takes the next number at once; rows of the records go by number, so short games are not favoured.

The deviations it knows run from the same source (see ``rules``); ``knows`` says which.
"""

from typing import Final

import numpy as np
from numba import uint32, uint64

from reference_engine import bitboard
from reference_engine.bitboard import (
    PITCH,
    ROWS_A_WORD,
    any_of,
    around,
    choose,
    down,
    has_points,
    left,
    nth_point,
    right,
    size_of,
    spread,
    up,
)
from reference_engine.compiled import compiled, inlined
from reference_engine.lanes import (
    WIDTH,
    any_set,
    equal,
    high_product,
    high_word,
    less,
    load,
    low_word,
    middle_word,
    plane,
    rotate_left,
    splat,
    store,
)
from reference_engine.records import NO_CAP, PASSED
from reference_engine.rules import rule
from reference_engine.spec import (
    CODE,
    Amaf,
    CapOrigin,
    Choice,
    EyeDiagonals,
    EyeOwner,
    Generator,
    Ko,
    Randomness,
    Scoring,
    Spec,
    Suicide,
)
from reference_engine.streams import seed_words

_CHOICE, _KO, _ENDING = CODE["choice"], CODE["ko"], CODE["ending_passes"]
_CAP, _ORIGIN = CODE["cap"], CODE["cap_origin"]
_CENTRE, _EDGE, _CORNER = CODE["eye_centre"], CODE["eye_edge"], CODE["eye_corner"]
_DIAGONALS, _OWNER = CODE["eye_diagonals"], CODE["eye_owner"]
_SCORING, _AMAF, _GENERATOR = CODE["scoring"], CODE["amaf"], CODE["generator"]
_SUICIDE, _RANDOMNESS = CODE["suicide"], CODE["randomness"]

_PASS_DRAWN = int(Choice.PASS_DRAWN)
_NO_KO, _KO_LOST, _KO_ANY = int(Ko.NONE), int(Ko.LOST_AT_ROOT), int(Ko.ANY_SINGLE_CAPTURE)
_FROM_PLAYOUT, _FROM_SECOND = int(CapOrigin.PLAYOUT), int(CapOrigin.SECOND_MOVE)
_NOT_OWN = int(EyeDiagonals.NOT_OWN)
_EITHER, _NOBODY = int(EyeOwner.EITHER), int(EyeOwner.NOBODY)
_STONES, _TERRITORY, _NEIGHBOURS = int(Scoring.STONES), int(Scoring.TERRITORY), int(Scoring.NEIGHBOURS)
_BY_SELF, _BOTH, _FIRST_MOVE = int(Amaf.FIRST_BY_SELF), int(Amaf.BOTH_COLOURS), int(Amaf.FIRST_MOVE_ONLY)
_SEVERAL, _STRICT = int(Suicide.SEVERAL_STONES), int(Suicide.BEFORE_CAPTURE)
_COARSE = int(Generator.THREE_BITS)
_TWICE = int(Randomness.REPEATED_PLAYOUTS)

# Rows of a lane's stored state: planes take three.
OWN, FOE, KO, TRIED, PLAYED, CREDITED = range(0, 18, 3)
LENGTH, PASSES, TRAILING, RANDOM, BUSY, ROWS = 18, 19, 20, 21, 25, 26
# Rows of what is written out when a game ends.
BLACKS, WHITES, MARGIN, OVER, SCRATCH = 0, 3, 6, 7, 8

MOST: Final = bitboard.MOST
"""Largest board size."""


def knows(spec: Spec) -> bool:
    """Return whether this kernel can play by a reading of the rules."""
    return (
        spec.choice in {Choice.UNIFORM, Choice.PASS_DRAWN}
        and spec.ko not in {Ko.OUTLIVES_TURN, Ko.SURVIVES_PASS, Ko.SUPERKO}
        and spec.amaf not in {Amaf.EVERY_PLAY, Amaf.EARLY_TWICE}
        and spec.generator is not Generator.EIGHT_BITS_MODULO
        and spec.eye_owner not in {EyeOwner.BLACK, EyeOwner.OPPONENT}
        and min(spec.eye_centre, spec.eye_edge, spec.eye_corner) >= 0
    )


@inlined
def _load_plane(state, row):
    return plane(load(state, row), load(state, row + 1), load(state, row + 2))


@inlined
def _store_plane(state, row, p):
    store(state, row, low_word(p))
    store(state, row + 1, middle_word(p))
    store(state, row + 2, high_word(p))


@compiled
def _points_of(cells, size, wanted, words):
    """Set the bits of the points whose cell is ``wanted`` in three words."""
    for p in range(size * size):
        row, column = p // size, p % size
        if cells[p] == wanted:
            words[row // ROWS_A_WORD] |= uint32(1) << uint32(row % ROWS_A_WORD * PITCH + column)


@inlined
def _constant(words):
    return plane(splat(words[0]), splat(words[1]), splat(words[2]))


@inlined
def _crowded(p, off_centre, off_edge, centre, edge, corner):
    """Return the points with more diagonal neighbours in the set than their place tolerates."""
    west, east = left(p), right(p)
    a, b, c, d = up(west), up(east), down(west), down(east)
    one = a | b | c | d
    pairs = (a & b) | (c & d)
    two = pairs | ((a | b) & (c | d))
    three = (a & b & (c | d)) | (c & d & (a | b))
    four = a & b & c & d
    return (
        (_above(centre, one, two, three, four) & ~off_centre)
        | (_above(edge, one, two, three, four) & off_centre & ~off_edge)
        | (_above(corner, one, two, three, four) & off_edge)
    )


@inlined
def _above(tolerated, one, two, three, four):
    if tolerated == 0:
        return one
    if tolerated == 1:
        return two
    if tolerated == 2:
        return three
    if tolerated == 3:
        return four
    return four & ~four


@inlined
def _open(empty, foe, off_centre, off_edge, rules):
    """Return the empty points that are no eye of the side ``foe`` plays against."""
    against = foe | empty if rule(rules, _DIAGONALS) == _NOT_OWN else foe
    bad = _crowded(
        against, off_centre, off_edge, rule(rules, _CENTRE), rule(rules, _EDGE), rule(rules, _CORNER)
    )
    return empty & (around(empty | foe) | bad)


@inlined
def _grown(seeds, within):
    """Return the points of ``within`` connected to ``seeds``, which lie in it."""
    while True:
        once = seeds | (around(seeds) & within)
        twice = once | (around(once) & within)
        if not any_of(twice ^ seeds):
            return twice
        seeds = twice


@inlined
def _reached(stones, empty, rules):
    """Return the empty points that border ``stones``, alone or through others."""
    beside = around(stones) & empty
    if rule(rules, _SCORING) == _NEIGHBOURS:
        return beside
    return _grown(beside, empty)


@inlined
def _store_counts(own, foe, points, blacks_turn, scratch, rules):
    """Write what Black and White own, and the margin, of the games whose ``points`` are not masked out."""
    swapped = (own ^ foe) & ~blacks_turn
    black, white = (own ^ swapped) & points, (foe ^ swapped) & points
    empty = points & ~(own | foe)
    from_black, from_white = _reached(black, empty, rules), _reached(white, empty, rules)
    if rule(rules, _SCORING) == _STONES:
        counts_black, counts_white = black, white
    elif rule(rules, _SCORING) == _TERRITORY:
        counts_black, counts_white = from_black & ~from_white, from_white & ~from_black
    else:
        counts_black = black | (from_black & ~from_white)
        counts_white = white | (from_white & ~from_black)
    _store_plane(scratch, BLACKS, counts_black)
    _store_plane(scratch, WHITES, counts_white)
    store(scratch, MARGIN, size_of(counts_black) - size_of(counts_white))


@inlined
def _drawn_again(low, draws, suspect, scratch):
    """Return the mask of the games whose random number is one too many for an even share."""
    store(scratch, 0, low)
    store(scratch, 1, draws)
    store(scratch, 2, suspect)
    for lane in range(WIDTH):
        if scratch[2, lane] != 0:
            threshold = uint64(0x100000000) % uint64(scratch[1, lane])
            if uint64(scratch[0, lane]) >= threshold:
                scratch[2, lane] = 0
    return load(scratch, 2)


@compiled
def _start(state, lane, fixed, ban, seed, number, rules):
    """Set a lane to the root position and the stream of the game with this number."""
    for i in range(3):
        state[OWN + i, lane] = fixed[0, i]
        state[FOE + i, lane] = fixed[1, i]
        state[KO + i, lane] = ban[i]
        state[TRIED + i, lane] = 0
        state[PLAYED + i, lane] = 0
        state[CREDITED + i, lane] = 0
    state[LENGTH, lane] = 0
    state[PASSES, lane] = 0
    state[TRAILING, lane] = 0
    state[BUSY, lane] = 0xFFFFFFFF
    if rule(rules, _RANDOMNESS) == _TWICE:
        number -= number % 2
    a, b = seed_words(seed, number)
    state[RANDOM, lane] = uint32(a)
    state[RANDOM + 1, lane] = uint32(a >> uint64(32))
    state[RANDOM + 2, lane] = uint32(b)
    state[RANDOM + 3, lane] = uint32(b >> uint64(32))


@compiled
def _write(state, scratch, lane, row, size, records):
    """Write the record of a lane's finished game."""
    records.lengths[row] = state[LENGTH, lane]
    records.passes[row] = state[PASSES, lane]
    records.trailing[row] = state[TRAILING, lane]
    records.margins[row] = np.int32(scratch[MARGIN, lane])
    for y in range(size):
        word, shift = y // ROWS_A_WORD, uint32(y % ROWS_A_WORD * PITCH)
        bits = state[CREDITED + word, lane] >> shift
        for x in range(size):
            records.credits[row, y * size + x] = (bits >> uint32(x)) & uint32(1)
        if records.owners.shape[1] > 0:
            black, white = scratch[BLACKS + word, lane] >> shift, scratch[WHITES + word, lane] >> shift
            for x in range(size):
                records.owners[row, y * size + x] = ((black >> uint32(x)) & uint32(1)) + uint32(2) * (
                    (white >> uint32(x)) & uint32(1)
                )


@compiled
def _write_moves(scratch, number, size, records):
    """Append this step's moves to the games' lists."""
    for lane in range(WIDTH):
        if number[lane] < 0 or scratch[0, lane] == 0:
            continue
        point = PASSED
        for p in range(size * size):
            y, x = p // size, p % size
            if (scratch[2 + y // ROWS_A_WORD, lane] >> uint32(y % ROWS_A_WORD * PITCH + x)) & uint32(1):
                point = p
        records.moves[number[lane], scratch[1, lane]] = point


@compiled
def play(board, size, to_move, ko_point, ko_colour, moves_played, seed, first, rules, records):
    """Play out games from one position, one for every row of the records.

    Args:
        board: int8[size * size], 0 empty, 1 Black, 2 White, in board order.
        size: at most 9.
        to_move: 1 Black, 2 White.
        ko_point: the point banned by simple ko, or -1.
        ko_colour: the colour it is banned for.
        moves_played: moves of the game so far, passes included.
        seed: uint64; with a game's number it fixes the game.
        first: number of the first game.
        rules: None for the specification, or int64 ``Spec.codes()`` of a reading that it ``knows``.
        records: ``Records``, filled.
    """
    games = records.lengths.size
    area = size * size
    cap = (rule(rules, _CAP) if rule(rules, _CAP) != 0 else NO_CAP) * area
    if rule(rules, _CAP) != 0 and rule(rules, _ORIGIN) != _FROM_PLAYOUT:
        cap -= moves_played - int(rule(rules, _ORIGIN) == _FROM_SECOND)
    cap = uint32(max(1, cap))
    fixed = np.zeros((5, 3), np.uint32)
    _points_of(board, size, to_move, fixed[0])
    _points_of(board, size, 3 - to_move, fixed[1])
    places = np.zeros((3, area), np.int8)
    for p in range(area):
        row, column = p // size, p % size
        sides = (row == 0) + (row == size - 1) + (column == 0) + (column == size - 1)
        places[0, p] = 1
        places[1, p] = sides > 0
        places[2, p] = sides > 1
    for i in range(3):
        _points_of(places[i], size, 1, fixed[2 + i])
    points, off_centre, off_edge = _constant(fixed[2]), _constant(fixed[3]), _constant(fixed[4])
    ban, ban_words = np.zeros(area, np.int8), np.zeros(3, np.uint32)
    if ko_point >= 0 and ko_colour == to_move and rule(rules, _KO) != _KO_LOST:
        ban[ko_point] = 1
        _points_of(ban, size, 1, ban_words)

    state = np.zeros((ROWS, WIDTH), np.uint32)
    number = np.full(WIDTH, -1, np.int64)
    scratch = np.zeros((SCRATCH, WIDTH), np.uint32)
    started = 0
    for lane in range(WIDTH):
        if started < games:
            _start(state, lane, fixed, ban_words, seed, first + started, rules)
            number[lane] = started
            started += 1
    running = started

    own, foe, ko = _load_plane(state, OWN), _load_plane(state, FOE), _load_plane(state, KO)
    tried, played = _load_plane(state, TRIED), _load_plane(state, PLAYED)
    credited = _load_plane(state, CREDITED)
    length, passes, trailing = load(state, LENGTH), load(state, PASSES), load(state, TRAILING)
    r0, r1 = load(state, RANDOM), load(state, RANDOM + 1)
    r2, r3 = load(state, RANDOM + 2), load(state, RANDOM + 3)
    busy = load(state, BUSY)
    zero = splat(0)

    while running > 0:
        empty = points & ~(own | foe)
        candidates = empty & ~tried
        if rule(rules, _KO) != _NO_KO:
            candidates = candidates & ~ko
        if rule(rules, _OWNER) != _NOBODY:
            candidates = candidates & _open(empty, foe, off_centre, off_edge, rules)
        if rule(rules, _OWNER) == _EITHER:
            candidates = candidates & _open(empty, own, off_centre, off_edge, rules)

        # xoshiro128++, one step a lane.
        random = rotate_left(r0 + r3, 7) + r0
        shifted = r1 << 9
        r2 = r2 ^ r0
        r3 = r3 ^ r1
        r1 = r1 ^ r2
        r0 = r0 ^ r3
        r2 = r2 ^ shifted
        r3 = rotate_left(r3, 11)

        count = size_of(candidates)
        draws = count + 1 if rule(rules, _CHOICE) == _PASS_DRAWN else count
        if rule(rules, _GENERATOR) == _COARSE:
            random = random & 0xE0000000
        index = high_product(random, draws)
        none_left = equal(count, zero)
        passing = none_left
        if rule(rules, _CHOICE) == _PASS_DRAWN:
            passing = none_left | equal(index, count)
        again = zero
        if rule(rules, _GENERATOR) != _COARSE:
            # Lemire: exact once products with a low half below 2**32 mod draws are drawn again.
            low = random * draws
            suspect = less(low, draws) & ~none_left
            if any_set(suspect):
                again = _drawn_again(low, draws, suspect, scratch)
                passing = passing & ~again
        move = nth_point(candidates, index) & ~spread(passing | again)

        # Captures: enemies beside the move that reach no liberty but the move.
        near = around(move)
        free = empty & ~move
        alive = foe & around(free)
        target = near & foe
        waiting = has_points(target & ~alive)
        while any_set(waiting):
            once = alive | (around(alive) & foe)
            twice = once | (around(once) & foe)
            moved = any_of((twice ^ alive) & spread(waiting))
            alive = twice
            waiting = has_points(target & ~alive)
            if not moved:
                break
        takes = waiting
        dead = foe & ~alive & spread(waiting)

        breathes = has_points(near & empty)
        doubtful = ~(breathes | takes | passing | again)
        if rule(rules, _SUICIDE) == _STRICT:
            doubtful = ~(breathes | passing | again)
        suicide = zero
        if any_set(doubtful):
            # Suicide unless the own chain has a liberty besides the move.
            goals = own & around(free)
            chain = move & spread(doubtful)
            while True:
                once = chain | (around(chain) & own)
                twice = once | (around(once) & own)
                saved = has_points(twice & goals)
                moved = any_of((twice ^ chain) & ~spread(saved))
                chain = twice
                if not moved:
                    break
            suicide = doubtful & ~has_points(chain & goals)
        removed = suicide & zero
        if rule(rules, _SUICIDE) == _SEVERAL:
            removed = suicide & has_points(near & own)
            suicide = suicide & ~removed

        placed = ~(passing | suicide | again)
        done = spread(placed | passing)
        stone = move & spread(placed)
        dead = dead & spread(placed)

        if rule(rules, _KO) == _KO_ANY:
            retake = placed & equal(size_of(dead), splat(1))
        else:
            lone = ~has_points(near & (own | empty))
            retake = placed & lone & equal(size_of(dead), splat(1))
        ko = (ko & ~done) | (dead & spread(retake))
        tried = (tried | (move & spread(suicide))) & ~done

        turn = equal(length & 1, zero)
        if rule(rules, _AMAF) == _FIRST_MOVE:
            data = stone & spread(equal(length, zero))
        elif rule(rules, _AMAF) == _BOTH:
            data = stone & ~played
        else:
            data = stone & ~played & spread(turn)
        if rule(rules, _AMAF) == _BY_SELF:
            data = stone & spread(turn)
        credited = credited | data
        played = played | stone

        mine, theirs = own | stone, foe & ~dead
        if rule(rules, _SUICIDE) == _SEVERAL:
            mine = mine & ~_grown(stone & spread(removed), mine)
        if records.moves.shape[1] > 0:
            store(scratch, 0, placed | passing)
            store(scratch, 1, length)
            _store_plane(scratch, 2, stone)
            _write_moves(scratch, number, size, records)
        swapped = (mine ^ theirs) & done
        own, foe = mine ^ swapped, theirs ^ swapped
        one = (placed | passing) & 1
        length = length + one
        passes = passes + (passing & 1)
        trailing = choose(placed, zero, trailing + (passing & 1))

        over = busy & ((placed | passing) & (~less(length, splat(cap))))
        over = over | (busy & passing & equal(trailing, splat(rule(rules, _ENDING))))
        if any_set(over):
            _store_plane(state, OWN, own)
            _store_plane(state, FOE, foe)
            _store_plane(state, KO, ko)
            _store_plane(state, TRIED, tried)
            _store_plane(state, PLAYED, played)
            _store_plane(state, CREDITED, credited)
            store(state, LENGTH, length)
            store(state, PASSES, passes)
            store(state, TRAILING, trailing)
            store(state, RANDOM, r0)
            store(state, RANDOM + 1, r1)
            store(state, RANDOM + 2, r2)
            store(state, RANDOM + 3, r3)
            blacks_turn = equal(length & 1, splat(to_move - 1))
            _store_counts(own, foe, points & spread(over), spread(blacks_turn), scratch, rules)
            store(scratch, OVER, over)
            for lane in range(WIDTH):
                if scratch[OVER, lane] == 0:
                    continue
                _write(state, scratch, lane, number[lane], size, records)
                if started < games:
                    _start(state, lane, fixed, ban_words, seed, first + started, rules)
                    number[lane] = started
                    started += 1
                else:
                    state[BUSY, lane] = 0
                    number[lane] = -1
                    running -= 1
            own, foe, ko = _load_plane(state, OWN), _load_plane(state, FOE), _load_plane(state, KO)
            tried, played = _load_plane(state, TRIED), _load_plane(state, PLAYED)
            credited = _load_plane(state, CREDITED)
            length, passes, trailing = load(state, LENGTH), load(state, PASSES), load(state, TRAILING)
            r0, r1 = load(state, RANDOM), load(state, RANDOM + 1)
            r2, r3 = load(state, RANDOM + 2), load(state, RANDOM + 3)
            busy = load(state, BUSY)
