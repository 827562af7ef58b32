"""What ends a command before its time: SIGINT, SIGTERM, SIGHUP, or a time limit of its own.

Each is raised in the main thread as a ``KeyboardInterrupt``, so that whoever leaves things in order when the
user presses Ctrl-C does so for all of them.  What must not be left half done is done ``undisturbed``.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from harness.word import Word, exit_status

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_TIME_IS_UP: Final = signal.SIGUSR1
"""Signal of the time limit; SIGALRM is used for the time limit of regular expressions."""
_SHELL_STATUS: Final = 128
"""What a shell adds to the number of a signal."""


class Interruption(KeyboardInterrupt):
    """The command is to end now."""

    def __init__(self, cause: str, status: int) -> None:
        super().__init__(cause)
        self.cause = cause
        """What the user is told."""
        self.status = status
        """Exit status of the command."""


class TimeIsUp(Interruption):
    """The time limit is over."""


class _State:
    depth = 0
    pending: Interruption | None = None
    limit = ""
    struck: Interruption | None = None


@contextmanager
def catch_signals() -> Iterator[None]:
    """Raise an ``Interruption`` in the main thread when a signal asks this program to end."""
    _State.struck = None
    # What was ignored when we were started, as by nohup, stays ignored.
    before = {number: signal.getsignal(number) for number in (*_SIGNALS, _TIME_IS_UP)}
    caught = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}
    for number in caught:
        signal.signal(number, _caught)
    try:
        yield
    finally:
        for number, handler in caught.items():
            signal.signal(number, handler)


def interruption() -> Interruption | None:
    """Return the last interruption, if there was one that still ends the command."""
    return _State.struck


def settle_interruption() -> None:
    """Note that the interruption was dealt with, and the command ends with a status of its own."""
    _State.struck = None


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise an ``Interruption`` in the main thread if the block takes longer; None for no limit."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(_TIME_IS_UP, _caught)
    _State.limit = f"--max-time of {seconds:,.0f} s is over"
    timer = threading.Timer(seconds, signal.pthread_kill, (threading.get_ident(), _TIME_IS_UP))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(_TIME_IS_UP, before)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay an interruption to the end of the block; it is only ever raised in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.depth += 1
    try:
        yield
    finally:
        _State.depth -= 1
        if _State.depth == 0 and _State.pending is not None:
            error, _State.pending = _State.pending, None
            raise error


def _caught(number: int, _frame: FrameType | None) -> None:
    if number == signal.SIGINT:
        error = Interruption("interrupted", _SHELL_STATUS + number)
    elif number == _TIME_IS_UP:
        error = TimeIsUp(_State.limit, exit_status(Word.INCONCLUSIVE))
    else:
        # Once is enough: a second one must not disturb the end.
        signal.signal(number, _ignored)
        error = Interruption(f"ended by {signal.Signals(number).name}", _SHELL_STATUS + number)
    _State.struck = error
    if _State.depth:
        _State.pending = error
        return
    raise error


def _ignored(_number: int, _frame: FrameType | None) -> None:
    """Ignore a signal.  SIG_IGN would be inherited by bots."""
