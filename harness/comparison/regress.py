"""Holds a run against an earlier one: what fails newly, what drifted, what became slower.  Pure.

What another suite or engine makes of the old evidence is told apart from what the bot does: the old
evidence is judged anew, where there is any, and the new run is held against that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from harness.cases.level import LEVELS
from harness.cases.suite import Suite
from harness.comparison.drift import ALPHA, Draws, draws_of, draws_told, shifts
from harness.comparison.rates import rates_of
from harness.comparison.regression import (
    CHANGED,
    DRIFTED,
    LESS_EVIDENCE,
    MORE_EVIDENCE,
    NEW,
    NEWLY_FAILING,
    NEWLY_PASSING,
    REMOVED,
    SCHEMA,
    SLOWER,
    STILL_FAILING,
    UNKNOWN,
    Change,
    MeasureShift,
    Regression,
    RunRef,
    SpeedChange,
    Stale,
)
from harness.comparison.slower import compare_speeds
from harness.judging.verdict import Check, Verdict
from harness.records.evidence import Evidence
from harness.tables.tables import Tables
from harness.word import UNJUDGED, Word

_GOOD: Final = (Word.PASS, Word.NON_STRICT)


@dataclass(frozen=True, slots=True)
class Before:
    """The baseline."""

    folder: str
    recorded: Verdict
    """As it was given then."""
    again: Verdict | None = None
    """On the same evidence by the suite as it is now; None where that cannot be had."""
    evidence: Evidence | None = None
    why_not: str = ""
    """Why there is none, or it could not be judged again."""


@dataclass(frozen=True, slots=True)
class After:
    """The new run."""

    folder: str
    verdict: Verdict
    evidence: Evidence


def compare_runs(
    before: Before, after: After, suite: Suite, tables: Tables, known: Mapping[str, str], speed_margin: float
) -> Regression:
    """Return what has changed.

    Args:
        before: the baseline.
        after: the new run.
        suite: as it is installed.
        tables: how much one playout varies by the specification.
        known: reasons of known failures, by requirement or case.
        speed_margin: share of the speed that may be lost.
    """
    old, new = before.again or before.recorded, after.verdict
    changes = [*_requirements(old, new, known), *_cases(old, new, known)]
    suite_changes = []
    if before.again is not None:
        suite_changes = [
            c
            for c in (*_requirements(before.recorded, old, {}), *_cases(before.recorded, old, {}))
            if c.kind != STILL_FAILING
        ]
    then = _draws(before, suite)
    now = draws_of(suite, after.evidence)
    conforms = old.verdict in _GOOD and new.verdict in _GOOD
    asked = suite.for_bot(new.bot.fixed_playouts)
    moved = list(shifts(asked, tables, LEVELS[new.level], then, now, conforms=conforms))
    speeds, speed_notes = compare_speeds(before.evidence, after.evidence, speed_margin)
    stale = list(_stale(new, known))
    notes = [*_notes(before, after, moved), *speed_notes]
    outcome, reasons = _outcome(after, changes, moved, speeds, stale, known)
    return Regression(
        schema=SCHEMA,
        then=_ref(before.folder, before.recorded),
        now=_ref(after.folder, new),
        outcome=str(outcome),
        reasons=reasons,
        changes=changes,
        unchanged=_unchanged(old, new),
        suite_changes=suite_changes,
        shifts=moved,
        speeds=speeds,
        rates=rates_of(after.evidence.rounds),
        stale=stale,
        notes=notes,
        alpha=ALPHA,
        speed_margin=speed_margin,
    )


def kind_of(then: str, now: str) -> str:
    """Return what a change of a word is; empty where there is nothing to tell."""
    if now == Word.FAIL:
        return STILL_FAILING if then == Word.FAIL else NEWLY_FAILING
    if then == now:
        return ""
    if not then or not now:
        return NEW if now else REMOVED
    if now in _GOOD and then == Word.FAIL:
        return NEWLY_PASSING
    if now == Word.INCONCLUSIVE:
        return LESS_EVIDENCE
    return MORE_EVIDENCE if then == Word.INCONCLUSIVE else CHANGED


def _draws(before: Before, suite: Suite) -> dict[str, Draws]:
    """Return the baseline's numbers; they are its bot's, whatever the suite has become."""
    if before.evidence is not None and before.again is not None:
        return draws_of(suite, before.evidence)
    return draws_told(before.recorded)


def _requirements(old: Verdict, new: Verdict, known: Mapping[str, str]) -> Iterator[Change]:
    then = {r.id: r.verdict for r in old.requirements}
    now = {r.id: r for r in new.requirements}
    for name in {**then, **now}:
        word, found = then.get(name, ""), now.get(name)
        told = found.verdict if found else ""
        if kind := kind_of(word, told):
            failing = [c.case for c in found.checks if c.verdict == Word.FAIL] if found else []
            reason = known.get(name, "")
            if not reason and failing and all(case in known for case in failing):
                reason = known[failing[0]]
            yield Change(
                "requirement",
                name,
                kind,
                word,
                told,
                found.reason if found else "it is in the suite no more",
                reason,
                told == Word.FAIL and not reason,
            )


def _cases(old: Verdict, new: Verdict, known: Mapping[str, str]) -> Iterator[Change]:
    then = {c.case: c.verdict for _, _, c in _checks(old)}
    now = {c.case: (requirement, word, c) for requirement, word, c in _checks(new)}
    for name in {**then, **now}:
        requirement, word, check = now.get(name, ("", "", None))
        told = check.verdict if check else ""
        if kind := kind_of(then.get(name, ""), told):
            reason = known.get(name, "") or known.get(requirement, "")
            # Where another rule's mistake explains it, that rule's requirement is what counts.
            counts = kind == NEWLY_FAILING and word == Word.FAIL and not reason
            about = check.reason if check else "it is in the suite no more"
            yield Change("case", name, kind, then.get(name, ""), told, about, reason, counts)


def _checks(verdict: Verdict) -> Iterator[tuple[str, str, Check]]:
    for requirement in verdict.requirements:
        for check in requirement.checks:
            yield requirement.id, requirement.verdict, check


def _unchanged(old: Verdict, new: Verdict) -> dict[str, int]:
    then = {r.id: r.verdict for r in old.requirements}
    counts: dict[str, int] = {}
    for r in new.requirements:
        if then.get(r.id) == r.verdict:
            counts[r.verdict] = counts.get(r.verdict, 0) + 1
    return dict(sorted(counts.items()))


def _stale(new: Verdict, known: Mapping[str, str]) -> Iterator[Stale]:
    words = {r.id: r.verdict for r in new.requirements} | {c.case: c.verdict for _, _, c in _checks(new)}
    for name, reason in known.items():
        word = words.get(name, "not asked")
        if word != Word.FAIL:
            yield Stale(name, reason, word, word in _GOOD)


def _outcome(
    after: After,
    changes: list[Change],
    moved: list[MeasureShift],
    speeds: list[SpeedChange],
    stale: list[Stale],
    known: Mapping[str, str],
) -> tuple[Word, list[str]]:
    new = after.verdict
    word = Word(new.verdict)
    if word in UNJUDGED or word is Word.ERROR:
        return word, [new.reason]
    failing = [c for c in changes if c.counts]
    reasons = [f"{c.id} is {c.kind}: {c.reason}" for c in sorted(failing, key=lambda c: c.kind)]
    if word is Word.FAIL and not any(c.item == "requirement" and c.now == Word.FAIL for c in changes):
        reasons.append(f"the certificate fails, and no requirement is named: {new.reason}")
    reasons += [_drift_in_words(s) for s in moved if s.word == DRIFTED]
    reasons += [_speed_in_words(s) for s in speeds if s.word == SLOWER]
    reasons += [
        f"{s.id} is a known failure ({s.reason}) and is {s.now} now; take it off the list"
        for s in stale
        if s.is_error
    ]
    if reasons:
        return Word.FAIL, reasons
    if broken := next((r.broken for r in after.evidence.rounds if r.broken is not None), None):
        return Word(broken.word), [f"while its speed was measured: {broken.sentence}"]
    if word is Word.INCONCLUSIVE:
        return word, [new.reason]
    if word is Word.FAIL:
        return Word.PASS, [f"every failure is known: {', '.join(sorted(known))}"]
    return word, [] if word is Word.PASS else [new.reason]


def _drift_in_words(shift: MeasureShift) -> str:
    return (
        f"{shift.case}: {shift.measure} drifted by {shift.change:+.4g} {shift.unit} ({shift.then:.5g} to "
        f"{shift.now:.5g}), {shift.sigma:+.1f} standard errors, {abs(shift.tolerances):.2f} tolerances"
    )


def _speed_in_words(speed: SpeedChange) -> str:
    lost = 1 - speed.change.value
    by = "processor time" if speed.measure == "cpu" else "the clock"
    return (
        f"{100 * lost:.0f} % slower by {by}, beside the engine ({100 * (1 - speed.change.high):.0f} to "
        f"{100 * (1 - speed.change.low):.0f} %)"
    )


def _notes(before: Before, after: After, moved: list[MeasureShift]) -> Iterator[str]:
    old, new = before.recorded, after.verdict
    if before.why_not:
        yield before.why_not
    if old.suite.digest != new.suite.digest or old.engine != new.engine:
        what = "suite" if old.suite.digest != new.suite.digest else "engine"
        apart = (
            "the old evidence was judged again by the new one, and what that changes is told apart"
            if before.again is not None
            else "some changes may come from it and not from the bot"
        )
        yield f"the two runs are of different {what}s: {apart}"
    if old.level != new.level:
        yield f"the baseline is of level {old.level}, the new run of level {new.level}"
    if old.bot.fixed_playouts != new.bot.fixed_playouts:
        yield "the bot ran another number of playouts in each genmove then"
    if old.bot.executable_digest and old.bot.executable_digest == new.bot.executable_digest:
        yield "the program is the same, byte for byte"
    if not moved:
        yield "no sums could be compared: nothing is known of drift"
        return
    unseen = [s for s in moved if s.word == UNKNOWN]
    if unseen:
        yield f"{len(unseen)} of {len(moved)} measures could not be compared: {unseen[0].note}"
    blind = [s for s in moved if s.word != UNKNOWN and s.measure == "length" and s.detectable > 0.11 * s.sd]
    if blind:
        worst = max(blind, key=lambda s: s.detectable / s.sd)
        yield (
            f"{len(blind)} lengths have too few playouts to show a change by a tenth of a standard deviation "
            f"(at worst {worst.case}: {worst.playouts:,} playouts show {worst.detectable / worst.sd:.2f}); "
            "make the next baseline with `refbot regress`, or with `refbot certify --baseline`"
        )


def _ref(folder: str, verdict: Verdict) -> RunRef:
    bot = verdict.bot
    return RunRef(
        folder,
        verdict.verdict,
        verdict.level,
        verdict.refbot,
        verdict.suite.digest,
        verdict.engine,
        verdict.evidence,
        f"{bot.gtp_name} {bot.version}".strip(),
        bot.executable_digest,
        verdict.playouts,
    )
