"""What playouts add up to: tallies and chosen moves from records, in compiled code.

Kernels know moves and margins; komi, draws, whose view it is and what counts as a node come in here.
"""

import numpy as np

from reference_engine.compiled import compiled
from reference_engine.rules import rule
from reference_engine.selection import select
from reference_engine.spec import CODE, Amaf, Draw, Komi, Nodes, ScoreView
from reference_engine.streams import seed_stream

_KOMI, _DRAW, _AMAF = CODE["komi"], CODE["draw"], CODE["amaf"]
_NODES, _VIEW = CODE["nodes"], CODE["score_view"]

_IGNORED, _NEGATED = int(Komi.IGNORED), int(Komi.NEGATED)
_TRUNCATED, _OFF_MOVER = int(Komi.TRUNCATED), int(Komi.FOR_BLACK_ONLY)
_DRAW_LOST, _DRAW_WON = int(Draw.LOST), int(Draw.WON)
_WRONG_VIEW = int(Amaf.WRONG_VIEW)
_NO_PASSES, _ONE_LESS = int(Nodes.WITHOUT_PASSES), int(Nodes.WITHOUT_LAST_PASS)
_BLACK_VIEW, _OTHER_VIEW = int(ScoreView.BLACK), int(ScoreView.OPPONENT)


@compiled
def doubled_result(margin, komi, colour, rules):
    """Return twice the playout's worth for the colour: 2 won, 0 lost, 1 drawn (R5, N2)."""
    kind = rule(rules, _KOMI)
    if kind == _IGNORED:
        komi = 0.0
    elif kind == _NEGATED or (kind == _OFF_MOVER and colour == 2):
        komi = -komi
    elif kind == _TRUNCATED:
        komi = np.trunc(komi)
    score = margin - komi
    if score == 0:
        if rule(rules, _DRAW) == _DRAW_WON:
            return 2
        return 0 if rule(rules, _DRAW) == _DRAW_LOST else 1
    return 2 if (score > 0) == (colour == 1) else 0


@compiled
def reported_result(result, colour, rules):
    """Return twice what ref-score makes of a playout, from twice its worth for the colour (N2)."""
    view = rule(rules, _VIEW)
    return 2 - result if view == _OTHER_VIEW or (view == _BLACK_VIEW and colour == 2) else result


@compiled
def reported_length(records, i, rules):
    """Return the moves of playout ``i`` that count as nodes (N1)."""
    length = np.int64(records.lengths[i])
    if rule(rules, _NODES) == _NO_PASSES:
        return length - records.passes[i]
    if rule(rules, _NODES) == _ONE_LESS and records.trailing[i] > 0:
        return length - 1
    return length


@compiled
def count(records, colour, komi, rules, visits, wins, owned, histogram):
    """Add up the playouts of ``records``.

    Args:
        records: ``Records``.
        colour: 1 Black, 2 White to move at the root.
        komi: points for White.
        rules: see ``rules``.
        visits: int64[points]; all-moves-as-first counts are added (R6).
        wins: int64[points]; twice the worth of those playouts is added.
        owned: int64[2, points]; playouts in which the point counted for Black, for White, are added;
            or int64[2, 0].
        histogram: int64[lengths, 2 * points + 1]; nodes against margin + points is counted; or
            int64[0, 0].

    Returns:
        (nodes; twice the playouts won, as ref-score sees them).
    """
    area = visits.size
    nodes, total = 0, 0
    for i in range(records.lengths.size):
        margin = np.int64(records.margins[i])
        result = doubled_result(margin, komi, colour, rules)
        worth = 2 - result if rule(rules, _AMAF) == _WRONG_VIEW else result
        for p in range(area):
            data = np.int64(records.credits[i, p])
            visits[p] += data
            wins[p] += worth * data
        length = reported_length(records, i, rules)
        nodes += length
        total += reported_result(result, colour, rules)
        if histogram.shape[0] > 0:
            histogram[length, margin + area] += 1
        for p in range(owned.shape[1]):
            owned[0, p] += records.owners[i, p] == 1
            owned[1, p] += records.owners[i, p] == 2
    return nodes, total


@compiled
def count_choices(records, playouts, colour, komi, seed, first, rules, candidates, counts):
    """Take every ``playouts`` rows of the records as one genmove and count (move, playouts won).

    Args:
        records: ``Records`` of whole genmoves.
        playouts: playouts of each genmove.
        colour: 1 Black, 2 White to move.
        komi: points for White.
        seed: uint64 seed of the ties.
        first: number of the first genmove.
        rules: see ``rules``.
        candidates: int64 points the root may choose from.
        counts: int64[points + 2, 2 * playouts + 1], counted into; the last rows but one and the last
            stand for a resignation and a pass.
    """
    area = counts.shape[0] - 2
    visits = np.zeros(area, np.int64)
    wins = np.zeros(area, np.int64)
    rng = np.zeros(4, np.uint64)
    for genmove in range(records.lengths.size // playouts):
        visits[:] = 0
        wins[:] = 0
        won = 0
        for i in range(genmove * playouts, (genmove + 1) * playouts):
            result = doubled_result(np.int64(records.margins[i]), komi, colour, rules)
            worth = 2 - result if rule(rules, _AMAF) == _WRONG_VIEW else result
            for p in range(area):
                data = np.int64(records.credits[i, p])
                visits[p] += data
                wins[p] += worth * data
            won += reported_result(result, colour, rules)
        seed_stream(rng, ~seed, first + genmove)
        counts[select(rng, candidates, visits, wins, rules), won] += 1
