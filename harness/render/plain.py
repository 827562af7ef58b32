"""A certificate in plain text, in pieces: a case, a requirement, the whole.

Text that came from a bot is escaped.
"""

from collections.abc import Iterator, Sequence

from harness.bots.limits import command_name
from harness.bots.wire import printable
from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.e_value import format_e_value
from harness.judging.verdict import Check, Estimate, Suspect, Verdict
from harness.records.evidence import Broken
from harness.render.limits import evidence_line, exclusion_line
from harness.render.suspects import probability_text
from harness.render.terminal import draw_case
from harness.report.excerpt import Excerpt
from harness.word import Word
from reference_engine.deviations import BY_NAME

_LONG = 400
_SET_UP = ("boardsize", "clear_board", "komi", "play")
_LAST_LINES = 5
_MOST_EXCHANGES = 60


def render_case(check: Check, case: Case, suite: Suite, place: Excerpt | None) -> str:
    """Return the lines about a case: clause, board, exchanges, expected and observed answer."""
    clause = " ".join(suite.requirements[case.requirement].clause.split())
    board = (place.board if place else "") or draw_case(case)
    lines = [" ".join(case.file.about.split()), "", board.rstrip("\n"), ""]
    lines += [f"clause    {case.requirement}  {clause}"]
    if place is not None:
        lines += _exchanges(place, is_one=bool(check.expected))
    if check.expected:
        lines += [
            f"expected  {printable(check.expected, _LONG)}",
            f"observed  {printable(check.observed, _LONG)}",
        ]
    lines += [f"measured  {format_estimate(estimate)}" for estimate in check.estimates]
    if check.log10_e is not None:
        lines.append(
            f"evidence  e-value {format_e_value(check.log10_e)} against the rules as a whole, by this case"
        )
    return "\n".join(lines)


def render_requirement(name: str, suite: Suite, failed: Sequence[Check], verdict: Verdict) -> str:
    """Return the lines about a requirement: the clause, its failed cases, its likely and open mistakes."""
    requirement = suite.requirements[name]
    lines = [f"clause    {' '.join(requirement.clause.split())}"]
    lines += [f"reading   {' '.join(requirement.reading.split())}"]
    lines += [f"failed    {check.case}: {printable(check.reason, _LONG)}" for check in failed]
    lines += _suspects([suspect for suspect in verdict.diagnosis if suspect.requirement == name])
    if not_excluded := [d for d in verdict.not_excluded if BY_NAME[d].requirement == name]:
        lines.append(f"open      not excluded: {', '.join(not_excluded)}")
    return "\n".join(lines)


def render_whole(verdict: Verdict) -> str:
    """Return the lines about a whole certificate: the bot, the amount asked, the suspects, the limits."""
    bot = verdict.bot
    lines = [
        f"bot       {printable(bot.name)}: {printable(bot.command)}",
        f"said      {printable(f'{bot.gtp_name} {bot.version}'.strip()) or 'no name'}",
        f"asked     level {verdict.level}: {verdict.playouts:,} playouts, {verdict.elapsed_s:.1f} s",
    ]
    for word in (Word.FAIL, Word.NON_STRICT, Word.INCONCLUSIVE):
        named = [r.id for r in verdict.requirements if r.verdict == word]
        if named:
            lines.append(f"{word:<13} {', '.join(named)}")
    lines += _suspects(verdict.diagnosis)
    lines.append(f"excluded  {exclusion_line(verdict)}")
    lines.append(f"evidence  {evidence_line(verdict)}")
    return "\n".join(lines)


def _suspects(suspects: Sequence[Suspect]) -> list[str]:
    return [
        f"suspect   {s.deviation} ({s.requirement}): {s.about}; "
        + (f"but {s.refuted}" if s.refuted else f"probability {probability_text(s.probability)}")
        for s in suspects
    ]


def format_estimate(e: Estimate) -> str:
    """Return a measured mean with its interval, its reference and its tolerance."""
    return (
        f"{e.quantity} {e.value:.4f} +- {e.radius:.4f} {e.unit} in {e.playouts:,} playouts; "
        f"reference {e.reference:.4f}, tolerance {e.tolerance:g}"
    )


def render_transcript(place: Excerpt) -> str:
    """Return the exchanges up to the one that shows the verdict; if they are many, the last of them."""
    cut = len(place.exchanges) - _MOST_EXCHANGES
    lines = [f"... {cut} exchanges before"] if cut > 0 else []
    for sent, raw in place.exchanges[max(0, cut) :]:
        line = " | ".join(printable(part) for part in sent.split("\n"))
        reply = raw.strip().split("\n")
        lines.append(f"> {line:<24}  {printable(reply[0], _LONG)}")
        lines += [f"  {'':<24}  {printable(part, _LONG)}" for part in reply[1:]]
    if place.unit.broken is not None:
        lines += [
            f"> {printable(place.unit.broken.command)}",
            f"! {printable(place.unit.broken.sentence, _LONG)}",
        ]
    return "\n".join(lines)


def render_last_words(broken: Broken) -> list[str]:
    """Return the last lines that a bot wrote to standard error."""
    last = [line for line in broken.stderr_tail.splitlines() if line.strip()][-_LAST_LINES:]
    return [f"stderr    {printable(line)}" for line in last]


def _exchanges(place: Excerpt, *, is_one: bool) -> Iterator[str]:
    """Yield the exchanges after the position was set up."""
    names = [command_name(sent) for sent, _ in place.exchanges]
    begin = next((i for i, name in enumerate(names) if name not in _SET_UP), max(0, len(names) - 1))
    if begin:
        yield f"after     {begin} commands that set the position up"
    for sent, raw in place.exchanges[begin:][-6:]:
        yield f"sent      {printable(sent)}"
        yield f"came      {printable(raw.strip(), _LONG) or 'no answer'}"
    if not is_one and place.times > 1:
        yield f"          asked {place.times} times; this is the last"
