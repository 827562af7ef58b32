"""The growth of the evidence: the e-value after larger and larger parts of a run, up to the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from harness.cases.case import Case
from harness.cases.level import Level
from harness.judging.case_assessment import AskedUnit, assess_case
from harness.judging.run_assessment import RunAssessor
from harness.records.evidence import Unit
from harness.tables.tables import Tables

_LN10: Final = log(10)
MOST_LOOKS: Final = 20


@dataclass(frozen=True, slots=True)
class EvidenceStep:
    """The evidence against the specification after a number of playouts, as a power of ten."""

    playouts: int
    log10_e: float


def path_of_case(
    case: Case, asked: Sequence[AskedUnit], tables: Tables, level: Level
) -> tuple[EvidenceStep, ...]:
    """Return the e-value of one statistical case, for an unspecified deviation, in the order it was asked."""
    looks = []
    for count in _parts(len(asked)):
        assessed = assess_case(case, list(asked[:count]), tables, level)
        if assessed.log_e is not None:
            looks.append(EvidenceStep(assessed.playouts, assessed.log_e / _LN10))
    return tuple(looks)


def path_of_run(assessor: RunAssessor, units: Sequence[Unit]) -> tuple[EvidenceStep, ...]:
    """Return the e-value of the whole certificate, which convicts at 1/alpha.

    Args:
        assessor: without any unit; it has all of them in the end.
        units: of the run, in their order.
    """
    looks, done = [EvidenceStep(0, 0.0)], 0
    for count in _parts(len(units)):
        for unit in units[done:count]:
            assessor.add(unit)
        done = count
        assessment = assessor.assessment()
        look = EvidenceStep(sum(w.playouts for w in assessment.cases.values()), assessment.log10_e)
        if look.playouts > looks[-1].playouts:
            looks.append(look)
        else:
            # Nothing was played since, but what was played may be read otherwise now.
            looks[-1] = EvidenceStep(looks[-1].playouts, look.log10_e)
    return tuple(looks)


def _parts(whole: int) -> Iterator[int]:
    """Yield growing numbers, at most ``MOST_LOOKS``, the last of them the whole."""
    looks = min(whole, MOST_LOOKS)
    yield from (whole * look // looks for look in range(1, looks + 1))
