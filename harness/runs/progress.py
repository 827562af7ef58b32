"""Where a run stands, and who listens."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands, for whoever shows it."""

    phase: str
    case: str
    playouts: int
    genmoves: int
    elapsed_s: float
    log10_e: float
    done: int
    planned: int


class Observer(Protocol):
    """Listens to a run."""

    def see(self, progress: Progress) -> None:
        """Take note of where the run stands."""


class Unwatched:
    """An observer that looks away."""

    def see(self, progress: Progress) -> None:
        """Do nothing."""
