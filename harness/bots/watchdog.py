"""Ends the bots of a harness that was killed: a process of its own that outlives it for a moment.

A bot sees the end of its input when the harness is gone, and most leave then.  For the others there is this:
a small process, in a session of its own, that is told the mark, the group and the folder of every bot, and
reads to the end of a pipe that only the harness holds.  At the end it waits a moment, kills what carries a
mark, in whatever session, with all that came from it, and removes the folders.

Meanwhile it looks twice a second at what each bot has: one that starts processes without end, or takes memory
without end, is ended before the machine is.

This file is also that process's program, so it imports nothing but the standard library.
"""

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

GRACE_S = 2.0
"""Seconds that bots have to exit by themselves."""
PATIENCE_S = 5.0
"""Seconds for which it goes on killing processes that start new ones."""
LOOK_S = 0.5
"""Seconds between two checks of the bots' memory and processes."""
VARIABLE = "REFBOT_BOT"
"""The environment variable that holds a bot's mark."""
_SLICE_S = 0.05


class Watchdog:
    """The harness's end of the pipe."""

    def __init__(self) -> None:
        """Start the process; without one, when the system has none to spare, bots are not watched."""
        self._process: subprocess.Popen[bytes] | None = None
        self._told = b""
        self._lock = threading.Lock()
        with suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, this very file
                [sys.executable, "-IS", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                start_new_session=True,
            )
            assert self._process.stdout is not None  # noqa: S101 - asked for
            os.set_blocking(self._process.stdout.fileno(), False)

    def watch(self, mark: str, folder: str = "", processes: int = 0, memory_bytes: int = 0) -> None:
        """Kill all processes with a mark, and remove a folder, if this process ends before ``release``.

        To be called before the first process is started, so that none is unwatched.

        Args:
            mark: of the bot.
            folder: its own; empty if it has none.
            processes: how many it may have at a time; 0 for any number.
            memory_bytes: how much they may have in memory together; 0 for any amount.
        """
        self._tell(f"+{mark} {processes} {memory_bytes} {folder}\n")

    def excess(self, mark: str) -> str:
        """Return which limit a bot was ended for; empty if for none."""
        with self._lock:
            if self._process is not None and self._process.stdout is not None:
                with suppress(OSError):
                    self._told += self._process.stdout.read() or b""
            for line in self._told.decode("ascii", "replace").splitlines():
                name, _, reason = line.partition(" ")
                if name == mark:
                    return reason
        return ""

    def know_group(self, mark: str, group: int) -> None:
        """Also kill a process group, for systems that do not show marks; 0 once it has ended."""
        self._tell(f"={mark} {group}\n")

    def release(self, mark: str) -> None:
        """Leave all of a bot alone from now on."""
        self._tell(f"-{mark} \n")

    def close(self) -> None:
        """End the watch; what is not released is killed."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                # Shorter than what a pipe takes in one piece.
                self._process.stdin.write(line.encode())


@cache
def watchdog() -> Watchdog:
    """Return the watchdog of this process, started when first needed."""
    found = Watchdog()
    atexit.register(found.close)
    return found


def keep_watch() -> None:
    """Be the watchdog: read groups until the harness is gone, then end those that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    bots: dict[str, _Watched] = {}
    for line in _lines(lambda: _look(bots)):
        mark, _, rest = line[1:].partition(" ")
        if line[0] == "+":
            processes, memory, folder = rest.split(" ", 2)
            bots[mark] = _Watched(folder, int(processes), int(memory))
        elif line[0] == "=":
            # A bot that has ended in the meantime is no longer in the table.
            if mark in bots:
                bots[mark].group = int(rest)
        else:
            bots.pop(mark, None)
    _end(bots, {bot.group for bot in bots.values() if bot.group})
    for folder in [bot.folder for bot in bots.values() if bot.folder]:
        # A bot may nest folders deeper than Python's removal can go.
        with suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder], check=False)  # noqa: S603, S607 - the system's own rm


@dataclass
class _Watched:
    """What is known of one bot."""

    folder: str
    processes: int
    memory_bytes: int
    group: int = 0


def _lines(look: Callable[[], None]) -> Iterator[str]:
    """Yield the lines of standard input, looking every so often, until the harness is gone."""
    held, seen_s = b"", time.monotonic()
    while True:
        if select.select([0], [], [], LOOK_S)[0]:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, held = (held + data).split(b"\n")
            yield from (line.decode("utf-8", "surrogateescape") for line in lines)
        if time.monotonic() - seen_s >= LOOK_S:
            look()
            seen_s = time.monotonic()


def _look(bots: dict[str, _Watched]) -> None:
    """End every bot that is above a limit."""
    limited = {mark: bot for mark, bot in bots.items() if bot.group and (bot.processes or bot.memory_bytes)}
    found = _stats() if limited else {}
    for mark, bot in limited.items():
        own = {pid for pid, one in found.items() if bot.group in (pid, one.session)}
        while more := {pid for pid, one in found.items() if one.parent in own} - own:
            own |= more
        memory = sum(found[pid].memory_bytes for pid in own)
        reason = ""
        if bot.processes and len(own) > bot.processes:
            reason = f"it had {len(own)} processes, and may have {bot.processes} (processes)"
        elif bot.memory_bytes and memory > bot.memory_bytes:
            reason = f"it had {memory >> 20} MB in memory, and may have {bot.memory_bytes >> 20} (total_mb)"
        if reason:
            with suppress(OSError):
                os.write(1, f"{mark} {reason}\n".encode())
            for pid in own:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


class _Stat(NamedTuple):
    parent: int
    session: int
    memory_bytes: int


def _stats() -> dict[int, _Stat]:
    """Return every living process."""
    found: dict[int, _Stat] = {}
    page = os.sysconf("SC_PAGE_SIZE")
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] not in (b"Z", b"X"):
                found[int(process.name)] = _Stat(int(fields[1]), int(fields[3]), int(fields[21]) * page)
    return found


def _end(marks: Collection[str], groups: set[int]) -> None:
    """Give processes of a mark or a group a moment to exit by themselves, then kill them."""
    left = groups
    deadline = time.monotonic() + GRACE_S
    while marks and time.monotonic() < deadline:
        left = {group for group in left if _signal(group, 0)}
        if not left and not _marked(marks):
            break
        time.sleep(_SLICE_S)
    for group in left:
        _signal(group, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE_S
    while marks and (found := _marked(marks)) and time.monotonic() < deadline:
        for process in found:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_SLICE_S)


def _marked(marks: Iterable[str]) -> set[int]:
    """Return the living processes that carry one of the marks, and all that came from these."""
    wanted = [f"{VARIABLE}={mark}".encode() for mark in marks]
    living = _stats()
    found: set[int] = set()
    for pid in living:
        with suppress(OSError):
            environment = Path(f"/proc/{pid}/environ").read_bytes()
            if any(mark in environment for mark in wanted):
                found.add(pid)
    while more := {pid for pid, one in living.items() if one.parent in found} - found:
        found |= more
    return found - {os.getpid()}


def _signal(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


if __name__ == "__main__":
    keep_watch()
