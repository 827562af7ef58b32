"""Work that a whole session needs once, whichever of its processes comes first.

A lock in a folder that all workers see; who comes later waits, and reads what was left there.
"""

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from harness.errors import RefbotError, UsageError
from harness.records.lock import Lock

_NAME = "shared.json"
_POLL_S = 0.1


class Shared(msgspec.Struct, frozen=True):
    """What the work left: where its results are, or why there are none."""

    folder: str = ""
    error: str = ""


def once(folder: Path, work: Callable[[], Path], limit_s: float) -> Path:
    """Do some work, or wait until another process has done it; return the folder of its results.

    A process that dies while it works lets go of the lock, and the next one begins anew.

    Args:
        folder: of this work; made if it is not there.
        work: returns the folder where it left its results.
        limit_s: how long to wait for another process.

    Raises:
        RefbotError: the work failed, here or there, or was waited for too long.
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
        done = Shared(folder=str(work()))
    except RefbotError as error:
        done = Shared(error=str(error))
    except Exception as error:  # every other worker would run into it again
        _write(folder, Shared(error=f"a fault of refbot: {type(error).__name__}: {error}"))
        raise
    _write(folder, done)


def _read(folder: Path) -> Shared | None:
    try:
        return msgspec.json.decode((folder / _NAME).read_bytes(), type=Shared)
    except FileNotFoundError:
        return None


def _write(folder: Path, done: Shared) -> None:
    new = folder / f"{_NAME}.new"
    new.write_bytes(msgspec.json.encode(done))
    new.replace(folder / _NAME)
