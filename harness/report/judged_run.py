"""A judged run: suite, evidence and verdict together.  Every report is made from it.

The values of the bot's environment are hidden in it: they may be secrets, and a bot may print them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.judging.exact import read_unit, score_digits
from harness.judging.finding import Finding
from harness.judging.verdict import Check, Verdict
from harness.records.evidence import Broken, Evidence, Unit
from harness.report.observations import Observation, observations
from harness.report.secrets import Secrets
from harness.tables.tables import Tables


@dataclass(frozen=True)
class JudgedRun:
    """One run and its verdict."""

    suite: Suite
    """The suite as it was asked of this bot, at this level."""
    tables: Tables
    evidence: Evidence
    """The evidence as recorded, environment included: to compute with, not to show."""
    verdict: Verdict
    """The verdict, without values of the bot's environment."""
    secrets: Secrets

    def observations(self) -> Iterator[Observation]:
        """Yield every genmove of the run."""
        return (self.secrets.hide_in(row) for row in observations(self.suite, self.evidence))

    def case(self, name: str) -> Case | None:
        """Return a case by its id, if there is one."""
        return self.suite.every_case.get(name)

    def units(self, *cases: str) -> list[Unit]:
        """Return what was asked of some cases, to be shown."""
        return [self.secrets.hide_in(unit) for unit in self.evidence.units if unit.case in cases]

    def seconds(self, case: str) -> float:
        """Return how long a case took, in seconds."""
        return sum(unit.seconds for unit in self.evidence.units if unit.case == case)

    @property
    def broken(self) -> Broken | None:
        """Why the bot first stopped answering; None if it never did."""
        broken = next((unit.broken for unit in self.evidence.units if unit.broken is not None), None)
        return None if broken is None else self.secrets.hide_in(broken)

    def witness(self, check: Check) -> Unit | None:
        """Return the first unit in which a check's counter-example shows; None where no single one does."""
        case = self.suite.cases.get(check.case)
        if case is None or not check.expected:
            return None
        digits = score_digits(self.evidence.units)
        for unit in self.evidence.units:
            found = read_unit(case, unit, digits).findings if unit.case == case.id else ()
            if any(self._is(check, finding) for finding in found):
                return self.secrets.hide_in(unit)
        return None

    def _is(self, check: Check, finding: Finding) -> bool:
        hide = self.secrets.hide
        return (hide(finding.expected), hide(finding.observed)) == (check.expected, check.observed)


def names_of(judged_runs: Sequence[JudgedRun]) -> list[str]:
    """Return a name for each run, no two alike: its bot's, numbered where several have the same."""
    names: list[str] = []
    for judged_run in judged_runs:
        name, number = judged_run.verdict.bot.name, 2
        while name in names:
            name, number = f"{judged_run.verdict.bot.name} ({number})", number + 1
        names.append(name)
    return names


def judged_run_of(suite: Suite, tables: Tables, evidence: Evidence, verdict: Verdict) -> JudgedRun:
    """Put a run and its verdict together, and hide the values of its bot's environment."""
    fitted = suite.for_level(evidence.header.level, evidence.header.bot.sizes).for_bot(
        evidence.header.bot.fixed_playouts
    )
    secrets = Secrets.of(evidence.header)
    return JudgedRun(fitted, tables, evidence, secrets.hide_in(verdict), secrets)
