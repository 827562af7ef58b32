"""Where the command line prints: results on standard output, words for people on standard error."""
# ruff: noqa: PLC0415 - imports inside functions make `--help` quick

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from harness.bots.bot import Bot
    from harness.cases.suite import Suite
    from harness.judging.verdict import Verdict

LONGEST_LINE = 4000
"""Characters of a line for people; what a bot says may be longer."""


def console() -> "Console":
    """Return standard output as a console; where nobody looks, lines are left long rather than cut."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=160)


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


def show_verdict(verdict: "Verdict", suite: "Suite", folder: str, *, json: bool) -> None:
    """Print a verdict on standard output: as people read it, or as the document it is."""
    from harness.document import document_bytes
    from harness.render.check import render_check
    from harness.render.terminal import render_certificate

    if json:
        sys.stdout.write(document_bytes(verdict).decode())
        return
    out = console()
    render = render_check if verdict.level == "check" else render_certificate
    out.print(render(verdict, suite, folder))
