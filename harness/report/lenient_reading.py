"""The lenient reading of a clause by a NON-STRICT bot: it differs from the strict one and is accepted."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

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
    verdict: Verdict, requirements: Mapping[str, Requirement], cases: Container[str]
) -> LenientReading | None:
    """Return the reading that made a verdict NON-STRICT; None where there is none.

    Args:
        verdict: on the bot.
        requirements: by id.
        cases: ids of those that are known.
    """
    if verdict.verdict != Word.NON_STRICT:
        return None
    for requirement in verdict.requirements:
        for check in requirement.checks:
            if check.verdict == Word.NON_STRICT and check.expected and check.case in cases:
                return LenientReading(
                    requirement.id,
                    check.case,
                    _about(requirement.id) or check.observed,
                    requirements[requirement.id].clause.strip(),
                    check.expected,
                    check.observed,
                )
    return None


def _about(requirement: str) -> str:
    return next((d.about for d in CATALOGUE if d.tolerated and d.requirement == requirement), "")
