"""Sessions for tests: with the fault bot, and with a bot that is a script and has a clock of its own."""

import contextlib
import sys
import time
from collections import deque
from pathlib import Path

import pytest

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.pipe import PipeTransport
from harness.bots.session import Session
from harness.bots.transport import Ended, ProcessEnd, Sent, TimedOut

FAULT_BOT = str(Path(__file__).parents[1] / "bots" / "fault_bot.py")
PATIENT = Limits()


def start(fault: str, limits: Limits = PATIENT) -> Session:
    """Start a fault bot."""
    session = Session.start("mybot", [sys.executable, "-IS", FAULT_BOT, fault], limits)
    assert isinstance(session, Session)
    return session


def ask(session: Session, line: str, number: int | None = None) -> Exchange:
    """Ask what must be answered."""
    exchange = session.ask(line, id=number)
    assert isinstance(exchange, Exchange), exchange.sentence()
    return exchange


def has_living_process(group: int) -> bool:
    """Look for a process of the group that is not a zombie: ended ones may wait long for their reaper."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                return True
    return False


def end(session: Session) -> tuple[Exchange | Failure | None, ProcessEnd]:
    """Close a session, and make sure its process group is gone."""
    ended = session.close()
    transport = session._transport
    assert isinstance(transport, PipeTransport)
    for _ in range(200):
        if not has_living_process(transport.pid):
            return ended
        time.sleep(0.01)
    pytest.fail("a process of the bot's group is left")


class ScriptedTransport:
    """A bot without a process: each command releases the next chunks, and waiting moves its own clock."""

    def __init__(self, *answers: list[bytes], waiting: bytes = b"", is_endless: bool = False) -> None:
        self.now = 0.0
        self.sent: list[bytes] = []
        self._answers = deque(answers)
        self._chunks = deque([waiting] if waiting else [])
        self._is_endless = is_endless

    def clock(self) -> float:
        """Return the script's time."""
        return self.now

    def send(self, data: bytes, deadline: float) -> Sent | Ended | TimedOut:
        """Note the command and release the next answer."""
        assert deadline >= self.now
        self.sent.append(data)
        self._chunks.extend(self._answers.popleft() if self._answers else [])
        return Sent()

    def receive(self, deadline: float) -> bytes | Ended | TimedOut:
        """Return one chunk, half a second later if there was time to wait for it."""
        if self._chunks:
            self.now += 0.5 if deadline > self.now else 0.0
            if self._is_endless and len(self._chunks) == 1:
                return self._chunks[0]
            return self._chunks.popleft()
        self.now = max(self.now, deadline)
        return TimedOut()

    def stderr_tail(self) -> str:
        """Return what a bot short of memory writes."""
        return "out of\nmemory"

    def usage(self) -> None:
        """Return nothing: there is no process."""

    def close(self, grace_s: float) -> ProcessEnd:
        """End in order."""
        return ProcessEnd(0, None, f"closed with {grace_s}", orphans=False, forced=None)


def scripted(transport: ScriptedTransport) -> Session:
    """Make a session over a script, on the script's own clock."""
    return Session("mybot", transport, PATIENT, transport.clock)
