"""The certificate and the progress display on a terminal.

Text that came from a bot is escaped.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.bots.bot import EMBEDDED
from harness.bots.wire import printable
from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.e_value import format_e_value
from harness.judging.replayed import board_before
from harness.judging.verdict import Check, Verdict
from harness.records.evidence import BotRef
from harness.render.limits import limits_of, spent
from harness.render.live import Live
from harness.render.suspects import diagnosis_title, probability_text
from harness.runs.progress import Progress
from harness.word import UNJUDGED, Word
from reference_engine.server import draw
from reference_engine.vocabulary import format_vertex

STYLES = {
    Word.PASS: "bold green",
    Word.NON_STRICT: "bold yellow",
    Word.FAIL: "bold red",
    Word.INCONCLUSIVE: "bold cyan",
    Word.NOT_APPLICABLE: "dim",
}
_LONGEST = 1000
"""Greatest number of characters of a command line."""
_MOST_LINES = 30
"""Greatest number of lines shown of a dialogue; the report has all of them."""
_LONGEST_LINE = 100


def safe(text: str, limit: int = 200) -> str:
    """Return a bot's text without control characters and with the markup of ``rich`` escaped."""
    return escape(printable(text, limit))


def word(text: str) -> str:
    """Return a verdict in its colour."""
    return f"[{STYLES.get(Word(text), 'bold magenta')}]{text}[/]"


def render_certificate(verdict: Verdict, suite: Suite, folder: str) -> RenderableType:
    """Return the certificate: the verdict, the diagnosis, a counter-example, the requirements, the limits."""
    bot = verdict.bot
    who = safe(f"{bot.gtp_name} {bot.version}".strip()) or "unnamed"
    head = Table.grid(padding=(0, 2))
    head.add_row("bot", f"[bold]{safe(bot.name)}[/]  ({who})")
    head.add_row("command", safe(bot.command))
    head.add_row("verdict", word(verdict.verdict))
    head.add_row("because", safe(verdict.reason, 600))
    parts: list[RenderableType] = [Panel(head, title=f"refbot {verdict.command}, level {verdict.level}")]
    if verdict.diagnosis:
        parts += [_diagnosis(verdict)]
    if failing := first_failure(verdict):
        parts.append(render_failure(failing, suite.cases[failing.case], bot))
    if verdict.verdict not in UNJUDGED or verdict.genmoves:
        parts += [_requirements(verdict), _limits(verdict)]
    parts.append(Text.from_markup(f"evidence and verdict.json in [bold]{escape(folder)}[/]"))
    return Group(*parts)


def render_failure(check: Check, case: Case, bot: BotRef) -> RenderableType:
    """Return one failed check in a frame."""
    title = case.id if check.dialogue else f"{case.requirement}: {case.id}"
    return Panel(
        Text("\n".join(failure_lines(check, case, bot))), title=title, border_style="red", title_align="left"
    )


def failure_lines(check: Check, case: Case, bot: BotRef) -> list[str]:
    """Return one failed check: the board, the expected answer, the bot's answer, and how to ask again."""
    lines = [f"{case.file.about.strip()}\n"]
    lines += dialogue_lines(check.dialogue) if check.dialogue else [draw_case(case), ""]
    if check.expected:
        lines += [f"expected  {printable(check.expected)}", f"got       {printable(check.observed)}"]
    else:
        lines += weighed_lines(check)
    lines += [
        "",
        f"see also  refbot explain {case.id}",
        f"again     {again('certify', bot, f'--case {case.id}')}",
    ]
    return lines


def weighed_lines(check: Check) -> list[str]:
    """Return why a case that was judged by statistics failed, and how strong its evidence is."""
    lines = [printable(check.reason)]
    if check.log10_e is not None:
        lines.append(f"e-value {format_e_value(check.log10_e)} against the bot by this case alone")
    return lines


def dialogue_lines(exchanges: Sequence[tuple[str, str]]) -> list[str]:
    """Return a dialogue that failed: the board before its last line, and the lines sent."""
    sent = [printable(line, _LONGEST_LINE) for line, _ in exchanges]
    left_out = len(sent) - _MOST_LINES
    shown = [f"... {left_out} lines before"] if left_out > 0 else []
    board = board_before(list(exchanges)).rstrip()
    return [*([board, ""] if board else []), *shown, *(f"> {line}" for line in sent[-_MOST_LINES:]), ""]


def draw_case(case: Case) -> str:
    """Return a case's position with the last move and the side to move."""
    last = f"last move {case.plays[-1][0]} {format_vertex(case.plays[-1][1])}; " if case.plays else ""
    return draw(case.game.position, f"{last}{case.colour} to move, komi {case.file.komi:g}")


def again(command: str, bot: BotRef, *options: str) -> str:
    """Return the shell command that asks a bot again."""
    words = ["refbot", command, *options]
    if bot.command != EMBEDDED:
        words.append(shlex.quote(printable(bot.command, _LONGEST)))
    if bot.fixed_playouts is not None:
        words.append(f"--playouts {bot.fixed_playouts}")
    return " ".join(words)


def failed_checks(verdict: Verdict) -> list[Check]:
    """Return the failed checks, the clearest first.

    These are counter-examples to the rule that is named, then other counter-examples, then cases that were
    judged by statistics, by the evidence against the bot.
    """
    checks = [(r.id, c) for r in verdict.requirements for c in r.checks]
    failed = [(name, c) for name, c in checks if c.verdict == Word.FAIL or c.case == verdict.shown_by]

    def order(row: tuple[str, Check]) -> tuple[bool, bool, bool, float]:
        name, check = row
        if check.expected:
            return False, check.case != verdict.shown_by, name != verdict.broken, 0.0
        return True, name != verdict.broken, False, -(check.log10_e or 0.0)

    return [check for _, check in sorted(failed, key=order)]


def first_failure(verdict: Verdict) -> Check | None:
    """Return the failed check to be shown first."""
    return next(iter(failed_checks(verdict)), None)


def _diagnosis(verdict: Verdict) -> RenderableType:
    table = Table(title=diagnosis_title(verdict), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("requirement", "deviation", "what it does", "probability"):
        table.add_column(name, justify="right" if name == "probability" else "left")
    for s in verdict.diagnosis:
        table.add_row(s.requirement, s.deviation, s.about, s.refuted or probability_text(s.probability))
    table.add_row(
        "", "[dim]none listed[/]", "[dim]a deviation nobody listed[/]", probability_text(verdict.unlisted)
    )
    return table


def _requirements(verdict: Verdict) -> RenderableType:
    table = Table(title="Requirements", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("id", "verdict", "cases", "playouts", ""):
        table.add_column(name, justify="right" if name in ("cases", "playouts") else "left")
    for r in verdict.requirements:
        playouts = sum(check.playouts for check in r.checks)
        asked = sum(check.verdict != Word.NOT_APPLICABLE for check in r.checks)
        shown = f"{playouts:,}" if playouts else ""
        table.add_row(r.id, word(r.verdict), f"{asked}", shown, safe(r.reason, 100))
    return table


def _limits(verdict: Verdict) -> RenderableType:
    lines = [spent(verdict), *limits_of(verdict), *_crew(verdict)]
    return Panel(Text("\n".join(lines)), title="What this run could see", title_align="left")


def _crew(verdict: Verdict) -> Iterator[str]:
    if (crew := verdict.crew) is None:
        return
    hosts = f"{len(crew.hosts)} hosts" if len(crew.hosts) > 1 else safe(crew.hosts[0])
    alike = "" if crew.unlike or crew.workers == 1 else ", whose answers are alike"
    workers = f"{crew.workers} processes" if crew.workers > 1 else "1 process"
    yield f"{crew.works} work items done by {workers} on {hosts}{alike}"
    for odd in crew.unlike:
        what = f"{odd.case}, {odd.quantity} {odd.value:.4f} of {odd.playouts:,} playouts"
        yield (
            f"UNLIKE THE OTHERS: {printable(odd.who)}; {what}, {odd.others:.4f} elsewhere "
            f"({odd.z:+.1f} standard errors), reference {odd.reference:.4f}"
        )


class Display(Live):
    """The progress display of runs."""

    def start(self, bot: str) -> None:
        """Show on a terminal that the bot is starting: it may have to load or compile something."""
        if self.console.is_terminal:
            self.show(f"starting {printable(bot, 40)}; the first genmove may take a while", 0, 1)

    def see(self, progress: Progress) -> None:
        """Show the progress of the run."""
        text = (
            f"{progress.phase} {progress.done}/{progress.planned}  {progress.playouts:,} playouts, "
            f"e-value {format_e_value(progress.log10_e)}  {progress.case}"
        )
        self.show(text, progress.done, progress.planned)

    def of(self, bot: str) -> "Named":
        """Return a listener for the progress of one of several bots."""
        return Named(self, bot)


@dataclass(frozen=True)
class Named:
    """The progress display of one of several bots, with its name."""

    display: Display
    bot: str

    def see(self, progress: Progress) -> None:
        """Show the progress of its run."""
        self.display.see(replace(progress, phase=f"{printable(self.bot, 40)}: {progress.phase}"))
