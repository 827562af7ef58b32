"""Ends the bots of a harness that was killed: a process of its own that outlives it for a moment.

A bot sees the end of its input when the harness is gone, and most leave then.  For the others there is this:
a small process, in a session of its own, that is told the group of every bot, and reads to the end of a pipe
that only the harness holds.  At the end it waits a moment and kills the groups that are left.

This file is also that process's program, so it imports nothing but the standard library.
"""

import atexit
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache

GRACE_S = 2.0
"""What bots are given to leave by themselves."""
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

    def watch(self, group: int) -> None:
        """Have a process group killed if this process ends before ``release``."""
        self._tell(f"+{group}\n")

    def release(self, group: int) -> None:
        """Leave a group alone from now on: its number may be given to another."""
        self._tell(f"-{group}\n")

    def close(self) -> None:
        """End the watch; groups not released are killed."""
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
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        (groups.add if line[0] == "+" else groups.discard)(group)
    deadline = time.monotonic() + GRACE_S
    while groups and time.monotonic() < deadline:
        time.sleep(_SLICE_S)
        groups = {group for group in groups if _signal(group, 0)}
    for group in groups:
        _signal(group, signal.SIGKILL)


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
