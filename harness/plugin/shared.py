"""Work that a whole session needs once, in whichever process comes first.

A lock in a shared folder decides which process works.  The others wait, and read its results.
"""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from harness.errors import RefbotError, UsageError
from harness.records.lock import Lock

_NAME = "shared.json"
_POLL_S = 0.1


class SharedResult(msgspec.Struct, frozen=True):
    """The result of shared work: the folder of its files, or the reason why there are none."""

    folder: str = ""
    error: str = ""


def do_once(folder: Path, work: Callable[[], Path], limit_s: float) -> Path:
    """Do some work, or wait until another process has done it; return the folder of its results.

    If a process dies at work, the lock is released, and the next process begins anew.

    Args:
        folder: the folder of this work; it is made if necessary.
        work: a function that works and returns the folder of its results.
        limit_s: the greatest number of seconds to wait for another process.

    Raises:
        RefbotError: the work failed, here or elsewhere, or the wait was too long.
    """
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + limit_s
    while (done := _read(folder)) is None:
        lock = Lock(folder)
        try:
            lock.__enter__()
        except UsageError as error:
            if time.monotonic() > until:
                raise RefbotError(f"waited {limit_s:g} s for another worker (--bot-wait): {error}") from None
            time.sleep(_POLL_S)
            continue
        try:
            if _read(folder) is None:
                _do(folder, work)
        finally:
            lock.__exit__()
    if done.error:
        raise RefbotError(done.error)
    return Path(done.folder)


def _do(folder: Path, work: Callable[[], Path]) -> None:
    try:
        done = SharedResult(folder=str(work()))
    except RefbotError as error:
        done = SharedResult(error=str(error))
    except Exception as error:  # it is recorded, because every other worker would fail in the same way
        _write(folder, SharedResult(error=f"a fault of refbot: {type(error).__name__}: {error}"))
        raise
    _write(folder, done)


def _read(folder: Path) -> SharedResult | None:
    try:
        return msgspec.json.decode((folder / _NAME).read_bytes(), type=SharedResult)
    except FileNotFoundError:
        return None


def _write(folder: Path, done: SharedResult) -> None:
    new = folder / f"{_NAME}.new"
    new.write_bytes(msgspec.json.encode(done))
    new.replace(folder / _NAME)
