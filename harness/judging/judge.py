"""Gives the verdict: from assessments of cases to the verdict document.  Pure; reads and asks nothing.

The rules, in the order they are applied (docs/statistics.md has the reasons):

- an exact check failed, or the certificate's e-value reached 1/alpha: FAIL;
- a bot that stopped answering: its own word;
- all intervals inside their tolerances and every catalogued deviation excluded: PASS, or NON-STRICT
  where a difference was proved or a lenient reading was shown;
- anything else: INCONCLUSIVE.
"""

from collections.abc import Iterator
from math import log

from harness.bots.driver import NEEDED
from harness.cases.case import Case
from harness.cases.checklist import REQUIRED
from harness.cases.level import ALPHA, BETA, LEVELS
from harness.cases.suite import Suite
from harness.e_value import format_e_value
from harness.judging.blind_spots import why_open
from harness.judging.case_assessment import CaseAssessment
from harness.judging.checked import check_steps, overall
from harness.judging.conviction import Conviction
from harness.judging.detectable import detectable_of
from harness.judging.diagnosis import NOTHING_WRONG, diagnose
from harness.judging.finding import Finding
from harness.judging.hosts import hosts_of
from harness.judging.layers import NOTHING_TOLD, FailedCheck, assign
from harness.judging.refused import refusal_of_all
from harness.judging.run_assessment import RunAssessment, assess_run
from harness.judging.verdict import (
    SCHEMA,
    Check,
    OutlyingHost,
    RequirementVerdict,
    Verdict,
)
from harness.records.evidence import Evidence
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME

_LN10 = log(10)
_COARSE = 0.1
"""Rounding of scores is mentioned if it exceeds this part of a tolerance."""
_DECIMALS = 6
"""Decimals of a score that are enough for any number of playouts a genmove up to half a million."""
_ENDED = "not judged: the run ended with a failure before this was decided"


def judge(
    suite: Suite, tables: Tables, evidence: Evidence, assessment: RunAssessment | None = None
) -> Verdict:
    """Return the verdict on a run's evidence; ``assessment`` is its own, where it is known already."""
    suite = suite.for_level(evidence.header.level, evidence.header.bot.sizes).for_bot(
        evidence.header.bot.fixed_playouts
    )
    assessment = assessment or assess_run(suite, tables, evidence)
    steps = check_steps(suite, tables, evidence) if evidence.header.level == "check" else []
    word, reason = _overall(suite, tables, assessment, evidence)
    # In a check a command that is refused because it does not exist is one clause that is broken.
    refused = word is Word.REFUSED and not (steps and set(REQUIRED) - set(evidence.header.bot.commands))
    told, diagnosis, is_convicted = NOTHING_TOLD, NOTHING_WRONG, assessment.failed and not refused
    if is_convicted:
        told = assign(assessment, suite, tables)
        # The known deviations are those of a reference bot; other bots have none of them.
        if not told.is_of_form and (not steps or set(NEEDED) & set(evidence.header.bot.commands)):
            bot = evidence.header.bot
            diagnosis = diagnose(suite, tables, assessment, evidence.units, bot, pairs=not steps)
    conviction = Conviction(suite, tables, assessment, told, diagnosis)
    if is_convicted:
        reason = f"{conviction.reason}{_no_reference_bot(evidence)}"
    if steps and evidence.units and not refused:
        word, reason = overall(steps)
        if diagnosis.explained:
            likely = "" if diagnosis.confident else "most likely a "
            reason += f"; {likely}known mistake: {conviction.known}"
    crew = hosts_of(suite, tables, evidence)
    if crew is not None and crew.unlike:
        word, reason = _with_outlier(word, reason, crew.unlike[0])
    requirements = [
        RequirementVerdict(name, str(Word.INCONCLUSIVE), reason, [])
        if refused
        else _requirement(name, suite, assessment, conviction)
        for name in suite.requirements
    ]
    header = evidence.header
    if word is Word.PASS and not steps:
        word, reason = _checked(word, reason, requirements)
    return Verdict(
        schema=SCHEMA,
        refbot=header.refbot,
        command=header.command,
        level=header.level,
        suite=header.suite,
        engine=header.engine,
        bot=header.bot,
        verdict=str(word),
        reason=reason,
        requirements=requirements,
        broken=conviction.broken,
        shown_by=conviction.shown_by,
        exercised=conviction.exercised,
        diagnosis=list(diagnosis.suspects),
        unlisted=diagnosis.unlisted,
        confident=diagnosis.confident,
        excluded=list(assessment.excluded),
        not_excluded=list(assessment.not_excluded),
        detectable=detectable_of(assessment.cases, list(suite.cases.values()), tables)
        if LEVELS[header.level].may_pass and word is not Word.FAIL
        else [],
        log10_e=round(assessment.log10_e, 3),
        playouts=sum(w.playouts for w in assessment.cases.values()),
        genmoves=sum(w.genmoves for w in assessment.cases.values()),
        elapsed_s=evidence.footer.elapsed_s if evidence.footer else 0.0,
        alpha=ALPHA,
        beta=BETA,
        evidence=evidence.digest,
        frame=evidence.frame,
        steps=steps,
        crew=crew,
    )


def _no_reference_bot(evidence: Evidence) -> str:
    """Return the remark that a bot without the private commands is no reference bot; empty for others."""
    bot = evidence.header.bot
    if not bot.commands or set(NEEDED) & set(bot.commands):
        return ""
    return f"; {bot.name} is no reference bot: `refbot check`, `refbot tst` and `refbot match` serve it"


def _checked(word: Word, reason: str, requirements: list[RequirementVerdict]) -> tuple[Word, str]:
    """Return a PASS only if every requirement bears it out, as it should."""
    for requirement in requirements:
        if requirement.verdict not in (Word.PASS, Word.NON_STRICT, Word.NOT_APPLICABLE):
            return Word.INCONCLUSIVE, f"{requirement.id} is {requirement.verdict}: {requirement.reason}"
    return word, reason


def is_decided(suite: Suite, assessment: RunAssessment, level: str) -> bool:
    """Whether more evidence can no longer change the word (a FAIL), or is not needed (a PASS).

    Asked between rounds, after every exact case and the first round of every statistical one.
    """
    if assessment.failed or assessment.broken is not None:
        return True
    statistical = [c.id for c in suite.cases.values() if c.is_statistical]
    asked = all(name in assessment.cases or name in assessment.skipped for name in statistical)
    return asked and LEVELS[level].may_pass and assessment.all_inside and not assessment.open


def _with_outlier(word: Word, reason: str, outlier: OutlyingHost) -> tuple[Word, str]:
    """Return the word of a run in which one host met another bot: such a run cannot show conformance."""
    said = (
        f"{outlier.who} met another bot than the others: {outlier.case}, {outlier.quantity} "
        f"{outlier.value:.4f} there and {outlier.others:.4f} elsewhere ({outlier.z:+.1f} standard errors)"
    )
    if word in (Word.PASS, Word.NON_STRICT):
        return Word.INCONCLUSIVE, said
    return word, f"{reason}; {said}"


def _overall(suite: Suite, tables: Tables, assessment: RunAssessment, evidence: Evidence) -> tuple[Word, str]:
    if assessment.broken is None and (
        refusal := refusal_of_all(evidence.units, {} if assessment.cases else assessment.skipped)
    ):
        return Word.REFUSED, f"{evidence.header.bot.name}: {refusal}"
    if assessment.failed:
        return Word.FAIL, ""
    if assessment.broken is not None and assessment.broken.broken is not None:
        return Word(assessment.broken.broken.word), assessment.broken.broken.sentence
    if not assessment.cases:
        return Word.ERROR, "no case could be asked of this bot"
    if reason := next(_still_open(suite, tables, assessment, evidence), ""):
        return Word.INCONCLUSIVE, reason
    lenient = sorted(
        (f.requirement, f.observed)
        for w in assessment.cases.values()
        for f in w.findings
        if f.word is Word.NON_STRICT
    )
    if lenient:
        hidden = f"; it hides whether the bot has {', '.join(assessment.hidden)}" if assessment.hidden else ""
        readings = {d.requirement: d.about for d in BY_NAME.values() if d.tolerated}
        # A reading shows in cases of other requirements too; it is named by its own.
        requirement, observed = next((pair for pair in lenient if pair[0] in readings), lenient[0])
        reading = readings.get(requirement, observed)
        return Word.NON_STRICT, f"another reading of {requirement}, which is accepted: {reading}{hidden}"
    if assessment.not_excluded:
        return Word.INCONCLUSIVE, f"not excluded: {', '.join(assessment.not_excluded)}"
    if assessment.differs:
        return (
            Word.NON_STRICT,
            f"differs (e-value {format_e_value(assessment.log10_e)}), inside every tolerance",
        )
    return Word.PASS, "every check passed, every known deviation is excluded"


def _still_open(suite: Suite, tables: Tables, assessment: RunAssessment, evidence: Evidence) -> Iterator[str]:
    """Yield the reasons why a bot that failed nowhere is not PASS yet."""
    header = evidence.header
    waiting = [
        name for name in header.cases if name not in assessment.cases and name not in assessment.skipped
    ]
    if waiting:
        yield f"{len(waiting)} cases were not asked; the run ended early"
    if not LEVELS[header.level].may_pass:
        yield f"nothing wrong was found; level {header.level} cannot pass a bot"
    if len(header.cases) < len(suite.cases):
        yield f"nothing wrong was found in the {len(header.cases)} of {len(suite.cases)} cases asked for"
    wide = [w.case.id for w in assessment.cases.values() if not w.is_inside]
    cure = _coarseness(assessment)
    if wide:
        yield f"not yet inside tolerance: {', '.join(wide)}{cure}"
    if assessment.open:
        yield f"{why_open(suite, tables, assessment, header.bot)}{cure}"


def _coarseness(assessment: RunAssessment) -> str:
    """Return advice to print scores with more digits; empty if the digits suffice."""
    estimates = [e for w in assessment.cases.values() for e in w.estimates]
    if not any(e.rounding > _COARSE * e.tolerance for e in estimates):
        return ""
    digits = f"{assessment.decimals} digit{'' if assessment.decimals == 1 else 's'}"
    return f"; ref-score has {digits} after the point: print {_DECIMALS}"


def _requirement(
    name: str, suite: Suite, assessment: RunAssessment, conviction: Conviction
) -> RequirementVerdict:
    checks = [
        _check(case, assessment, conviction) for case in suite.cases.values() if case.requirement == name
    ]
    if (told := conviction.word_of(name)) is not None:
        word, reason = told
        return RequirementVerdict(name, str(word), reason, checks)
    words = {c.verdict for c in checks}
    for word in (Word.NON_STRICT, Word.INCONCLUSIVE):
        if word in words:
            reason = next(c.reason for c in checks if c.verdict == word)
            return RequirementVerdict(name, str(word), reason, checks)
    if words and words <= {Word.NOT_APPLICABLE}:
        return RequirementVerdict(name, str(Word.NOT_APPLICABLE), checks[0].reason, checks)
    unseen = [d for d in assessment.not_excluded if BY_NAME[d].requirement == name]
    if unseen or not checks:
        reason = f"not excluded: {', '.join(unseen)}" if unseen else "no case asks for it"
        return RequirementVerdict(name, str(Word.INCONCLUSIVE), reason, checks)
    return RequirementVerdict(name, str(Word.PASS), "", checks)


def _check(case: Case, assessment: RunAssessment, conviction: Conviction) -> Check:
    kind = "statistical" if case.is_statistical else "exact"
    assessed = assessment.cases.get(case.id)
    if assessed is None:
        reason = assessment.skipped.get(case.id, "")
        word = Word.NOT_APPLICABLE if reason else Word.INCONCLUSIVE
        return Check(case.id, str(word), kind, 0, 0, reason or (_ENDED if assessment.failed else "not asked"))
    finding = _first(assessed.findings, case.requirement, conviction.told.first)
    word, reason = Word.PASS, ""
    if finding is not None:
        word, reason = finding.word, f"expected {finding.expected}; got {finding.observed}"
        if word is Word.FAIL and (elsewhere := conviction.elsewhere(case)):
            word, reason = Word.INCONCLUSIVE, f"{elsewhere}; {reason}"
    elif assessment.convicts(assessed) and (elsewhere := conviction.elsewhere(case)):
        word, reason = Word.INCONCLUSIVE, f"{elsewhere}; {_largest(assessed)}"
    elif assessment.convicts(assessed):
        # No case is FAIL if the bot differs but stays inside every tolerance.
        word, reason = Word.FAIL if assessment.failed else Word.NON_STRICT, _largest(assessed)
    elif not assessed.is_inside:
        undecided = "the interval is not yet inside the tolerance"
        word, reason = Word.INCONCLUSIVE, _ENDED if assessment.failed else undecided
    return Check(
        case.id,
        str(word),
        kind,
        assessed.playouts,
        assessed.genmoves,
        reason,
        finding.expected if finding else "",
        finding.observed if finding else "",
        list(assessed.estimates),
        None if assessed.log_e is None else round(assessed.log_e / _LN10, 3),
        list(finding.dialogue) if finding else [],
    )


def _first(findings: tuple[Finding, ...], requirement: str, told: FailedCheck | None) -> Finding | None:
    """Return the finding of a case that its check shows; what the verdict's reason tells comes first."""
    headline = (
        None if told is None or told.finding is None else (told.finding.expected, told.finding.observed)
    )

    def rank(f: Finding) -> tuple[bool, bool, bool, int, bool, str, str]:
        is_told = (f.expected, f.observed) == headline
        # Without a stone that was refused, all that comes after it may be wrong as a consequence.
        place = (f.exchange or 0) if f.refused else 0
        is_other = f.requirement != requirement
        return f.word is not Word.FAIL, not is_told, not f.refused, place, is_other, f.expected, f.observed

    order = sorted(findings, key=rank)
    return order[0] if order else None


def _largest(assessed: CaseAssessment) -> str:
    if not assessed.estimates:
        return "the chosen moves are not distributed as the rules have it"
    worst = max(assessed.estimates, key=lambda e: abs(e.value - e.reference) / max(e.radius, 1e-9))
    measured = f"{worst.quantity} {worst.value:.4f} +- {worst.radius:.4f} {worst.unit}"
    return f"{measured}, reference {worst.reference:.4f}"
