"""Where the command line prints: results on standard output, words for people on standard error."""
# ruff: noqa: PLC0415 - imports inside functions make `--help` quick

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from harness.bots.bot import Bot
    from harness.cases.suite import Suite
    from harness.judging.verdict import Verdict

LONGEST_LINE = 4000
"""Characters of a line for people; what a bot says may be longer."""


def console(*, soft_wrap: bool = False) -> "Console":
    """Return standard output as a console; where nobody looks, lines are left long rather than cut."""
    width = None if soft_wrap or sys.stdout.isatty() else 160
    return _console_class()(width=width, soft_wrap=soft_wrap)


def error_console() -> "Console":
    """Return standard error as a console, for progress."""
    return _console_class()(stderr=True)


@cache
def _console_class() -> "type[Console]":
    from rich.console import Console

    class Quitting(Console):
        """A console that raises ``BrokenPipeError``; rich's own exits with status 1, that of a FAIL."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quitting


def close_output() -> None:
    """Redirect standard output to nowhere, so that Python does not complain of a closed pipe at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def say(text: str) -> None:
    """Tell people something, on standard error."""
    from harness.bots.wire import printable

    # What is said may quote a bot: no line of it may move the cursor or colour the rest.
    lines = (printable(line, LONGEST_LINE) for line in text.rstrip().split("\n"))
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()


def say_open(*bots: "Bot") -> None:
    """Say which values of the bots' environments are not hidden where a bot prints them."""
    from harness.bots.masking import LEAST, open_names

    for bot in bots:
        if names := open_names(bot.env):
            say(
                f"refbot: not hidden where {bot.name} prints them: the values of {', '.join(names)}, "
                f"which are short (below {LEAST} characters), figures, or words of GTP"
            )


@contextmanager
def leaving(file: str) -> Iterator[None]:
    """Let a file be written beside results that are written and stand; what hinders that is only said."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the results stand
        say(f"refbot: {file} was not written: {type(error).__name__}: {error}")


def show_verdict(
    verdict: "Verdict", suite: "Suite", folder: str, *, json: bool, verbose: bool = False
) -> None:
    """Print a verdict on standard output: as people read it, or as the document it is."""
    from harness.document import document_bytes
    from harness.render.brief import render_brief
    from harness.render.check import render_check
    from harness.render.terminal import render_certificate

    if json:
        sys.stdout.write(document_bytes(verdict).decode())
        return
    out = console()
    if verdict.level == "check":
        out.print(render_check(verdict, suite, folder))
    elif verbose:
        out.print(render_certificate(verdict, suite, folder))
    else:
        out.print(render_brief(verdict, suite, out.width), highlight=False)


def conclude(word: str, who: str, what: str, page: "Path | None", *, json: bool = False) -> None:
    """Print the last line of a command: the word, whose it is and why, and where the page is.

    Args:
        word: how it ended.
        who: the bot, or the bots.
        what: why; cut on a terminal so that the line is one.
        page: a file, or the folder where there is none; None where nothing was written.
        json: whether standard output holds a document and nothing else.
    """
    from rich.text import Text

    from harness.bots.wire import printable
    from harness.render.answer import answer_line
    from harness.render.terminal import STYLES
    from harness.word import Word

    place = "" if page is None else f"{page}"
    if json:
        say(answer_line(word, who, what, place, None))
        return
    out = console()
    width = out.width if sys.stdout.isatty() else None
    text = Text(printable(answer_line(word, who, what, place, width), LONGEST_LINE))
    text.stylize(STYLES.get(Word(word), "bold magenta"), 0, len(word))
    out.print(text, soft_wrap=True, highlight=False)


def conclude_verdict(verdict: "Verdict", folder: "Path", *, json: bool = False) -> None:
    """Print the last line of a command that ends with a verdict on one bot."""
    from harness.report.cause import cause_of

    conclude(verdict.verdict, verdict.bot.name, cause_of(verdict), page_in(folder), json=json)


def page_in(folder: "Path", name: str = "report.html") -> "Path":
    """Return the path of a run's HTML page, or of its folder if no page could be written."""
    page = folder / name
    return page if page.is_file() else folder
