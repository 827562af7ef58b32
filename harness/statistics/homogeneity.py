"""Whether parts of one sample came from the same source: who differs from the rest.

Knows nothing of hosts or of Go.  The mean of one group of batches is held against the mean of all others.
The spread of a draw is the reference's, or what batches of one group show among themselves where that is
larger: a source that is wrong everywhere alike is not for that reason called uneven.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Final

ERROR: Final = 1e-4
"""Error of naming anybody where all are alike, over everything that is compared together (Bonferroni)."""
LEAST_DRAWS: Final = 400
"""Draws of a group, and of all others together, from which on a mean is taken to be normal."""


@dataclass(frozen=True, slots=True)
class LabelledSum:
    """A sum of draws, and who drew it."""

    who: str
    draws: int
    total: float


@dataclass(frozen=True, slots=True)
class OutlyingGroup:
    """A group whose mean is not that of the others."""

    who: str
    draws: int
    value: float
    others: float
    z: float
    """Standard errors between the two."""


def groups_of(batches: Iterable[LabelledSum]) -> list[str]:
    """Return the groups that are large enough to be compared with the rest."""
    draws: dict[str, int] = {}
    for batch in batches:
        draws[batch.who] = draws.get(batch.who, 0) + batch.draws
    everything = sum(draws.values())
    return sorted(who for who, n in draws.items() if n >= LEAST_DRAWS <= everything - n)


def outlying_groups(
    batches: Sequence[LabelledSum], mean: float, sd: float, comparisons: int, error: float = ERROR
) -> list[OutlyingGroup]:
    """Return the groups that differ from the others, the most different first.

    Once one is found the rest are compared among themselves.  Of two that are left, the one farther from
    the reference is named.

    Args:
        batches: one sample, by who drew it.
        mean: of one draw, by the reference.
        sd: of one draw, by the reference.
        comparisons: groups compared in all samples together, for Bonferroni.
        error: of naming anybody wrongly, over all comparisons.
    """
    left, found = list(batches), list[OutlyingGroup]()
    spread = max(sd, _sd_within(left))
    while spread > 0:
        odd = [_compare(left, who, spread) for who in groups_of(left)]
        odd = [o for o in odd if erfc(abs(o.z) / sqrt(2)) * comparisons < error]
        if not odd:
            break
        worst = max(odd, key=lambda o: (round(abs(o.z), 6), abs(o.value - mean), o.who))
        found.append(worst)
        left = [batch for batch in left if batch.who != worst.who]
    return found


def _compare(batches: Sequence[LabelledSum], who: str, sd: float) -> OutlyingGroup:
    own, others = _mean(b for b in batches if b.who == who), _mean(b for b in batches if b.who != who)
    error = sd * sqrt(1 / own[0] + 1 / others[0])
    return OutlyingGroup(who, own[0], own[1], others[1], (own[1] - others[1]) / error)


def _mean(batches: Iterable[LabelledSum]) -> tuple[int, float]:
    draws, total = 0, 0.0
    for batch in batches:
        draws, total = draws + batch.draws, total + batch.total
    return draws, total / draws


def _sd_within(batches: Sequence[LabelledSum]) -> float:
    """Return the standard deviation of a draw as batches of one group differ; 0 where none can be told."""
    groups = {who: _mean(b for b in batches if b.who == who) for who in {b.who for b in batches}}
    free = len(batches) - len(groups)
    squares = sum((b.total - b.draws * groups[b.who][1]) ** 2 / b.draws for b in batches)
    return sqrt(squares / free) if free > 0 else 0.0
