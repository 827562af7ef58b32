"""How far something has come, on standard error: a bar on a terminal, now and then a plain line elsewhere."""

import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Column

PLAIN_INTERVAL_S: Final = 5.0
"""Between two lines where there is no terminal."""
_SOONEST_S: Final = 2.0
"""Time into a phase from which on its remaining time is estimated."""


class Live:
    """Shows how far one thing has come, until it is hidden; nothing if quiet."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self.console = console
        self.quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._last = time.monotonic()
        self._phase = (0.0, 0, 0)
        """The current phase: when it began, what was done by then, and its total."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def show(self, text: str, done: int, total: int, plain: str = "") -> None:
        """Show where it stands.

        Args:
            text: in words, on one line, made harmless.
            done: of ``total``; what is unknown is 0 of 1.
            total: everything.
            plain: the words without a bar, if they are others.
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
        """Take the bar off the screen, for something else or for good."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _left(self, done: int, total: int) -> str:
        """Return how long the rest of what is under way will take, at the speed of what is done of it."""
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
            # The bar and the time keep their places; the words take what is left of the line.
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
