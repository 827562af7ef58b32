"""The numbered steps of ``refbot check`` on a terminal, and what is wrong in each that failed.

Shows verdict documents; counts and judges nothing.  Text that came from a bot is made harmless first.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from harness.bots.limits import command_name
from harness.bots.wire import printable
from harness.cases.suite import Suite
from harness.judging.verdict import StepFault, StepVerdict, Verdict
from harness.render.terminal import word
from harness.word import UNJUDGED, Word

_SHOWN_BEFORE: Final = 8
"""Lines named of those sent before, the last ones."""
_DETAILED: Final = (Word.FAIL, Word.NON_STRICT, *UNJUDGED)


def render_check(verdict: Verdict, suite: Suite, folder: str) -> RenderableType:
    """Return the steps with their words, then the faults with clause, exchanges and board, then the whole."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for name in ("number", "step", "word"):
        table.add_column(name, no_wrap=True, justify="right" if name == "number" else "left")
    table.add_column("reason", overflow="fold")
    for steps in _together(verdict.steps):
        first, last = steps[0], steps[-1]
        number = f"{first.number}" if first is last else f"{first.number}-{last.number}"
        title = first.title if first is last else f"{first.title} ... {last.title}"
        shown = "" if first.verdict in _DETAILED else escape(first.reason)
        table.add_row(number, escape(title), word(first.verdict), f"[dim]{shown}[/]")
    parts: list[RenderableType] = [table]
    for step in verdict.steps:
        if step.verdict in _DETAILED:
            parts += [_fault(step, step.faults[0], suite)]
    parts.append(Text.from_markup(f"evidence and transcripts in [bold]{escape(folder)}[/]"))
    return Group(*parts)


def _together(steps: list[StepVerdict]) -> Iterator[list[StepVerdict]]:
    """Yield each step by itself, and those in a row that were not taken for one reason as one."""
    for _, group in groupby(steps, key=lambda s: s.reason if s.verdict == Word.INCONCLUSIVE else s.number):
        yield list(group)


def parted(exchanges: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what came before, and what matters: the last exchange, or what a genmove was asked about."""
    names = [command_name(sent) for sent, _ in exchanges]
    place = len(exchanges) - 1
    if names and names[-1].startswith("ref-") and "genmove" in names:
        place = len(names) - 1 - names[::-1].index("genmove")
    return exchanges[: max(0, place)], exchanges[max(0, place) :]


def _fault(step: StepVerdict, fault: StepFault, suite: Suite) -> RenderableType:
    """Return one fault in a frame."""
    title = f"step {step.number}, {step.title}: {fault.verdict}"
    style = (
        "red" if fault.verdict == Word.FAIL else "yellow" if fault.verdict == Word.NON_STRICT else "magenta"
    )
    text = Text("\n".join(fault_lines(step, fault, suite)))
    return Panel(text, title=escape(title), border_style=style, title_align="left")


def fault_lines(step: StepVerdict, fault: StepFault, suite: Suite) -> list[str]:
    """Return one fault: the clause, what was sent and came, what was expected, how to see it in full."""
    clause = suite.requirements[fault.requirement].clause.strip()
    lines = [f"{fault.requirement}  {clause}", ""]
    before, shown = parted(fault.exchanges)
    if before:
        first = "... " if len(before) > _SHOWN_BEFORE else ""
        lines.append(f"after     {first}{', '.join(printable(sent) for sent, _ in before[-_SHOWN_BEFORE:])}")
    for sent, raw in shown:
        label = "sent      "
        for line in sent.split("\n"):
            lines.append(f"{label}{printable(line) or '(an empty line)'}")
            label = " " * len(label)
        lines.append(f"came      {printable(raw.rstrip()) or 'no answer'}")
    lines.append(f"expected  {printable(fault.expected, 400)}")
    if not any(raw.strip() == fault.observed for _, raw in shown):
        lines.append(f"got       {printable(fault.observed, 400)}")
    if fault.board:
        lines += ["", fault.board]
    others = dict.fromkeys(f.case for f in step.faults[1:] if f.case not in ("", fault.case))
    if others:
        lines += ["", f"as well   {', '.join(others)}"]
    return [*lines, "", f"in full   refbot explain {fault.case or fault.requirement}"]
