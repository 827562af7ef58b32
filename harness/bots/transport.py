"""The interface of transports: what connects a session with a bot.

A transport moves bytes and ends processes.  It knows nothing of GTP, of limits or of verdicts.  Deadlines
are instants of the monotonic clock.  Whatever a bot does is one of the values below, never an exception.
"""

from dataclasses import dataclass
from typing import Protocol

from harness.bots.process_tree import Usage


@dataclass(frozen=True, slots=True)
class Sent:
    """All bytes were handed over (a bot need not have read them)."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The deadline passed first; of bytes to send, some may be on their way."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The bot has closed that end or is gone; no more bytes will pass."""


SENT = Sent()
TIMED_OUT = TimedOut()


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a bot's process came to its end."""

    status: int | None
    """The exit status; None when a signal ended it."""
    signal: str | None
    """The signal that ended it, by name."""
    stderr_tail: str
    """The last of what it wrote to standard error."""
    orphans: bool
    """Whether processes it had started were still there when it left; they have been killed."""
    forced: str | None
    """The strongest signal the harness had to send; None when the bot left by itself."""
    last_output: bytes = b""
    """The first of what it wrote after its input was closed."""
    excess: str = ""
    """The limit it exceeded, if it was ended for that."""

    def manner(self) -> str:
        """Return how it ended, as what follows the words "the bot"."""
        if self.excess:
            return f"was ended by refbot: {self.excess}"
        if self.forced is not None:
            return f"went on running until {self.forced}"
        return f"was ended by {self.signal}" if self.signal else f"exited with status {self.status}"


class Transport(Protocol):
    """A running bot as two streams of bytes and an end."""

    def send(self, data: bytes, deadline: float) -> Sent | Ended | TimedOut:
        """Hand ``data`` to the bot."""

    def receive(self, deadline: float) -> bytes | Ended | TimedOut:
        """Return the next bytes of the bot, at least one.

        Bytes that are waiting are returned even when the deadline has passed.
        """

    def stderr_tail(self) -> str:
        """Return the last of what the bot has written to standard error so far."""

    def usage(self) -> Usage | None:
        """Return the processor time and memory used so far; None if the system does not tell."""

    def close(self, grace_s: float) -> ProcessEnd:
        """End the bot, with ``grace_s`` seconds to leave by itself; a second call returns the same value."""
