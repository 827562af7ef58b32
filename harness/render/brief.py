"""A certificate on one screen of a terminal: the word, its reason, the evidence for it, what to do."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.bots.limits import command_name
from harness.bots.wire import printable
from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.judging.verdict import Check, Verdict
from harness.render.limits import spent
from harness.render.terminal import STYLES, again, dialogue_lines, draw_case, first_failure
from harness.report.lenient_reading import reading_of
from harness.word import UNJUDGED, Word

_LONGEST_REASON: Final = 400
_SUSPECTS: Final = 3
"""Explanations that are shown, where there is more than one."""
_ORDER: Final = (Word.FAIL, Word.NON_STRICT, Word.INCONCLUSIVE, Word.NOT_APPLICABLE, Word.PASS)
"""Lines of the list of requirements: what was found first, then what was not.  No order of severity."""
_SIDE_BY_SIDE: Final = 60
"""Columns from which on the text stands beside the board."""


def render_brief(verdict: Verdict, suite: Suite, width: int) -> RenderableType:
    """Return what a certificate says first.

    Args:
        verdict: what is shown.
        suite: the requirements and cases it speaks of.
        width: columns of the terminal.
    """
    bot = verdict.bot
    who = printable(f"{bot.gtp_name} {bot.version}".strip(), 60)
    head = Text(f"refbot {verdict.command}, level {verdict.level}: ", no_wrap=True, overflow="ellipsis")
    head.append(printable(bot.name, 40), "bold").append(f" ({who})" if who else "")
    said = Table.grid(padding=(0, 2, 0, 0))
    style = STYLES.get(Word(verdict.verdict), "bold magenta")
    said.add_row(Text(verdict.verdict, style, no_wrap=True), Text(_cut(verdict.reason)))
    parts: list[RenderableType] = [head, said]
    if failing := first_failure(verdict):
        parts += ["", _example(failing, suite.cases[failing.case], verdict, width)]
    elif reading := reading_of(verdict, suite.requirements, suite.cases):
        parts += ["", *_beside(draw_case(suite.cases[reading.case]), reading.lines, width)]
    if len(verdict.diagnosis) > 1:
        parts += ["", _suspects(verdict)]
    if verdict.verdict not in UNJUDGED:
        parts += ["", _words(verdict), Text(_cut(_spent(verdict)), "dim")]
    return Group(*parts)


def _cut(text: str) -> str:
    whole = printable(text, 10 * _LONGEST_REASON)
    return whole if len(whole) <= _LONGEST_REASON else f"{whole[:_LONGEST_REASON].rpartition(' ')[0]} ..."


def _example(check: Check, case: Case, verdict: Verdict, width: int) -> RenderableType:
    """Return one failed check: the position, what was acceptable, what came, how to see it again."""
    lines = [f"{case.id}: {' '.join(case.file.about.split())}", ""]
    if check.expected:
        lines += [f"expected  {printable(check.expected)}", f"got       {printable(check.observed)}"]
    else:
        lines.append(printable(check.reason))
    board = draw_case(case) if _is_on_a_board(case) else ""
    picture = "\n".join(dialogue_lines(check.dialogue)).rstrip() if check.dialogue else board
    once_more = Text(f"again: {again('certify', verdict.bot, f'--case {case.id}')}", "dim", overflow="fold")
    return Group(*_beside(picture, lines, width), once_more)


def _is_on_a_board(case: Case) -> bool:
    """Whether a case asks about a position, and not about the protocol alone."""
    steps = case.steps
    names = {command_name(step.send) for step in steps}
    return not steps or bool(case.plays) or not names.isdisjoint(("play", "genmove", "undo"))


def _beside(picture: str, lines: Sequence[str], width: int) -> Iterator[RenderableType]:
    """Yield a board with text to its right, or below it where there is no room."""
    board, text = Text(picture), Text("\n".join(lines))
    columns = max(map(len, picture.split("\n")[:-1]), default=0)
    if width - columns < _SIDE_BY_SIDE - 24 or width < _SIDE_BY_SIDE:
        yield board
        yield text
        return
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(min_width=columns)
    grid.add_column(ratio=1)
    grid.add_row(board, text)
    yield grid


def _suspects(verdict: Verdict) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(Text("chance", "dim"), "", Text("known mistakes that bring forth all that was seen", "dim"))
    for suspect in [s for s in verdict.diagnosis if not s.refuted][:_SUSPECTS]:
        table.add_row(f"{suspect.probability:.3f}", suspect.requirement, suspect.about)
    table.add_row(f"{verdict.unlisted:.3f}", "", "a mistake nobody listed")
    return table


def _words(verdict: Verdict) -> RenderableType:
    """Return every word of the requirements with those that have it."""
    places = {r.id: place for place, r in enumerate(verdict.requirements)}
    table = Table.grid(padding=(0, 2, 0, 0))
    for word in _ORDER:
        names = [r.id for r in verdict.requirements if r.verdict == word]
        if names:
            table.add_row(Text(word, STYLES[word], no_wrap=True), Text(" ".join(_ranges(names, places))))
    return table


def _ranges(names: Sequence[str], places: dict[str, int]) -> Iterator[str]:
    """Yield names, those that follow each other under one letter as a range: R4-R9."""
    for _, group in groupby(enumerate(names), key=lambda pair: (pair[1][0], places[pair[1]] - pair[0])):
        run = [name for _, name in group]
        yield from run if len(run) < 3 else [f"{run[0]}-{run[-1]}"]


def _spent(verdict: Verdict) -> str:
    known = len(verdict.excluded) + len(verdict.not_excluded)
    return f"{spent(verdict)}; {len(verdict.excluded)} of {known} known mistakes excluded; more: --verbose"
