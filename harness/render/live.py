"""A progress display on standard error: a bar on a terminal, otherwise a line every few seconds."""

import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Column

PLAIN_INTERVAL_S: Final = 5.0
"""Seconds between two lines without a terminal."""
_SOONEST_S: Final = 2.0
"""Seconds of a phase after which its remaining time is estimated."""


class Live:
    """A display of the progress of one task, until it is hidden.  If quiet, nothing is shown."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self.console = console
        self.quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._last = time.monotonic()
        self._phase = (0.0, 0, 0)
        """The current phase: the time when it began, the amount done by then, and its total."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def show(self, text: str, done: int, total: int, plain: str = "") -> None:
        """Show the progress.

        Args:
            text: a description on one line, without control characters.
            done: the amount done.  For unknown progress use 0 of 1.
            total: the total amount.
            plain: the description for lines without a bar, if it differs.
        """
        if self.quiet:
            return
        left = self._left(done, total)
        if self.console.is_terminal:
            self._draw(text, done, max(1, total))
        elif (now := time.monotonic()) - self._last >= PLAIN_INTERVAL_S:
            self._last = now
            self.console.print((plain or text) + left, highlight=False, markup=False, soft_wrap=True)

    def hide(self) -> None:
        """Remove the bar from the screen."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _left(self, done: int, total: int) -> str:
        """Return the estimated time for the rest of the current phase, at its speed so far."""
        now = time.monotonic()
        began, first, planned = self._phase
        if total != planned or done < first:
            self._phase = (now, done, total)
            return ""
        if done <= first or now - began < _SOONEST_S or done >= total:
            return ""
        seconds = round((now - began) * (total - done) / (done - first))
        return f", about {seconds // 60} min left" if seconds >= 120 else f", about {seconds} s left"

    def _draw(self, text: str, done: int, total: int) -> None:
        if self._bar is None:
            # The bar and the time have fixed widths; the text takes the rest of the line.
            words = Column(ratio=1, no_wrap=True, overflow="ellipsis")
            columns = (
                BarColumn(12),
                TimeRemainingColumn(compact=True),
                TextColumn("left"),
                TextColumn("{task.description}", markup=False, table_column=words),
            )
            self._bar = Progress(
                *columns,
                console=self.console,
                transient=True,
                expand=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._bar.add_task(text, completed=done, total=total)
            self._bar.start()
        elif self._task is not None:
            self._bar.update(self._task, description=text, completed=done, total=total)
