"""The process tree of a bot: every process it started, found and killed even after it has detached itself.

A process leaves its group by ``setsid``, so the group alone does not find all.  Therefore each bot gets a
mark in its environment, which every process that it starts inherits.  A process belongs to the tree if it is
in the bot's session, has a parent in the tree, or carries the mark.  All of it is read from /proc; on a
system without /proc nothing is found here, and only the process group is ended.  A process that leaves the
session, clears its environment and loses its parent is not found: only a sandbox holds such a process.
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

from harness.bots.watchdog import VARIABLE

_PROC = Path("/proc")
_RUN = secrets.token_hex(6)
_NUMBERS = itertools.count(1)
_PATIENCE_S = 5.0
_PAUSE_S = 0.005
_LEAVING_S = 0.25
_LOOK_S = 0.01
_CPU_CLOCK = 2


@dataclass(frozen=True, slots=True)
class TreeProcess:
    """A living process.  Its id may be reused after it has ended; id and start time together are unique."""

    pid: int
    parent: int
    session: int
    born: int
    """Start time in clock ticks since boot."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the living processes of a bot have used since they began."""

    cpu_s: float
    """Processor time of all threads; that of ended children counts once they were waited for, to 0.01 s."""
    peak_bytes: int
    """Sum of the peaks of resident memory of the processes."""


_OWNER: ContextVar[str] = ContextVar("owner", default="")


@contextlib.contextmanager
def owned_by(owner: str) -> Iterator[None]:
    """Tag the bots that are started in this context with an owner (letters and digits)."""
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


def end_all() -> None:
    """Kill every process that any bot of this program started; whoever waits for one sees it end."""
    for member in _living():
        if _is_marked(member, _RUN):
            _kill(member)


def end_owned(owner: str) -> None:
    """Kill every process that the bots of an owner started; whoever waits for one sees it end."""
    for member in _living():
        if _is_marked(member, f"{_RUN}-{owner}-"):
            _kill(member)


def members(leader: int, mark: str) -> set[TreeProcess]:
    """Return the living processes of a bot's tree, without its first process.

    Args:
        leader: the bot's process id, which is its session's too; it must not have been reaped.
        mark: what its environment holds.
    """
    living = _living()
    # Nothing it started is older than itself; the environments of all others need not be read.
    first = _read(str(leader), also_ended=True)
    living = [p for p in living if first is None or p.born >= first.born]
    found = {p for p in living if p.session == leader or _is_marked(p, mark)}
    while more := {p for p in living if p.parent in {leader, *(q.pid for q in found)}} - found:
        found |= more
    return {p for p in found if p.pid not in (leader, os.getpid())}


def usage(leader: int, mark: str) -> Usage | None:
    """Return what a bot has used so far, or None where the system does not tell."""
    pids = [leader, *sorted(member.pid for member in members(leader, mark))]
    parts = [part for pid in pids if (part := _usage_of(_PROC / str(pid))) is not None]
    return Usage(sum(p.cpu_s for p in parts), sum(p.peak_bytes for p in parts)) if parts else None


def _usage_of(folder: Path) -> Usage | None:
    try:
        fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        status = (folder / "status").read_text("utf-8", "replace")
        # The clock of another process's processor time (clock_getcpuclockid(3)): finer than /proc's ticks.
        own_s = time.clock_gettime((~int(folder.name) << 3) | _CPU_CLOCK)
    except OSError:
        return None
    waited_s = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")), "0")
    return Usage(own_s + waited_s, int(peak) * 1024)


def end_members(leader: int, mark: str) -> bool:
    """Kill all that a bot started, except its first process; return whether anything was left to kill.

    A process that ends within a quarter of a second does not count as left behind: the process that keeps a
    sandbox ends a moment after the bot.
    """
    deadline = time.monotonic() + _LEAVING_S
    while (found := members(leader, mark)) and time.monotonic() < deadline:
        time.sleep(_LOOK_S)
    had_any = bool(found)
    deadline = time.monotonic() + _PATIENCE_S
    while found and time.monotonic() < deadline:
        for member in found:
            _kill(member)
        time.sleep(_PAUSE_S)
        found = members(leader, mark)
    return had_any


def _kill(member: TreeProcess) -> None:
    """Kill one process, making sure that its number has not gone to another one meanwhile."""
    with contextlib.suppress(OSError):
        handle = os.pidfd_open(member.pid)
        try:
            if (now := _read(str(member.pid))) and now.born == member.born:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


def _living() -> list[TreeProcess]:
    """Return every process that has not ended (a zombie has)."""
    try:
        # Not Path: one for each of hundreds of processes takes longer than all the rest.
        names = os.listdir(_PROC)  # noqa: PTH208
    except OSError:
        return []
    return [member for name in names if name.isdecimal() and (member := _read(name)) is not None]


def _read(pid: str, *, also_ended: bool = False) -> TreeProcess | None:
    try:
        with open(f"{_PROC}/{pid}/stat", "rb") as file:  # noqa: PTH123
            # The name in parentheses may hold anything, parentheses too.
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    has_ended = fields[0] in (b"Z", b"X")
    if has_ended and not also_ended:
        return None
    return TreeProcess(int(pid), int(fields[1]), int(fields[3]), int(fields[19]))


def _is_marked(member: TreeProcess, mark: str) -> bool:
    try:
        return f"{VARIABLE}={mark}".encode() in (_PROC / str(member.pid) / "environ").read_bytes()
    except OSError:
        return False
