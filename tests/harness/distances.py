"""How far wrong ways of choosing are from the reference and from every listed mistake, in total variation."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi, sqrt
from typing import Final

from certificates import shipped
from choosers import CHOOSERS

from harness.cases.case import Case, Moves
from harness.cases.suite import Suite
from harness.tables.tables import ChoiceTable
from reference_engine.deviations import BY_NAME
from reference_engine.search import Searcher
from reference_engine.vocabulary import format_vertex

FIRST_LOOK: Final = 4_000
"""Genmoves that each case gets at most, to find the best one."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How far chosen moves, with the wins reported, are from a table."""

    case: str
    value: float
    """In total variation: from 0, for even frequencies, to 1."""
    noise: float
    """What a sample of that size from the table itself would show on average."""
    spread: float
    """Standard deviation of what such samples show."""

    @property
    def sigma(self) -> float:
        """Standard deviations above what chance shows; of a table with one cell chance shows nothing."""
        return (self.value - self.noise) / max(self.spread, 1e-9)


@dataclass(frozen=True, slots=True)
class Measured:
    """Where a way of choosing shows, and what it is not."""

    name: str
    best: Distance
    """From the reference, in the packaged case where it shows best; by genmoves of their own."""
    nearest: str
    """The listed mistake that it is most like."""
    apart: Distance
    """From that mistake, in the case that tells them apart best."""


def choice_cases(suite: Suite) -> list[Case]:
    """Return the cases of chosen moves that have packaged tables."""
    return [c for c in suite.cases.values() if isinstance(c.question, Moves) and not c.file.only_fixed]


def play(bot: Searcher, case: Case, genmoves: int) -> Counter[str]:
    """Repeat a case's genmove and count moves with half wins, as tables name them."""
    found = Counter[str]()
    for _ in range(genmoves):
        answer = bot.genmove(case.game, case.colour)
        wins = round(2 * answer.report.playouts * answer.report.score)
        found[f"{format_vertex(answer.move)} {wins}"] += 1
    return found


def distance(case: str, seen: Mapping[str, int], known: Mapping[str, int]) -> Distance:
    """Return how far counts are from those of a much larger table."""
    n, total = sum(seen.values()), sum(known.values())
    value = sum(abs(seen.get(c, 0) / n - known.get(c, 0) / total) for c in {*seen, *known}) / 2
    variances = [count / total * (1 - count / total) / n for count in known.values()]
    # Half of the sum of deviations of frequencies, each taken as normal and as independent of the others.
    noise = sum(sqrt(2 * variance / pi) for variance in variances) / 2
    spread = sqrt((1 - 2 / pi) * sum(variances)) / 2
    return Distance(case, value, noise, spread)


def measure(name: str, genmoves: int, seed: int) -> Measured:
    """Measure one of ``CHOOSERS``: each case shortly, then the clearest one."""
    suite, tables = shipped()
    known = {case.id: tables.choice(case) for case in choice_cases(suite)}
    few = min(genmoves, FIRST_LOOK)
    seen = {
        case.id: play(CHOOSERS[name](case.file.playouts, seed), case, few) for case in choice_cases(suite)
    }
    first = [distance(case, seen[case], table.counts) for case, table in known.items()]
    best = suite.cases[max(first, key=lambda d: d.sigma).case]
    again = play(CHOOSERS[name](best.file.playouts, seed + 1), best, genmoves)
    apart = {deviation: _from(deviation, seen, known) for deviation in BY_NAME}
    found = {deviation: d for deviation, d in apart.items() if d is not None}
    nearest = min(found, key=lambda deviation: found[deviation].sigma)
    return Measured(name, distance(best.id, again, known[best.id].counts), nearest, found[nearest])


def _from(
    deviation: str, seen: Mapping[str, Mapping[str, int]], known: Mapping[str, ChoiceTable]
) -> Distance | None:
    """Return the distance from a listed mistake where they are furthest apart; None if it never shows."""
    if not any(deviation in table.deviations for table in known.values()):
        return None
    return max(
        (
            distance(case, seen[case], table.deviations.get(deviation, table.counts))
            for case, table in known.items()
            if table.tells_of(deviation)
        ),
        key=lambda d: d.sigma,
    )
