"""Texts and numbers of HTML pages.  Every function takes values and returns text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, log10
from textwrap import shorten
from typing import Final

from harness.bots.wire import printable
from harness.cases.case import Case, Complete, Dialogue, Forced, Fresh, MoveChoice, Moves, Sample, Script
from harness.cases.reflection import original_of
from harness.comparison.bot_comparison import ContrastCheck
from harness.e_value import format_e_value
from harness.judging import checked
from harness.judging.verdict import Check, Estimate, RequirementVerdict, StepVerdict, Verdict
from harness.render.explain import kind_of
from harness.render.terminal import failed_checks
from harness.report.picture import Picture
from harness.report.run_report import BrokenUnit, CaseReport, RunReport
from harness.report.shares import Shares
from harness.word import UNJUDGED, Word
from reference_engine.deviations import BY_NAME, CATALOGUE, Deviation
from reference_engine.vocabulary import format_vertex

_SIGNS: Final = {
    Word.PASS: "✓",
    Word.FAIL: "✗",
    Word.NON_STRICT: "≈",
    Word.INCONCLUSIVE: "?",
    Word.NOT_APPLICABLE: "–",  # noqa: RUF001 - a dash to be read
}
_SHORT: Final = 40
_CUT_SHORT: Final = ("", "interrupted")
"""Why a run ended that can go on; empty of one that was killed."""
_GLOSS: Final = 80
_LISTED: Final = 8
_STRIP: Final = 240
"""Width of a strip, in its units; the reference is in the middle."""


def sign(word: str) -> str:
    """Return the sign of a word, so that words differ by more than their colour."""
    return _SIGNS.get(Word(word), "!")


def tone(word: str) -> str:
    """Return the name of a word's colours."""
    return "STOP" if Word(word) in {*UNJUDGED, Word.ERROR} else word


_FEW: Final = 4
"""Largest number of bots with a row each."""
_QUIET: Final = (Word.PASS, Word.NOT_APPLICABLE)


def short(name: str) -> str:
    """Return a bot's name for a table."""
    return printable(name, _SHORT)


def gloss(text: str) -> str:
    """Return the beginning of a reason, for one line."""
    return shorten(text, _GLOSS, placeholder=" ...")


def number(value: float) -> str:
    """Return a whole number with thousands separators."""
    return f"{value:,}"


def seconds(value: float) -> str:
    """Return a duration."""
    return f"{value:.1f} s" if value < 120 else f"{int(value // 60)} min {int(value % 60)} s"


def moment(stamp: str) -> str:
    """Return a UTC time stamp in a readable form."""
    return stamp.replace("T", " ").replace("+00:00", " UTC")


def sentence(text: str) -> str:
    """Return a reason with a capital letter, unless it begins with a name."""
    return text[:1].upper() + text[1:] if text.partition(" ")[0].isalpha() else text


def figure(value: float, estimate: Estimate) -> str:
    """Return one number of an estimate, with as many decimals as its tolerance justifies."""
    return f"{value:.{max(2, 1 - _magnitude(estimate.tolerance) + 1)}f}"


def rounded(value: float, tolerance: float) -> str:
    """Return a number with as many decimals as a tolerance justifies."""
    return f"{value:.{places(tolerance) + 1}f}"


def places(tolerance: float) -> int:
    """Return the number of decimals at which a tolerance is visible."""
    return max(0, 1 - _magnitude(tolerance))


def _magnitude(value: float) -> int:
    return ceil(log10(value)) if value > 0 else 0


def strip(e: Estimate) -> dict[str, float]:
    """Return the coordinates of an estimate on its strip."""
    reach = max(1.5 * e.tolerance, 1.1 * (abs(e.value - e.reference) + e.radius))

    def at(value: float) -> float:
        return round(_STRIP / 2 * (1 + (value - e.reference) / reach), 2)

    low = at(e.reference - e.tolerance)
    return {
        "low": low,
        "wide": round(_STRIP - 2 * low, 2),
        "least": at(e.value - e.radius),
        "most": at(e.value + e.radius),
        "value": at(e.value),
    }


def part(value: float, most: float, whole: float) -> float:
    """Return the length of a bar: the value as a share of the greatest one; 0 if negative."""
    return round(max(0.0, value) / most * whole, 1) if most > 0 else 0.0


def gist(c: CaseReport) -> str:
    """Return a summary of a case in a few words: its kind, how much was asked, the e-value."""
    check, words = c.check, [kind_of(c.case)]
    if check.genmoves and isinstance(c.case.question, Dialogue):
        words.append(_many(check.genmoves, "dialogue"))
    elif check.genmoves and isinstance(c.case.question, Complete):
        words.append(_many(check.genmoves, "game"))
    elif check.genmoves:
        words.append(f"{_many(check.playouts, 'playout')} in {_many(check.genmoves, 'genmove')}")
    if check.log10_e is not None:
        words.append(f"e-value {format_e_value(check.log10_e)}")
    return ", ".join(words)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def question(case: Case) -> str:
    """Return the answer of a conforming bot, in words."""
    asked = f"Asked with {case.file.playouts:,} playouts a genmove."
    match case.question:
        case Forced(nodes=nodes, score=score, answers=answers):
            text = f"Every playout is {nodes} moves long"
            text += "" if score is None else f" and worth {score:g} to {case.colour}"
            return f"{text}{_or(answers)}. {asked}"
        case MoveChoice(allowed=allowed, forbidden=forbidden):
            never = f"; never {', '.join(forbidden)}" if forbidden else ""
            return f"{_or(allowed).removeprefix('; ').capitalize() or 'Any legal move'}{never}. {asked}"
        case Sample(length=length, score=score):
            return f"Tolerance at level standard: {length:g} moves and {score:g} wins. {asked}"
        case Moves():
            return f"The chosen move and the playouts won are those of the reference's table. {asked}"
        case Complete(limit=limit):
            return f"Two passes within {limit} moves, every move legal. {asked}"
        case Dialogue(commands=commands, sizes=sizes):
            on = " and ".join(f"{size}x{size}" for size in sizes)
            return f"After each of {commands} random commands on {on}, what the rules allow. {asked}"
        case Fresh():
            return f"{case.file.genmoves} genmoves in each of two processes, none like another. {asked}"
        case Script(steps=steps):
            return f"A script of {len(steps)} lines."
    return asked


def _or(answers: Sequence[str]) -> str:
    return f"; genmove answers {' or '.join(answers)}" if answers else ""


def title_of(case: Case | None, picture: Picture) -> str:
    """Return the title of a board for screen readers."""
    whose = f", {picture.to_move} to move" if picture.to_move is not None else ""
    what = f"Position of {case.id}, " if case else "Position, "
    return f"{what}{picture.size}x{picture.size}{whose}"


def caption(picture: Picture, case: Case | None = None) -> str:
    """Return the caption of a board: the side to move, komi, and the meaning of its marks."""
    words = [f"{str(picture.to_move).capitalize()} to move"] if picture.to_move is not None else []
    if case is not None and not isinstance(case.question, Dialogue):
        words.append(f"komi {case.file.komi:g}")
    if picture.ban is not None:
        words.append(f"square: ko, {picture.ban[1]} may not play {format_vertex(picture.ban[0])}")
    if picture.last is not None and picture.last not in picture.numbers:
        words.append(f"ring: last move, {format_vertex(picture.last)}")
    if picture.elsewhere:
        also_played = ", ".join(
            f"{n} {colour.letter} {format_vertex(move)}" for n, colour, move in picture.elsewhere
        )
        words.append(f"also played: {also_played}")
    for name, points in (("dot: allowed", picture.wanted), ("cross: forbidden", picture.forbidden)):
        if points:
            words.append(f"{name}, {' '.join(map(format_vertex, points))}")
    if picture.answer is not None:
        words.append(f"triangle: the bot's answer, {format_vertex(picture.answer)}")
    text = "; ".join(words)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def answers(found: Sequence[tuple[str, int]]) -> str:
    """Return the answers to genmove, the most frequent first."""
    shown = ", ".join(
        f"{move.lower() if move == 'PASS' else move} {f'{count} times' if count > 1 else 'once'}"
        for move, count in found[:_LISTED]
    )
    more = len(found) - _LISTED
    return f"{shown} and {more} others" if more > 0 else shown


def beside(shares: Shares) -> str:
    """Return the shares of answers other than a point."""
    return "".join(f", {name} {100 * share:.1f}%" for name, share in shares.beside.items())


def passed(x: RunReport) -> str:
    """Return the number of requirements, or of steps of a check, that passed."""
    if x.verdict.steps:
        return "{} of {} kept".format(*checked.kept_of(x.verdict.steps))
    words = _words(x)
    return f"{words.count(Word.PASS)} of {len(words)} PASS"


def sections(x: RunReport) -> list[tuple[str, list[StepVerdict]]]:
    """Return the clauses of a check by section."""
    return [(title, list(found)) for title, found in groupby(x.verdict.steps, key=lambda s: s.section)]


def count_of(steps: list[StepVerdict]) -> str:
    """Return the number of clauses of a section that were kept."""
    return checked.count_of(steps)


def others(x: RunReport) -> str:
    """Return the other words of the requirements or steps, each with its number."""
    name = of_clause if x.verdict.steps else str
    counted = Counter(name(word) for word in _words(x) if word != Word.PASS)
    return ", ".join(f"{count} {word}" for word, count in sorted(counted.items())) or "no other word"


def of_clause(word: str) -> str:
    """Return the text for the word of a clause of a check."""
    return {Word.NOT_APPLICABLE: "not offered", Word.INCONCLUSIVE: "not judged"}.get(Word(word), word)


def _words(x: RunReport) -> list[str]:
    return [s.verdict for s in x.verdict.steps] or [r.verdict for r in x.verdict.requirements]


def limit(v: Verdict) -> float:
    """Return the power of ten at which the whole evidence convicts."""
    return -log10(v.alpha)


def asked(r: RequirementVerdict) -> int:
    """Return the number of cases of a requirement that apply."""
    return sum(check.verdict != Word.NOT_APPLICABLE for check in r.checks)


def listed(r: RequirementVerdict) -> list[Check]:
    """Return the checks of a requirement, without reflections that ended as their case did."""
    words = {check.case: check.verdict for check in r.checks}
    return [
        c for c in r.checks if original_of(c.case) == c.case or words.get(original_of(c.case)) != c.verdict
    ]


def spent(r: RequirementVerdict) -> str:
    """Return the number of playouts of a requirement's cases; empty for none."""
    playouts = sum(check.playouts for check in r.checks)
    return f"{playouts:,}" if playouts else ""


def failing(x: RunReport) -> list[str]:
    """Return the failed cases, the clearest first; those with a counter-example stand before the others."""
    shown = {check.case for r in x.verdict.requirements for check in listed(r)}
    names = [check.case for check in failed_checks(x.verdict) if check.case in shown]
    return sorted(names, key=lambda name: x.cases[name].example is None)


def is_judged(x: RunReport) -> bool:
    """Whether anything is said of the rules: not of a bot that answered no genmove."""
    return x.verdict.verdict not in UNJUDGED or bool(x.verdict.genmoves)


def advice(x: RunReport) -> str:
    """Return what to do about a run that is neither PASS nor FAIL, in a sentence."""
    if x.ended in _CUT_SHORT:
        return "the run ended early: go on with refbot certify --resume and the folder of this run"
    if x.verdict.level == "smoke":
        return "certify the bot at level standard; smoke is too short to pass a bot"
    return "the reason says what is missing; refbot explain INCONCLUSIVE has the usual causes"


def first_stops(x: RunReport) -> list[dict[str, BrokenUnit | int]]:
    """Return the first stop of each kind, and the number of further ones."""
    kinds: dict[tuple[str, str], list[BrokenUnit]] = {}
    for stop in x.stops:
        kinds.setdefault((stop.broken.word, stop.broken.command.split(" ")[0]), []).append(stop)
    return [{"stop": stops[0], "more": len(stops) - 1} for stops in kinds.values()]


def mistakes(requirement: str) -> list[Deviation]:
    """Return the known mistakes that break a requirement."""
    return [d for d in CATALOGUE if d.requirement == requirement]


def deviations(names: Sequence[str]) -> list[Deviation]:
    """Return known mistakes by their names."""
    return [BY_NAME[name] for name in names]


def word_of(x: RunReport, requirement: str) -> str:
    """Return the word of a requirement in a run; NOT-APPLICABLE if the run has none."""
    found = (r.verdict for r in x.verdict.requirements if r.id == requirement)
    return next(found, str(Word.NOT_APPLICABLE))


def requirement_ids(run_reports: Sequence[RunReport]) -> list[str]:
    """Return the requirements of all these runs, in their order."""
    return list(dict.fromkeys(r.id for x in run_reports for r in x.verdict.requirements))


def clause(run_reports: Sequence[RunReport], requirement: str) -> str:
    """Return a requirement's clause."""
    return next(
        x.requirements[requirement].clause.strip() for x in run_reports if requirement in x.requirements
    )


@dataclass(frozen=True, slots=True)
class FreeRow:
    """A row of a check without a table: of one bot, or of several bots with the same word."""

    bot: str
    word: str
    detail: str


def free_rows(check: ContrastCheck, bots: Sequence[str]) -> list[FreeRow]:
    """Return a row for each bot; of many bots, those with PASS share one, as do those with NOT-APPLICABLE."""
    rows = [FreeRow(short(b), w, d) for b, w, d in zip(bots, check.words, check.details, strict=True)]
    if len(rows) <= _FEW:
        return rows
    shown = [row for row in rows if row.word not in _QUIET]
    groups = [[row for row in rows if row.word == word] for word in _QUIET]
    shown += [
        same[0] if len(same) == 1 else FreeRow(f"{len(same)} bots", same[0].word, "")
        for same in groups
        if same
    ]
    return shown


def words(run_reports: Sequence[RunReport]) -> list[str]:
    """Return every word of a requirement in these runs."""
    return sorted({r.verdict for x in run_reports for r in x.verdict.requirements})


def tally(run_reports: Sequence[RunReport]) -> str:
    """Return the number of runs with each word."""
    counted = Counter(x.verdict.verdict for x in run_reports)
    return ", ".join(f"{count} {word}" for word, count in sorted(counted.items())) + "."
