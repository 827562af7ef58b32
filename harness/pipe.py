"""The pipe transport: a bot as a child process with three pipes, in a process group of its own.

It starts, feeds, drains and ends processes, and knows nothing of GTP.  Reading with a deadline is
pexpect's, on our own pipe; of its helpers only ``read_nonblocking`` is used, since the others add a pause
before each write or merge standard error into the replies.
"""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pexpect
from pexpect.fdpexpect import fdspawn

from harness.transport import Ended, ProcessEnd, Sent, TimedOut
from harness.watchdog import watchdog
from harness.wire import decode, printable
from harness.word import Word

STDERR_TAIL_BYTES = 8192

_READ_BYTES = 65536
# How often a silent bot is looked at: its process may be gone while a child keeps the pipe open.
_SLICE_S = 0.25
_TERM_GRACE_S = 1.0
_KILL_GRACE_S = 5.0
_STDERR_GRACE_S = 0.5


@dataclass(frozen=True, slots=True)
class StartFailure:
    """A command that could not be executed."""

    reason: str
    """One line."""
    word: Word = Word.START_FAILED


def start(
    command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> "PipeTransport | StartFailure":
    """Start ``command`` without a shell.

    Args:
        command: the program and its arguments.
        cwd: its working directory; ours if None.
        env: its whole environment; ours if None.

    Returns:
        The running bot, or why there is none.
    """
    if not command:
        return StartFailure("the command is empty")
    try:
        # S603: running the command a user names is what the harness is for.
        process = subprocess.Popen(  # noqa: S603
            list(command),
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        # The file is the working directory when that is what is missing.
        return StartFailure(printable(f"{error.filename or command[0]}: {error.strerror or error}"))
    except ValueError as error:
        return StartFailure(printable(f"{command[0]}: {error}"))
    watchdog().watch(process.pid)
    return PipeTransport(process)


class PipeTransport:
    """A bot at the other end of three pipes; satisfies ``harness.transport.Transport``."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        # mypy cannot know that all three were asked for.
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        self._reader: fdspawn[bytes] = fdspawn(self._stdout.fileno(), use_poll=True)
        self._stderr = _StderrTail(process.stderr)
        self._orphans: bool | None = None
        self._end: ProcessEnd | None = None

    @property
    def pid(self) -> int:
        """The process id of the bot, which is also the id of its process group."""
        return self._process.pid

    def send(self, data: bytes, deadline: float) -> Sent | Ended | TimedOut:
        """Write ``data`` without ever waiting longer than ``deadline`` for a bot that does not read."""
        if self._stdin.closed:
            return Ended()
        fd = self._stdin.fileno()
        left = data
        while left:
            try:
                left = left[os.write(fd, left) :]
            except BlockingIOError:
                if not _wait_writable(fd, deadline):
                    return TimedOut()
            except OSError:
                return Ended()
        return Sent()

    def receive(self, deadline: float) -> bytes | Ended | TimedOut:
        """Read standard output; a bot whose first process is gone has ended, whoever holds the pipe."""
        if self._stdout.closed:
            return Ended()
        while True:
            left_s = max(0.0, deadline - time.monotonic())
            data = self._read(min(left_s, _SLICE_S))
            if not isinstance(data, TimedOut) or left_s == 0:
                return data
            if self._has_exited():
                last = self._read(0.0)  # it may have spoken between the wait and its end
                return Ended() if isinstance(last, TimedOut) else last
            if left_s <= _SLICE_S:
                return data

    def stderr_tail(self) -> str:
        """Return the last of standard error, at most ``STDERR_TAIL_BYTES`` of it."""
        return self._stderr.text()

    def close(self, grace_s: float) -> ProcessEnd:
        """Close standard input, wait, terminate the group, wait, kill the group, reap."""
        if self._end is None:
            self._stdin.close()
            forced = self._leave(grace_s)
            self._stderr.finish()
            self._stdout.close()
            code = self._process.returncode
            self._end = ProcessEnd(
                status=code if code is not None and code >= 0 else None,
                signal=_signal_name(-code) if code is not None and code < 0 else None,
                stderr_tail=self._stderr.text(),
                orphans=bool(self._orphans),
                forced=forced,
            )
        return self._end

    def _read(self, wait_s: float) -> bytes | Ended | TimedOut:
        try:
            return self._reader.read_nonblocking(_READ_BYTES, wait_s)
        except pexpect.TIMEOUT:
            return TimedOut()
        except pexpect.EOF:
            return Ended()

    def _leave(self, grace_s: float) -> str | None:
        """See the process out, and return the strongest signal that took."""
        if self._exits_within(grace_s):
            return None
        _signal_group(self.pid, signal.SIGTERM)
        if self._exits_within(min(grace_s, _TERM_GRACE_S)):
            return signal.SIGTERM.name
        _signal_group(self.pid, signal.SIGKILL)
        self._exits_within(_KILL_GRACE_S)
        return signal.SIGKILL.name

    def _exits_within(self, seconds: float) -> bool:
        """Wait for the process to exit, reading on so that a full pipe does not keep it from leaving."""
        deadline = time.monotonic() + seconds
        while isinstance(self.receive(deadline), bytes) and time.monotonic() < deadline:
            pass
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - time.monotonic()))
        return self._has_exited()

    def _has_exited(self) -> bool:
        """Whether the process is gone; once it is, the rest of its group is killed.

        The two belong together: a reaped process no longer reserves the group's number.
        """
        if self._process.poll() is None:
            return False
        if self._orphans is None:
            self._orphans = _signal_group(self.pid, signal.SIGKILL)
            watchdog().release(self.pid)
        return True


class _StderrTail:
    """The last bytes of a pipe, drained by a thread so that a talkative bot never blocks."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._kept = b""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._drain, name="stderr", daemon=True)
        self._thread.start()

    def text(self) -> str:
        return decode(self._kept)

    def finish(self) -> None:
        """Stop draining: at the end of the pipe, or soon if a process outside the group holds it open."""
        self._thread.join(_STDERR_GRACE_S)
        self._stop.set()
        self._thread.join()

    def _drain(self) -> None:
        with self._pipe:
            fd = self._pipe.fileno()
            poller = select.poll()
            poller.register(fd, select.POLLIN)
            while not self._stop.is_set():
                if not poller.poll(100):
                    continue
                data = os.read(fd, _READ_BYTES)
                if not data:
                    return
                self._kept = (self._kept + data)[-STDERR_TAIL_BYTES:]


def _wait_writable(fd: int, deadline: float) -> bool:
    poller = select.poll()
    poller.register(fd, select.POLLOUT)
    return bool(poller.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _signal_group(group: int, number: signal.Signals) -> bool:
    """Signal a process group, and say whether there was any process in it."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # there is one, under another user: nothing more can be done
    return True


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
