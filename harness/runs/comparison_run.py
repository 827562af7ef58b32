"""Several runs together: each certificate to its decision, then all bots to the same amounts.

A certificate asks what decides it, so two of them would end with different amounts of evidence on different
cases.  After that every bot is brought to the most playouts that any of them was asked for, case by case;
and as long as it cannot be told whether an unconvicted bot is near the reference, all are asked for more.
What is asked may depend on everything seen: every number rests on intervals and e-values that hold at all
looks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final

from harness.bots.bot import Bot
from harness.bots.processes import Starter, start_session
from harness.cases.case import Case, Sample
from harness.cases.level import LEVELS
from harness.cases.suite import Suite
from harness.comparison.quantities import quantities_of, widest
from harness.judging.run_assessment import RunAssessment
from harness.records.evidence import Evidence, Part
from harness.runs.plan import Job, playouts_of
from harness.runs.progress import Observer
from harness.runs.run import Extras, Run
from harness.tables.sizes import RATIO
from harness.tables.tables import Tables

COMMAND: Final = "compare"
"""In the headers of runs made for a comparison."""
ROUNDS: Final = 12
CONTRAST_GENMOVES: Final = 40
"""Genmoves of each case of a contrast: fewer than thirty batches give no interval of a length."""
CONTRAST_PLAYOUTS: Final = 2560
_SMALL_GENMOVE: Final = 256
"""Playouts of a genmove up to which all forty are asked."""


@dataclass(frozen=True, slots=True)
class ComparisonEntry:
    """A bot to be asked, and the folder of its run."""

    bot: Bot
    folder: Path
    part: Part | None = None
    """The part of the run that there is, if it is resumed."""


def run_together(
    entrants: Sequence[ComparisonEntry],
    suite: Suite,
    tables: Callable[[int | None], Tables],
    level: str,
    observer: Callable[[str], Observer],
    start: Starter = start_session,
    others: int = 0,
) -> list[Evidence]:
    """Ask every bot; return the evidence of each, in their order.

    A bot that cannot be started, or stops answering, ends its own run only.

    Args:
        entrants: the bots.
        suite: what they are asked.
        tables: the references for bots with this fixed number of playouts, None for any other.
        level: of every certificate.
        observer: listens to the bot of that name.
        start: starts a process.
        others: bots that are compared with these and were asked before; they share the error.

    Raises:
        UsageError: how many playouts a bot runs is neither in its command nor told.
        EvidenceError: a folder cannot be written to, or what is recorded there is not of this plan.
    """
    runs = [
        Run(e.bot, suite, tables(e.bot.fixed_playouts), level, e.folder, [], start, e.part, Extras(COMMAND))
        for e in entrants
    ]
    try:
        # All are asked who they are first: a command line that is wrong ends this before anything is asked.
        for run in runs:
            run.begin()
        for run in runs:
            run.decide(observer(run.bot.name))
            run.pause()
        _level_out(runs, suite, tables(None), level, observer, len(runs) + others)
        return [run.finish() for run in runs]
    except KeyboardInterrupt:
        for run in runs:
            run.interrupt()
        raise
    finally:
        for run in runs:
            run.close()


def _level_out(
    runs: Sequence[Run],
    suite: Suite,
    shared: Tables,
    level: str,
    observer: Callable[[str], Observer],
    bots: int,
) -> None:
    spent = 0
    for number in range(ROUNDS):
        going = [run for run in runs if not run.has_stopped]
        assessment = [run.assessment() for run in going]
        wanted = amounts(suite, shared, assessment, level, bots if number > 0 else 0)
        asked = 0
        for run, assessed in zip(going, assessment, strict=True):
            jobs = missing_jobs(suite, assessed, wanted, run.bot.fixed_playouts)
            if number == 0 and LEVELS[level].may_pass:
                jobs = _merged(jobs, contrast_jobs(suite, assessed, run.bot.fixed_playouts))
            run.ask_more("side by side", jobs, observer(run.bot.name))
            run.decide_again(observer(run.bot.name))
            run.pause()
            asked = max(asked, sum(job.times * playouts_of(job.case, run.bot.fixed_playouts) for job in jobs))
        spent += asked
        if (number > 0 and not asked) or spent > LEVELS[level].budget or not LEVELS[level].may_pass:
            return


def amounts(
    suite: Suite,
    tables: Tables,
    everybody: Sequence[RunAssessment],
    level: str,
    bots: int = 0,
) -> dict[str, int]:
    """Return the playouts, of cases about moves the genmoves, to which every bot is to be brought.

    Args:
        suite: the cases.
        tables: the references, which bound what may be asked.
        everybody: of all bots; those that are convicted need not be shown to be near the reference.
        level: whose tolerances hold.
        bots: how many are compared; then more is asked than any was asked so far, where it is needed.
    """
    found: dict[str, int] = {}
    for w in everybody:
        for name, assessed in w.cases.items():
            if assessed.case.is_statistical:
                amount = (
                    assessed.playouts if isinstance(assessed.case.question, Sample) else assessed.genmoves
                )
                found[name] = max(found.get(name, 0), amount)
    if bots:
        quantities = quantities_of(everybody, suite, tables, level, bots)
        for place, w in enumerate(everybody):
            if w.failed:
                continue
            for name, factor in widest(quantities, place).items():
                growth = min(2.0, max(0.25, (factor**2 - 1) / 2))
                most = tables.reference(suite.cases[name]).size / RATIO
                found[name] = max(found[name], int(min(most, w.cases[name].playouts * (1 + growth))))
    return found


def missing_jobs(
    suite: Suite, assessment: RunAssessment, wanted: Mapping[str, int], fixed: int | None
) -> list[Job]:
    """Return what brings one bot to the wanted amounts, in the order it is asked."""
    jobs: list[Job] = []
    for case in suite.for_bot(fixed).cases.values():
        if case.id not in wanted or case.id in assessment.skipped:
            continue
        assessed, playouts = assessment.cases.get(case.id), playouts_of(case, fixed)
        if isinstance(case.question, Sample):
            lacking = wanted[case.id] - (assessed.playouts if assessed else 0)
            times = ceil(lacking / playouts - 0.5)
        else:
            # Which move is chosen depends on the number of playouts: others say nothing of this bot's.
            times = 0 if case.is_fitted else wanted[case.id] - (assessed.genmoves if assessed else 0)
        if times > 0:
            jobs.append(Job(case, times))
    return _in_order(jobs)


def contrast_jobs(suite: Suite, assessment: RunAssessment, fixed: int | None) -> list[Job]:
    """Return what the checks that need no table ask for, beyond what was asked already."""
    every: dict[str, Case] = {**suite.cases, **suite.compared_cases}
    jobs: list[Job] = []
    for rule in suite.contrasts:
        if rule.needs_playouts and fixed is not None:
            continue
        for name in rule.cases:
            case, assessed = every[name], assessment.cases.get(name)
            playouts = playouts_of(case, fixed)
            times = max(
                3, CONTRAST_GENMOVES if playouts <= _SMALL_GENMOVE else 0, ceil(CONTRAST_PLAYOUTS / playouts)
            )
            times -= assessed.genmoves if assessed else 0
            if times > 0 and name not in assessment.skipped and all(job.case.id != name for job in jobs):
                jobs.append(Job(case, times))
    return _in_order(jobs)


def _merged(some: Sequence[Job], others: Sequence[Job]) -> list[Job]:
    times = {job.case.id: job for job in sorted((*some, *others), key=lambda job: job.times)}
    return _in_order(list(times.values()))


def _in_order(jobs: list[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: (job.case.file.playouts, job.case.id))
