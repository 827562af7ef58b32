"""Progress of samples on standard error."""

from harness.render.live import Live
from harness.table_build.sampler import SamplingProgress

_FROM_S = 2.0
"""What takes less is not worth a word."""


class SamplingDisplay(Live):
    """Shows how far samples are, for as long as they take more than a moment."""

    def see(self, progress: SamplingProgress) -> None:
        """Show where a sample stands."""
        if progress.elapsed_s >= _FROM_S:
            self.show(describe(progress), progress.done, progress.total)

    def note(self, text: str) -> None:
        """Print a line that is good to know."""
        if not self.quiet:
            self.warn(text)

    def warn(self, text: str) -> None:
        """Print a line that must be known; above the live one, if there is one."""
        self.console.print(f"refbot: {text}", highlight=False, markup=False, soft_wrap=True)


def describe(p: SamplingProgress) -> str:
    """Return where a sample stands, in one line."""
    speed = f", {p.rate:,.0f}/s" if p.rate > 0 else ""
    return f"{p.what}: {p.done:,} of {p.total:,} playouts{speed}"
