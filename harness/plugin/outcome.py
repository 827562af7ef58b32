"""The outcome of each item, from the verdicts of a session's runs.  Functions of values only."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from harness.cases.suite import Suite
from harness.judging.verdict import Check, RequirementVerdict, Verdict
from harness.plugin.parts import MAIN, known_cases
from harness.records.evidence import Broken, Evidence
from harness.word import UNJUDGED, Word

_NOT_JUDGED: Final = UNJUDGED | {Word.ERROR}


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """The outcome of one item."""

    word: Word
    """The verdict word; one of the unjudged words if the item could not be judged."""
    reason: str = ""
    known: str = ""
    """The reason why it is known to fail; empty if it is not."""
    must_fail: bool = False
    """Whether an entry of the known failures names this item itself."""
    ended_by: str = ""
    """The failed item of this session that ended the run, if the item is undecided because of it."""


@dataclass(frozen=True)
class SessionRun:
    """One run: its verdict and its evidence."""

    verdict: Verdict
    evidence: Evidence
    cases: tuple[str, ...]

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """The checks of the cases that were asked for."""
        found = {check.case: check for r in self.verdict.requirements for check in r.checks}
        return {name: found[name] for name in self.cases if name in found}

    @cached_property
    def broken(self) -> Broken | None:
        """The failure of the bot's process; the last one if there were several."""
        return next((unit.broken for unit in reversed(self.evidence.units) if unit.broken), None)

    @cached_property
    def requirements(self) -> Mapping[str, RequirementVerdict]:
        """The verdicts on the requirements, by this run alone."""
        return {r.id: r for r in self.verdict.requirements}

    @property
    def word(self) -> Word:
        """The word of the whole run."""
        return Word(self.verdict.verdict)

    def case(self, name: str) -> ItemOutcome:
        """Return the outcome of a case, without regard to known failures."""
        check = self.checks[name]
        word, broken = Word(check.verdict), self.broken
        if word in {Word.FAIL, Word.NOT_APPLICABLE}:
            return ItemOutcome(word, check.reason)
        broke = {unit.case for unit in self.evidence.units if unit.broken is not None}
        if broken is not None and (word is Word.INCONCLUSIVE or name in broke):
            asked = "" if name in broke else "not asked; "
            return ItemOutcome(Word(broken.word), asked + broken.sentence)
        if word is Word.INCONCLUSIVE and self.word in _NOT_JUDGED:
            return ItemOutcome(self.word, self.verdict.reason)
        return ItemOutcome(word, check.reason)


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a session."""

    suite: Suite
    known: Mapping[str, str]
    """Reasons of the known failures, by id."""
    runs: Mapping[str, SessionRun]
    """The runs, by the names of their parts."""

    @cached_property
    def known_to_fail(self) -> frozenset[str]:
        """The cases that are known to fail themselves, or whose requirement is."""
        return frozenset(known_cases(self.suite, self.known))

    def run_of(self, case: str) -> tuple[str, SessionRun]:
        """Return the part in which a case was asked, and its run."""
        return next((part, run) for part, run in self.runs.items() if case in run.cases)

    def case(self, name: str) -> ItemOutcome:
        """Return the outcome of a case."""
        part, run = self.run_of(name)
        outcome = run.case(name)
        if outcome.word is Word.INCONCLUSIVE:
            return replace(outcome, ended_by=self._ended_by(part))
        known = self.known.get(name) or self.known.get(self.suite.cases[name].requirement, "")
        return replace(outcome, known=known, must_fail=name in self.known)

    def requirement(self, name: str) -> ItemOutcome:
        """Return the outcome of a requirement by the evidence of all runs."""
        cases = {c: run.case(c) for run in self.runs.values() for c in self._cases_of(run, name)}
        failed = [case for case, outcome in cases.items() if outcome.word is Word.FAIL]
        convicted = {
            part: r for part, run in self.runs.items() if (r := run.requirements[name]).verdict == Word.FAIL
        }
        if name in self.known and (failed or convicted):
            reasons = [r.reason for r in convicted.values()] or [f"fails in {', '.join(failed)}"]
            return ItemOutcome(Word.FAIL, reasons[0], self.known[name], must_fail=True)
        if failed and self.known_to_fail.issuperset(failed) and MAIN not in convicted:
            return ItemOutcome(
                Word.FAIL, f"fails in {', '.join(failed)}", "its failing cases are known to fail"
            )
        if convicted:
            return ItemOutcome(Word.FAIL, next(iter(convicted.values())).reason)
        if unjudged := next((outcome for outcome in cases.values() if outcome.word in _NOT_JUDGED), None):
            return unjudged
        return self._without_conviction(name, cases)

    def _without_conviction(self, name: str, cases: Mapping[str, ItemOutcome]) -> ItemOutcome:
        """Return the outcome of a requirement that no run has convicted."""
        if MAIN not in self.runs:
            return ItemOutcome(Word.INCONCLUSIVE, "only cases that are known to fail were asked")
        main = self.runs[MAIN]
        word, reason = Word(main.requirements[name].verdict), main.requirements[name].reason
        if word is not Word.INCONCLUSIVE:
            return ItemOutcome(word, reason, self.known.get(name, ""), must_fail=name in self.known)
        if main.broken is not None or main.word in _NOT_JUDGED:
            return self.certificate()
        if expected := sorted(self.known_to_fail.intersection(cases)):
            # The item of the entry itself fails; this item is only undecided until the entry is removed.
            reason = f"{', '.join(expected)}, known to fail, no longer fails: remove the entry from the file"
            mended = next((c for c in expected if c in self.known and cases[c].word is Word.PASS), "")
            if mended:
                return ItemOutcome(word, reason, ended_by=f"{name}::{mended}")
        return ItemOutcome(word, reason, ended_by=self._ended_by(MAIN))

    def certificate(self) -> ItemOutcome:
        """Return the outcome of the whole."""
        for run in self.runs.values():
            if run.word in _NOT_JUDGED:
                return ItemOutcome(run.word, run.verdict.reason)
        main = self.runs.get(MAIN)
        if main is not None and (main.word is Word.FAIL or not self.known):
            return ItemOutcome(main.word, main.verdict.reason)
        words = {name: self.requirement(name) for name in self.suite.requirements}
        failed = [name for name, outcome in words.items() if outcome.word is Word.FAIL]
        for name, outcome in words.items():
            is_new = outcome.word is Word.FAIL and not outcome.known
            if is_new or outcome.word in _NOT_JUDGED | {Word.INCONCLUSIVE}:
                return ItemOutcome(outcome.word, f"{name}: {outcome.reason}")
        if not failed:
            return ItemOutcome(Word.INCONCLUSIVE, "no known failure has failed; remove them from the file")
        return ItemOutcome(Word.FAIL, f"{', '.join(failed)} broken", "all failures are known failures")

    def _ended_by(self, part: str) -> str:
        """Return the failed item of this session that ended a run early, if there is one."""
        failed = (n for n in self.runs[part].checks if self.runs[part].case(n).word is Word.FAIL)
        new = next((name for name in failed if name not in self.known_to_fail), "")
        return f"{self.suite.cases[new].requirement}::{new}" if new else ""

    def _cases_of(self, run: SessionRun, requirement: str) -> list[str]:
        return [name for name in run.checks if self.suite.cases[name].requirement == requirement]
