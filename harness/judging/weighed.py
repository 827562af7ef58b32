"""What the units of one case amount to: counts, findings, intervals and e-values.  Data only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from harness.cases.case import Case
from harness.judging.exact import Reading
from harness.judging.finding import Finding
from harness.judging.sums import Sums
from harness.judging.verdict import Estimate
from harness.word import Word


@dataclass(frozen=True, slots=True)
class Asked:
    """One unit read: the reading with its process and its number of playouts."""

    reading: Reading
    process: int
    playouts: int


@dataclass(frozen=True)
class Weighed:
    """What the units of one case amount to."""

    case: Case
    genmoves: int = 0
    playouts: int = 0
    findings: tuple[Finding, ...] = ()
    intervals: Callable[[], tuple[Estimate, ...]] = tuple
    """Computes the intervals when they are needed: this takes longer than all the rest."""
    log_e: float | None = None
    """Log e-value for an unspecified deviation."""
    log_e_spread: float | None = None
    """Log e-value for batches that vary otherwise than independent playouts do."""
    log_e_random: tuple[float, ...] = ()
    """Log e-values for moves drawn at random in a share of the genmoves, one for each of
    ``RANDOM_SHARES``."""
    convict: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against the specification, by deviation."""
    exclude: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against each deviation."""
    sums: Sums | None = None
    draws: Mapping[str, int] = field(default_factory=dict)
    """Cells of chosen moves, and how often each came; what a coarse score leaves open is counted in the
    middle."""
    moves: Mapping[str, int] = field(default_factory=dict)
    """Chosen moves, and how often each came."""

    @cached_property
    def estimates(self) -> tuple[Estimate, ...]:
        """The interval of each measure, beside the reference and the tolerance."""
        return self.intervals()

    @property
    def most_log_e(self) -> float:
        """The greatest log e-value against the specification, for any deviation, known or not."""
        return max([-inf if self.log_e is None else self.log_e, *self.convict.values()])

    @property
    def failed(self) -> bool:
        """Whether an exact check failed."""
        return any(finding.word is Word.FAIL for finding in self.findings)

    @property
    def is_inside(self) -> bool:
        """Whether every interval lies inside its tolerance."""
        return all(estimate.is_inside for estimate in self.estimates)

    @property
    def without_statistics(self) -> "Weighed":
        """The same with its findings alone: the reference is not one that the bot should be held against."""
        return replace(
            self,
            intervals=tuple,
            log_e=None,
            log_e_spread=None,
            log_e_random=(),
            convict={},
            exclude={},
            sums=None,
            draws={},
            moves={},
        )
