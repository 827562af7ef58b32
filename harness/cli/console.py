"""The output of the command line: results go to standard output, messages to standard error."""
# ruff: noqa: PLC0415 - the imports inside functions keep `--help` quick

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
"""Greatest number of characters of a line for people; a bot's text may be longer."""


def console(*, soft_wrap: bool = False) -> "Console":
    """Return standard output as a console.  Lines that do not go to a terminal are long, not cut."""
    width = None if soft_wrap or sys.stdout.isatty() else 160
    return _console_class()(width=width, soft_wrap=soft_wrap)


def error_console() -> "Console":
    """Return standard error as a console, for progress."""
    return _console_class()(stderr=True)


@cache
def _console_class() -> "type[Console]":
    from rich.console import Console

    class Quitting(Console):
        """A console that raises ``BrokenPipeError``; rich's own exits with status 1, which means FAIL."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quitting


def close_output() -> None:
    """Redirect output to the null device, so that Python does not complain about a closed pipe at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def say(text: str) -> None:
    """Print a message for people, on standard error."""
    from harness.bots.wire import printable

    # The message may quote a bot: control characters must not move the cursor or colour the rest.
    lines = (printable(line, LONGEST_LINE) for line in text.rstrip().split("\n"))
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()


def say_open(*bots: "Bot") -> None:
    """Name the values of the bots' environments that are not hidden if a bot prints them."""
    from harness.bots.masking import LEAST, open_names

    for bot in bots:
        if names := open_names(bot.env):
            say(
                f"refbot: not hidden where {bot.name} prints them: the values of {', '.join(names)}, "
                f"which are short (below {LEAST} characters), figures, or words of GTP"
            )


@contextmanager
def leaving(file: str) -> Iterator[None]:
    """Let a file be written beside results that are complete; a failure is only reported."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the results are complete
        say(f"refbot: {file} was not written: {type(error).__name__}: {error}")


def show_verdict(
    verdict: "Verdict", suite: "Suite", folder: str, *, json: bool, verbose: bool = False
) -> None:
    """Print a verdict on standard output: as text for people, or as the JSON document."""
    from harness.document import document_bytes
    from harness.render.brief import render_brief
    from harness.render.check import render_check
    from harness.render.terminal import render_certificate

    if json:
        sys.stdout.write(document_bytes(verdict).decode())
        return
    out = console()
    if verdict.level == "check":
        out.print(render_check(verdict, suite, folder, verbose=verbose))
    elif verbose:
        out.print(render_certificate(verdict, suite, folder))
    else:
        out.print(render_brief(verdict, suite, out.width), highlight=False)


def conclude(word: str, who: str, what: str, page: "Path | None", *, json: bool = False) -> None:
    """Print the last line of a command: the word, the bot, the reason and the page.

    Args:
        word: the word that the command ended with.
        who: the bot or the bots.
        what: the reason; on a terminal it is shortened to fit one line.
        page: a file or a folder; None if nothing was written.
        json: whether standard output is reserved for a document.
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
