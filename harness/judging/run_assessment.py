"""The assessment of a run: which cases apply, what each amounts to, which deviations are excluded.

Numbers only; the verdict words are given in ``judge``.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import log

from harness.bots.driver import NEEDED
from harness.bots.limits import command_name
from harness.cases.case import Case
from harness.cases.checklist import REQUIRED
from harness.cases.level import ALPHA, BETA, LEVELS
from harness.cases.suite import Suite
from harness.errors import EvidenceError
from harness.judging.answers import parse_reply
from harness.judging.case_assessment import AskedUnit, CaseAssessment, assess_case
from harness.judging.certificate_e_value import log_evidence, totals
from harness.judging.exact import read_unit, score_digits
from harness.records.evidence import Evidence, Header, Unit
from harness.tables.predict import stays_certain
from harness.tables.tables import Shift, Tables
from harness.word import UNJUDGED, Word
from reference_engine.deviations import CATALOGUE

CONVICTION = log(1 / ALPHA)
EXCLUSION = log(1 / BETA)
NOT_OFFERED = "the bot does not offer"
"""Prefix of the skip reason of a clause whose command is optional and not offered."""
REFUSES = "the bot refuses"
"""Prefix of the skip reason of a case whose board size the bot refused."""
_ONLY_FIXED = "it is asked only of bots that always run the same number of playouts"
_ANOTHER_READING = "the bot's reading of an open clause changes what is expected here"
_LENIENT_SHIFT = 1e-3
"""Nats per playout from which on a tolerated deviation spoils a statistical case."""
_WITNESS_RATE = 1e-4
"""Nats per playout from which on a case is of use against a deviation at all."""


@dataclass(frozen=True, slots=True)
class RunAssessment:
    """The assessments of all cases of a run, and what they amount to together."""

    cases: Mapping[str, CaseAssessment]
    skipped: Mapping[str, str]
    """Cases that do not apply to this bot, with the reason."""
    broken: Unit | None
    log_e: float
    excluded: tuple[str, ...]
    not_excluded: tuple[str, ...]
    hidden: tuple[str, ...]
    """Deviations not excluded because the bot's reading of an open clause sets aside every case that shows
    them.
    """
    decimals: int = 0
    """Largest number of decimals of any printed score."""

    @property
    def open(self) -> tuple[str, ...]:
        """Deviations that more evidence could still exclude."""
        return tuple(name for name in self.not_excluded if name not in self.hidden)

    @property
    def failed(self) -> bool:
        """Whether the bot is proved not to conform, and not merely to differ within the tolerances."""
        if any(w.failed for w in self.cases.values()):
            return True
        return self.differs and not (self.all_inside and not self.open)

    @property
    def differs(self) -> bool:
        """Whether the statistical evidence against the specification suffices for a conviction."""
        return self.log_e >= CONVICTION

    @property
    def conviction_of_one(self) -> float:
        """The log e-value that convicts in one statistical case: Bonferroni's share for each of them."""
        return CONVICTION + log(max(1, sum(w.log_e is not None for w in self.cases.values())))

    def convicts(self, assessed: CaseAssessment) -> bool:
        """Whether one statistical case tells against a bot, which it does only beside the whole."""
        is_enough = assessed.log_e is not None and assessed.log_e >= self.conviction_of_one
        return is_enough and (self.failed or self.differs)

    @property
    def log10_e(self) -> float:
        """The certificate's e-value as a power of ten, as people read it."""
        return self.log_e / log(10)

    @property
    def all_inside(self) -> bool:
        """Whether every interval lies inside its tolerance."""
        return all(w.is_inside for w in self.cases.values())


class RunAssessor:
    """Collects units as they come, and assesses on request what has been collected.

    Readings and assessments of cases are kept, so a new look costs only what is new.  No number depends on
    the order of the units.
    """

    def __init__(self, suite: Suite, tables: Tables, header: Header) -> None:
        if header.level not in LEVELS:
            raise EvidenceError(f"the evidence is of a level {header.level!r} that is not known here")
        if header.level != "check":  # whose suite is that of the bot's boards already
            suite = suite.for_level(header.level)
        _check_known(suite, header)
        self._suite = suite
        self._tables = tables
        self._bot = header.bot
        self.taken = 0
        """Number of units added so far."""
        self._units: dict[str, list[Unit]] = {}
        self._asked: dict[str, list[AskedUnit]] = {}
        self._assessments: dict[str, CaseAssessment] = {}
        self._digits = (0, 0)
        self._broken: Unit | None = None
        self._refused: dict[str, str] = {}
        self._level = LEVELS[header.level]
        for name in header.cases:
            case = suite.cases[name]
            # Of a bot that never listed its commands nothing is known to be missing.
            lacks = missing(case, self._bot.commands) if self._bot.commands else ""
            reason = lacks or idle(case, tables)
            if reason:
                self._refused[name] = reason

    def add(self, unit: Unit) -> None:
        """Add a unit.

        Raises:
            EvidenceError: it ended with a word that is not known here.
        """
        self.taken += 1
        if unit.broken is not None:
            if unit.broken.word not in set(UNJUDGED):
                raise EvidenceError(f"the evidence holds a word {unit.broken.word!r} that is not known here")
            self._broken = unit
        if unit.case not in self._suite.cases:
            return
        if reason := refusal(self._suite.cases[unit.case], unit):
            self._refused[unit.case] = reason
            return
        self._units.setdefault(unit.case, []).append(unit)
        self._assessments.pop(unit.case, None)
        digits = score_digits([unit])
        if any(new > old for new, old in zip(digits, self._digits, strict=True)):
            # Finer digits than any before: earlier scores must be read again in their light.
            self._digits = (max(digits[0], self._digits[0]), max(digits[1], self._digits[1]))
            self._asked.clear()
            self._assessments.clear()

    def assessment(self) -> RunAssessment:
        """Assess everything added so far."""
        cases = {name: w for name in sorted(self._units) if (w := self._assess(name)) is not None}
        skipped = dict(sorted(self._refused.items()))
        set_aside = _lenient(cases, self._tables)
        # What was seen stands: only the statistics are of no use against this reference.
        cases |= {name: cases[name].without_statistics for name in set_aside}
        skipped |= {name: _ANOTHER_READING for name in set_aside if not cases[name].findings}
        cases = {name: w for name, w in cases.items() if name not in skipped or w.findings}
        excluded, not_excluded = exclusion(cases, self._bot.commands)
        hidden = tuple(name for name in not_excluded if set_aside and self._witnesses(name) <= set_aside)
        log_e = log_evidence(cases.values(), self._suite.cases.values())
        return RunAssessment(
            cases, skipped, self._broken, log_e, excluded, not_excluded, hidden, self._digits[0]
        )

    def _witnesses(self, deviation: str) -> set[str]:
        cases, fixed = self._suite.cases.values(), self._bot.fixed_playouts
        return {case.id for case in cases if shows(case, deviation, self._tables, fixed)}

    def failed_exactly(self, name: str) -> bool:
        """Whether an exact check failed in what was asked of one case."""
        assessed = self._assess(name) if name in self._units else None
        return assessed is not None and assessed.failed

    def read(self, name: str) -> list[tuple[Unit, AskedUnit]]:
        """Return the units of one case that could be judged, each with what it was read as."""
        if name not in self._units:
            return []
        self._assess(name)
        pairs = zip(self._units[name], self._asked[name], strict=True)
        return [(unit, a) for unit, a in pairs if unit.broken is None or a.reading.findings]

    def _assess(self, name: str) -> CaseAssessment | None:
        """Return the assessment of a case; None where nothing of it could be judged."""
        if name not in self._assessments:
            case, asked = self._suite.cases[name], self._asked.setdefault(name, [])
            units = self._units[name]
            asked += [
                AskedUnit(read_unit(case, unit, self._digits), unit.process, unit.playouts)
                for unit in units[len(asked) :]
            ]
            whole = [
                a for a, unit in zip(asked, units, strict=True) if unit.broken is None or a.reading.findings
            ]
            if not whole:
                return None
            self._assessments[name] = assess_case(case, whole, self._tables, self._level)
        return self._assessments[name]


def assess_run(suite: Suite, tables: Tables, evidence: Evidence) -> RunAssessment:
    """Assess every unit of a run, complete or not."""
    assessor = RunAssessor(suite, tables, evidence.header)
    for unit in evidence.units:
        assessor.add(unit)
    return assessor.assessment()


def _check_known(suite: Suite, header: Header) -> None:
    """Refuse evidence of cases that this installation does not have.

    Raises:
        EvidenceError: it names such a case.
    """
    if unknown := sorted(set(header.cases) - set(suite.cases)):
        raise EvidenceError(
            f"the evidence is of a suite with a case {unknown[0]!r} that is not installed here; "
            f"it was made by refbot {header.refbot}"
        )


def missing(case: Case, commands: Collection[str]) -> str:
    """Return why a case cannot be asked of a bot with these commands, or nothing."""
    if case.file.is_of_check and (lacks := _not_offered(case, commands)):
        return lacks
    steps = case.steps
    optional = [step.optional for step in steps if step.optional and step.optional not in commands]
    if optional:
        return f"the bot has no {optional[0]}, which is optional"
    needs_none = steps or case.file.complete is not None or case.file.choice is not None
    if case.file.private or not needs_none:
        lacking = [name for name in NEEDED if name not in commands]
        if lacking:
            return f"the bot has no {' and no '.join(lacking)}"
    return case.file.unfit


def _not_offered(case: Case, commands: Collection[str]) -> str:
    """Return which optional command of a clause a bot does not list, or nothing."""
    names = [command_name(step.send) for step in case.file.steps]
    lacking = [name for name in names if name and name not in {*commands, *REQUIRED}]
    lacking = [name for name in lacking if not _is_made_up(name)]
    return f"{NOT_OFFERED} {lacking[0]}" if lacking else ""


def _is_made_up(name: str) -> bool:
    # Private commands have a rule of their own; a name with other signs tries how lines are read.
    return name.startswith(("refbot-", "ref-")) or not re.fullmatch(r"[a-z_-]+", name)


def idle(case: Case, tables: Tables) -> str:
    """Return why nothing is gained by asking a case with a bot's own number of playouts, or nothing."""
    if not case.is_fitted:
        return _ONLY_FIXED if case.file.only_fixed else ""
    playouts = f"{case.file.playouts:,} playouts a genmove"
    if not tables.has(case):
        return f"no table holds {playouts}"
    return "" if tables.rivals(case) else f"with {playouts} it tells no mistake better than other cases do"


def refusal(case: Case, unit: Unit) -> str:
    """Return why a bot declined a board that a unit's case needs, or nothing."""
    refused = [(sent, raw) for sent, raw in unit.exchanges if raw[:1] == "?" and sent.startswith("boardsize")]
    steps = case.steps if refused else ()
    wrong = {step.send for step in steps if step.expect != "ok"}
    for sent, raw in refused:
        if sent not in wrong:
            reply = parse_reply(raw)
            return f"{REFUSES} {sent!r}: {reply.text.strip()[:60] if reply else ''}"
    return ""


def _lenient(cases: Mapping[str, CaseAssessment], tables: Tables) -> set[str]:
    """Return the statistical cases that a lenient reading, once shown, would change."""
    lenient = {
        finding.requirement
        for w in cases.values()
        for finding in w.findings
        if finding.word is Word.NON_STRICT
    }
    shown = [d.name for d in CATALOGUE if d.tolerated and d.requirement in lenient]
    return {
        name
        for name, w in cases.items()
        if w.sums is not None
        for shifts in [tables.sample(w.case).shifts]
        if any(d in shifts and _rate(shifts[d]) > _LENIENT_SHIFT for d in shown)
    }


def shows(case: Case, deviation: str, tables: Tables, fixed: int | None = None) -> bool:
    """Whether a case could exclude a deviation; ``fixed`` is the number of playouts a bot always runs."""
    if case.file.sample is not None:
        shift = tables.sample(case).shifts.get(deviation)
        return shift is not None and shift.exclude is not None and shift.exclude.rate > _WITNESS_RATE
    if case.is_statistical:
        rival = tables.rivals(case).get(deviation) if case.needs_table else None
        return rival is not None and rival.exclude_rate > 0
    passed, _ = tables.exact.passes.get(case.id, {}).get(deviation, (1, 1))
    is_script, measured = case.is_script, case.file.playouts
    return passed == 0 and stays_certain(deviation, measured, fixed or measured, is_script=is_script)


def _rate(shift: Shift) -> float:
    return shift.convict.rate if shift.convict else 0.0


def exclusion(
    cases: Mapping[str, CaseAssessment], commands: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the deviations that all cases together exclude, and those that they do not.

    A deviation of an optional command that the bot does not offer is neither: the bot cannot have it.
    """
    lacking = {d.name for d in CATALOGUE if d.command and d.command not in commands}
    total = {k: v for k, v in totals(w.exclude for w in cases.values()).items() if k not in lacking}
    return (
        tuple(name for name, log_e in total.items() if log_e >= EXCLUSION),
        tuple(name for name, log_e in total.items() if log_e < EXCLUSION),
    )
