"""The report of one run: all that is printed and drawn, computed from evidence, suite and tables.  Pure.

Renderers show it as it is.  Values of the bot's environment, which may be secrets, are not in it.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

from harness.bots.bot import EMBEDDED, Bot
from harness.bots.settings import settings_of
from harness.cases.case import Case
from harness.cases.level import LEVELS
from harness.cases.suite import Requirement, Suite
from harness.judging.case_assessment import AskedUnit
from harness.judging.run_assessment import RunAssessor
from harness.judging.unanswered import lines_of
from harness.judging.verdict import Check, Verdict
from harness.records.evidence import Broken, Evidence, Header, Unit
from harness.report.evidence_growth import EvidenceStep, path_of_case, path_of_run
from harness.report.example import Example, example_of, picture_before
from harness.report.lengths import Lengths, lengths_of
from harness.report.picture import Picture, picture_of_case
from harness.report.secrets import Secrets, environment
from harness.report.shares import Shares, answers_of, reference_shares, shares_of
from harness.tables.tables import Tables
from harness.word import Word

_LN10: Final = log(10)


@dataclass(frozen=True, slots=True)
class CaseReport:
    """The report of one case."""

    case: Case
    check: Check
    picture: Picture | None
    answers: tuple[tuple[str, int], ...]
    """The answers to genmove with their counts, the most frequent first."""
    conviction: float
    """The power of ten at which this case alone would convict."""
    path: tuple[EvidenceStep, ...]
    lengths: Lengths | None
    chosen: Shares | None
    """The chosen moves as shares; None where the reference has no table of chosen moves."""
    reference: Shares | None
    example: Example | None
    sent: tuple[str, ...]
    """The lines of GTP that ask it."""
    again: str
    """The command that asks this case alone."""


@dataclass(frozen=True, slots=True)
class BrokenUnit:
    """A unit in which the bot stopped answering."""

    case: str
    broken: Broken


@dataclass(frozen=True, slots=True)
class BoardSpeed:
    """What was played on boards of one size, and how long refbot waited for it, set-up included."""

    size: int
    playouts: int
    genmoves: int
    seconds: float


@dataclass(frozen=True)
class RunReport:
    """The report of one run."""

    verdict: Verdict
    started: str
    host: str
    ended: str
    """Why the run ended."""
    units: int
    parts: int
    """Number of parts of the run: 1, and one more for each time it was resumed."""
    requirements: Mapping[str, Requirement]
    cases: Mapping[str, CaseReport]
    boards: Mapping[tuple[int, int], Picture]
    """Positions of a check's faults, by number of the step and place of the fault."""
    path: tuple[EvidenceStep, ...]
    """The e-value of the whole certificate as it grew; empty for a check, which has no statistics."""
    stops: tuple[BrokenUnit, ...]
    rates: tuple[BoardSpeed, ...]
    settings: tuple[str, ...]
    """Names of the bot's settings that were changed, besides its command."""
    again: str
    """The command that makes such a run."""


def run_report_of(suite: Suite, tables: Tables, evidence: Evidence, verdict: Verdict) -> RunReport:
    """Return the report of a run.

    Args:
        suite: the suite that the verdict was reached with.
        tables: its references.
        evidence: the run.
        verdict: on it.
    """
    header, secrets = evidence.header, Secrets.of(evidence.header)
    suite = suite.for_level(header.level, header.bot.sizes).for_bot(header.bot.fixed_playouts)
    assessor = RunAssessor(suite, tables, header)
    path = path_of_run(assessor, evidence.units)
    # One share for each statistical case, as the judge has it.
    conviction = assessor.assessment().conviction_of_one / _LN10
    checks = {check.case: check for r in verdict.requirements for check in r.checks}
    cases = {
        name: _case(suite.cases[name], check, assessor, tables, header, conviction)
        for name, check in checks.items()
    }
    boards = {
        (step.number, place): picture
        for step in verdict.steps
        for place, fault in enumerate(step.faults)
        if (picture := picture_before(fault.exchanges)) is not None
    }
    return RunReport(
        secrets.hide_in(verdict),
        header.started,
        header.host,
        evidence.footer.reason if evidence.footer else "",
        len(evidence.units),
        1 + len(evidence.resumed),
        suite.requirements,
        cases,
        boards,
        path if LEVELS[header.level].statistical_genmoves else (),
        tuple(BrokenUnit(u.case, secrets.hide_in(u.broken)) for u in evidence.units if u.broken is not None),
        _rates(suite, evidence),
        tuple(_settings(header)),
        _again(header),
    )


def _case(
    case: Case, check: Check, assessor: RunAssessor, tables: Tables, header: Header, conviction: float
) -> CaseReport:
    read = assessor.read(case.id)
    asked = [each for _, each in read]
    answers, secrets = answers_of(asked), Secrets.of(header)
    is_asked = check.verdict != Word.NOT_APPLICABLE and bool(read)
    example = example_of(case, check, read, header.bot) if check.expected else None
    reference = reference_shares(case, tables) if answers and is_asked else None
    return CaseReport(
        case,
        secrets.hide_in(check),
        _picture(case) if is_asked or check.verdict == Word.INCONCLUSIVE else None,
        tuple(answers.most_common()),
        conviction,
        path_of_case(case, asked, tables, LEVELS[header.level]) if case.is_statistical and is_asked else (),
        _lengths(case, asked, tables) if is_asked else None,
        shares_of(case, answers) if reference else None,
        reference,
        example.without(secrets) if example else None,
        tuple(lines_of(case)),
        _again(header, case.id),
    )


def _lengths(case: Case, asked: list[AskedUnit], tables: Tables) -> Lengths | None:
    return lengths_of(case, asked, tables) if case.file.sample is not None else None


def _picture(case: Case) -> Picture | None:
    """Return a case's position; None for a script or a whole game that begins on an empty board."""
    is_about_it = not case.is_script and case.file.complete is None
    return picture_of_case(case) if is_about_it or case.plays else None


def _settings(header: Header) -> list[str]:
    """Name what a settings file or an option said, without the values of the environment."""
    name, command = header.settings.get("name"), header.settings.get("command")
    if not isinstance(name, str) or not isinstance(command, str):
        return []
    plain = settings_of(Bot(name, command, header.bot.fixed_playouts))
    changed = [key for key, value in header.settings.items() if key in plain and value != plain[key]]
    if "env" not in changed:
        return [key.replace("_", " ") for key in changed]
    names = ", ".join(sorted(environment(header.settings)))
    return [f"environment ({names}; values hidden)" if k == "env" else k.replace("_", " ") for k in changed]


def _rates(suite: Suite, evidence: Evidence) -> tuple[BoardSpeed, ...]:
    spent: dict[int, list[Unit]] = {}
    for unit in evidence.units:
        case = suite.cases.get(unit.case)
        if case is not None and unit.broken is None and not case.is_script:
            spent.setdefault(case.file.size, []).append(unit)
    rates = []
    for size, units in sorted(spent.items()):
        genmoves = [sum(sent.startswith("genmove") for sent, _ in unit.exchanges) for unit in units]
        playouts = sum(n * unit.playouts for n, unit in zip(genmoves, units, strict=True))
        rates.append(BoardSpeed(size, playouts, sum(genmoves), sum(unit.seconds for unit in units)))
    return tuple(rates)


def command_to_repeat(command: str) -> str:
    """Return the command that asks one bot again; a regression needs a baseline, a comparison more bots."""
    return command if command == "check" else "certify"


def _again(header: Header, case: str = "") -> str:
    words = ["refbot", command_to_repeat(header.command)]
    if header.level not in ("check", "standard"):
        words += ["--level", header.level]
    if header.bot.fixed_playouts is not None:
        words += ["--playouts", str(header.bot.fixed_playouts)]
    if case:
        words += ["--case", case]
    return shlex.join([*words, *([] if header.bot.command == EMBEDDED else [header.bot.command])])
