"""All processes that came from one bot, wherever they went: found by a mark, and ended.

A process group is left by ``setsid``, so each bot also gets a mark in its environment, which every process
it starts inherits.  Read from /proc; where there is none, only the group is known.  A process that
leaves the session *and* clears its environment *and* loses its parent is not found: that takes a sandbox.
"""

import contextlib
import itertools
import os
import secrets
import signal
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "REFBOT_BOT"
"""The environment variable that holds the mark."""

_PROC = Path("/proc")
_RUN = secrets.token_hex(6)
_NUMBERS = itertools.count(1)
_PATIENCE_S = 5.0
_PAUSE_S = 0.005


@dataclass(frozen=True, slots=True)
class Member:
    """A living process; its number may be used again, number and time together are not."""

    pid: int
    parent: int
    session: int
    born: int
    """When it began, in clock ticks since the machine did."""


_OWNER: ContextVar[str] = ContextVar("owner", default="")


@contextlib.contextmanager
def owned_by(owner: str) -> Iterator[None]:
    """Let bots that this thread starts meanwhile be found by a word of letters and digits."""
    token = _OWNER.set(owner)
    try:
        yield
    finally:
        _OWNER.reset(token)


def new_mark() -> str:
    """Return a mark that no other bot has; all marks of this program, and of one owner, begin alike."""
    return f"{_RUN}-{_OWNER.get()}-{next(_NUMBERS)}-"


def left_over() -> list[int]:
    """Return the living processes that any bot of this program has left, by number."""
    return sorted(p.pid for p in _living() if _is_marked(p, _RUN))


def end_owned(owner: str) -> None:
    """Kill every process that came from the bots of an owner; whoever waits for one sees it end."""
    for member in _living():
        if _is_marked(member, f"{_RUN}-{owner}-"):
            _kill(member)


def members(leader: int, mark: str) -> set[Member]:
    """Return the living processes that came from a bot, but for its first one.

    Args:
        leader: the bot's process id, which is its session's too; it must not have been reaped.
        mark: what its environment holds.
    """
    living = _living()
    found = {p for p in living if p.session == leader or _is_marked(p, mark)}
    while more := {p for p in living if p.parent in {leader, *(q.pid for q in found)}} - found:
        found |= more
    return {p for p in found if p.pid not in (leader, os.getpid())}


def end_members(leader: int, mark: str) -> bool:
    """Kill all that came from a bot, and say whether there was any; its first process is left alone."""
    had_any = False
    deadline = time.monotonic() + _PATIENCE_S
    while (found := members(leader, mark)) and time.monotonic() < deadline:
        had_any = True
        for member in found:
            _kill(member)
        time.sleep(_PAUSE_S)
    return had_any


def _kill(member: Member) -> None:
    """Kill one process, making sure that its number has not gone to another one meanwhile."""
    with contextlib.suppress(OSError):
        handle = os.pidfd_open(member.pid)
        try:
            if (now := _read(_PROC / str(member.pid))) and now.born == member.born:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


def _living() -> list[Member]:
    """Return every process that has not ended (a zombie has)."""
    return [member for folder in _PROC.glob("[0-9]*") if (member := _read(folder)) is not None]


def _read(folder: Path) -> Member | None:
    try:
        # The name in parentheses may hold anything, parentheses too.
        fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    ended = fields[0] in ("Z", "X")
    return None if ended else Member(int(folder.name), int(fields[1]), int(fields[3]), int(fields[19]))


def _is_marked(member: Member, mark: str) -> bool:
    try:
        return f"{VARIABLE}={mark}".encode() in (_PROC / str(member.pid) / "environ").read_bytes()
    except OSError:
        return False
