"""The lock on a run's folder: only one run at a time may use it.

The system releases the lock when the process ends, however it ends, so there is never a stale lock to remove.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from harness.errors import EvidenceError, UsageError

LOCK_NAME: Final = "run.lock"


class Lock:
    """A lock that is held in a ``with`` statement; its file is removed at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / LOCK_NAME
        self._fd = -1

    def __enter__(self) -> Self:
        """Take the lock.

        Raises:
            UsageError: another process holds it; the message names the process.
            EvidenceError: the folder cannot be written to.
        """
        try:
            while self._fd < 0:
                self._fd = self._take()
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        except BlockingIOError:
            raise UsageError(
                f"{self._folder} is in use by another run{self._holder()}; wait for it, end it, "
                "or give another folder"
            ) from None
        except OSError as error:
            self._release()
            raise EvidenceError(f"cannot write to {self._folder}: {error.strerror}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def _take(self) -> int:
        """Return the descriptor of the locked file; -1 if the run that held it has removed the file."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(fd), self._path.stat()):
                fd, taken = -1, fd
                return taken
        except FileNotFoundError:
            pass
        finally:
            if fd >= 0:
                os.close(fd)
        return -1

    def _holder(self) -> str:
        try:
            number = self._path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""
        return f" (process {number})" if number.isdigit() else ""

    def _release(self) -> None:
        if self._fd < 0:
            return
        with suppress(OSError):
            self._path.unlink()
        os.close(self._fd)
        self._fd = -1
