"""Gives the words: from weighed cases to the verdict document.  Pure; reads nothing, asks nothing.

The rules, in the order they are applied (docs/statistics.md has the reasons):

- an exact check failed, or the certificate's e-value reached 1/alpha: FAIL;
- a bot that stopped answering: its own word;
- all intervals inside their tolerances and every catalogued deviation excluded: PASS, or NON-STRICT
  where a difference was proved or a lenient reading was shown;
- anything else: INCONCLUSIVE.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log, sqrt

import msgspec

from harness.case import Case, Moves
from harness.errors import EvidenceError
from harness.evidence import Evidence, Unit
from harness.exact import read_unit, score_digits
from harness.finding import Finding
from harness.level import ALPHA, BETA, LEVELS
from harness.suite import Suite
from harness.tables import Shift, Tables
from harness.verdict import (
    SCHEMA,
    Check,
    Detectable,
    RequirementVerdict,
    Suspect,
    Verdict,
)
from harness.weigh import Asked, Weighed, log_evidence, log_likelihood, weigh
from harness.word import UNJUDGED, Word
from reference_engine.deviations import BY_NAME, CATALOGUE

_LN10 = log(10)
_CONVICTION = log(1 / ALPHA)
_EXCLUSION = log(1 / BETA)
_FORMAL = ("N2", "G5")
"""Requirements whose findings in cases of another one are faults of form, which no other mistake explains."""
_LENIENT_SHIFT = 1e-3
"""Nats per playout from which on a tolerated deviation spoils a statistical case."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A run weighed as a whole."""

    cases: Mapping[str, Weighed]
    skipped: Mapping[str, str]
    """Cases that do not apply to this bot, with the reason."""
    broken: Unit | None
    log_e: float
    excluded: tuple[str, ...]
    not_excluded: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """Whether the bot is proved not to conform, and not merely to differ within the tolerances."""
        if any(w.failed for w in self.cases.values()):
            return True
        return self.differs and not (self.all_inside and not self.not_excluded)

    @property
    def differs(self) -> bool:
        """Whether the statistical evidence against the specification suffices for a conviction."""
        return self.log_e >= _CONVICTION

    @property
    def all_inside(self) -> bool:
        """Whether every interval lies inside its tolerance."""
        return all(e.is_inside for w in self.cases.values() for e in w.estimates)


def weigh_run(suite: Suite, tables: Tables, evidence: Evidence) -> Weights:
    """Weigh every unit of a run, complete or not."""
    bot = evidence.header.bot
    digits = score_digits(evidence.units)
    asked: dict[str, list[Asked]] = {}
    skipped: dict[str, str] = {}
    broken = None
    _check_known(suite, evidence)
    for unit in evidence.units:
        if unit.broken is not None:
            broken = unit
        if unit.case not in suite.cases:
            continue
        case = suite.cases[unit.case]
        if reason := refusal(unit):
            skipped[case.id] = reason
            continue
        reading = read_unit(case, unit, digits)
        if unit.broken is None or reading.findings:
            asked.setdefault(case.id, []).append(Asked(reading, unit.process, unit.playouts))
    for name in evidence.header.cases:
        if reason := missing(suite.cases[name], bot.commands, bot.fixed_playouts):
            skipped[name] = reason
    cases = {name: weigh(suite.cases[name], units, tables) for name, units in asked.items()}
    cases = _without_lenient(cases, tables, skipped)
    statistical = sum(case.is_statistical for case in suite.cases.values())
    excluded, not_excluded = _exclusion(cases)
    return Weights(cases, skipped, broken, log_evidence(cases.values(), statistical), excluded, not_excluded)


def _check_known(suite: Suite, evidence: Evidence) -> None:
    """Refuse evidence that this installation cannot judge.

    Raises:
        EvidenceError: it names a case, level or word that is not known here.
    """
    header = evidence.header
    if unknown := sorted(set(header.cases) - set(suite.cases)):
        raise EvidenceError(
            f"the evidence is of a suite with a case {unknown[0]!r} that is not installed here; "
            f"it was made by refbot {header.refbot}"
        )
    if header.level not in LEVELS:
        raise EvidenceError(f"the evidence is of a level {header.level!r} that is not known here")
    for unit in evidence.units:
        if unit.broken is not None and unit.broken.word not in set(UNJUDGED):
            raise EvidenceError(f"the evidence holds a word {unit.broken.word!r} that is not known here")


def missing(case: Case, commands: list[str], fixed_playouts: int | None) -> str:
    """Return why a case cannot be asked of a bot with these commands, or nothing."""
    if isinstance(case.question, tuple):
        lacking = [s.optional for s in case.question if s.optional and s.optional not in commands]
        return f"the bot has no {lacking[0]}, which is optional" if lacking else ""
    if case.file.complete is None and case.file.choice is None:
        lacking = [name for name in ("ref-nodes", "ref-score") if name not in commands]
        if lacking:
            return f"the bot has no {' and no '.join(lacking)}"
    if isinstance(case.question, Moves) and fixed_playouts not in (None, case.file.playouts):
        return (
            f"its table is for {case.file.playouts} playouts a genmove and the bot always runs "
            f"{fixed_playouts}; give {{playouts}} in its command"
        )
    return ""


def refusal(unit: Unit) -> str:
    """Return why a bot declined the board of a unit's case, or nothing."""
    for sent, raw in unit.exchanges[:1]:
        if sent.startswith("boardsize") and raw.startswith("?"):
            return f"the bot refuses {sent!r}: {raw[1:].strip()[:60]}"
    return ""


def _without_lenient(
    cases: dict[str, Weighed], tables: Tables, skipped: dict[str, str]
) -> dict[str, Weighed]:
    """Set statistical cases aside that a lenient reading, once shown, would change."""
    lenient = {
        finding.requirement
        for w in cases.values()
        for finding in w.findings
        if finding.word is Word.NON_STRICT
    }
    shown = [d.name for d in CATALOGUE if d.tolerated and d.requirement in lenient]
    for name in [n for n, w in cases.items() if w.estimates]:
        shifts = tables.sample(cases[name].case).shifts
        if any(
            d in shifts and shifts[d].convict is not None and _rate(shifts[d]) > _LENIENT_SHIFT for d in shown
        ):
            skipped[name] = "the bot's reading of an open clause changes what is expected here"
            del cases[name]
    return cases


def _rate(shift: Shift) -> float:
    return shift.convict.rate if shift.convict else 0.0


def _exclusion(cases: Mapping[str, Weighed]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    strict = [d.name for d in CATALOGUE if not d.tolerated]
    total = {name: sum(w.exclude.get(name, 0.0) for w in cases.values()) for name in strict}
    return (
        tuple(name for name in strict if total[name] >= _EXCLUSION),
        tuple(name for name in strict if total[name] < _EXCLUSION),
    )


def judge(suite: Suite, tables: Tables, evidence: Evidence) -> Verdict:
    """Return the verdict on a run's evidence."""
    weights = weigh_run(suite, tables, evidence)
    word, reason = _overall(suite, weights, evidence)
    diagnosis = diagnose(weights.cases) if weights.failed else []
    if weights.failed:
        reason = _cause(weights, diagnosis)
    requirements = [_requirement(name, suite, weights, diagnosis) for name in suite.requirements]
    header = evidence.header
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
        diagnosis=diagnosis,
        excluded=list(weights.excluded),
        not_excluded=list(weights.not_excluded),
        detectable=_detectable(weights),
        log10_e=round(weights.log_e / _LN10, 3),
        playouts=sum(w.playouts for w in weights.cases.values()),
        genmoves=sum(w.genmoves for w in weights.cases.values()),
        elapsed_s=evidence.footer.elapsed_s if evidence.footer else 0.0,
        alpha=ALPHA,
        beta=BETA,
        evidence=hashlib.sha256(b"".join(msgspec.json.encode(u) for u in evidence.units)).hexdigest()[:16],
    )


def is_decided(suite: Suite, weights: Weights, level: str) -> bool:
    """Whether more evidence can no longer change the word (a FAIL), or is not needed (a PASS).

    Asked between rounds, after every exact case and the first round of every statistical one.
    """
    if weights.failed or weights.broken is not None:
        return True
    statistical = [c.id for c in suite.cases.values() if c.is_statistical]
    asked = all(name in weights.cases or name in weights.skipped for name in statistical)
    return asked and LEVELS[level].may_pass and weights.all_inside and not weights.not_excluded


def _overall(suite: Suite, weights: Weights, evidence: Evidence) -> tuple[Word, str]:
    if weights.failed:
        return Word.FAIL, ""
    if weights.broken is not None and weights.broken.broken is not None:
        return Word(weights.broken.broken.word), weights.broken.broken.sentence
    if not weights.cases:
        return Word.ERROR, "no case could be asked of this bot"
    if reason := next(_still_open(suite, weights, evidence), ""):
        return Word.INCONCLUSIVE, reason
    if evidence.header.level == "check":
        return Word.PASS, "every step passed; nothing was said about the playouts"
    lenient = sorted(
        (f.requirement, f.observed)
        for w in weights.cases.values()
        for f in w.findings
        if f.word is Word.NON_STRICT
    )
    if lenient:
        return Word.NON_STRICT, f"another reading of {lenient[0][0]}: {lenient[0][1]}"
    if weights.differs:
        return Word.NON_STRICT, f"differs (evidence 10^{weights.log_e / _LN10:.1f}), inside every tolerance"
    return Word.PASS, "every check passed, every known deviation is excluded"


def _still_open(suite: Suite, weights: Weights, evidence: Evidence) -> Iterator[str]:
    """Yield what stands between a bot that failed nowhere and a PASS."""
    header = evidence.header
    waiting = [name for name in header.cases if name not in weights.cases and name not in weights.skipped]
    if waiting:
        yield f"{len(waiting)} cases were not asked; the run ended early"
    if header.level == "check":
        return
    if not LEVELS[header.level].may_pass:
        yield f"nothing wrong was found; level {header.level} cannot pass a bot"
    if len(header.cases) < len(suite.cases):
        yield f"nothing wrong was found in the {len(header.cases)} of {len(suite.cases)} cases asked for"
    wide = [w.case.id for w in weights.cases.values() if not all(e.is_inside for e in w.estimates)]
    if wide:
        yield f"not yet inside tolerance: {', '.join(wide)}"
    if weights.not_excluded:
        yield f"could not exclude {len(weights.not_excluded)} known deviations"


def _cause(weights: Weights, diagnosis: list[Suspect]) -> str:
    findings = [f for w in weights.cases.values() for f in w.findings if f.word is Word.FAIL]
    evidence = (
        f"evidence 10^{weights.log_e / _LN10:.1f} against conformance"
        if not findings
        else (f"{len(findings)} exact checks failed")
    )
    if diagnosis:
        first = diagnosis[0]
        return f"{first.requirement} is broken, most likely: {first.about} ({first.deviation}); {evidence}"
    return f"the deviation is not in the catalogue; {evidence}"


def diagnose(cases: Mapping[str, Weighed]) -> list[Suspect]:
    """Rank the catalogue by likelihood; empty when no listed deviation explains the evidence."""
    suspects = []
    for deviation in CATALOGUE:
        borne_out = _is_borne_out(cases, deviation.name)
        value = sum(log_likelihood(w, deviation.name, borne_out=borne_out) for w in cases.values())
        if value > _EXCLUSION:
            factor = round(value / _LN10, 2)
            suspects.append(Suspect(deviation.name, deviation.requirement, deviation.about, factor))
    return sorted(suspects, key=lambda s: -s.log10_bayes_factor)[:5]


def _is_borne_out(cases: Mapping[str, Weighed], name: str) -> bool:
    """Whether at least half of the exact cases failed that a deviation always fails."""
    own = [w.failed for w in cases.values() if name in w.never_passed]
    return bool(own) and 2 * sum(own) >= len(own)


def _requirement(name: str, suite: Suite, weights: Weights, diagnosis: list[Suspect]) -> RequirementVerdict:
    checks = [_check(case, weights, name) for case in suite.cases.values() if case.requirement == name]
    elsewhere = sorted(
        (
            f
            for w in weights.cases.values()
            for f in w.findings
            if f.requirement == name and w.case.requirement != name and f.word is Word.FAIL
        ),
        key=lambda f: (f.case, f.observed),
    )
    own = [c for c in checks if c.verdict == Word.FAIL]
    if formal := [f for f in elsewhere if name in _FORMAL]:
        return RequirementVerdict(name, str(Word.FAIL), f"{formal[0].case}: {formal[0].observed}", checks)
    first = diagnosis[0] if diagnosis else None
    if first is not None and first.requirement == name:
        return RequirementVerdict(name, str(Word.FAIL), first.about, checks)
    if own or elsewhere:
        blamed = [c.case for c in own] + [f.case for f in elsewhere]
        if first is not None and all(_explains(first, case, weights) for case in blamed):
            reason = f"fails only where {first.deviation} ({first.requirement}) would make it fail"
            return RequirementVerdict(name, str(Word.INCONCLUSIVE), reason, checks)
        reason = own[0].reason if own else f"{elsewhere[0].case}: {elsewhere[0].observed}"
        return RequirementVerdict(name, str(Word.FAIL), reason, checks)
    words = {c.verdict for c in checks}
    for word in (Word.NON_STRICT, Word.INCONCLUSIVE):
        if word in words:
            reason = next(c.reason for c in checks if c.verdict == word)
            return RequirementVerdict(name, str(word), reason, checks)
    if words and words <= {Word.NOT_APPLICABLE}:
        return RequirementVerdict(name, str(Word.NOT_APPLICABLE), checks[0].reason, checks)
    unseen = [d for d in weights.not_excluded if BY_NAME[d].requirement == name]
    if unseen or not checks:
        reason = f"not excluded: {', '.join(unseen)}" if unseen else "no case asks for it"
        return RequirementVerdict(name, str(Word.INCONCLUSIVE), reason, checks)
    return RequirementVerdict(name, str(Word.PASS), "", checks)


def _explains(suspect: Suspect, case: str, weights: Weights) -> bool:
    return weights.cases[case].likelihood.get(suspect.deviation, 0.0) > 0


def _check(case: Case, weights: Weights, requirement: str) -> Check:
    kind = "statistical" if case.is_statistical else "exact"
    weighed = weights.cases.get(case.id)
    if weighed is None:
        reason = weights.skipped.get(case.id, "")
        word = Word.NOT_APPLICABLE if reason else Word.INCONCLUSIVE
        return Check(case.id, str(word), kind, 0, 0, reason or "not asked")
    finding = _first(weighed.findings, requirement)
    word, reason = Word.PASS, ""
    if finding is not None:
        word, reason = finding.word, f"expected {finding.expected}; got {finding.observed}"
    elif weighed.log_e is not None and weighed.log_e >= _CONVICTION + log(20):
        word, reason = Word.FAIL, _largest(weighed)
    elif not all(e.is_inside for e in weighed.estimates):
        word, reason = Word.INCONCLUSIVE, "the interval is not yet inside the tolerance"
    return Check(
        case.id,
        str(word),
        kind,
        weighed.playouts,
        weighed.genmoves,
        reason,
        finding.expected if finding else "",
        finding.observed if finding else "",
        weighed.estimates,
        None if weighed.log_e is None else round(weighed.log_e / _LN10, 3),
    )


def _first(findings: list[Finding], requirement: str) -> Finding | None:
    def rank(f: Finding) -> tuple[bool, bool, str, str]:
        return f.word is not Word.FAIL, f.requirement != requirement, f.expected, f.observed

    order = sorted(findings, key=rank)
    return order[0] if order else None


def _largest(weighed: Weighed) -> str:
    if not weighed.estimates:
        return "the chosen moves are not distributed as the rules have it"
    worst = max(weighed.estimates, key=lambda e: abs(e.value - e.reference) / max(e.radius, 1e-9))
    measured = f"{worst.quantity} {worst.value:.4f} +- {worst.radius:.4f} {worst.unit}"
    return f"{measured}, reference {worst.reference:.4f}"


def _detectable(weights: Weights) -> list[Detectable]:
    """Return what each sample could have seen: (4.75 + 3.09) sd / sqrt(n)."""
    found = []
    for w in weights.cases.values():
        if w.estimates and w.playouts:
            shifts = [(4.75 + 3.09) * w.spread[i] / sqrt(w.playouts) for i in (0, 1)]
            found.append(Detectable(w.case.id, w.playouts, round(shifts[0], 4), round(shifts[1], 5)))
    return found


def verdict_json(verdict: Verdict) -> bytes:
    """Return the verdict document as canonical JSON: same verdict, same bytes."""
    return msgspec.json.format(msgspec.json.encode(verdict), indent=2) + b"\n"
