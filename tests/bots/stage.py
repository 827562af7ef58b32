"""What every fault bot has in common: the proper bot behind the fault, and its way of speaking.

With ``--playouts N`` the proper bot is the example bot, which keeps every rule, so that nothing but the
fault decides; without, it knows the fewest commands and plays only pass.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

HERE = Path(__file__).resolve().parent
EXAMPLE_PLACES = (HERE, HERE.parents[1] / "examples")
"""Where the example bot is: beside this file in a wheel, in examples/ in a checkout."""

STUCK_S = 60.0
"""How long a stuck bot stays, so that a broken test leaves nothing behind for ever."""

Words = list[str]
"""A command and its arguments."""
Reply = Callable[[str, Words], bytes]
"""What makes the bytes to write, of an id (empty if none) and a command."""


class PassBot:
    """Knows next to nothing."""

    texts: ClassVar = {
        "protocol_version": "2",
        "name": "fault bot",
        "version": "1",
        "boardsize": "",
        "clear_board": "",
        "komi": "",
        "play": "",
        "genmove": "pass",
        "quit": "",
    }

    def answer(self, words: Words) -> tuple[str, str]:
        """Return the status sign and the text."""
        return ("=", self.texts[words[0]]) if words[0] in self.texts else ("?", "unknown command")


class RealBot:
    """The example bot under another name."""

    def __init__(self, playouts: int) -> None:
        sys.path[:0] = map(str, EXAMPLE_PLACES)
        import refbot

        self._error = refbot.GtpError
        self.letters = refbot.LETTERS
        self.engine = refbot.Engine(playouts)

    def answer(self, words: Words) -> tuple[str, str]:
        """Return the status sign and the text."""
        if words[0] in ("name", "version"):
            return "=", PassBot.texts[words[0]]
        try:
            return "=", self.engine.execute(words[0], words[1:])
        except self._error as error:
            return "?", str(error)


bot: PassBot | RealBot = PassBot()


def choose(playouts: int | None) -> None:
    """Choose the proper bot."""
    global bot  # noqa: PLW0603 - one process is one bot
    bot = PassBot() if playouts is None else RealBot(playouts)


def proper(number: str, words: Words) -> bytes:
    """Answer as the protocol demands."""
    sign, text = bot.answer(words)
    return f"{sign}{number} {text}\n\n".encode()


def serve(reply: Reply = proper, *, faults: dict[str, Callable[[], None]] | None = None) -> None:
    """Answer every command with ``reply``, after the fault that belongs to its name, until quit."""
    for line in sys.stdin.buffer:
        clean = bytes(code for code in line if (31 < code != 127) or code == 9).decode("latin-1")
        words = clean.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        if faults is not None and words[0] in faults:
            faults[words[0]]()
        say(reply(number, words))
        if words[0] == "quit":
            return


def say(data: bytes) -> None:
    """Write to standard output at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def stay() -> None:
    """Do nothing, for longer than any test waits."""
    time.sleep(STUCK_S)


def at_genmove(fault: Callable[[], None], *, number: int = 1) -> Callable[[], None]:
    """Make a bot that is in order until its first genmove, or a later one."""
    count = 0

    def strike() -> None:
        nonlocal count
        count += 1
        if count >= number:
            fault()

    return lambda: serve(faults={"genmove": strike})


def never_answers() -> None:
    """Read every command and say nothing."""
    for _ in sys.stdin.buffer:
        pass


def fork(child: Callable[[], None]) -> None:
    """Start a child that does something and stays for a while."""
    if os.fork() == 0:
        child()
        stay()
        os._exit(0)
