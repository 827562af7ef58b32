"""The lenient reading of a clause by a NON-STRICT bot: it differs from the strict one and is accepted."""

from collections.abc import Mapping
from dataclasses import dataclass

from harness.cases.case import Case
from harness.cases.suite import Requirement
from harness.judging.verdict import Verdict
from harness.word import Word
from reference_engine.deviations import CATALOGUE


@dataclass(frozen=True, slots=True)
class LenientReading:
    """What a bot that is NON-STRICT does, and what the strict reading asks for."""

    requirement: str
    case: str
    """In which it shows."""
    bot: str
    """What this bot does, in words."""
    strict: str
    """What the clause says, read strictly."""
    expected: str
    observed: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The reading in lines of text."""
        return (
            f"{self.case} ({self.requirement})",
            f"this bot  {self.bot}; accepted, unless --strict",
            f"strict    {self.strict}",
            "",
            f"expected  {self.expected}",
            f"got       {self.observed}",
        )


def reading_of(
    verdict: Verdict, requirements: Mapping[str, Requirement], cases: Mapping[str, Case]
) -> LenientReading | None:
    """Return the reading that made a verdict NON-STRICT; None where there is none.

    One lenient reading shows in the cases of many requirements.  So a requirement that has an accepted
    reading of its own comes first, and of its cases the one on the smallest board.

    Args:
        verdict: on the bot.
        requirements: by id.
        cases: by id; those that are known.
    """
    if verdict.verdict != Word.NON_STRICT:
        return None
    shown = [
        (not _about(requirement.id), place, cases[check.case].file.size, requirement.id, check)
        for place, requirement in enumerate(verdict.requirements)
        for check in requirement.checks
        if check.verdict == Word.NON_STRICT and check.expected and check.case in cases
    ]
    if not shown:
        return None
    *_, name, check = min(shown, key=lambda row: row[:3])
    return LenientReading(
        name,
        check.case,
        _about(name) or check.observed,
        requirements[name].clause.strip(),
        check.expected,
        check.observed,
    )


def _about(requirement: str) -> str:
    return next((d.about for d in CATALOGUE if d.tolerated and d.requirement == requirement), "")
