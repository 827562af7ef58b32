"""The writer of an evidence file: a kill, a full disk or a power cut loses at most the current work.

Every line is passed to the system as a whole, at once, so that a kill of this process loses none.  The first
line, the last, and at least one every second are also forced to the disk, so that a power cut loses a second.
Forcing each line would take longer than many a bot's answer (docs/certify.md, "What survives a kill", has
the figures).
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Self

from harness.interruption import undisturbed
from harness.records.evidence import Footer, Header, Line, Part, Resumed, Round, Unit, WorkLine
from harness.records.lines import Lines

SYNC_S: Final = 1.0
"""Seconds between two synchronizations of the file with the disk."""
_HOW_TO_GO_ON: Final = "`refbot certify --resume` with the same bot goes on with it"


class Journal:
    """Appends lines to one evidence file."""

    def __init__(self, path: Path, first: Header, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin a new file.

        Raises:
            EvidenceError: the file exists already, or cannot be written.
        """
        self._lines = Lines(path, _HOW_TO_GO_ON, is_new=True)
        self._clock, self._synced_s = clock, clock()
        self._units = 0
        self._append(first, sync=True)

    @classmethod
    def resume(
        cls, path: Path, part: Part, first: Resumed, clock: Callable[[], float] = time.monotonic
    ) -> Self:
        """Continue a file; an incomplete last line, and the footer of an interrupted run, are removed.

        Raises:
            EvidenceError: the file cannot be written.
        """
        journal = cls.__new__(cls)
        journal._lines = Lines(path, _HOW_TO_GO_ON, is_new=False)  # noqa: SLF001 - the other way to make one
        journal._clock, journal._synced_s = clock, clock()  # noqa: SLF001
        journal._units = len(part.evidence.units)  # noqa: SLF001
        journal._lines.cut(part.kept_bytes)  # noqa: SLF001
        journal._append(first, sync=True)  # noqa: SLF001
        return journal

    def add(self, line: Unit | Round) -> None:
        """Append one unit or one round.

        Raises:
            EvidenceError: the line cannot be written; the lines before it are unchanged.
        """
        with undisturbed():
            self._append(line, sync=self._clock() - self._synced_s >= SYNC_S)
            self._units += isinstance(line, Unit)

    def add_work(self, units: Sequence[Unit], work: WorkLine) -> None:
        """Append all units of a work item with its closing line, in one piece.

        Raises:
            EvidenceError: the lines cannot be written; the lines before them are unchanged.
        """
        with undisturbed():
            self._append(*units, work, sync=self._clock() - self._synced_s >= SYNC_S)
            self._units += len(units)

    def finish(self, reason: str, elapsed_s: float) -> Footer:
        """Append the footer and close the file.

        Raises:
            EvidenceError: the footer cannot be written.
        """
        footer = Footer(self._units, round(elapsed_s, 3), reason)
        with undisturbed():
            self._append(footer, sync=True)
            self._lines.finish()
        return footer

    def close(self) -> None:
        """Close the file without a footer; the lines written before are kept."""
        self._lines.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, *lines: Line, sync: bool) -> None:
        self._lines.append(*lines, sync=sync)
        if sync:
            self._synced_s = self._clock()
