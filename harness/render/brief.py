"""A certificate on one screen of a terminal: the word, its reason, the evidence, and the next step."""

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
from harness.render.suspects import probability_text
from harness.render.terminal import STYLES, again, dialogue_lines, draw_case, first_failure, weighed_lines
from harness.report.lenient_reading import reading_of
from harness.word import UNJUDGED, Word

_LONGEST_REASON: Final = 400
_SUSPECTS: Final = 3
"""Number of explanations shown, if there is more than one."""
_ORDER: Final = (Word.FAIL, Word.NON_STRICT, Word.INCONCLUSIVE, Word.NOT_APPLICABLE, Word.PASS)
"""Order of the list of requirements: failures come first.  It is not the order of severity."""
_SIDE_BY_SIDE: Final = 60
"""Width in columns from which the text stands beside the board."""
_NARROWEST: Final = 24
"""Least width in columns of a board, so that the line below it takes two lines at most."""
_GAP: Final = 3
"""Columns between the board and the text."""


def render_brief(verdict: Verdict, suite: Suite, width: int) -> RenderableType:
    """Return a certificate on one screen.

    Args:
        verdict: the verdict to be shown.
        suite: the suite with the verdict's requirements and cases.
        width: columns of the terminal.
    """
    bot = verdict.bot
    who = printable(f"{bot.gtp_name} {bot.version}".strip(), 60)
    head = Text(f"refbot {verdict.command}, level {verdict.level}: ", no_wrap=True, overflow="ellipsis")
    head.append(printable(bot.name, 40), "bold").append(f" ({who})" if who else "")
    result = Table.grid(padding=(0, 2, 0, 0))
    style = STYLES.get(Word(verdict.verdict), "bold magenta")
    result.add_row(Text(verdict.verdict, style, no_wrap=True), Text(_cut(verdict.reason)))
    parts: list[RenderableType] = [head, result]
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
    """Return one failed check: the position, the expected answer, the bot's answer, and how to ask again."""
    lines = [f"{case.id}: {' '.join(case.file.about.split())}", ""]
    if check.expected:
        lines += [
            f"expected  {printable(check.expected)}",
            f"got       {printable(check.observed) or 'nothing'}",
        ]
    else:
        lines += weighed_lines(check)
    board = draw_case(case) if _has_position(case) else ""
    picture = "\n".join(dialogue_lines(check.dialogue)).rstrip() if check.dialogue else board
    once_more = Text(f"again: {again('certify', verdict.bot, f'--case {case.id}')}", "dim", overflow="fold")
    return Group(*_beside(picture, lines, width), once_more)


def _has_position(case: Case) -> bool:
    """Whether a case asks about a position, and not only about the protocol."""
    steps = case.steps
    names = {command_name(step.send) for step in steps}
    return not steps or bool(case.plays) or not names.isdisjoint(("play", "genmove", "undo"))


def _beside(picture: str, lines: Sequence[str], width: int) -> Iterator[RenderableType]:
    """Yield a board with text to its right, or below it if the terminal is too narrow."""
    board, text = Text(picture), Text("\n".join(lines))
    columns = max([_NARROWEST, *map(len, picture.split("\n")[:-1])])
    if width - columns < _SIDE_BY_SIDE - 24 or width < _SIDE_BY_SIDE:
        yield board
        yield text
        return
    grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
    grid.add_column(width=columns)
    grid.add_column(width=width - columns - _GAP)
    grid.add_row(board, text)
    yield grid


def _suspects(verdict: Verdict) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(Text("chance", "dim"), "", Text("known mistakes that explain everything observed", "dim"))
    for suspect in [s for s in verdict.diagnosis if not s.refuted][:_SUSPECTS]:
        table.add_row(probability_text(suspect.probability), suspect.requirement, suspect.about)
    table.add_row(probability_text(verdict.unlisted), "", "a mistake that is not listed")
    return table


def _words(verdict: Verdict) -> RenderableType:
    """Return a table of the words, each with the requirements that have it."""
    places = {r.id: place for place, r in enumerate(verdict.requirements)}
    table = Table.grid(padding=(0, 2, 0, 0))
    for word in _ORDER:
        names = [r.id for r in verdict.requirements if r.verdict == word]
        if names:
            # Beside a FAIL the other words matter less, so they are muted.
            style = "dim" if verdict.verdict == Word.FAIL != word else STYLES[word]
            table.add_row(Text(word, style, no_wrap=True), Text(" ".join(_ranges(names, places))))
    return table


def _ranges(names: Sequence[str], places: dict[str, int]) -> Iterator[str]:
    """Yield requirement names; consecutive ones with the same letter become a range such as R4-R9."""
    for _, group in groupby(enumerate(names), key=lambda pair: (pair[1][0], places[pair[1]] - pair[0])):
        run = [name for _, name in group]
        yield from run if len(run) < 3 else [f"{run[0]}-{run[-1]}"]


def _spent(verdict: Verdict) -> str:
    known = len(verdict.excluded) + len(verdict.not_excluded)
    return f"{spent(verdict)}; {len(verdict.excluded)} of {known} known mistakes excluded; more: --verbose"
