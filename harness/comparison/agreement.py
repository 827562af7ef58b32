"""Agreement of the bots of a comparison: with the reference, with one another, or with nobody.

Words and sentences from what was measured.  Equal means are not enough to stand with the reference: exact
checks and chosen moves count by the verdict, checks without a table by their word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from harness.cases.suite import Suite
from harness.comparison.bot_comparison import ContrastCheck, OddBot, Quantity
from harness.comparison.quantities import intervals_of
from harness.judging.run_assessment import RunAssessment
from harness.judging.verdict import Verdict
from harness.records.evidence import Evidence
from harness.statistics.classes import odd_ones
from harness.word import UNJUDGED, Word


@dataclass(frozen=True)
class ComparedBot:
    """One bot of a comparison: what it was asked, and what came of it."""

    name: str
    evidence: Evidence
    assessment: RunAssessment
    verdict: Verdict

    @property
    def word(self) -> Word:
        """Its verdict."""
        return Word(self.verdict.verdict)

    @property
    def is_judged(self) -> bool:
        """Whether the bot could be run and judged at all."""
        return self.word not in UNJUDGED and self.word is not Word.ERROR

    @cached_property
    def requirement(self) -> str:
        """What it breaks, most likely; empty where nothing is known to be broken."""
        if self.word is not Word.FAIL:
            return ""
        return self.verdict.broken


def agreement_of(
    place: int, member: ComparedBot, quantities: Iterable[Quantity], checks: Iterable[ContrastCheck]
) -> bool | None:
    """Whether a bot is shown to do as the reference does; None where it cannot be told.

    Equal means are not enough: exact checks and chosen moves count by the verdict, contrasts by their word.
    """
    if not member.is_judged:
        return None
    found = [q.classes[place] for q in quantities if q.values[place] is not None]
    failed = any(check.words[place] == Word.FAIL for check in checks)
    if failed or member.word is Word.FAIL or any(found):
        return False
    shown = member.word in (Word.PASS, Word.NON_STRICT) and bool(found) and None not in found
    return True if shown else None


def agreeing_groups(
    members: Sequence[ComparedBot],
    quantities: Sequence[Quantity],
    agreement: Sequence[bool | None],
    broken: Sequence[str],
) -> tuple[list[list[str]], int | None]:
    """Return the classes, the largest first, and the place of the reference's.

    Bots outside the reference's stand together if they are in the same classes in every measure and break the
    same requirement; where a measure cannot be told, they are not shown to agree.
    """
    alike: dict[object, list[str]] = {}
    for place, (member, stands) in enumerate(zip(members, agreement, strict=True)):
        if stands is None:
            continue
        row = tuple(q.classes[place] for q in quantities)
        missing = [q.values[place] is not None and q.classes[place] is None for q in quantities]
        key: object = "reference" if stands else (row, broken[place], place if any(missing) else -1)
        alike.setdefault(key, []).append(member.name)
    ordered = sorted(alike.items(), key=lambda item: (-len(item[1]), item[0] != "reference"))
    own = next((i for i, (key, _) in enumerate(ordered) if key == "reference"), None)
    return [names for _, names in ordered], own


def odd_ones_out(
    members: Sequence[ComparedBot],
    quantities: Sequence[Quantity],
    agreement: Sequence[bool | None],
    broken: Sequence[str],
) -> list[OddBot]:
    """Return the bots that differ from what a majority agrees on: by their means, or by their answers."""
    if len(members) < 3:
        return []
    largest: dict[int, tuple[float, Quantity]] = {}
    for quantity in quantities:
        for place, residual in odd_ones(intervals_of(quantity), quantity.tolerance).items():
            if place not in largest or abs(residual) > abs(largest[place][0]):
                largest[place] = (residual, quantity)
    found = []
    judged = [member for member in members if member.is_judged]
    sound = [member for member in judged if member.word in (Word.PASS, Word.NON_STRICT)]
    right = 2 * len(sound) > len(judged) > 2
    for place, member in enumerate(members):
        if place in largest:
            residual, quantity = largest[place]
            reason = f"{_side_by_side(quantity, place)}; {_whose(agreement[place], broken[place])}"
            found.append(
                OddBot(
                    member.name,
                    quantity.case,
                    quantity.measure,
                    round(residual, 3),
                    broken[place],
                    reason,
                )
            )
        elif right and agreement[place] is False:
            case, why = _first_failure(member.verdict)
            reason = f"its means are those of the others; {why or 'it fails a check that needs no table'}"
            found.append(OddBot(member.name, case, "answers", 0.0, broken[place], reason))
    return sorted(found, key=lambda odd: -abs(odd.residual))


def _whose(stands: bool | None, broken: str) -> str:
    if stands:
        return "the reference is with this one, and not with the others"
    return f"most likely it breaks {broken}" if broken else "what it breaks cannot be told"


def _first_failure(verdict: Verdict) -> tuple[str, str]:
    """Return the first failed case of a verdict's likeliest requirement, and why it failed."""
    for requirement in sorted(verdict.requirements, key=lambda r: r.id != verdict.broken):
        for check in requirement.checks:
            if check.verdict == Word.FAIL:
                return check.case, check.reason
    return "", verdict.reason if verdict.verdict == Word.FAIL else ""


def _side_by_side(quantity: Quantity, place: int) -> str:
    others = [v for i, v in enumerate(quantity.values) if v is not None and i != place]
    return (
        f"{quantity.measure} {quantity.values[place]:.4f} +- {quantity.radii[place]:.4f} {quantity.unit}, "
        f"and the others' median is {median(others):.4f}"
    )


def reason_of(
    place: int, member: ComparedBot, quantities: Sequence[Quantity], checks: Sequence[ContrastCheck]
) -> str:
    """Return why a bot has its verdict and its class, in one sentence."""
    reason = member.verdict.reason
    if member.word not in (Word.PASS, Word.NON_STRICT):
        return reason
    if failed := next((check for check in checks if check.words[place] == Word.FAIL), None):
        return f"{failed.name}: {failed.details[place]}"
    outside = [q.case for q in quantities if q.classes[place]]
    wide = [q.case for q in quantities if q.values[place] is not None and q.classes[place] is None]
    if outside:
        return f"{reason}; beside the others it differs from the reference in {_listed(outside)}"
    if wide:
        return f"{reason}; beside the others its intervals are too wide in {_listed(wide)}"
    return reason


def _listed(cases: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(cases))


def note_on(members: Sequence[ComparedBot], agreement: Sequence[bool | None], suite: Suite) -> str:
    """Return what cannot be told from a comparison, and why."""
    notes = []
    if len(members) == 1:
        notes.append("One bot has nobody to be compared with but the reference")
    elif len(members) == 2:
        notes.append(
            "Of two bots that differ neither is the odd one: there is no majority. What is said of each "
            "comes from the reference"
        )
    elif not any(agreement):
        notes.append("No bot is shown to do as the reference does")
    unjudged = [member.name for member in members if not member.is_judged]
    if unjudged:
        notes.append(f"Could not be judged, and stands in no class: {', '.join(unjudged)}")
    undecided = [
        member.name
        for member, stands in zip(members, agreement, strict=True)
        if stands is None and member.name not in unjudged
    ]
    if undecided:
        notes.append(f"It cannot be told whether these do as the reference does: {', '.join(undecided)}")
    fixed = sorted({m.evidence.header.bot.fixed_playouts for m in members} - {None}, key=lambda n: n or 0)
    if fixed:
        numbers = ", ".join(f"{number:,}" for number in fixed)
        notes.append(
            "Which move is chosen depends on the playouts of a genmove: bots with a fixed number "
            f"({numbers}) are held against tables of their own, and not against the others"
        )
    other = [m.name for m in members if m.evidence.header.suite.digest != suite.digest]
    if other:
        notes.append(f"Asked with another suite than the one installed: {', '.join(other)}")
    return ". ".join(notes) + ("." if notes else "")
