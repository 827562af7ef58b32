"""Playouts in compiled code, with all-moves-as-first tallies and root choices.

Flat arrays in, scalars and arrays out.  The rules arrive as ``Spec.codes()``, so that deviations run
through the same code as the specification; ``playout`` (the oracle) says what must come out.  The
layout of cells and boards is that of ``chains``.
"""

from typing import Final

import numpy as np

from reference_engine import chains
from reference_engine.chains import (
    CELL,
    COUNT,
    EMPTIES,
    EMPTY,
    FLAG,
    HEAD,
    KO_AGE,
    KO_COLOUR,
    KO_POINT,
    LIBS,
    PLACE,
    TAKEN,
    TAKEN_POINT,
    WALL,
)
from reference_engine.compiled import compiled
from reference_engine.selection import select
from reference_engine.spec import (
    CODE,
    Amaf,
    CapOrigin,
    Choice,
    Draw,
    Ko,
    Komi,
    Nodes,
    Randomness,
    ScoreView,
    Scoring,
)
from reference_engine.streams import draw, seed_stream

NO_CAP: Final = 10
"""Without a cap a playout need not end; the kernel stops it after this many times N*N moves."""

_CHOICE, _KO, _ENDING = CODE["choice"], CODE["ko"], CODE["ending_passes"]
_CAP, _ORIGIN = CODE["cap"], CODE["cap_origin"]
_SCORING, _KOMI, _DRAW, _AMAF = CODE["scoring"], CODE["komi"], CODE["draw"], CODE["amaf"]
_NODES, _VIEW, _RANDOMNESS = CODE["nodes"], CODE["score_view"], CODE["randomness"]

_BOARD_SCAN, _LIST_SCAN = int(Choice.BOARD_SCAN), int(Choice.LIST_SCAN)
_PASS_DRAWN, _LAST_NEVER = int(Choice.PASS_DRAWN), int(Choice.LAST_NEVER)
_KO_LOST, _KO_ANY, _KO_OUTLIVES = int(Ko.LOST_AT_ROOT), int(Ko.ANY_SINGLE_CAPTURE), int(Ko.OUTLIVES_TURN)
_KO_PASS, _KO_SUPER = int(Ko.SURVIVES_PASS), int(Ko.SUPERKO)
_FROM_PLAYOUT = int(CapOrigin.PLAYOUT)
_STONES, _TERRITORY, _NEIGHBOURS = int(Scoring.STONES), int(Scoring.TERRITORY), int(Scoring.NEIGHBOURS)
_IGNORED, _NEGATED = int(Komi.IGNORED), int(Komi.NEGATED)
_TRUNCATED, _OFF_MOVER = int(Komi.TRUNCATED), int(Komi.FOR_BLACK_ONLY)
_DRAW_LOST, _DRAW_WON = int(Draw.LOST), int(Draw.WON)
_BY_SELF, _EVERY, _BOTH = int(Amaf.FIRST_BY_SELF), int(Amaf.EVERY_PLAY), int(Amaf.BOTH_COLOURS)
_FIRST_MOVE, _WRONG_VIEW = int(Amaf.FIRST_MOVE_ONLY), int(Amaf.WRONG_VIEW)
_NO_PASSES, _ONE_LESS = int(Nodes.WITHOUT_PASSES), int(Nodes.WITHOUT_LAST_PASS)
_BLACK_VIEW = int(ScoreView.BLACK)
_TWICE = int(Randomness.REPEATED_PLAYOUTS)


@compiled
def choose(rng, colour, pitch, b, rules):
    """Return the playout's next move: a playable cell, or 0 for a pass (R2).

    Uniform: draw from the empty cells without replacement until one is playable.  After a rejected
    draw the rest is again drawn from uniformly, so each playable cell is equally likely.
    """
    choice = rules[_CHOICE]
    k = b[FLAG, EMPTIES]
    if choice == _BOARD_SCAN and k > 0:
        size = pitch - 1
        start = draw(rng, size * size, rules)
        for i in range(size * size):
            j = (start + i) % (size * size)
            p = (j // size + 1) * pitch + j % size + 1
            if b[CELL, p] == 0 and chains.is_playable(p, colour, pitch, b, rules):
                return p
        return 0
    if choice == _LIST_SCAN and k > 0:
        start = draw(rng, k, rules)
        for i in range(k):
            p = b[EMPTY, (start + i) % k]
            if chains.is_playable(p, colour, pitch, b, rules):
                return p
        return 0
    if choice == _LAST_NEVER and k > 1:
        k -= 1
    extra = 1 if choice == _PASS_DRAWN else 0
    while k > 0:
        i = draw(rng, k + extra, rules)
        if i == k:
            return 0
        p = b[EMPTY, i]
        if chains.is_playable(p, colour, pitch, b, rules):
            return p
        k -= 1
        q = b[EMPTY, k]
        b[EMPTY, i] = q
        b[EMPTY, k] = p
        b[PLACE, q] = i
        b[PLACE, p] = k
    return 0


@compiled
def margin_of(pitch, b, mark, stack, rules):
    """Return Black's count minus White's under the rules' scoring (R5)."""
    size = pitch - 1
    margin = 0
    scoring = rules[_SCORING]
    mark[:] = 0
    for row in range(size):
        for column in range(size):
            p = (row + 1) * pitch + column + 1
            c = b[CELL, p]
            if c != 0:
                if scoring != _TERRITORY:
                    margin += 1 if c == 1 else -1
                continue
            if scoring == _STONES or mark[p] != 0:
                continue
            borders, region, top = 0, 0, 1
            stack[0] = p
            mark[p] = 1
            while top > 0:
                top -= 1
                x = stack[top]
                region += 1
                for d in (1, -1, pitch, -pitch):
                    y = x + d
                    c = b[CELL, y]
                    if c == 1 or c == 2:
                        borders |= c
                    elif c != WALL and mark[y] == 0 and scoring != _NEIGHBOURS:
                        mark[y] = 1
                        stack[top] = y
                        top += 1
            if borders == 1:
                margin += region
            elif borders == 2:
                margin -= region
    return margin


@compiled
def doubled_result(margin, komi, colour, rules):
    """Return twice the playout's worth for the colour: 2 won, 0 lost, 1 drawn (R5, N2)."""
    kind = rules[_KOMI]
    if kind == _IGNORED:
        komi = 0.0
    elif kind == _NEGATED or (kind == _OFF_MOVER and colour == 2):
        komi = -komi
    elif kind == _TRUNCATED:
        komi = np.trunc(komi)
    score = margin - komi
    if score == 0:
        if rules[_DRAW] == _DRAW_WON:
            return 2
        return 0 if rules[_DRAW] == _DRAW_LOST else 1
    return 2 if (score > 0) == (colour == 1) else 0


@compiled
def _counts(amaf, own, is_first, fresh, fresh_to_mover):
    """Whether a move of a playout is data for the root (R6)."""
    if amaf == _BY_SELF:
        return own and fresh_to_mover
    if amaf == _EVERY:
        return own
    if amaf == _BOTH:
        return fresh
    if amaf == _FIRST_MOVE:
        return is_first
    return own and fresh


@compiled
def _update_ko(p, colour, b, rules):
    """Set, keep or lift the ko ban after a stone was played on p (R2)."""
    if rules[_KO] == _KO_OUTLIVES and b[FLAG, TAKEN] == 0 and b[FLAG, KO_AGE] < 2:
        b[FLAG, KO_AGE] += 1
    else:
        b[FLAG, KO_POINT] = 0
    if b[FLAG, TAKEN] == 1 and rules[_KO] != _KO_SUPER:
        alone = b[CELL, p] != 0 and b[COUNT, b[HEAD, p]] == 1 and b[LIBS, b[HEAD, p]] == 1
        if alone or rules[_KO] == _KO_ANY:
            b[FLAG, KO_POINT] = b[FLAG, TAKEN_POINT]
            b[FLAG, KO_COLOUR] = 3 - colour
            b[FLAG, KO_AGE] = 0


@compiled
def _without_repeats(rng, colour, pitch, b, rules, past, seen, p):
    """Redraw while the move would repeat a position of the playout (a deviation; slow is fine)."""
    before = b.copy()
    for _ in range(40):
        if p == 0:
            return 0
        chains.place_stone(p, colour, pitch, b)
        repeated = False
        for i in range(seen):
            if np.all(past[i] == b[CELL]):
                repeated = True
                break
        b[:] = before
        if not repeated:
            return p
        p = choose(rng, colour, pitch, b, rules)
    return 0


@compiled
def run(
    root,
    to_move,
    ko_point,
    ko_colour,
    moves_played,
    komi,
    playouts,
    seed,
    first,
    rules,
    visits,
    wins,
    histogram,
    trace,
):
    """Run playouts from one position and add up what they show.

    Args:
        root: int8 cells of the position.
        to_move: 1 Black, 2 White.
        ko_point: cell banned by simple ko, 0 for none.
        ko_colour: the colour it is banned for.
        moves_played: moves of the game so far, passes included.
        komi: points for White.
        playouts: how many to run.
        seed: 64-bit seed; with a playout's number it fixes the playout.
        first: number of the first playout, so that a run can be made in parts.
        rules: int64 ``Spec.codes()``.
        visits: int64 per cell; all-moves-as-first counts are added (R6).
        wins: int64 per cell; twice the worth of those playouts is added.
        histogram: int64[lengths, 2 * size**2 + 1]; reported length against margin + size**2 is counted,
            unless it has no rows.
        trace: int32; the last playout's moves (cells, 0 for a pass, then -1), unless empty.

    Returns:
        (moves executed, as ref-nodes counts them; twice the playouts won, as ref-score sees them).
    """
    cells = root.size
    pitch = 0
    while (pitch + 1) * pitch + 1 != cells:
        pitch += 1
    area = (pitch - 1) * (pitch - 1)
    start = np.zeros((chains.ROWS, cells), np.int32)
    chains.set_up(root, pitch, start)
    if rules[_KO] != _KO_LOST:
        start[FLAG, KO_POINT] = ko_point
        start[FLAG, KO_COLOUR] = ko_colour
        start[FLAG, KO_AGE] = 1
    b = start.copy()
    mark = np.zeros(cells, np.int8)
    stack = np.zeros(cells, np.int32)
    seen = np.zeros((2, cells), np.int64)
    tally = np.zeros(NO_CAP * area + 2, np.int32)
    rng = np.zeros(4, np.uint64)
    cap = (rules[_CAP] if rules[_CAP] != 0 else NO_CAP) * area
    if rules[_CAP] != 0 and rules[_ORIGIN] != _FROM_PLAYOUT:
        cap -= moves_played
    past = np.zeros((NO_CAP * area + 2 if rules[_KO] == _KO_SUPER else 0, cells), np.int32)
    nodes, total = 0, 0
    for game in range(1, playouts + 1):
        number = first + game - 1
        if rules[_RANDOMNESS] == _TWICE:
            number -= number % 2
        seed_stream(rng, seed, number)
        b[:] = start
        colour = to_move
        length, passes_in_a_row, passes, tallied = 0, 0, 0, 0
        while length == 0 or length < cap:
            p = choose(rng, colour, pitch, b, rules)
            if past.shape[0] > 0:
                past[length] = b[CELL]
                p = _without_repeats(rng, colour, pitch, b, rules, past, length + 1, p)
            if trace.size > 0:
                trace[length] = p
            length += 1
            if p == 0:
                passes += 1
                passes_in_a_row += 1
                if rules[_KO] != _KO_PASS:
                    b[FLAG, KO_POINT] = 0
                if passes_in_a_row == rules[_ENDING]:
                    break
            else:
                passes_in_a_row = 0
                own = colour == to_move
                if _counts(rules[_AMAF], own, length == 1, seen[0, p] != game, seen[1, p] != game):
                    tally[tallied] = p
                    tallied += 1
                seen[0, p] = game
                if own:
                    seen[1, p] = game
                chains.place_stone(p, colour, pitch, b)
                _update_ko(p, colour, b, rules)
            colour = 3 - colour
        if trace.size > 0:
            trace[length] = -1
        margin = margin_of(pitch, b, mark, stack, rules)
        result = doubled_result(margin, komi, to_move, rules)
        credit = 2 - result if rules[_AMAF] == _WRONG_VIEW else result
        for i in range(tallied):
            visits[tally[i]] += 1
            wins[tally[i]] += credit
        if rules[_NODES] == _NO_PASSES:
            length -= passes
        elif rules[_NODES] == _ONE_LESS and passes_in_a_row > 0:
            length -= 1
        nodes += length
        total += 2 - result if rules[_VIEW] == _BLACK_VIEW and to_move == 2 else result
        if histogram.shape[0] > 0:
            histogram[length, margin + area] += 1
    return nodes, total


@compiled
def sample_choices(
    root,
    to_move,
    ko_point,
    ko_colour,
    moves_played,
    komi,
    playouts,
    genmoves,
    seed,
    first,
    rules,
    candidates,
    counts,
):
    """Repeat a genmove and count (move, playouts won).

    Args:
        root: int8 cells; as the following six, see ``run``.
        to_move: 1 Black, 2 White.
        ko_point: cell banned by simple ko, 0 for none.
        ko_colour: the colour it is banned for.
        moves_played: moves of the game so far.
        komi: points for White.
        playouts: playouts of each genmove.
        genmoves: how many to make.
        seed: 64-bit seed.
        first: number of the first genmove.
        rules: int64 ``Spec.codes()``.
        candidates: int64 cells the root may choose from.
        counts: int64[cells + 1, 2 * playouts + 1]; row -1 (the last) stands for a resignation, row 0
            for a pass.
    """
    visits = np.zeros(root.size, np.int64)
    wins = np.zeros(root.size, np.int64)
    histogram = np.zeros((0, 0), np.int64)
    trace = np.zeros(0, np.int32)
    rng = np.zeros(4, np.uint64)
    for number in range(first, first + genmoves):
        visits[:] = 0
        wins[:] = 0
        _, won = run(
            root,
            to_move,
            ko_point,
            ko_colour,
            moves_played,
            komi,
            playouts,
            seed,
            number * playouts,
            rules,
            visits,
            wins,
            histogram,
            trace,
        )
        seed_stream(rng, ~seed, number)
        counts[select(rng, candidates, visits, wins, rules), won] += 1


@compiled
def playable_cells(root, colour, rules):
    """Return the cells the colour may play under the rules' eye and suicide clauses, in board order."""
    cells = root.size
    pitch = 0
    while (pitch + 1) * pitch + 1 != cells:
        pitch += 1
    b = np.zeros((chains.ROWS, cells), np.int32)
    chains.set_up(root, pitch, b)
    found = np.zeros(cells, np.int64)
    n = 0
    for p in range(cells):
        if b[CELL, p] == 0 and chains.is_playable(p, colour, pitch, b, rules):
            found[n] = p
            n += 1
    return found[:n]
