"""What second samples say of tables.  Data; ``audit`` makes the samples and the tests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

FAMILY_ERROR: Final = 1e-6
"""Probability with which right tables may be found wrong, all tests of a check together (Bonferroni)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a second sample says of one table."""

    name: str
    about: str
    """Against what it was held."""
    playouts: int
    groups: int
    """Of cells, that were compared."""
    p_values: Mapping[str, float]
    """Test to the probability of a difference as large as was seen, if the table is right."""
    figures: Mapping[str, float]
    """Differences of means, in standard errors."""


def level_of(opinions: Iterable[Opinion]) -> float:
    """Return the level of a single test among all of these."""
    return FAMILY_ERROR / max(1, sum(len(opinion.p_values) for opinion in opinions))


def dissenters(opinions: Iterable[Opinion]) -> list[Opinion]:
    """Return the opinions that a table is wrong."""
    heard = list(opinions)
    level = level_of(heard)
    return [opinion for opinion in heard if any(p < level for p in opinion.p_values.values())]
