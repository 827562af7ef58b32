"""Pass rates: how often an engine with each deviation passes the exact checks of each case, as in a run.

Statistical cases are asked too, because a reply may be wrong by its form alone.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import count
from math import exp, log
from pathlib import Path

from harness.bots.driver import ask_case
from harness.bots.inprocess import InProcess
from harness.cases.case import Case, Dialogue, Fresh
from harness.cases.level import LEVELS
from harness.cases.suite import Suite, load_suite, sent_folder
from harness.judging.case_assessment import AskedUnit, findings_of
from harness.judging.exact import read_unit, score_digits
from harness.runs.executors import PROCESSES
from harness.runs.plan import exact_jobs, first_samples
from harness.table_build.sampler import Sampler
from harness.tables.staleness import cases_digest
from harness.tables.tables import ExactTable, Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.digest import source_digest
from reference_engine.spec import Spec

SHOWS = 0.01
"""Least nats per playout at which a deviation is said to show in a case."""

_SEED = 20081013
_WARM_UP = ("boardsize 4", "clear_board", "komi 0.5", "genmove white")
"""Commands before a case that is asked alone, because in a run another case always came before it."""
_PASS_BOUND = 4.61
"""A deviation that passed none of n runs passes with probability below this over n, with 99% confidence.
The e-value of passing assumes less, so that each deviation is safe and not only their average."""
_NATS_WANTED = 7.0
"""Evidence that the exact cases of a deviation should give together; ln(1/beta) is 6.9."""


def build_exact(suite: Suite, runs: int, sampler: Sampler, known: ExactTable | None = None) -> ExactTable:
    """Let an engine with each deviation answer every case, and count how often the exact checks pass.

    Args:
        suite: the suite with the cases.
        runs: the least number of runs of each deviation.
        sampler: the sampler.
        known: a table by this engine with these cases; the deviations in it are not run again.
    """
    cases = [case for case in suite.cases.values() if is_measured(case)]
    there = known.passes if known else {}
    passes = {c.id: {n: r for n, r in there.get(c.id, {}).items() if n in BY_NAME} for c in cases}
    wanted = [d for d in CATALOGUE if any(d.name not in rates for rates in passes.values())]
    with sampler.executor(PROCESSES) as executor:
        jobs = [
            executor.submit(_pass_rates, sent_folder(suite), deviation.name, runs) for deviation in wanted
        ]
        for deviation, job in zip(wanted, jobs, strict=True):
            found = job.result()
            never = sum(passed == 0 for passed, _ in found.values())
            sampler.note(f"exact checks under {deviation.name}: {never} of {len(cases)} cases never passed")
            for name, counts in found.items():
                passes[name][deviation.name] = counts
    return ExactTable(source_digest(), cases_digest(suite), passes)


def _pass_rates(folder: Path | None, name: str, runs: int) -> dict[str, tuple[int, int]]:
    """Return the numbers of passes and of runs of one deviation in every case.

    How surely a pass excludes a deviation depends on how often the deviation was seen to fail.  So, unless
    the statistical cases exclude it, up to three of the cases that it never passed are asked again until they
    exclude it together.
    """
    suite, deviation = load_suite(folder), BY_NAME[name]
    tables = Tables(suite.folder / "tables")
    counts = Counter(
        case for run in range(runs) for case in _passed_in_a_run(suite, tables, deviation.spec, run)
    )
    found = {name: (counts[name], runs) for name, case in suite.cases.items() if is_measured(case)}
    exact = [name for name in found if not suite.cases[name].is_statistical]
    killers = [suite.cases[name] for name in exact if not counts[name]]
    killers = sorted(killers, key=lambda c: (not c.is_script, c.file.playouts))[:3]
    if _is_excluded_by_statistics(suite, tables, name):
        return found
    while killers and _nats(found[name] for name in exact) < _NATS_WANTED:
        # A case that the deviation passes now and then drops out; the others then need more runs.
        target = int(_PASS_BOUND * exp(_NATS_WANTED / len(killers))) + 1
        for case in list(killers):
            passed, runs = found[case.id]
            more = max(1, target - runs)
            found[case.id] = (passed + _passes(case, tables, deviation.spec, more, runs), runs + more)
            if found[case.id][0]:
                killers.remove(case)
                break
    return found


def is_measured(case: Case) -> bool:
    """Whether pass rates are measured for a case."""
    return not case.file.only_fixed and not isinstance(case.question, Dialogue)


def _nats(found: Iterable[tuple[int, int]]) -> float:
    """Return the evidence of passing every exact case against a deviation; each rate has 99% confidence."""
    return sum(log(max(1.0, runs / _PASS_BOUND)) for passed, runs in found if passed == 0)


def _is_excluded_by_statistics(suite: Suite, tables: Tables, name: str) -> bool:
    """Whether a statistical case excludes a deviation at a reasonable cost."""
    for case in suite.cases.values():
        if case.file.sample is not None:
            shift = tables.sample(case).shifts.get(name)
            if shift is not None and shift.exclude is not None and shift.exclude.rate > SHOWS:
                return True
        elif case.file.choices is not None and case.needs_table:
            rival = tables.rivals(case).get(name)
            if rival is not None and rival.exclude_rate > SHOWS:
                return True
    return False


def _knows_all(_: str) -> bool:
    return True


def _passed_in_a_run(suite: Suite, tables: Tables, spec: Spec, run: int) -> list[str]:
    """Return the cases that an engine with these rules passes in a run, up to its first statistical round.

    The cases share processes, as they do in a run: a bot that accumulates its counts, or keeps an old komi,
    then shows it more and more.
    """
    level, asked = LEVELS["standard"], {}
    opened: dict[tuple[str, int], InProcess] = {}
    seeds = count(1000 * (_SEED + run))
    for job in [*exact_jobs(suite, level), *first_samples(suite, level)]:
        case, playouts = job.case, job.case.file.playouts
        if not is_measured(case):
            continue
        is_fresh, units = isinstance(case.question, Fresh), []
        place = "fresh" if is_fresh else "script" if case.is_script else "ask", playouts
        for process in range(2 if is_fresh else 1):
            if is_fresh or place not in opened:
                opened[place] = InProcess(playouts, next(seeds), spec)
            units += [ask_case(opened[place], case, playouts, process, _knows_all) for _ in range(job.times)]
        if any(sent.endswith("quit") for unit in units for sent, _ in unit.exchanges):
            del opened[place]
        asked[case.id] = units
    digits = score_digits([unit for units in asked.values() for unit in units])
    return [
        name
        for name, units in asked.items()
        if _is_passed(
            suite.cases[name],
            [AskedUnit(read_unit(suite.cases[name], u, digits), u.process, u.playouts) for u in units],
            tables,
        )
    ]


def _is_passed(case: Case, asked: list[AskedUnit], tables: Tables) -> bool:
    return not any(finding.word is Word.FAIL for finding in findings_of(case, asked, tables))


def _passes(case: Case, tables: Tables, spec: Spec, runs: int, first: int) -> int:
    """Return in how many of ``runs`` independent runs an engine with these rules passes a case."""
    return sum(_is_passed(case, _asked(case, spec, run), tables) for run in range(first, first + runs))


def _asked(case: Case, spec: Spec, run: int) -> list[AskedUnit]:
    """Ask a case alone: once, or in two processes if the case is about independence."""
    is_fresh = isinstance(case.question, Fresh)
    asked = []
    for process in range(2 if is_fresh else 1):
        bot = InProcess(case.file.playouts, 2 * (_SEED + run) + process, spec)
        if not is_fresh:
            for line in _WARM_UP:
                bot.ask(line)
        for _ in range(case.file.genmoves if is_fresh else 1):
            unit = ask_case(bot, case, case.file.playouts, process, _knows_all)
            reading = read_unit(case, unit, score_digits([unit]))
            asked.append(AskedUnit(reading, process, case.file.playouts))
    return asked
