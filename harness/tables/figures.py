"""The figures of a reference that people read: means with their errors, spread, quantiles, wins by komi."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from harness.tables.reference import Reference, komi_name, worth

KOMIS: Final = (0.0, 5.5, 6.0, 6.5, 7.0, 7.5)
"""The ladder of komis every reference is read at."""
QUANTILES: Final = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True)
class Moments:
    """One quantity of a playout."""

    mean: float
    sd: float
    skewness: float
    least: int
    greatest: int
    size: float
    """Playouts behind the figures; infinite where they are exact."""

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.sd / sqrt(self.size)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the playouts, or a mean of their worths."""

    value: float
    sd: float
    size: float

    @property
    def error(self) -> float:
        """Standard error."""
        return self.sd / sqrt(self.size)


def lengths_of(reference: Reference) -> Moments:
    """Return the moments of the length of a playout."""
    return _moments([(length, p) for length, _, p in reference.outcomes], reference.size)


def margins_of(reference: Reference) -> Moments:
    """Return the moments of Black's final margin."""
    return _moments([(margin, p) for _, margin, p in reference.outcomes], reference.size)


def wins_of(reference: Reference, komi: float) -> Share:
    """Return the score of the side to move at a komi, draws half."""
    colour = reference.start.colour
    worths = [(worth(margin, komi, colour), p) for _, margin, p in reference.outcomes]
    value = sum(w * p for w, p in worths)
    variance = sum((w - value) ** 2 * p for w, p in worths)
    return Share(value, sqrt(variance), reference.size)


def odd_margins(reference: Reference) -> float:
    """Return the part of the playouts that end with an odd margin."""
    return sum(p for _, margin, p in reference.outcomes if margin % 2)


def quantiles_of(reference: Reference) -> dict[float, int]:
    """Return the lengths that a part of the playouts does not exceed, by that part."""
    by_length: dict[int, float] = {}
    for length, _, p in reference.outcomes:
        by_length[length] = by_length.get(length, 0.0) + p
    found, below, wanted = {}, 0.0, list(QUANTILES)
    for length in sorted(by_length):
        below += by_length[length]
        while wanted and below >= wanted[0] - 1e-12:
            found[wanted.pop(0)] = length
    return found


def _moments(values: Iterable[tuple[int, float]], size: float) -> Moments:
    rows = list(values)
    mean = sum(v * p for v, p in rows)
    variance = sum((v - mean) ** 2 * p for v, p in rows)
    third = sum((v - mean) ** 3 * p for v, p in rows)
    sd = sqrt(variance)
    # What never varies has no skewness; its variance here is rounding.
    skewness = third / variance**1.5 if sd > 1e-6 else 0.0
    seen = [v for v, _ in rows]
    return Moments(mean, sd if sd > 1e-6 else 0.0, skewness, min(seen), max(seen), size)


def visits_of(reference: Reference) -> list[float]:
    """Return per point in how many playouts of one the side to move was first to play there (R6)."""
    n = reference.sampled.playouts
    return [count / n for count in reference.sampled.visits]


def worths_of(reference: Reference, komi: float) -> list[float | None]:
    """Return per point what a playout is worth to the side to move if it is first to play there.

    None for points it never is; empty where nothing was counted at this komi.
    """
    sampled = reference.sampled
    wins = sampled.wins.get(komi_name(komi), [])
    pairs = zip(wins, sampled.visits, strict=True) if wins else ()
    return [won / (2 * visits) if visits else None for won, visits in pairs]


def owners_of(reference: Reference) -> list[tuple[float, float]]:
    """Return per point the part of the playouts in which it was Black's in the end, and White's."""
    n, sampled = reference.sampled.playouts, reference.sampled
    return [(b / n, w / n) for b, w in zip(sampled.black, sampled.white, strict=True)]
