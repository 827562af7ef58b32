"""Progress of samples on standard error: a live line on a terminal, now and then a plain line elsewhere."""

import time

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar

from harness.making.workshop import Progress

_FROM_S = 2.0
"""What takes less is not worth a word."""
_PLAIN_INTERVAL_S = 10.0


class SamplingDisplay:
    """Shows how far samples are, for as long as they take more than a moment."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self._console = console
        self._quiet = quiet
        self._last = 0.0
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def see(self, progress: Progress) -> None:
        """Show where a sample stands."""
        if self._quiet or progress.elapsed_s < _FROM_S:
            return
        if self._console.is_terminal:
            self._show(progress)
        elif time.monotonic() - self._last >= _PLAIN_INTERVAL_S:
            self._last = time.monotonic()
            self._console.print(describe(progress), highlight=False, markup=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """Print a line that is good to know."""
        if not self._quiet:
            self.warn(text)

    def warn(self, text: str) -> None:
        """Print a line that must be known; above the live one, if there is one."""
        self._console.print(f"refbot: {text}", highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        """Take the live line off the screen."""
        if self._bar is not None:
            self._bar.stop()

    def _show(self, progress: Progress) -> None:
        if self._bar is None:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(20))
            self._bar = Bar(*columns, console=self._console, transient=True)
            self._task = self._bar.add_task("", total=1)
            self._bar.start()
        if self._task is not None:
            self._bar.update(
                self._task, description=describe(progress), completed=progress.done, total=progress.total
            )


def describe(p: Progress) -> str:
    """Return where a sample stands, in one line."""
    speed = f", {p.rate:,.0f}/s, {_time(p.left_s)} left" if p.rate > 0 else ""
    return f"{p.what}: {p.done:,} of {p.total:,} playouts{speed}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
