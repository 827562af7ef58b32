"""What one run shows: all that a report prints and draws, computed from evidence, suite and tables.  Pure.

Renderers take it as it is.  Values of the bot's environment, which may be secrets, are not in it.
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
from harness.showing.example import Example, example_of, picture_before
from harness.showing.lengths import Lengths, lengths_of
from harness.showing.path import Look, path_of_case, path_of_run
from harness.showing.picture import Picture, picture_of_case
from harness.showing.secrets import Secrets, environment
from harness.showing.shares import Shares, answers_of, reference_shares, shares_of
from harness.tables.tables import Tables
from harness.word import Word

_LN10: Final = log(10)


@dataclass(frozen=True, slots=True)
class CaseExhibit:
    """What one case shows."""

    case: Case
    check: Check
    picture: Picture | None
    answers: tuple[tuple[str, int], ...]
    """Of genmove, the most frequent first."""
    conviction: float
    """The power of ten at which this case alone would convict."""
    path: tuple[Look, ...]
    lengths: Lengths | None
    chosen: Shares | None
    """Beside the reference's; None where that has no table of chosen moves."""
    reference: Shares | None
    example: Example | None
    sent: tuple[str, ...]
    """The lines of GTP that ask it."""
    again: str
    """The command that asks this case alone."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A unit in which the bot stopped answering."""

    case: str
    broken: Broken


@dataclass(frozen=True, slots=True)
class Rate:
    """What was played on boards of one size, and how long refbot waited for it, set-up and all."""

    size: int
    playouts: int
    genmoves: int
    seconds: float


@dataclass(frozen=True)
class Exhibit:
    """What one run shows."""

    verdict: Verdict
    started: str
    host: str
    ended: str
    """Why the run ended."""
    units: int
    parts: int
    """1, and one more for each time the run was gone on with."""
    requirements: Mapping[str, Requirement]
    cases: Mapping[str, CaseExhibit]
    boards: Mapping[tuple[int, int], Picture]
    """Positions of a check's faults, by number of the step and place of the fault."""
    path: tuple[Look, ...]
    """Of the whole certificate; empty for a check, which has no statistics."""
    stops: tuple[Stop, ...]
    rates: tuple[Rate, ...]
    settings: tuple[str, ...]
    """What the bot's settings said besides its command, in words."""
    again: str
    """The command that makes such a run."""


def exhibit_of(suite: Suite, tables: Tables, evidence: Evidence, verdict: Verdict) -> Exhibit:
    """Return what a run shows.

    Args:
        suite: what the verdict was reached with.
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
    return Exhibit(
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
        tuple(Stop(u.case, secrets.hide_in(u.broken)) for u in evidence.units if u.broken is not None),
        _rates(suite, evidence),
        tuple(_settings(header)),
        _again(header),
    )


def _case(
    case: Case, check: Check, assessor: RunAssessor, tables: Tables, header: Header, conviction: float
) -> CaseExhibit:
    read = assessor.read(case.id)
    asked = [each for _, each in read]
    answers, secrets = answers_of(asked), Secrets.of(header)
    is_asked = check.verdict != Word.NOT_APPLICABLE and bool(read)
    example = example_of(case, check, read, header.bot) if check.expected else None
    reference = reference_shares(case, tables) if answers and is_asked else None
    return CaseExhibit(
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
    is_about_it = not isinstance(case.question, tuple) and case.file.complete is None
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


def _rates(suite: Suite, evidence: Evidence) -> tuple[Rate, ...]:
    spent: dict[int, list[Unit]] = {}
    for unit in evidence.units:
        case = suite.cases.get(unit.case)
        if case is not None and unit.broken is None and not isinstance(case.question, tuple):
            spent.setdefault(case.file.size, []).append(unit)
    rates = []
    for size, units in sorted(spent.items()):
        genmoves = [sum(sent.startswith("genmove") for sent, _ in unit.exchanges) for unit in units]
        playouts = sum(n * unit.playouts for n, unit in zip(genmoves, units, strict=True))
        rates.append(Rate(size, playouts, sum(genmoves), sum(unit.seconds for unit in units)))
    return tuple(rates)


def _again(header: Header, case: str = "") -> str:
    words = ["refbot", header.command]
    if header.level not in ("check", "standard"):
        words += ["--level", header.level]
    if header.bot.fixed_playouts is not None:
        words += ["--playouts", str(header.bot.fixed_playouts)]
    if case:
        words += ["--case", case]
    return shlex.join([*words, *([] if header.bot.command == EMBEDDED else [header.bot.command])])
