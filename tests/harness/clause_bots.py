"""Sessions with the engine that breaks one clause, in this process: real framing, no pipe."""

import runpy
import tomllib
from pathlib import Path
from typing import Any, Final

from harness.bots.bot import Bot
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.process_tree import Usage
from harness.bots.processes import Process, Starter
from harness.bots.session import Session
from harness.bots.transport import SENT, TIMED_OUT, Ended, ProcessEnd, Sent, TimedOut

BOT: Final = Path(__file__).parents[1] / "bots" / "clause_bot.py"
_MADE: Final = runpy.run_path(str(BOT))


class _InMemory:
    """An engine behind two streams of bytes."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._waiting = b""

    def send(self, data: bytes, deadline: float) -> Sent | Ended | TimedOut:  # noqa: ARG002
        """Hand lines to the engine."""
        for line in data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"):
            self._waiting += self._bot.answer(line).encode("utf-8", "surrogateescape")
        return SENT

    def receive(self, deadline: float) -> bytes | Ended | TimedOut:  # noqa: ARG002
        """Return what it has answered."""
        data, self._waiting = self._waiting, b""
        return data or (Ended() if self._bot.has_quit else TIMED_OUT)

    def stderr_tail(self) -> str:
        """Return nothing: there is none."""
        return ""

    def usage(self) -> Usage | None:
        """Return nothing: it is this process."""
        return None

    def close(self, grace_s: float) -> ProcessEnd:  # noqa: ARG002
        """End it; one that did not leave at quit is ended by force."""
        return ProcessEnd(0, None, "", orphans=False, forced=None if self._bot.has_quit else "SIGKILL")


def clause_starter(clause: str) -> Starter:
    """Return a way to start engines that break a clause; an empty one for none."""
    return mistaken(
        *tomllib.loads(BOT.with_name("clauses.toml").read_text())[clause]["rules"] if clause else []
    )


def mistaken(*rules: dict[str, Any]) -> Starter:
    """Return a way to start engines whose replies are wrong by rules, see ``Mistaken`` there."""

    def start(bot: Bot, _playouts: int, _seed: int) -> Process | Failure:
        return Session(bot.name, _InMemory(_MADE["Mistaken"]([*rules])), Limits(), send_ahead=False)

    return start


class Sized:
    """Starts engines that keep every clause and accept some boards only."""

    def __init__(self, sizes: range) -> None:
        self._sizes = sizes

    def start(self, bot: Bot, _playouts: int, _seed: int) -> Process | Failure:
        """Start one."""
        others = "|".join(str(size) for size in range(2, 26) if size not in self._sizes)
        refuses = {"line": f"boardsize ({others})", "say": "? unacceptable size\n\n"}
        return mistaken(refuses)(bot, _playouts, _seed)
