"""The bot's processes of one run: started when first needed, numbered, ended together.

Knows how a bot is started; knows nothing of cases or evidence.
"""

from collections.abc import Callable
from typing import Protocol

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.masking import Mask
from harness.bots.process_tree import Usage
from harness.bots.session import Session
from harness.bots.transport import ProcessEnd
from harness.errors import UsageError


class Process(Protocol):
    """One running bot: a session over pipes, or the engine in this process."""

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Send one command, with an id or without, and wait for its reply."""

    def usage(self) -> Usage | None:
        """Return the processor time and memory used so far; None if the system does not tell."""

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """Send quit, and end the process."""


Starter = Callable[[Bot, int, int], Process | Failure]
"""Starts a bot with a number of playouts and a seed."""


def start_session(bot: Bot, playouts: int, seed: int) -> Session | Failure:
    """Start a bot as a subprocess over pipes."""
    how = bot.confinement
    command = how.command(bot.arguments(playouts, seed), bot.cwd)
    return Session.start(
        bot.name,
        command,
        bot.limits,
        bot.cwd,
        how.environment(bot.env),
        send_ahead=bot.send_ahead,
        own_folder=how.own_folder and not how.sandbox,
        processes=how.processes,
        memory_bytes=how.total_bytes,
        mask=Mask.of(bot.env),
    )


class Processes:
    """The running processes of one bot, by purpose and number of playouts."""

    def __init__(self, start: Starter, used: int = 0) -> None:
        """Number processes from ``used`` + 1 on."""
        self._start = start
        self._running: dict[tuple[str, int], tuple[Process, int]] = {}
        self._repeats: dict[int, tuple[str, int]] = {}
        self.count = used
        """Number of the newest process."""
        self.may_repeat = False
        """Whether a question that is asked again may begin with ``undo``: nothing that was asked so far went
        wrong."""

    def open(self, bot: Bot, purpose: str, playouts: int) -> tuple[Process, int] | Failure:
        """Return the process for a purpose with its number, starting it if it is not running.

        Raises:
            UsageError: the bot refuses a start-up command of its settings.
        """
        key = (purpose, playouts)
        if key in self._running:
            return self._running[key]
        self.count += 1
        process = self._start(bot, playouts, seed_of(self.count))
        if isinstance(process, Failure):
            return process
        for line in bot.startup:
            outcome = process.ask(line)
            if isinstance(outcome, Failure):
                process.close()
                return outcome
            if not outcome.success:
                process.close()
                raise UsageError(f"bot {bot.name} refuses its start-up command {line!r}: {outcome.text}")
        self._running[key] = (process, self.count)
        return self._running[key]

    def repeats_of(self, process: int, case: str) -> int | None:
        """Return how often a process was asked a case again by ``undo``; None if another one was its last."""
        last, repeats = self._repeats.get(process, ("", 0))
        return repeats if last == case else None

    def note_asked(self, process: int, case: str, repeats: int) -> None:
        """Note which case a process was asked last, and how often again by ``undo``."""
        self._repeats[process] = case, repeats

    def close(self, purpose: str, playouts: int) -> ProcessEnd | None:
        """End the process for a purpose, if there is one, and return how it ended."""
        found = self._running.pop((purpose, playouts), None)
        return found[0].close()[1] if found else None

    def close_all(self) -> None:
        """End every process."""
        for purpose, playouts in list(self._running):
            self.close(purpose, playouts)


def seed_of(process: int) -> int:
    """Return the value of ``{seed}``: different for every process, the same in every run."""
    return 1_000_003 * process + 20081013
