"""The excerpt of the evidence that shows a verdict: exchanges up to it, and the board before.  Pure."""

from dataclasses import dataclass

from harness.cases.case import Case
from harness.judging.exact import read_unit, score_digits
from harness.judging.finding import Finding
from harness.judging.replayed import board_before, exchanges_of
from harness.judging.verdict import Check
from harness.records.evidence import Evidence, Unit


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of the evidence in which a verdict shows."""

    unit: Unit
    exchanges: tuple[tuple[str, str], ...]
    """Lines sent and raw replies, up to the one in which it shows."""
    board: str
    """The position in which it shows, drawn; empty where the board does not matter."""
    times: int
    """Number of times the case was asked."""


def excerpt_of(case: Case, check: Check, evidence: Evidence) -> Excerpt | None:
    """Return where the first counter-example of a check shows; without one, the last time it was asked.

    None if the case was not asked at all.
    """
    units = [unit for unit in evidence.units if unit.case == case.id]
    if not units:
        return None
    digits = score_digits(evidence.units)
    for unit in units:
        for finding in read_unit(case, unit, digits).findings:
            if is_reported_by(check, finding):
                said = exchanges_of(unit, units)
                end = len(said) if finding.exchange is None else finding.exchange + 1
                return _excerpt(unit, said[:end], len(units))
    return _excerpt(units[-1], exchanges_of(units[-1], units), len(units))


def is_reported_by(check: Check, finding: Finding) -> bool:
    """Whether a finding is the one that a check of the verdict reports."""
    is_same = (finding.expected, finding.observed) == (check.expected, check.observed)
    return is_same and (not check.dialogue or list(finding.dialogue) == list(check.dialogue))


def _excerpt(unit: Unit, exchanges: list[tuple[str, str]], times: int) -> Excerpt:
    return Excerpt(unit, tuple(exchanges), board_before(exchanges), times)
