"""How the evidence grew: the e-value after a part of what was asked, then a larger part, to the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from harness.cases.case import Case
from harness.cases.level import Level
from harness.judging.weigh import weigh
from harness.judging.weighed import Asked
from harness.judging.weights import Weigher
from harness.records.evidence import Unit
from harness.tables.tables import Tables

_LN10: Final = log(10)
MOST_LOOKS: Final = 20


@dataclass(frozen=True, slots=True)
class Look:
    """The evidence against the specification after a number of playouts, as a power of ten."""

    playouts: int
    log10_e: float


def path_of_case(case: Case, asked: Sequence[Asked], tables: Tables, level: Level) -> tuple[Look, ...]:
    """Return the e-value of one statistical case, for an unspecified deviation, in the order it was asked."""
    looks = []
    for count in _parts(len(asked)):
        weighed = weigh(case, list(asked[:count]), tables, level)
        if weighed.log_e is not None:
            looks.append(Look(weighed.playouts, weighed.log_e / _LN10))
    return tuple(looks)


def path_of_run(weigher: Weigher, units: Sequence[Unit]) -> tuple[Look, ...]:
    """Return the e-value of the whole certificate, which convicts at 1/alpha.

    Args:
        weigher: without any unit; it has all of them in the end.
        units: of the run, in their order.
    """
    looks, done = [Look(0, 0.0)], 0
    for count in _parts(len(units)):
        for unit in units[done:count]:
            weigher.add(unit)
        done = count
        weights = weigher.weights()
        look = Look(sum(w.playouts for w in weights.cases.values()), weights.log10_e)
        if look.playouts > looks[-1].playouts:
            looks.append(look)
        else:
            # Nothing was played since, but what was played may be read otherwise now.
            looks[-1] = Look(looks[-1].playouts, look.log10_e)
    return tuple(looks)


def _parts(whole: int) -> Iterator[int]:
    """Yield growing numbers, at most ``MOST_LOOKS``, the last of them the whole."""
    looks = min(whole, MOST_LOOKS)
    yield from (whole * look // looks for look in range(1, looks + 1))
