"""Ends the bots of a harness that was killed: a process of its own that outlives it for a moment.

A bot sees the end of its input when the harness is gone, and most leave then.  For the others there is this:
a small process, in a session of its own, that is told the mark, the group and the folder of every bot, and
reads to the end of a pipe that only the harness holds.  At the end it waits a moment, kills what carries a
mark, in whatever session, with all that came from it, and removes the folders.

This file is also that process's program, so it imports nothing but the standard library.
"""

import atexit
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

GRACE_S = 2.0
"""What bots are given to leave by themselves."""
PATIENCE_S = 5.0
"""How long processes are killed that start others."""
VARIABLE = "REFBOT_BOT"
"""The environment variable that holds a bot's mark."""
_SLICE_S = 0.05


class Watchdog:
    """The harness's end of the pipe."""

    def __init__(self) -> None:
        """Start the process; without one, when the system has none to spare, bots are not watched."""
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, this very file
                [sys.executable, "-IS", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                start_new_session=True,
            )

    def watch(self, mark: str, folder: str = "") -> None:
        """Have what carries a mark killed, and a folder removed, if this process ends before ``release``.

        Told before there is any process: none is without a watch for a moment.
        """
        self._tell(f"+{mark} {folder}\n")

    def know_group(self, mark: str, group: int) -> None:
        """Have a process group killed, too: for systems that do not show marks; 0 once it has ended."""
        self._tell(f"={mark} {group}\n")

    def release(self, mark: str) -> None:
        """Leave all of a bot alone from now on."""
        self._tell(f"-{mark} \n")

    def close(self) -> None:
        """End the watch; what is not released is killed."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process = None

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                # Shorter than what a pipe takes in one piece.
                self._process.stdin.write(line.encode())


@cache
def watchdog() -> Watchdog:
    """Return the one of this process, started when first needed."""
    found = Watchdog()
    atexit.register(found.close)
    return found


def keep_watch() -> None:
    """Be the watchdog: read groups until the harness is gone, then end those that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    folders: dict[str, str] = {}
    groups: dict[str, int] = {}
    for line in sys.stdin:
        mark, _, rest = line[1:].rstrip("\n").partition(" ")
        if line[0] == "+":
            folders[mark] = rest
        elif line[0] == "=":
            groups[mark] = int(rest)
        else:
            folders.pop(mark, None)
            groups.pop(mark, None)
    _end(folders, {group for group in groups.values() if group})
    for folder in filter(None, folders.values()):
        # A bot may nest folders deeper than Python's removal can go.
        with suppress(OSError):
            subprocess.run(["rm", "-rf", "--", folder], check=False)  # noqa: S603, S607 - the system's own rm


def _end(marks: Collection[str], groups: set[int]) -> None:
    """Let what carries a mark, or is of a group, leave by itself for a moment, and kill what has not."""
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
    parents: dict[int, int] = {}
    found: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            parents[int(process.name)] = int(fields[1])
            environment = (process / "environ").read_bytes()
            if any(mark in environment for mark in wanted):
                found.add(int(process.name))
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
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
