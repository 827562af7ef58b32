"""The progress display of sampling, on standard error."""

from harness.render.live import Live
from harness.table_build.sampler import SamplingProgress

_FROM_S = 2.0
"""Seconds after which a sample's progress is shown."""


class SamplingDisplay(Live):
    """A display of the progress of samples that take more than a moment."""

    def see(self, progress: SamplingProgress) -> None:
        """Show the progress of a sample."""
        if progress.elapsed_s >= _FROM_S:
            self.show(describe(progress), progress.done, progress.total)

    def note(self, text: str) -> None:
        """Print a line of information, unless quiet."""
        if not self.quiet:
            self.warn(text)

    def warn(self, text: str) -> None:
        """Print a warning, even if quiet; above the progress bar, if there is one."""
        self.console.print(f"refbot: {text}", highlight=False, markup=False, soft_wrap=True)


def describe(p: SamplingProgress) -> str:
    """Return the progress of a sample, in one line."""
    speed = f", {p.rate:,.0f}/s" if p.rate > 0 else ""
    return f"{p.what}: {p.done:,} of {p.total:,} playouts{speed}"
