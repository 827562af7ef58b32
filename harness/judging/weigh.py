"""Weighs readings case by case: e-values and intervals.

From readings and tables to numbers; words are given in ``judge``.  What is weighed is counted first, so
that the order in which a bot was asked, and by how many machines, changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from harness.cases.case import Case, Fresh, Moves, Sample
from harness.cases.level import BETA, Level
from harness.judging.exact import Reading
from harness.judging.finding import Finding
from harness.judging.fresh import check_fresh
from harness.judging.verdict import Estimate
from harness.statistics.evalues import RADIUS_METHOD, Categories, Vector, log_mean, radius
from harness.tables.predict import stays_certain
from harness.tables.tables import PASS_BOUND, Tables
from harness.word import Word
from reference_engine.deviations import CATALOGUE


@dataclass(frozen=True, slots=True)
class Asked:
    """One unit read: the reading with its process and its number of playouts."""

    reading: Reading
    process: int
    playouts: int


@dataclass(frozen=True)
class Sums:
    """What the batches of a case added up to, in a fixed order; a row a batch.

    Attributes:
        playouts: int64[b].
        nodes: int64[b].
        halves: int64[b, 2], the least and the greatest number of half wins a printed score leaves possible.
    """

    playouts: np.ndarray
    nodes: np.ndarray
    halves: np.ndarray

    @classmethod
    def of(cls, asked: Iterable[Asked]) -> "Sums":
        """Collect the batches whose statistics could be read."""
        rows = sorted(
            (a.playouts, a.reading.statistics.nodes, *a.reading.statistics.wins)
            for a in asked
            if a.reading.statistics.nodes is not None and a.reading.statistics.wins is not None
        )
        table = np.array(rows, np.int64).reshape(-1, 4)
        return cls(table[:, 0], table[:, 1], table[:, 2:])

    @property
    def total(self) -> int:
        """Playouts of all batches."""
        return int(self.playouts.sum())

    @property
    def ends(self) -> tuple[Vector, ...]:
        """Sums of length and wins: every end of what a coarsely printed score leaves possible."""
        nodes, halves = float(self.nodes.sum()), self.halves.sum(axis=0) / 2
        return tuple(np.array([nodes, wins]) for wins in sorted(set(halves.tolist())))


@dataclass
class Weighed:
    """What the units of one case amount to."""

    case: Case
    genmoves: int = 0
    playouts: int = 0
    findings: list[Finding] = field(default_factory=list)
    estimates: list[Estimate] = field(default_factory=list)
    spread: tuple[float, float] = (0.0, 0.0)
    """Standard deviation of one playout: length, win."""
    log_e: float | None = None
    """For an unspecified deviation."""
    log_e_spread: float | None = None
    """For batches that vary otherwise than independent playouts do."""
    convict: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against the specification, by deviation."""
    exclude: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against each deviation."""
    sums: Sums | None = None
    draws: Mapping[str, int] = field(default_factory=dict)
    """Chosen move and half wins of a genmove, and how often they came."""

    @property
    def failed(self) -> bool:
        """Whether an exact check failed."""
        return any(finding.word is Word.FAIL for finding in self.findings)


def findings_of(case: Case, asked: list[Asked], tables: Tables) -> list[Finding]:
    """Return the exact checks' findings in everything that was asked of one case."""
    findings = [finding for a in asked for finding in a.reading.findings]
    if isinstance(case.question, Fresh):
        runs = [(a.process, a.playouts, a.reading) for a in asked]
        findings += check_fresh(case, runs, tables.histogram(case))
    return findings


def weigh(case: Case, asked: list[Asked], tables: Tables, level: Level) -> Weighed:
    """Weigh everything that was asked of one case, by a level's tolerances."""
    is_script = isinstance(case.question, tuple)
    result = Weighed(
        case,
        genmoves=0 if is_script else len(asked),
        playouts=0 if is_script else sum(a.playouts for a in asked),
        findings=findings_of(case, asked, tables),
    )
    if isinstance(case.question, Sample):
        _weigh_sample(result, Sums.of(asked), tables, tolerances(case.question, level))
    elif isinstance(case.question, Moves):
        _weigh_moves(result, asked, tables)
    elif asked and not result.failed:
        result.exclude = excluded_by_passing(case, min(a.playouts for a in asked), tables)
    return result


def excluded_by_passing(case: Case, playouts: int, tables: Tables) -> dict[str, float]:
    """Return the log e-values against deviations of an exact case passed with so many playouts a genmove."""
    is_script = isinstance(case.question, tuple)
    return {
        name: -float(np.log(min(1.0, PASS_BOUND / runs)))
        for name, (passed, runs) in tables.exact.passes.get(case.id, {}).items()
        if passed == 0 and stays_certain(name, case.file.playouts, playouts, is_script=is_script)
    }


def tolerances(sample: Sample, level: Level) -> tuple[float, float]:
    """Return how far length and win fraction may be off at a level."""
    return sample.length * level.length, sample.score * level.score


def planned(spread: float, tolerance: float) -> int:
    """Return about how many playouts bring an interval inside a tolerance."""
    return max(100, int((5.5 * spread / tolerance) ** 2))


def _weigh_sample(result: Weighed, sums: Sums, tables: Tables, allowed: tuple[float, float]) -> None:
    case, n, ends = result.case, sums.total, sums.ends
    if n == 0:
        return
    null = tables.histogram(case)
    result.sums = sums
    # A score printed coarsely leaves a range; every bet is paid at its worse end.
    result.log_e = min(tables.mixture(case).log_e(end, n) for end in ends)
    result.log_e_spread = _log_e_spread(case, sums, tables)
    spread = np.sqrt(np.diag(null.covariance))
    result.spread = (float(spread[0]), float(spread[1]))
    middle, coarse = (ends[0] + ends[-1]) / 2, float(ends[-1][1] - ends[0][1]) / 2 / n
    for place, (quantity, unit) in enumerate((("length", "moves"), ("score", "wins"))):
        sd, tolerance = float(spread[place]), allowed[place]
        half = radius(sd, n, null.total, BETA / 2, planned(sd, tolerance)) + place * coarse
        result.estimates.append(
            Estimate(
                quantity,
                unit,
                float(middle[place]) / n,
                half,
                float(null.mean[place]),
                tolerance,
                n,
                sd,
                None if null.error is not None else int(null.total),
                RADIUS_METHOD,
            )
        )
    bets = tables.bets(case)
    result.convict = bets.convict.log_e(ends, n)
    result.exclude = bets.exclude.log_e(ends, n)


def _log_e_spread(case: Case, sums: Sums, tables: Tables) -> float:
    values = []
    for playouts in np.unique(sums.playouts):
        own = sums.playouts == playouts
        nodes, halves = sums.nodes[own].astype(np.float64), sums.halves[own].astype(np.float64)
        values.append(tables.spread(case, int(playouts)).log_e(nodes, halves))
    return float(sum(values))


def _weigh_moves(result: Weighed, asked: list[Asked], tables: Tables) -> None:
    table = tables.choice(result.case)
    draws = Counter(
        table.cell(a.reading.move, wins[0])
        for a in asked
        if a.playouts == table.playouts
        and a.reading.move
        and (wins := a.reading.statistics.wins) is not None
        and (table.moves_only or wins[0] == wins[1])
    )
    if not draws:
        return
    result.draws = dict(sorted(draws.items()))
    null, others = Categories(table.counts), len(table.counts) + 1
    result.log_e = null.log_e_unknown(result.draws, others)
    convict, exclude = {}, {}
    for name, rival in tables.rivals(result.case).items():
        other = rival.categories
        # A bet that loses on average, because the tables are small for it, is not made.
        if rival.convict_rate > 0:
            convict[name] = sum(n * null.log_e_of(other, cell, others) for cell, n in result.draws.items())
        if rival.exclude_rate > 0:
            exclude[name] = sum(n * other.log_e_of(null, cell, others) for cell, n in result.draws.items())
    result.convict, result.exclude = convict, exclude


def log_evidence(weighed: Iterable[Weighed], cases: Iterable[Case]) -> float:
    """Return the certificate's log e-value: half for unknown deviations, half for the catalogue.

    The weights are fixed by the suite, not by what was run, so that the choice of what to ask next cannot
    tilt them: what was not asked counts as an e-value of 1.

    Args:
        weighed: every case that was asked.
        cases: every case of the suite.
    """
    asked = sorted(weighed, key=lambda w: w.case.id)
    unknown = [e for w in asked for e in (w.log_e, w.log_e_spread) if e is not None]
    possible = sum(isinstance(c.question, Moves) + 2 * isinstance(c.question, Sample) for c in cases)
    unknown += [0.0] * (possible - len(unknown))
    known = list(totals(w.convict for w in asked).values())
    return log_mean([log_mean(unknown), log_mean(known)])


def totals(bets: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return what the log e-values of cases add up to, for every deviation that is not tolerated."""
    total = {deviation.name: 0.0 for deviation in CATALOGUE if not deviation.tolerated}
    for by_name in bets:
        for name, log_e in by_name.items():
            if name in total:
                total[name] += log_e
    return total
