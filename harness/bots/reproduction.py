"""Reproduction of a failure: one line of shell that pipes into the bot what it was sent.

Formats text; starts nothing.
"""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.bots.limits import command_name

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATIENCE_S = 2.0
"""How much longer than the time limit the bot's input is kept open."""


class SentHistory:
    """The commands a failure can depend on: all before the first ``boardsize``, and since the last."""

    def __init__(self) -> None:
        self._first: list[tuple[Sequence[str], int | None]] = []
        self._since: list[tuple[Sequence[str], int | None]] | None = None

    def add(self, lines: Sequence[str], number: int | None) -> None:
        """Take note of commands, and of the id of the first if they have any; they count up."""
        # One look at all of them together, since nearly all are plays.
        if "boardsize" in "".join(lines):
            places = [place for place, line in enumerate(lines) if line.startswith("boardsize")]
            if places and self._since is None:
                self._first.append((lines[: places[0]], number))
            if places:
                self._since = []
                lines, number = lines[places[-1] :], None if number is None else number + places[-1]
        (self._first if self._since is None else self._since).append((lines, number))

    @property
    def lines(self) -> list[str]:
        """The commands in order, each with its id."""
        return [
            line if number is None else f"{number + place} {line}"
            for lines, number in (*self._first, *(self._since or ()))
            for place, line in enumerate(lines)
        ]


def format_invocation(
    command: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None, *, own_folder: bool = False
) -> str:
    """Return a line of shell that starts a bot as it was started here.

    Args:
        command: the program and its arguments.
        cwd: its working directory; ours if None.
        env: its whole environment; ours if None.
        own_folder: whether it works in a new folder.
    """
    if own_folder:
        place = 'cd "$(mktemp -d)" && '
    else:
        place = f"cd {shlex.quote(str(cwd))} && " if cwd is not None else ""
    return place + _settings(env) + shlex.join(command)


def reproduction_line(invocation: str, sent: Sequence[str], wait_s: float) -> str:
    """Return the line of shell that sends the lines and keeps the input open for a while.

    Args:
        invocation: what starts the bot, see ``format_invocation``.
        sent: every line it was sent, the one it failed at last.
        wait_s: how long the session lasted until the failure.
    """
    bot = f"({invocation})" if "&&" in invocation else invocation
    if not sent:
        return bot
    lines = " ".join(_word(line) for line in sent)
    # A bot that sees the end of its input may leave before it has answered, or instead of hanging.
    # After quit nothing is awaited, so that the pipe closes when the bot is gone.
    pause = "" if command_name(sent[-1]) == "quit" else f" sleep {max(1, round(wait_s + _PATIENCE_S))};"
    return f"{{ printf '%s\\n' {lines};{pause} }} | {bot}"


def _settings(env: Mapping[str, str] | None) -> str:
    if env is None:
        return ""
    is_clean = any(name not in env for name in os.environ)
    shown = {k: v for k, v in env.items() if is_clean or os.environ.get(k) != v}
    # The values may be secrets: whoever runs the line has them in the environment.
    words = [f'{name}="${name}"' if _NAME.fullmatch(name) else shlex.quote(f"{name}=...") for name in shown]
    if not words and not is_clean:
        return ""
    return " ".join(["env", *(["-i"] if is_clean else []), *words]) + " "


def _word(line: str) -> str:
    """Quote a line, so that it survives the shell and a terminal: control characters by ``$(printf)``."""
    if line.isprintable():
        return shlex.quote(line)
    octal = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b"\\%'" else f"\\{byte:03o}"
        for byte in line.encode("utf-8", "surrogateescape")
    )
    return f"\"$(printf '{octal}')\""
