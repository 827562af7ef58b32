"""Writes an evidence file so that a kill, a full disk or a power cut costs at most what was under way.

Every line is handed to the system whole, at once: a kill of this process loses none.  The first line, the
last, and one at least every second are also forced to the disk: a power cut loses a second.  Forcing each
would take longer than many a bot does (docs/architecture.md has the figures).
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from harness.errors import EvidenceError
from harness.records.evidence import Footer, Header, Line, Part, Resumed, Unit, WorkLine, encoder

SYNC_S: Final = 1.0
"""Seconds after which the next line is forced to the disk."""


class Journal:
    """Appends lines to one evidence file."""

    def __init__(self, path: Path, first: Header, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin a new file.

        Raises:
            EvidenceError: it is there already, or cannot be written.
        """
        self._open(path, os.O_CREAT | os.O_EXCL, clock)
        self._units = 0
        self._append(first, sync=True)

    @classmethod
    def resume(
        cls, path: Path, part: Part, first: Resumed, clock: Callable[[], float] = time.monotonic
    ) -> Self:
        """Go on with a file: half a line at its end and the footer of an interruption make room.

        Raises:
            EvidenceError: it cannot be written.
        """
        journal = cls.__new__(cls)
        journal._open(path, 0, clock)  # noqa: SLF001 - the other way to make one
        journal._resume(part, first)  # noqa: SLF001
        return journal

    def add(self, unit: Unit) -> None:
        """Append one unit.

        Raises:
            EvidenceError: it cannot be written; the lines before it are as they were.
        """
        self._append(unit, sync=self._clock() - self._synced_s >= SYNC_S)
        self._units += 1

    def add_work(self, units: Sequence[Unit], work: WorkLine) -> None:
        """Append all units of a work, and the line that says it is done, in one piece.

        Raises:
            EvidenceError: they cannot be written; the lines before them are as they were.
        """
        self._append(*units, work, sync=self._clock() - self._synced_s >= SYNC_S)
        self._units += len(units)

    def finish(self, reason: str, elapsed_s: float) -> Footer:
        """Append the footer and close the file.

        Raises:
            EvidenceError: it cannot be written.
        """
        footer = Footer(self._units, round(elapsed_s, 3), reason)
        self._append(footer, sync=True)
        self._close(is_silent=False)
        return footer

    def close(self) -> None:
        """Close the file as it is; what has been written stays, even without a footer."""
        self._close(is_silent=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, path: Path, flags: int, clock: Callable[[], float]) -> None:
        self._path, self._clock, self._synced_s = path, clock, clock()
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | flags, 0o666)
        except OSError as error:
            raise EvidenceError(f"cannot write evidence to {path}: {error.strerror}") from error

    def _resume(self, part: Part, first: Resumed) -> None:
        self._units = len(part.evidence.units)
        try:
            os.ftruncate(self._fd, part.kept_bytes)
        except OSError as error:
            self._close(is_silent=True)
            raise self._failed(error) from error
        self._append(first, sync=True)

    def _append(self, *lines: Line, sync: bool) -> None:
        data = encoder.encode_lines(lines)
        start: int | None = None
        try:
            start = os.fstat(self._fd).st_size
            left = memoryview(data)
            while left:
                left = left[os.write(self._fd, left) :]
            if sync:
                os.fsync(self._fd)
                self._synced_s = self._clock()
        except OSError as error:
            if start is not None:
                # Half a line would be dropped on resume anyway; without it the file reads as it did before.
                with suppress(OSError):
                    os.ftruncate(self._fd, start)
            self._close(is_silent=True)
            raise self._failed(error) from error

    def _close(self, *, is_silent: bool) -> None:
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.close(fd)
        except OSError as error:
            if not is_silent:
                raise self._failed(error) from error

    def _failed(self, error: OSError) -> EvidenceError:
        return EvidenceError(
            f"cannot write evidence to {self._path}: {error.strerror}; what was written so far is kept, and "
            "`refbot certify --resume` goes on with it"
        )
