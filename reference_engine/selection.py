"""The move of the game, from all-moves-as-first tallies (R7, R8, R12), in compiled code."""

from typing import Final

from reference_engine.compiled import compiled
from reference_engine.rules import rule
from reference_engine.spec import CODE, Game, Passes, Selection, Unseen
from reference_engine.streams import below

PASSES: Final = -1
RESIGNS: Final = -2

_GAME, _SELECTION, _PASSING, _UNSEEN = CODE["game"], CODE["selection"], CODE["passes"], CODE["unseen"]
_MAY_RESIGN = int(Game.RESIGNS)
_MOST, _RANDOM, _SECOND = int(Selection.MOST_VISITED), int(Selection.RANDOM), int(Selection.SECOND_BEST)
_FIRST, _LAST = int(Selection.FIRST_OF_TIES), int(Selection.LAST_OF_TIES)
_BY_VISITS = int(Selection.MOST_VISITED_OF_TIES)
_LOSING = int(Passes.WHEN_LOSING)
_EVEN = int(Unseen.EVEN)


@compiled
def select(rng, candidates, visits, wins, rules):
    """Return the point to play, ``PASSES`` or ``RESIGNS``.

    Args:
        rng: 4 words of generator state, for ties.
        candidates: int64 points that are legal, no own eye and break no superko, in board order.
        visits: int64 per point, data seen; a candidate without any is ignored (R12).
        wins: int64 per point, twice the playouts won among them.
        rules: see ``rules``.

    The highest rate wins, exact ties are broken uniformly (R7).  Rates are compared as fractions, so
    that even scores are even.
    """
    best, best_wins, best_visits = _leader(rng, candidates, PASSES, visits, wins, rules)
    if rule(rules, _SELECTION) == _SECOND:
        second, second_wins, second_visits = _leader(rng, candidates, best, visits, wins, rules)
        if second != PASSES:
            best, best_wins, best_visits = second, second_wins, second_visits
    if best != PASSES:
        if rule(rules, _PASSING) == _LOSING and best_wins < best_visits:
            return PASSES
        if rule(rules, _GAME) == _MAY_RESIGN and 5 * best_wins < best_visits:
            return RESIGNS
    return best


@compiled
def _leader(rng, candidates, skipped, visits, wins, rules):
    """Return the best point but for one that is skipped, ``PASSES`` if none has data; its wins and visits."""
    best, ties = PASSES, 0
    best_wins, best_visits = 0, 1
    for p in candidates:
        n, w = visits[p], wins[p]
        if p == skipped:
            continue
        if n == 0:
            if rule(rules, _UNSEEN) != _EVEN:
                continue
            n, w = 1, 1
        if best != PASSES:
            order = w * best_visits - best_wins * n
            if rule(rules, _SELECTION) == _MOST:
                order = n - best_visits
            elif rule(rules, _SELECTION) == _RANDOM:
                order = 0
            elif rule(rules, _SELECTION) == _BY_VISITS and order == 0:
                order = n - best_visits
            if order < 0:
                continue
            if order == 0:
                ties += 1
                if rule(rules, _SELECTION) == _FIRST:
                    continue
                if rule(rules, _SELECTION) != _LAST and below(rng, ties) != 0:
                    continue
                best, best_wins, best_visits = p, w, n
                continue
        best, best_wins, best_visits, ties = p, w, n, 1
    return best, best_wins, best_visits
