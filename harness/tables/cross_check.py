"""Cross-checks of tables by second samples.  Data only; ``audit`` makes samples and computes tests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

FAMILY_ERROR: Final = 1e-6
"""Probability of calling any right table wrong, over all tests of one check together (Bonferroni)."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The comparison of one table with a second sample."""

    name: str
    about: str
    """What the table was compared with."""
    playouts: int
    groups: int
    """Number of groups of cells that were compared."""
    p_values: Mapping[str, float]
    """The p-value of each test, by its name."""
    figures: Mapping[str, float]
    """Differences of the means in standard errors, by quantity."""


def level_of(checks: Iterable[CrossCheck]) -> float:
    """Return the level of a single test among all of these."""
    return FAMILY_ERROR / max(1, sum(len(check.p_values) for check in checks))


def disagreements(checks: Iterable[CrossCheck]) -> list[CrossCheck]:
    """Return the cross-checks by which a table is wrong."""
    heard = list(checks)
    level = level_of(heard)
    return [check for check in heard if any(p < level for p in check.p_values.values())]
