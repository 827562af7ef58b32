"""Which observations of a deviation the tables predict: sums of playouts, chosen moves, or neither.

A deviation of the server (wrong counts, frozen random numbers, a protocol fault) changes what is seen in
ways no table of independent playouts can hold; the diagnosis must then not pretend that it predicts them.
"""

from functools import cache

from reference_engine.deviations import BY_NAME
from reference_engine.spec import CODE, SPEC, Nodes, Randomness, ScoreView

_OUTSIDE_PLAYOUTS = frozenset(
    CODE[name]
    for name in (
        "game",
        "amaf",
        "selection",
        "passes",
        "superko",
        "unseen",
        "statistics",
        "playouts_run",
        "randomness",
        "genmove_colour",
        "protocol",
    )
)
_REPORTING = ("N1", "N3", "N4", "X1")


@cache
def predicts_sums(name: str) -> bool:
    """Whether the deviation changes single playouts, so that its table of sums is its prediction."""
    spec = BY_NAME[name].spec
    if spec.score_view is ScoreView.BEST_MOVE or spec.nodes in (Nodes.LAST_PLAYOUT, Nodes.MEAN):
        return False
    pairs = zip(SPEC.codes(), spec.codes(), strict=True)
    return not {i for i, (a, b) in enumerate(pairs) if a != b} <= _OUTSIDE_PLAYOUTS


@cache
def leaves_sums_alone(name: str) -> bool:
    """Whether the deviation concerns the choice of the move only, so that sums are the reference's."""
    return BY_NAME[name].requirement in ("R1", "R6", "R7", "R8", "R11", "R12")


@cache
def shows_in_choices_only(name: str) -> bool:
    """Whether nothing but a distribution of chosen moves can show the deviation.

    Others that leave the sums alone (passes, superko, resigning) answer what no conforming bot may.
    """
    return BY_NAME[name].requirement in ("R6", "R7", "R12")


def stays_certain(name: str, measured: int, playouts: int, *, is_script: bool) -> bool:
    """Whether an exact case that a deviation never passes is never passed with another number of playouts.

    What shows in one playout shows in more of them.  But which move is chosen depends on the number; and of
    an odd number of playouts not all are played twice, so that their sums have no common divisor.

    Args:
        name: of the catalogue.
        measured: playouts of each genmove with which it never passed.
        playouts: of each genmove a bot runs.
        is_script: whether the case asks for more than one genmove and its statistics.
    """
    if playouts == measured:
        return True
    is_twice = BY_NAME[name].spec.randomness is Randomness.REPEATED_PLAYOUTS
    if shows_in_choices_only(name) or (is_twice and playouts % 2):
        return False
    return is_script or playouts > measured


@cache
def predicts_choices(name: str) -> bool:
    """Whether the tables of chosen moves hold what the deviation does."""
    deviation = BY_NAME[name]
    is_reporting = deviation.requirement[0] == "G" or deviation.requirement in _REPORTING
    return not is_reporting and deviation.spec.score_view is not ScoreView.BEST_MOVE
