"""Words a conviction: the result of each requirement, and the reason in one sentence.

A requirement is FAIL if and only if one of its own checks failed and was judged (``layers``).  A known
mistake whose simulation gives every value seen (``diagnosis``) can turn such a FAIL into "follows from"
another requirement.  It never makes a requirement FAIL.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from harness.cases.case import Case
from harness.cases.reflection import original_of
from harness.cases.suite import Suite
from harness.e_value import format_e_value
from harness.judging.diagnosis import Diagnosis
from harness.judging.layers import Assignment, FailedCheck
from harness.judging.run_assessment import RunAssessment
from harness.judging.verdict import Suspect
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME

_TWINS = 100.0
"""A deviation is named alone if it is this many times likelier than any other of its requirement."""


@dataclass(frozen=True)
class Conviction:
    """The failed checks of a run, and the known deviations that explain it."""

    suite: Suite
    tables: Tables
    assessment: RunAssessment
    told: Assignment
    diagnosis: Diagnosis

    @cached_property
    def _suspect(self) -> Suspect | None:
        """The known mistake to be named; of several, one of a requirement whose checks failed."""
        if not self.diagnosis.explained:
            return None
        suspects = self.diagnosis.suspects
        if self.diagnosis.confident:
            return suspects[0]
        return next((s for s in suspects if self.told.of(s.requirement)), suspects[0])

    @cached_property
    def _failing(self) -> frozenset[str]:
        """Requirements of a certain explanation that have a failed check."""
        if not self.diagnosis.confident or self._suspect is None:
            return frozenset()
        named = {BY_NAME[name].requirement for name in self._suspect.deviation.split(" + ")}
        return frozenset(name for name in named if any(_is_of(f, name) for f in self._failures))

    @property
    def _failures(self) -> tuple[FailedCheck, ...]:
        return tuple(chain(self.told.judged, (failure for failure, _ in self.told.unjudged)))

    @property
    def broken(self) -> str:
        """The requirement to be named; empty if it is not known."""
        if self._suspect is not None:
            return self._suspect.requirement
        if self.told.first is not None and self.told.first.requirement:
            return self.told.first.requirement
        return self.told.candidates[0] if len(self.told.candidates) == 1 else ""

    @property
    def shown_by(self) -> str:
        """The case that shows the mistake."""
        own = [f for f in self.told.judged if f.requirement == self.broken]
        below = [f for f in self._failures if self.broken and _is_of(f, self.broken)]
        first = next(chain(own, below), self.told.first)
        return first.case if first else ""

    @property
    def known(self) -> str:
        """The known mistake in words, with others of its requirement that are nearly as likely."""
        first = self._suspect
        assert first is not None  # noqa: S101 - the caller asks only where something is known
        twins = [
            s.deviation
            for s in self.diagnosis.suspects
            if s is not first
            and s.requirement == first.requirement
            and s.probability * _TWINS > first.probability
        ]
        return f"{first.about} ({' or '.join([first.deviation, *twins])})"

    @property
    def reason(self) -> str:
        """Why the bot fails, in one sentence."""
        return f"{self._cause}; {self._evidence}"

    @property
    def _cause(self) -> str:
        if self._suspect is not None:
            is_broken = "is broken, most likely"
            if self.diagnosis.confident:
                is_broken = "is broken"
            elif self._suspect.probability < self.diagnosis.unlisted:
                is_broken = "may be broken, for this would explain it"
            return f"{self._suspect.requirement} {is_broken}: {self.known}"
        first = self.told.first
        if first is not None and first.requirement:
            return f"{first.requirement} fails {_in_words(first)}{self._unknown}"
        if self.told.candidates:
            names = " or ".join(self.told.candidates)
            which = ", and these checks cannot tell which" if len(self.told.candidates) > 1 else ""
            shown = f": {_in_words(first)}" if first is not None and first.finding is not None else ""
            return f"{names} is broken{which}{shown}{self._unknown}"
        if first is not None:
            names = ", ".join(self.exercised)
            return f"what is broken is not known: {_in_words(first)}; needed there: {names}{self._unknown}"
        return f"what is broken is not known{self._unknown}"

    @property
    def _evidence(self) -> str:
        count = sum(f.word is Word.FAIL for w in self.assessment.cases.values() for f in w.findings)
        if not count:
            return f"e-value {format_e_value(self.assessment.log10_e)} against conformance"
        return f"{count} exact check{'s' if count > 1 else ''} failed"

    @property
    def _unknown(self) -> str:
        """The sentence that no known mistake explains the run; the diagnosis lists the nearest one."""
        if self.diagnosis.is_cut_short:
            return "; known mistakes were not simulated, which would take too long"
        return "" if self.told.is_of_form else "; no known mistake explains it"

    @property
    def exercised(self) -> list[str]:
        """Requirements that may be broken, if it is not known which one is.

        They are those that the checks cannot tell apart; else those with a known mistake that makes the most
        basic failed case fail, and as many other failed cases as possible.
        """
        if self.broken or not self.assessment.failed:
            return []
        if self.told.candidates or self.told.first is None:
            return list(self.told.candidates)
        found = self._needed_by(self.told.first.case)
        for failure in self.told.judged:
            found = found & self._needed_by(failure.case) or found
        return [name for name in self.suite.requirements if name in found]

    def _needed_by(self, case: str) -> set[str]:
        """Return the requirements with a known mistake that makes an exact case fail."""
        passes = self.tables.exact.passes.get(original_of(case), {})
        return {BY_NAME[name].requirement for name, (passed, runs) in passes.items() if passed < runs}

    def word_of(self, name: str) -> tuple[Word, str] | None:
        """Return the word and the reason of a requirement; None if no failed check concerns it."""
        own = self.told.of(name)
        if self._failing and self._suspect is not None:
            if name in self._failing:
                return Word.FAIL, self._suspect.about
            if own:
                return Word.INCONCLUSIVE, self._follows(own[0])
        elif own:
            return Word.FAIL, _in_words(own[0])
        if below := [base for failure, base in self.told.unjudged if _is_of(failure, name)]:
            return Word.INCONCLUSIVE, _stands_on(below[0])
        if name in self.told.candidates:
            others = " or ".join(self.told.candidates)
            return Word.INCONCLUSIVE, f"{others} is broken; these checks cannot tell which"
        return None

    def elsewhere(self, case: Case) -> str:
        """Return why a failed case does not count against its own requirement; empty if it does."""
        judged = [f for f in self.told.judged if f.case == case.id]
        if case.requirement in self._failing:
            return ""
        if own := [f for f in judged if f.requirement == case.requirement]:
            return self._follows(own[0]) if self._failing else ""
        if judged:
            of = judged[0].requirement
            return f"tells against {of}" if of else "the cause is not known"
        base = self.told.base_of(case.id)
        return _stands_on(base) if base else ""

    def _follows(self, failure: FailedCheck) -> str:
        assert self._suspect is not None  # noqa: S101 - the caller saw one
        return f"follows from {self._suspect.requirement}: {self._suspect.about}; {_in_words(failure)}"


def _stands_on(base: FailedCheck) -> str:
    of = f" ({base.requirement})" if base.requirement else ""
    return f"not judged: it stands on {base.case}{of}, which failed"


def _in_words(failure: FailedCheck) -> str:
    finding = failure.finding
    if finding is None:
        what = "moves are chosen" if failure.quantity == "moves" else "playouts go"
        return f"{failure.case}: {what} otherwise than the rules have it"
    return f"{failure.case}: expected {finding.expected}; got {finding.observed or 'nothing'}"


def _is_of(failure: FailedCheck, requirement: str) -> bool:
    """Whether a failed check names a requirement, or counts against it."""
    return requirement in (failure.requirement, failure.label)
