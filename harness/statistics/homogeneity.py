"""The test whether parts of one sample come from the same source, and which part differs from the rest.

The mean of each group of batches is compared with the mean of all others.  The spread of a draw is that of
the reference, or that of the batches within groups if it is larger.  So a source that is wrong everywhere in
the same way is not called uneven.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Final

ERROR: Final = 1e-4
"""Probability of naming any group if all are alike, over everything compared together (Bonferroni)."""
LEAST_DRAWS: Final = 400
"""Least number of draws of a group, and of all others together, for a mean that is taken as normal."""


@dataclass(frozen=True, slots=True)
class LabelledSum:
    """The sum of some draws, with the group that drew them."""

    who: str
    draws: int
    total: float


@dataclass(frozen=True, slots=True)
class OutlyingGroup:
    """A group whose mean differs from that of the others."""

    who: str
    draws: int
    value: float
    others: float
    z: float
    """The difference of the two means, in standard errors."""


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

    After one is found, the rest are compared among themselves.  If two are left, the one farther from the
    reference is named.

    Args:
        batches: one sample, labelled by group.
        mean: the mean of one draw, by the reference.
        sd: the standard deviation of one draw, by the reference.
        comparisons: the number of groups compared in all samples together, for Bonferroni.
        error: the probability of naming any group wrongly, over all comparisons.
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
    """Return the standard deviation of a draw from the differences of batches within groups; 0 if unknown."""
    groups = {who: _mean(b for b in batches if b.who == who) for who in {b.who for b in batches}}
    free = len(batches) - len(groups)
    squares = sum((b.total - b.draws * groups[b.who][1]) ** 2 / b.draws for b in batches)
    return sqrt(squares / free) if free > 0 else 0.0
