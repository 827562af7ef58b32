"""A check (``refbot check``) on a terminal: the clauses by section, and the faults of those that failed.

Text that came from a bot is escaped.
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
from harness.judging.checked import NOT_CHOSEN, NOT_JUDGED, count_of
from harness.judging.verdict import StepFault, StepVerdict, Verdict
from harness.render.terminal import word
from harness.word import UNJUDGED, Word

_SHOWN_BEFORE: Final = 8
"""Number of earlier commands that are named, counted from the last."""
_WIDE: Final = 52
"""Least number of columns of a title, so that the words of all sections are aligned."""
_UNASKED: Final = (Word.NOT_APPLICABLE, Word.INCONCLUSIVE)
_QUIET: Final = (Word.PASS, Word.NOT_APPLICABLE)
_DETAILED: Final = (Word.FAIL, Word.NON_STRICT, *UNJUDGED)


def render_check(verdict: Verdict, suite: Suite, folder: str, *, verbose: bool = False) -> RenderableType:
    """Return the clauses by section with their words, then the faults with their exchanges.

    A section is one line if all its clauses are kept or not offered.

    Args:
        verdict: the verdict of a check.
        suite: the suite of the check.
        folder: the folder with the evidence.
        verbose: whether every clause has a row.
    """
    parts: list[RenderableType] = []
    for title, steps in _sections(verdict, suite):
        parts.append(Text.from_markup(f"[bold]{escape(title)}[/]  [dim]{count_of(steps)}[/]"))
        if not verbose and all(step.verdict in _QUIET for step in steps):
            continue
        table = Table(box=None, padding=(0, 2, 0, 1), show_header=False)
        table.add_column("clause", no_wrap=True, style="dim", min_width=8)
        table.add_column("title", min_width=_WIDE)
        table.add_column("word", no_wrap=True)
        table.add_column("reason", overflow="fold")
        for row in _rows(steps):
            table.add_row(*row)
        parts.append(table)
    for step in verdict.steps:
        if step.verdict in _DETAILED:
            parts += [_fault(step, fault, suite) for fault in step.faults[:1]]
    remarks = list(dict.fromkeys(text for step in verdict.steps for text in step.remarks))
    if remarks:
        lines = "\n".join(f"  {escape(printable(text, 200))}" for text in remarks)
        parts.append(Text.from_markup(f"[bold]Remarks, which change no word[/]\n{lines}"))
    if not verbose:
        parts.append(Text("every clause: --verbose, or the page", "dim"))
    parts.append(Text.from_markup(f"evidence and transcripts in [bold]{escape(folder)}[/]"))
    return Group(*parts)


def _sections(verdict: Verdict, suite: Suite) -> Iterator[tuple[str, list[StepVerdict]]]:
    """Yield the clauses of each section that was asked for, under its title.

    Sections in which nothing was judged for one common reason are joined, for example if the bot did not
    start; and so are those of which the bot offers nothing.
    """
    by_title = {
        section.title: [step for step in verdict.steps if step.section == section.title]
        for section in suite.checklist.section
    }

    def group_key(title: str) -> str:
        if all(step.verdict == Word.NOT_APPLICABLE for step in by_title[title]):
            return str(Word.NOT_APPLICABLE)
        reasons = {step.reason if step.verdict == Word.INCONCLUSIVE else "" for step in by_title[title]}
        return reasons.pop() or title if len(reasons) == 1 else title

    for reason, group in groupby(by_title, key=group_key):
        titles = list(group)
        if reason != NOT_CHOSEN:
            more = f", and {len(titles) - 1} more sections" if len(titles) > 1 else ""
            yield titles[0] + more, [step for title in titles for step in by_title[title]]


def _rows(steps: list[StepVerdict]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each clause; consecutive clauses that were not asked for the same reason share one."""
    for _, group in groupby(steps, key=lambda s: s.reason if s.verdict in _UNASKED else s.number):
        found = list(group)
        first = found[0]
        title = first.title if len(found) == 1 else f"{first.title}, and {len(found) - 1} more"
        shown = (
            ""
            if first.verdict in _DETAILED
            else escape(printable(first.reason.removeprefix(f"{NOT_JUDGED}: "), 200))
        )
        yield first.clause, escape(title), _shown_word(first), f"[dim]{shown}[/]"


def _shown_word(step: StepVerdict) -> str:
    """Return a step's word in colour; of a clause that was not asked, the reason in two words."""
    if step.verdict == Word.NOT_APPLICABLE:
        return "[dim]not offered[/]"
    return "[yellow]not judged[/]" if step.verdict == Word.INCONCLUSIVE else word(step.verdict)


def split_exchanges(
    exchanges: list[tuple[str, str]],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Split exchanges before the one that matters: the last, or the genmove whose figures were asked last."""
    names = [command_name(sent) for sent, _ in exchanges]
    place = len(exchanges) - 1
    if names and names[-1].startswith("ref-") and "genmove" in names:
        place = len(names) - 1 - names[::-1].index("genmove")
    return exchanges[: max(0, place)], exchanges[max(0, place) :]


def _fault(step: StepVerdict, fault: StepFault, suite: Suite) -> RenderableType:
    """Return one fault in a frame."""
    title = f"{step.clause} {step.title}: {fault.verdict}"
    style = (
        "red" if fault.verdict == Word.FAIL else "yellow" if fault.verdict == Word.NON_STRICT else "magenta"
    )
    text = Text("\n".join(fault_lines(step, fault, suite)))
    return Panel(text, title=escape(title), border_style=style, title_align="left")


def fault_lines(step: StepVerdict, fault: StepFault, suite: Suite) -> list[str]:
    """Return one fault: the clause, the exchange, the expected answer, and how to see the case in full."""
    clause = suite.requirements[fault.requirement].clause.strip()
    lines = [f"{fault.requirement}  {clause}", ""]
    before, shown = split_exchanges(fault.exchanges)
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
