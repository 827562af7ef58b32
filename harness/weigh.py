"""Weighs readings case by case: e-values, intervals, and what each deviation predicts.

From readings and tables to numbers; words are given in ``judge``.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from harness.case import Case, Fresh, Moves, Sample
from harness.evalues import Categories, log_mean, radius
from harness.exact import Reading
from harness.finding import Finding
from harness.fresh import check_fresh
from harness.level import BETA
from harness.predict import leaves_sums_alone, predicts_choices, predicts_sums
from harness.tables import PASS_BOUND, Tables
from harness.verdict import Estimate
from harness.word import Word
from reference_engine.deviations import BY_NAME, CATALOGUE

_NEVER = 1e-9
"""Probability given to what the specification rules out, in likelihoods only."""
_NAMED = 2.0
"""Nats for a deviation whose requirement is the very one that a failed check names."""
_UNPREDICTED = 0.999
"""Share of the best explanation's likelihood granted to a deviation that predicts nothing in a case."""
_GRAIN = np.diag([1 / 12, 1 / 48])
"""Variance of sums that rounding to moves and half wins hides; keeps likelihoods finite."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One unit read: the reading with its process and its number of playouts."""

    reading: Reading
    process: int
    playouts: int


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
    convict: dict[str, float] = field(default_factory=dict)
    """Log e-values against the specification, by deviation."""
    exclude: dict[str, float] = field(default_factory=dict)
    """Log e-values against each deviation."""
    never_passed: list[str] = field(default_factory=list)
    """Deviations that failed this exact case whenever they were measured."""
    likelihood: dict[str, float] = field(default_factory=dict)
    """Log likelihood ratios of each deviation to the specification; for the diagnosis only."""

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


def weigh(case: Case, asked: list[Asked], tables: Tables) -> Weighed:
    """Weigh everything that was asked of one case."""
    is_script = isinstance(case.question, tuple)
    result = Weighed(
        case,
        genmoves=0 if is_script else len(asked),
        playouts=0 if is_script else sum(a.playouts for a in asked),
        findings=findings_of(case, asked, tables),
    )
    if isinstance(case.question, Sample):
        _weigh_sample(result, case.question, asked, tables)
    elif isinstance(case.question, Moves):
        _weigh_moves(result, asked, tables)
    elif asked:
        _weigh_exact(result, tables)
    return result


def _weigh_sample(result: Weighed, sample: Sample, asked: list[Asked], tables: Tables) -> None:
    case = result.case
    sums = [
        (a.playouts, a.reading.statistics.nodes, a.reading.statistics.wins)
        for a in asked
        if a.reading.statistics.nodes is not None and a.reading.statistics.wins is not None
    ]
    n = sum(s[0] for s in sums)
    if n == 0:
        return
    table, null = tables.sample(case), tables.histogram(case)
    nodes = float(sum(s[1] for s in sums if s[1] is not None))
    least, greatest = (sum(s[2][i] for s in sums if s[2] is not None) / 2 for i in (0, 1))
    ends = [np.array([nodes, wins]) for wins in {least, greatest}]
    middle = np.array([nodes, (least + greatest) / 2])
    # A score printed coarsely leaves a range; every bet is paid at its worse end.
    result.log_e = min(tables.mixture(case).log_e(end, n) for end in ends)
    spread = np.sqrt(np.diag(null.covariance))
    result.spread = (float(spread[0]), float(spread[1]))
    coarse = (greatest - least) / 2 / n
    for place, (quantity, unit, tolerance) in enumerate(
        (("length", "moves", sample.length), ("score", "wins", sample.score))
    ):
        planned = max(100, int((5.5 * spread[place] / tolerance) ** 2))
        half = radius(float(spread[place]), n, null.total, BETA / 2, planned) + place * coarse
        result.estimates.append(
            Estimate(quantity, unit, float(middle[place]) / n, half, float(null.mean[place]), tolerance)
        )
    for name, shift in table.shifts.items():
        if shift.convict:
            result.convict[name] = min(shift.convict.value.log_e(end, n) for end in ends)
        if shift.exclude:
            result.exclude[name] = min(shift.exclude.value.log_e(end, n) for end in ends)
        a, b, d = shift.covariance
        result.likelihood[name] = sum(
            _log_normal(s, np.array(shift.mean), np.array([[a, b], [b, d]]))
            - _log_normal(s, null.mean, null.covariance)
            for s in sums
        )


def _log_normal(
    sums: tuple[int, int | None, tuple[int, int] | None], mean: np.ndarray, covariance: np.ndarray
) -> float:
    n, nodes, wins = sums
    assert nodes is not None and wins is not None  # noqa: S101, PT018 - filtered by the caller
    gap = np.array([nodes, (wins[0] + wins[1]) / 4]) - n * mean
    spread = n * covariance + _GRAIN
    value = -0.5 * (gap @ np.linalg.solve(spread, gap) + np.linalg.slogdet(spread)[1])
    return max(float(value), -1e4)


def _weigh_moves(result: Weighed, asked: list[Asked], tables: Tables) -> None:
    table = tables.choice(result.case)
    draws = Counter(
        f"{a.reading.move} {a.reading.statistics.wins[0]}"
        for a in asked
        if a.playouts == table.playouts
        and a.reading.move
        and a.reading.statistics.wins is not None
        and a.reading.statistics.wins[0] == a.reading.statistics.wins[1]
    )
    if not draws:
        return
    null = Categories(table.counts)
    others = len(table.counts) + 1
    result.log_e = null.log_e_unknown(draws, others)
    for name, rival in tables.rivals(result.case).items():
        other = rival.categories
        # A bet that loses on average, because the tables are small for it, is not made.
        if rival.convict_rate > 0:
            result.convict[name] = sum(n * null.log_e_of(other, cell, others) for cell, n in draws.items())
        if rival.exclude_rate > 0:
            result.exclude[name] = sum(n * other.log_e_of(null, cell, others) for cell, n in draws.items())
        result.likelihood[name] = sum(
            n * float(np.log(other.estimate(cell, others) / null.estimate(cell, others)))
            for cell, n in draws.items()
        )


def _weigh_exact(result: Weighed, tables: Tables) -> None:
    rates = tables.exact.passes.get(result.case.id, {})
    accused = {finding.requirement for finding in result.findings if finding.word is Word.FAIL}
    for name, (passed, runs) in rates.items():
        if passed == 0:
            result.never_passed.append(name)
        if result.failed:
            named = _NAMED if BY_NAME[name].requirement in accused else 0.0
            result.likelihood[name] = named + float(np.log((runs - passed + 0.5) / (runs + 1) / _NEVER))
        else:
            if passed == 0:
                result.exclude[name] = -float(np.log(min(1.0, PASS_BOUND / runs)))
            result.likelihood[name] = 0.0 if passed == runs else float(np.log((passed + 0.5) / (runs + 1)))


def log_likelihood(w: Weighed, name: str, *, borne_out: bool) -> float:
    """Return the log likelihood ratio of a deviation to the specification in one case, for the diagnosis.

    What a deviation does not predict, such as the sums of playouts of a bot that reports other numbers than
    it ran, is granted to it as well explained as by the best of those that do, less a little; but only where
    its own exact cases bear it out.
    """
    is_sample = w.case.file.sample is not None
    if not w.case.is_statistical or (predicts_sums(name) if is_sample else predicts_choices(name)):
        return w.likelihood.get(name, 0.0)
    if not borne_out or (is_sample and leaves_sums_alone(name)):
        return 0.0
    return max([0.0, *w.likelihood.values()]) * _UNPREDICTED


def log_evidence(weighed: Iterable[Weighed], statistical: int) -> float:
    """Return the certificate's log e-value: half for unknown deviations, half for the catalogue.

    The weights are fixed by the suite, not by what was run, so that the choice of what to ask next cannot
    tilt them: what was not asked counts as an e-value of 1.

    Args:
        weighed: every case that was asked.
        statistical: number of statistical cases in the suite.
    """
    cases = list(weighed)
    unknown = [w.log_e for w in cases if w.log_e is not None]
    unknown += [0.0] * (statistical - len(unknown))
    known = [sum(w.convict.get(d.name, 0.0) for w in cases) for d in CATALOGUE if not d.tolerated]
    return log_mean([log_mean(unknown), log_mean(known)])
