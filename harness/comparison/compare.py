"""Compares runs: from their assessments to the comparison.  Pure; reads nothing, asks nothing."""

from collections.abc import Sequence
from itertools import combinations

from harness.cases.suite import Suite
from harness.comparison.agreement import (
    ComparedBot,
    agreeing_groups,
    agreement_of,
    note_on,
    odd_ones_out,
    reason_of,
)
from harness.comparison.bot_comparison import BotComparison, BotDifference, ContrastCheck, Quantity, Speed
from harness.comparison.contrasts import ContrastResult, check_contrasts, genmove_means
from harness.comparison.quantities import COMPARE_ALPHA, intervals_of, quantities_of
from harness.judging.run_assessment import assess_run
from harness.records.evidence import Evidence
from harness.report.judged_run import JudgedRun, names_of
from harness.tables.tables import Tables
from harness.word import Word


def compare(members: Sequence[ComparedBot], suite: Suite, tables: Tables, level: str) -> BotComparison:
    """Return the bots side by side, by a level's tolerances."""
    names = [member.name for member in members]
    quantities = quantities_of([member.assessment for member in members], suite, tables, level, len(members))
    free = [_free(member, suite) for member in members]
    checks = [
        ContrastCheck(
            rule.name,
            rule.about,
            rule.requirement,
            [str(results[place].word) for results in free],
            [results[place].detail for results in free],
        )
        for place, rule in enumerate(suite.contrasts)
    ]
    broken = [
        member.requirement or next((c.requirement for c in checks if c.words[i] == Word.FAIL), "")
        for i, member in enumerate(members)
    ]
    agreement = [agreement_of(i, member, quantities, checks) for i, member in enumerate(members)]
    classes, own = agreeing_groups(members, quantities, agreement, broken)
    return BotComparison(
        names,
        [member.verdict.verdict for member in members],
        quantities,
        classes,
        odd_ones_out(members, quantities, agreement, broken),
        checks,
        [speed_of(member.evidence) for member in members],
        note_on(members, agreement, suite),
        own,
        [m.name for m, stands in zip(members, agreement, strict=True) if stands is None and m.is_judged],
        broken,
        [reason_of(i, member, quantities, checks) for i, member in enumerate(members)],
        _differences(names, quantities),
        COMPARE_ALPHA,
        level,
    )


def compare_judged_runs(judged_runs: Sequence[JudgedRun]) -> BotComparison | None:
    """Return runs side by side; None for a single run, checks, or runs of different levels."""
    levels = {judged_run.evidence.header.level for judged_run in judged_runs}
    if len(judged_runs) < 2 or len(levels) > 1 or "check" in levels:
        return None
    members = [
        ComparedBot(name, a.evidence, assess_run(a.suite, a.tables, a.evidence), a.verdict)
        for name, a in zip(names_of(judged_runs), judged_runs, strict=True)
    ]
    # By the cases as they ship, if there is a bot that can be asked them.
    free = (a for a in judged_runs if a.evidence.header.bot.fixed_playouts is None)
    common = next(free, judged_runs[0])
    return compare(members, common.suite, common.tables, *levels)


def _free(member: ComparedBot, suite: Suite) -> list[ContrastResult]:
    is_fixed = member.evidence.header.bot.fixed_playouts is not None
    return check_contrasts(suite.contrasts, genmove_means(suite, member.evidence), is_fixed=is_fixed)


def _differences(names: Sequence[str], quantities: Sequence[Quantity]) -> list[BotDifference]:
    rows = [(quantity, intervals_of(quantity)) for quantity in quantities]
    found = []
    for i, j in combinations(range(len(names)), 2):
        apart = [
            (abs(a.value - b.value) / quantity.tolerance, quantity)
            for quantity, intervals in rows
            if (a := intervals[i]) is not None and (b := intervals[j]) is not None and a.differs_from(b)
        ]
        if apart:
            distance, quantity = max(apart, key=lambda pair: pair[0])
            bots = (names[i], names[j])
            found.append(BotDifference(bots, quantity.case, quantity.measure, round(distance, 3), len(apart)))
    return found


def speed_of(evidence: Evidence) -> Speed:
    """Return how fast a bot answered the units that asked for moves."""
    playouts, genmoves, seconds = 0, 0, 0.0
    for unit in evidence.units:
        asked = sum("genmove" in sent.split() for sent, _ in unit.exchanges)
        if asked and unit.broken is None:
            playouts += asked * unit.playouts
            genmoves += asked
            seconds += unit.seconds
    return Speed(playouts, genmoves, round(seconds, 3))
