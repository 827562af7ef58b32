"""One simulated certificate: the engine with some rules, certified in this process, and what came of it."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.bots.bot import Bot, parse_bot
from harness.bots.failure import Failure
from harness.bots.inprocess import starter
from harness.bots.processes import Process, Starter
from harness.cases.suite import Suite
from harness.judging.judge import judge
from harness.judging.run_assessment import RunAssessment, RunAssessor
from harness.records.evidence import Evidence
from harness.runs.progress import Unwatched
from harness.runs.run import Extras, Run
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

CONFORMING: Final = ""
"""Stands for the name of a deviation where there is none."""
LOOKS: Final = (400, 700, 1000, 2000, 3000, 4000, 6000)
"""Numbers of units after which the evidence of a trial is looked at, before it is at its end.  They are
fixed: a part of a run's final length is known only afterwards, and a martingale's mean there is not 1."""
_APART: Final = 7_919 * 10**9
"""Between the seeds of two trials, more than any run has processes."""
_STRIDE: Final = 5
"""Genmoves between two looks for a conviction by statistics."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one simulated certificate ended."""

    deviation: str
    seed: int
    verdict: str
    requirement: str
    """Requirement of the first suspect; empty if there is none."""
    suspect: str
    confident: bool
    failed: tuple[str, ...]
    """Requirements marked FAIL."""
    exercised: tuple[str, ...]
    """Requirements that may be broken, where it is not known which."""
    playouts: int
    genmoves: int
    convicted_after: int | None
    """Playouts up to the first moment at which the evidence sufficed for a FAIL."""
    convicted_by: str
    """The case asked at that moment."""
    not_excluded: tuple[str, ...]
    log_e: tuple[Mapping[str, float], ...]
    """At each look the log of every e-value against the specification, by its name; kept if it conforms."""


def simulate(suite: Suite, tables: Tables, level: str, seed: int, start: Starter, extras: Extras) -> Evidence:
    """Return the evidence of a run that leaves nothing behind.

    Args:
        suite: what it is planned by.
        tables: the references.
        level: the level.
        seed: sets one run off from another.
        start: starts the program that is asked, as the embedded engine.
        extras: what the run asks beside.
    """

    def start_apart(bot: Bot, playouts: int, number: int) -> Process | Failure:
        return start(bot, playouts, number + _APART * seed)

    with tempfile.TemporaryDirectory(prefix="refbot-") as folder:
        bot = parse_bot(None, None, None, 1.0)
        return Run(bot, suite, tables, level, Path(folder), [], start_apart, extras=extras).go(Unwatched())


def run_trial(
    suite: Suite,
    tables: Tables,
    deviation: str,
    level: str,
    seed: int,
    start: Starter | None = None,
) -> Trial:
    """Certify the engine with a deviation, or with none.

    Args:
        suite: what it is judged by.
        tables: the references.
        deviation: a name of the catalogue, or ``CONFORMING``.
        level: the level.
        seed: sets one trial off from another.
        start: starts another program than the engine with that deviation.
    """
    suite, spec = suite.for_level(level), BY_NAME[deviation].spec if deviation else SPEC
    evidence = simulate(suite, tables, level, seed, start or starter(spec), Extras())
    # Read and assessed once more as the units came: the looks, and the assessment of the verdict.
    assessor = RunAssessor(suite, tables, evidence.header)
    looks = _looks(assessor, evidence) if not deviation and start is None else ()
    if not looks:
        for unit in evidence.units:
            assessor.add(unit)
    verdict = judge(suite, tables, evidence, assessor.assessment())
    first = verdict.diagnosis[0] if verdict.diagnosis else None
    after, by = _conviction(suite, tables, evidence) if verdict.verdict == "FAIL" else (None, "")
    return Trial(
        deviation,
        seed,
        verdict.verdict,
        verdict.broken,
        first.deviation if first else "",
        verdict.confident,
        tuple(r.id for r in verdict.requirements if r.verdict == Word.FAIL),
        tuple(verdict.exercised),
        verdict.playouts,
        verdict.genmoves,
        after,
        by,
        tuple(verdict.not_excluded),
        tuple(looks),
    )


def _conviction(suite: Suite, tables: Tables, evidence: Evidence) -> tuple[int | None, str]:
    """Return after how many playouts, and in which case, the evidence sufficed for a FAIL."""
    assessor, playouts = RunAssessor(suite, tables, evidence.header), 0
    statistical = 0
    for unit in evidence.units:
        assessor.add(unit)
        case = suite.cases.get(unit.case)
        if case is None:
            continue
        playouts += 0 if case.is_script else unit.playouts
        if not case.is_statistical:
            if assessor.failed_exactly(case.id):
                return playouts, case.id
            continue
        statistical += 1
        if assessor.failed_exactly(case.id) or (statistical % _STRIDE == 0 and assessor.assessment().failed):
            return playouts, case.id
    return playouts, evidence.units[-1].case


def _looks(assessor: RunAssessor, evidence: Evidence) -> list[Mapping[str, float]]:
    """Return the log of every e-value at each look, and at the end; all units are taken in."""
    looks: list[Mapping[str, float]] = []
    for number, unit in enumerate(evidence.units, start=1):
        assessor.add(unit)
        if number in LOOKS:
            looks.append(_e_values(assessor.assessment()))
    # A run that has ended keeps its last value: stopping does not change a martingale's mean.
    end = _e_values(assessor.assessment())
    return looks + [end] * (len(LOOKS) + 1 - len(looks))


def _e_values(assessment: RunAssessment) -> dict[str, float]:
    """Return the log of every e-value against the specification."""
    values = {"certificate": assessment.log_e}
    for name, w in assessment.cases.items():
        if w.log_e is not None:
            values[f"unknown, {name}"] = w.log_e
        if w.log_e_spread is not None:
            values[f"spread, {name}"] = w.log_e_spread
        for deviation, value in w.convict.items():
            values[f"for {deviation}"] = values.get(f"for {deviation}", 0.0) + value
    return values
