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
from tempfile import TemporaryDirectory
from typing import IO

import pexpect
from pexpect.fdpexpect import fdspawn

from harness.bots.process_tree import Usage, end_members, new_mark, usage
from harness.bots.transport import SENT, TIMED_OUT, Ended, ProcessEnd, Sent, TimedOut
from harness.bots.watchdog import VARIABLE, watchdog
from harness.bots.wire import decode, printable
from harness.interruption import undisturbed
from harness.word import Word

STDERR_TAIL_BYTES = 8192

_READ_BYTES = 65536
# Bytes of output that are read while a bot does not read its input; after that it has to wait.
_EARLY_BYTES = 1 << 21
# How often a silent bot is looked at: its process may be gone while a child keeps the pipe open.
_SLICE_S = 0.25
_SLICE_MS = 250
_TERM_GRACE_S = 1.0
_KILL_GRACE_S = 5.0
_STDERR_GRACE_S = 0.5
_PAUSE_S = 0.005
_LAST_BYTES = 200
"""Bytes that are kept of what a bot writes while it is being ended."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """A command that could not be executed."""

    reason: str
    """One line."""
    word: Word = Word.START_FAILED


def start(
    command: Sequence[str],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    *,
    own_folder: bool = False,
    processes: int = 0,
    memory_bytes: int = 0,
) -> "PipeTransport | StartFailure":
    """Start ``command`` without a shell.

    Args:
        command: the program and its arguments.
        cwd: its working directory; ours if None.
        env: its whole environment; ours if None.
        own_folder: whether it works in a new folder instead, which goes when it does.
        processes: how many it may have at a time; 0 for any number.
        memory_bytes: how much these may have in memory together; 0 for any amount.

    Returns:
        The running bot, or why there is none.
    """
    if not command:
        return StartFailure("the command is empty")
    mark = new_mark()
    with undisturbed():
        folder = TemporaryDirectory(prefix="refbot-", ignore_cleanup_errors=True) if own_folder else None
        watchdog().watch(mark, folder.name if folder else "", processes, memory_bytes)
    try:
        # S603: running the command a user names is what the harness is for.
        process = subprocess.Popen(  # noqa: S603
            list(command),
            cwd=folder.name if folder else cwd,
            env={**(os.environ if env is None else env), VARIABLE: mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        if folder is not None:
            _remove(folder)
        watchdog().release(mark)
        if isinstance(error, ValueError):
            return StartFailure(printable(f"{command[0]}: {error}"))
        # The file is the working directory when that is what is missing.
        return StartFailure(printable(f"{error.filename or command[0]}: {error.strerror or error}"))
    watchdog().know_group(mark, process.pid)
    return PipeTransport(process, mark, folder)


class PipeTransport:
    """A bot at the other end of three pipes; satisfies ``harness.bots.transport.Transport``."""

    def __init__(
        self, process: subprocess.Popen[bytes], mark: str, folder: TemporaryDirectory[str] | None = None
    ) -> None:
        # mypy cannot know that all three were asked for.
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        self._process = process
        self._mark = mark
        self._folder = folder
        self._stdin = process.stdin
        self._stdout = process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        self._out = self._stdout.fileno()
        self._in = self._stdin.fileno()
        self._readable = select.poll()
        self._readable.register(self._out, select.POLLIN)
        self._early = bytearray()
        self._is_talking = True
        self._reader: fdspawn[bytes] = fdspawn(self._out, use_poll=True)
        self._stderr = _StderrTail(process.stderr)
        self._orphans = False
        self._last = b""
        self._end: ProcessEnd | None = None

    @property
    def pid(self) -> int:
        """The process id of the bot, which is also the id of its process group."""
        return self._process.pid

    def send(self, data: bytes, deadline: float) -> Sent | Ended | TimedOut:
        """Write ``data`` without ever waiting longer than ``deadline`` for a bot that does not read."""
        if self._stdin.closed:
            return Ended()
        while True:
            try:
                written = os.write(self._in, data)
                if written == len(data):
                    return SENT
                data = data[written:]
            except BlockingIOError:
                if not self._makes_room(deadline):
                    return TIMED_OUT
            except OSError:
                return Ended()

    def receive(self, deadline: float) -> bytes | Ended | TimedOut:
        """Read standard output; a bot whose first process is gone has ended, whoever holds the pipe."""
        if self._early:
            early = bytes(self._early)
            self._early.clear()
            return early
        if self._stdout.closed:
            return Ended()
        left_s = deadline - time.monotonic()
        # The first wait is our own, for pexpect makes a poll object for each: a fifth of a round trip.
        wait_ms = _SLICE_MS if left_s > _SLICE_S else left_s * 1000 if left_s > 0 else 0
        if self._readable.poll(wait_ms):
            return os.read(self._out, _READ_BYTES) or Ended()
        if left_s <= 0:
            return TIMED_OUT
        return self._wait_on(deadline)

    def _wait_on(self, deadline: float) -> bytes | Ended | TimedOut:
        """Go on waiting for a bot that has been silent for a slice."""
        while True:
            if self._has_exited():
                last = self._read(0.0)  # it may have written between the wait and its end
                return Ended() if isinstance(last, TimedOut) else last
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return TIMED_OUT
            data = self._read(min(left_s, _SLICE_S))
            if not isinstance(data, TimedOut):
                return data

    def stderr_tail(self) -> str:
        """Return the last of standard error, at most ``STDERR_TAIL_BYTES`` of it."""
        return self._stderr.text()

    def usage(self) -> Usage | None:
        """Return what the bot and all that came from it have used so far."""
        return usage(self.pid, self._mark)

    def close(self, grace_s: float) -> ProcessEnd:
        """Close standard input, wait, terminate the group, wait, kill the group, reap."""
        if self._end is None:
            self._stdin.close()
            forced = self._leave(grace_s)
            self._stderr.finish()
            self._stdout.close()
            if self._folder is not None:
                _remove(self._folder)
            watchdog().release(self._mark)
            code = self._process.returncode
            self._end = ProcessEnd(
                status=code if code is not None and code >= 0 else None,
                signal=_signal_name(-code) if code is not None and code < 0 else None,
                stderr_tail=self._stderr.text(),
                orphans=self._orphans,
                forced=forced,
                last_output=self._last,
                excess=watchdog().excess(self._mark) if code is not None and code < 0 else "",
            )
        return self._end

    def _makes_room(self, deadline: float) -> bool:
        """Wait until the bot reads more input, and read its output in the meantime.

        A bot may answer the first commands of many before it reads the others; were its answers left in a
        full pipe, each would wait for the other.
        """
        poller = select.poll()
        poller.register(self._in, select.POLLOUT)
        if self._is_talking and len(self._early) < _EARLY_BYTES:
            poller.register(self._out, select.POLLIN)
        ready = dict(poller.poll(max(0.0, deadline - time.monotonic()) * 1000))
        if self._out in ready:
            data = os.read(self._out, _READ_BYTES)
            self._early += data
            self._is_talking = bool(data)
        return bool(ready)

    def _read(self, wait_s: float) -> bytes | Ended | TimedOut:
        try:
            return self._reader.read_nonblocking(_READ_BYTES, wait_s)
        except pexpect.TIMEOUT:
            return TIMED_OUT
        except pexpect.EOF:
            return Ended()

    def _leave(self, grace_s: float) -> str | None:
        """Wait for the process to exit, with stronger and stronger signals; return the strongest one sent."""
        if self._exits_within(grace_s):
            return None
        _signal_group(self.pid, signal.SIGTERM)
        if self._exits_within(min(grace_s, _TERM_GRACE_S)):
            return signal.SIGTERM.name
        _signal_group(self.pid, signal.SIGKILL)
        self._exits_within(_KILL_GRACE_S)
        return signal.SIGKILL.name

    def _exits_within(self, seconds: float) -> bool:
        """Wait for the process to exit, and read on meanwhile: a full pipe must not block its exit."""
        deadline = time.monotonic() + seconds
        while isinstance(data := self.receive(deadline), bytes):
            self._last += data[: _LAST_BYTES - len(self._last)]
            if time.monotonic() >= deadline:
                break
        self._wait(deadline)
        return self._has_exited()

    def _wait(self, deadline: float) -> None:
        """Wait for the process to be gone, which is a moment after it has closed its output."""
        if self._has_exited():
            return
        try:
            handle = os.pidfd_open(self.pid)
        except OSError:  # an older system
            while not self._has_exited() and time.monotonic() < deadline:
                time.sleep(_PAUSE_S)
            return
        try:
            gone = select.poll()
            gone.register(handle, select.POLLIN)
            gone.poll(max(0.0, deadline - time.monotonic()) * 1000)
        finally:
            os.close(handle)

    def _has_exited(self) -> bool:
        """Whether the process is gone; once it is, all that came from it is killed, and it is reaped.

        In this order: until it is reaped, a process reserves its group's and its session's number.
        """
        if self._process.returncode is not None:
            return True
        with contextlib.suppress(ChildProcessError):
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return False
        self._orphans = end_members(self.pid, self._mark)
        _signal_group(self.pid, signal.SIGKILL)
        watchdog().know_group(self._mark, 0)
        self._process.wait()
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


def _signal_group(group: int, number: signal.Signals) -> None:
    """Signal a process group; where there is none left, or it is another user's, nothing can be done."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _remove(folder: TemporaryDirectory[str]) -> None:
    """Remove a bot's own folder; a bot may nest folders deeper than Python's removal can go."""
    try:
        folder.cleanup()
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", folder.name], check=False)  # noqa: S603, S607 - the system's own rm
