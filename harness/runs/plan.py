"""What to ask next: pure functions from a suite and what is known so far to jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.cases.case import Case, Dialogue, Fresh, Moves
from harness.cases.level import Level
from harness.cases.suite import Suite
from harness.judging.diagnosis import Diagnosis, diagnose
from harness.judging.finding import INDIRECT, Finding
from harness.judging.likelihood import divergence
from harness.judging.run_assessment import RunAssessment, idle
from harness.judging.verdict import Estimate
from harness.records.evidence import BotRef, Unit
from harness.tables.sizes import FITTED_RATIO, RATIO
from harness.tables.tables import Tables
from harness.word import Word

_NATS_NEEDED = 7.0
"""Just over ln(1/beta), for one deviation's exclusion."""
_LEAST_ROUND, _LARGEST_ROUND = 5, 200
"""Genmoves of one round of one case."""
_LEAST_BATCHES = 3
"""Genmoves of a sample case, however many playouts each of them has."""
_PLAYOUTS_PAID = 50
"""Playouts of a genmove that a level's budget pays for; a bot that always runs more has more of a budget."""
_MANY = 100
"""Playouts of a genmove from which on a few of its moves say much, and cost much."""
_TELLING_CASES, _TELLING_ROUND, _TELLING_NATS = 3, 40, 12.0
"""A round of the diagnosis: cases, genmoves of each at most, and what each should yield."""
_LEAST_GAP = 1e-3
"""Nats of a genmove below which a case does not tell two explanations apart."""


@dataclass(frozen=True, slots=True)
class Job:
    """One case, to be asked a number of times."""

    case: Case
    times: int


_CONFIRMING = 80
"""Genmoves of each case of chosen moves before a conviction by them is explained."""
_CONFIRMING_DIALOGUES = 240
"""The same before a conviction by dialogues is explained: these cases may not have shown the mistake yet."""


def exact_jobs(suite: Suite, level: Level, fixed: int | None = None) -> list[Job]:
    """Return every exact case, cases of the same number of playouts together; of a check, in its order."""
    cases = [c for c in suite.cases.values() if not c.is_statistical and (level.may_pass or not _is_dear(c))]
    if level.name != "check":
        cases.sort(key=lambda c: (_rank(c), c.file.playouts, c.id))
    return [Job(c, _times(c, level, fixed)) for c in cases]


def _is_dear(case: Case) -> bool:
    """Whether a case is a dialogue of many playouts, which a level of seconds cannot pay for."""
    return isinstance(case.question, Dialogue) and case.file.playouts >= _MANY


def _rank(case: Case) -> int:
    """Return the place of a case's kind: scripts come after positions, and dialogues last."""
    return 2 if isinstance(case.question, Dialogue) else int(case.is_script)


def _times(case: Case, level: Level, fixed: int | None) -> int:
    """Return how often an exact case is asked; a bot that runs many playouts each time answers for many."""
    if isinstance(case.question, Fresh):
        return case.file.genmoves
    return case.file.genmoves if level.may_pass and (fixed or 0) < _MANY else 1


def budget_of(level: Level, fixed: int | None) -> int:
    """Return the playouts after which a run ends INCONCLUSIVE.

    What an interval needs is genmoves, some hundred of each case, however many playouts each of them has.
    """
    return level.budget * max(1, (fixed or 0) // _PLAYOUTS_PAID)


def playouts_of(case: Case, fixed: int | None) -> int:
    """Return the playouts of each genmove of a case, for a bot that may always run the same number."""
    return fixed or case.file.playouts


def first_samples(suite: Suite, level: Level, fixed: int | None = None) -> list[Job]:
    """Return the round every statistical case is given whatever the bot does.

    Sums of playouts are worth what their playouts are worth: a bot that runs more of them in each genmove
    is asked for fewer genmoves.
    """
    if not level.statistical_genmoves:
        return []
    jobs = []
    for case in sorted(suite.cases.values(), key=lambda c: (c.file.playouts, c.id)):
        if case.file.sample is not None:
            share = case.file.playouts / playouts_of(case, fixed)
            jobs.append(Job(case, max(_LEAST_BATCHES, round(level.statistical_genmoves * share))))
        elif case.is_statistical:
            few = case.is_fitted and case.file.playouts >= _MANY
            jobs.append(Job(case, _LEAST_BATCHES if few else level.statistical_genmoves))
    return jobs


def more_samples(
    suite: Suite, tables: Tables, assessment: RunAssessment, fixed: int | None = None
) -> list[Job]:
    """Return the next round: intervals still too wide, and deviations not yet excluded.

    Each deviation is pursued in the case that says most about it for the time it takes.
    """
    wanted: dict[str, int] = {}
    for name, w in assessment.cases.items():
        if not w.is_inside and not any(e.is_out_of_reach for e in w.estimates):
            wanted[name] = max(2, int(w.genmoves * min(2.0, max(0.25, _growth(w.estimates)))))
    for deviation in assessment.open:
        case, rate = _best_case(suite, tables, assessment, deviation, fixed)
        if case is not None:
            so_far = sum(w.exclude.get(deviation, 0.0) for w in assessment.cases.values())
            times = max(_LEAST_ROUND, int((_NATS_NEEDED - so_far) / rate) + 1)
            wanted[case.id] = max(wanted.get(case.id, 0), min(times, _LARGEST_ROUND))
    return _jobs(suite, tables, assessment, wanted, fixed)


def needs_dialogues(
    suite: Suite, tables: Tables, assessment: RunAssessment, units: Sequence[Unit], bot: BotRef
) -> bool:
    """Return whether dialogues are asked: if all exact checks passed, or if they do not tell what is wrong.

    A wrong length or score of playouts has many causes.  If no known mistake explains it, a dialogue may show
    the cause: an answer that breaks one rule.  Any other failed check says better what is wrong.
    """
    failed = _failed_checks(assessment)
    if any(finding.quantity not in INDIRECT for finding in failed):
        return False
    return not failed or not diagnose(suite, tables, assessment, units, bot, pairs=False).explained


def _failed_checks(assessment: RunAssessment) -> list[Finding]:
    return [f for w in assessment.cases.values() for f in w.findings if f.word is Word.FAIL]


def confirming_jobs(
    suite: Suite, tables: Tables, assessment: RunAssessment, fixed: int | None = None
) -> list[Job]:
    """Return the round that a conviction by chosen moves alone is given before it is explained.

    A dialogue, or ten genmoves of each case, can convict a bot, but they go with many explanations; more
    genmoves refute those that are wrong.
    """
    failed = _failed_checks(assessment)
    if any(finding.quantity not in ("choice", "moves") for finding in failed):
        return []
    most = max(assessment.cases.values(), key=lambda w: w.most_log_e, default=None)
    if not failed and (most is None or not isinstance(most.case.question, Moves)):
        return []
    genmoves = _CONFIRMING_DIALOGUES if failed else _CONFIRMING
    wanted = {
        case.id: genmoves - assessment.cases[case.id].genmoves
        for case in suite.cases.values()
        if isinstance(case.question, Moves) and case.id in assessment.cases
    }
    return _jobs(suite, tables, assessment, {name: n for name, n in wanted.items() if n > 0}, fixed)


def telling_jobs(
    suite: Suite, tables: Tables, assessment: RunAssessment, diagnosis: Diagnosis, fixed: int | None = None
) -> list[Job]:
    """Return the round that tells the leading explanation of a conviction from its nearest rival.

    The rival is the likeliest explanation by another requirement, or by the specification itself where
    there is none; the cases are those in which the two differ most for the time they take (Chernoff 1959).
    """
    if diagnosis.confident or not diagnosis.suspects:
        return []
    first, *others = diagnosis.suspects
    rival = next((s for s in others if s.requirement != first.requirement), None)
    pair = [tuple(first.deviation.split(" + ")), tuple(rival.deviation.split(" + ")) if rival else ()]
    worth = {}
    for case in suite.cases.values():
        if _is_askable(case, assessment, tables):
            playouts = playouts_of(case, fixed)
            gap = divergence(case, pair[0], pair[1], playouts, tables)
            if gap > _LEAST_GAP:
                worth[case.id] = (gap / (playouts * case.file.size**2), gap)
    best = sorted(worth, key=lambda name: -worth[name][0])[:_TELLING_CASES]
    times = {name: min(_TELLING_ROUND, int(_TELLING_NATS / worth[name][1]) + 1) for name in best}
    return _jobs(suite, tables, assessment, times, fixed)


def top_up_jobs(
    suite: Suite, tables: Tables, assessment: RunAssessment, playouts: int, fixed: int | None = None
) -> list[Job]:
    """Return what brings every case of sums to a number of playouts, decided or not.

    Comparisons with another run rest on it: how much a certificate asks depends on what it is answered.
    """
    wanted = {}
    for case in suite.cases.values():
        if case.file.sample is not None and case.id not in assessment.skipped:
            assessed = assessment.cases.get(case.id)
            lacking = playouts - (assessed.playouts if assessed else 0)
            if lacking > 0:
                wanted[case.id] = -(-lacking // playouts_of(case, fixed))
    return _jobs(suite, tables, assessment, wanted, fixed)


def affordable(jobs: list[Job], playouts: int, fixed: int | None = None) -> list[Job]:
    """Return as many of the jobs as a number of playouts pays for."""
    chosen = []
    for job in jobs:
        times = min(job.times, playouts // playouts_of(job.case, fixed))
        if times > 0:
            chosen.append(Job(job.case, times))
            playouts -= times * playouts_of(job.case, fixed)
    return chosen


def _jobs(
    suite: Suite, tables: Tables, assessment: RunAssessment, wanted: dict[str, int], fixed: int | None
) -> list[Job]:
    """Return jobs in the order they are asked, none of them larger than its table allows."""
    jobs = []
    for name, times in wanted.items():
        case, w = suite.cases[name], assessment.cases.get(name)
        if isinstance(case.question, Moves):
            ratio = FITTED_RATIO if case.is_fitted else RATIO
            room = tables.choice(case).genmoves / ratio - (w.genmoves if w else 0)
        else:
            room = (tables.reference(case).size / RATIO - (w.playouts if w else 0)) / playouts_of(case, fixed)
        if room >= 1:
            jobs.append(Job(case, int(min(times, room))))
    return sorted(jobs, key=lambda job: (job.case.file.playouts, job.case.id))


def _growth(estimates: tuple[Estimate, ...]) -> float:
    """Return by how much a sample should grow: half of what its intervals need, as sqrt(n) shrinks them."""
    excess = max(e.radius / max(e.tolerance - abs(e.value - e.reference), e.tolerance / 4) for e in estimates)
    return (excess**2 - 1) / 2


def _best_case(
    suite: Suite, tables: Tables, assessment: RunAssessment, deviation: str, fixed: int | None
) -> tuple[Case | None, float]:
    """Return the case to ask about a deviation, and the nats one genmove of it is expected to yield."""
    best: tuple[float, Case | None, float] = (0.0, None, 0.0)
    for case in suite.cases.values():
        if not _is_askable(case, assessment, tables):
            continue
        playouts = playouts_of(case, fixed)
        rate = _rate(tables, case, deviation, playouts)
        # A playout takes about as long as the board has points.
        worth = rate / (playouts * case.file.size**2)
        if worth > best[0]:
            best = (worth, case, rate)
    return best[1], best[2]


def _is_askable(case: Case, assessment: RunAssessment, tables: Tables) -> bool:
    """Whether a statistical case can be put to the bot, as far as its kind and the bot's answers say.

    What was not asked for has no assessment.
    """
    is_open = case.is_statistical and case.needs_table and case.id not in assessment.skipped
    return is_open and not idle(case, tables)


def _rate(tables: Tables, case: Case, deviation: str, playouts: int) -> float:
    if case.file.sample is not None:
        shift = tables.sample(case).shifts.get(deviation)
        return shift.exclude.rate * playouts if shift and shift.exclude else 0.0
    rival = tables.rivals(case).get(deviation)
    return max(0.0, rival.exclude_rate) if rival else 0.0
