"""The assessment of one case: findings, intervals and e-values from the readings of its units.

From readings and tables to numbers; verdict words are given in ``judge``.  Readings are counted before
anything is computed, so the order in which a bot was asked, and the number of machines, change no number.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf

from harness.cases.case import Case, Dialogue, Fresh, Moves, Sample
from harness.cases.level import Level
from harness.judging.choices import Choices, interval_of, log_e_random, log_e_unknown
from harness.judging.exact import UnitReading
from harness.judging.finding import Finding
from harness.judging.fresh import check_fresh
from harness.judging.sums import BatchSums, intervals_of, log_e_spread
from harness.judging.verdict import Estimate
from harness.tables.predict import stays_certain
from harness.tables.tables import Tables, log_e_of_passing
from harness.word import Word


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """The reading of one unit, with the process that answered and its number of playouts."""

    reading: UnitReading
    process: int
    playouts: int


@dataclass(frozen=True)
class CaseAssessment:
    """What the units of one case amount to: counts, findings, intervals and e-values."""

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
    """Log e-values against moves drawn at random in some genmoves, one for each of ``RANDOM_SHARES``."""
    convict: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against the specification, by deviation."""
    exclude: Mapping[str, float] = field(default_factory=dict)
    """Log e-values against each deviation."""
    sums: BatchSums | None = None
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
    def without_statistics(self) -> "CaseAssessment":
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


def findings_of(case: Case, asked: list[AskedUnit], tables: Tables) -> list[Finding]:
    """Return the exact checks' findings in everything that was asked of one case."""
    findings = [finding for a in asked for finding in a.reading.findings]
    if isinstance(case.question, Dialogue):
        failed = [finding for finding in findings if finding.word is Word.FAIL]
        # The shortest of the dialogues that failed says best what is wrong.
        return (
            sorted(failed, key=lambda f: (f.exchange or 0, len(f.candidates), f.expected, f.observed))[:1]
            or findings
        )
    if isinstance(case.question, Fresh):
        runs = [(a.process, a.playouts, a.reading) for a in asked]
        findings += check_fresh(case, runs, tables.histogram(case))
    return findings


def assess_case(case: Case, asked: list[AskedUnit], tables: Tables, level: Level) -> CaseAssessment:
    """Assess everything that was asked of one case, by a level's tolerances."""
    is_script = case.is_script
    result = CaseAssessment(
        case,
        genmoves=0 if is_script else len(asked),
        playouts=0 if is_script else sum(a.playouts for a in asked),
        findings=tuple(findings_of(case, asked, tables)),
    )
    if isinstance(case.question, Sample):
        return _assess_sums(result, asked, tables, level)
    if isinstance(case.question, Moves):
        return _assess_choices(result, asked, tables, level)
    is_coarse = isinstance(case.question, Fresh) and _is_coarse(asked)
    if level.name != "check" and asked and not result.failed and not is_coarse:  # a check excludes nothing
        return replace(result, exclude=excluded_by_passing(case, min(a.playouts for a in asked), tables))
    return result


def _is_coarse(asked: Iterable[AskedUnit]) -> bool:
    """Whether a score leaves several counts open, so that X1 sees less than it did of the engine."""
    return any((wins := a.reading.statistics.wins) is not None and wins[0] < wins[1] for a in asked)


def excluded_by_passing(case: Case, playouts: int, tables: Tables) -> dict[str, float]:
    """Return the log e-values against deviations of an exact case passed with so many playouts a genmove."""
    is_script = case.is_script
    return {
        name: log_e_of_passing(runs)
        for name, (passed, runs) in tables.exact.passes.get(case.id, {}).items()
        if passed == 0 and stays_certain(name, case.file.playouts, playouts, is_script=is_script)
    }


def _assess_sums(
    result: CaseAssessment, asked: list[AskedUnit], tables: Tables, level: Level
) -> CaseAssessment:
    case, sums = result.case, BatchSums.of((a.playouts, a.reading.statistics) for a in asked)
    if not (n := sums.total):
        return result
    bets = tables.bets(case)
    return replace(
        result,
        sums=sums,
        intervals=partial(intervals_of, case, sums, tables, level),
        log_e=tables.mixture(case).log_e(sums.ends, n),
        log_e_spread=log_e_spread(case, sums, tables),
        convict=bets.convict.log_e(sums.ends, n),
        exclude=bets.exclude.log_e(sums.ends, n),
    )


def _assess_choices(
    result: CaseAssessment, asked: list[AskedUnit], tables: Tables, level: Level
) -> CaseAssessment:
    case, table = result.case, tables.choice(result.case)
    answers = [
        (a.reading.move, a.reading.statistics)
        for a in asked
        if a.playouts == table.playouts and a.reading.move
    ]
    choices = Choices.of(answers, table, draws=float(case.file.komi).is_integer())
    if not choices.cells:
        return result
    rivals = tables.rivals(case).items()
    # A bet that loses on average, because the tables are small for it, is not made.
    return replace(
        result,
        draws=choices.draws,
        moves=choices.moves,
        intervals=partial(interval_of, choices, case, tables, level),
        log_e=log_e_unknown(choices, table, tables, case),
        log_e_random=log_e_random(choices, case, tables),
        convict={n: choices.log_e(r.convicting) for n, r in rivals if r.convict_rate > 0},
        exclude={n: choices.log_e(r.excluding) for n, r in rivals if r.exclude_rate > 0},
    )
