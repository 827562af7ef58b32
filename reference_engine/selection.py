"""The move of the game, from all-moves-as-first tallies (R7, R8, R12), in compiled code."""

from typing import Final

from reference_engine.compiled import compiled
from reference_engine.spec import CODE, Game, Passes, Selection, Unseen
from reference_engine.streams import below

PASS_CELL: Final = 0
RESIGN_CELL: Final = -1

_GAME, _SELECTION, _PASSES, _UNSEEN = CODE["game"], CODE["selection"], CODE["passes"], CODE["unseen"]
_RESIGNS = int(Game.RESIGNS)
_MOST, _FIRST, _WORST, _RANDOM = (
    int(Selection.MOST_VISITED),
    int(Selection.FIRST_OF_TIES),
    int(Selection.WORST_RATE),
    int(Selection.RANDOM),
)
_LOSING = int(Passes.WHEN_LOSING)
_EVEN = int(Unseen.EVEN)


@compiled
def select(rng, candidates, visits, wins, rules):
    """Return the cell to play, ``PASS_CELL`` or ``RESIGN_CELL``.

    Args:
        rng: 4 words of generator state, for ties.
        candidates: int64 cells that are legal, no own eye and break no superko, in board order.
        visits: int64 per cell, data seen; a candidate without any is ignored (R12).
        wins: int64 per cell, twice the playouts won among them.
        rules: int64 ``Spec.codes()``.

    The highest rate wins, exact ties are broken uniformly (R7).  Rates are compared as fractions, so
    that even scores are even.
    """
    best, ties = PASS_CELL, 0
    best_wins, best_visits = 0, 1
    for p in candidates:
        n, w = visits[p], wins[p]
        if n == 0:
            if rules[_UNSEEN] != _EVEN:
                continue
            n, w = 1, 1
        if best != PASS_CELL:
            order = w * best_visits - best_wins * n
            if rules[_SELECTION] == _WORST:
                order = -order
            elif rules[_SELECTION] == _MOST:
                order = n - best_visits
            elif rules[_SELECTION] == _RANDOM:
                order = 0
            if order < 0:
                continue
            if order == 0:
                ties += 1
                if rules[_SELECTION] == _FIRST or below(rng, ties) != 0:
                    continue
                best, best_wins, best_visits = p, w, n
                continue
        best, best_wins, best_visits, ties = p, w, n, 1
    if best != PASS_CELL:
        if rules[_PASSES] == _LOSING and best_wins < best_visits:
            return PASS_CELL
        if rules[_GAME] == _RESIGNS and 5 * best_wins < best_visits:
            return RESIGN_CELL
    return best
