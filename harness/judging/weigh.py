"""Weighs readings case by case: findings, intervals and e-values, and the certificate's own e-value.

From readings and tables to numbers; words are given in ``judge``.  What is weighed is counted first, so
that the order in which a bot was asked, and by how many machines, changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from harness.cases.case import Case, Dialogue, Fresh, Moves, Sample
from harness.cases.level import Level
from harness.judging.choices import RANDOM_SHARES, Choices, interval_of, log_e_random, log_e_unknown
from harness.judging.finding import Finding
from harness.judging.fresh import check_fresh
from harness.judging.sums import Sums, intervals_of, log_e_spread
from harness.judging.weighed import Asked, Weighed
from harness.statistics.evalues import Vector, log_means
from harness.tables.predict import stays_certain
from harness.tables.tables import Tables, log_e_of_passing
from harness.word import Word
from reference_engine.deviations import CATALOGUE


def findings_of(case: Case, asked: list[Asked], tables: Tables) -> list[Finding]:
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


def weigh(case: Case, asked: list[Asked], tables: Tables, level: Level) -> Weighed:
    """Weigh everything that was asked of one case, by a level's tolerances."""
    is_script = isinstance(case.question, tuple)
    result = Weighed(
        case,
        genmoves=0 if is_script else len(asked),
        playouts=0 if is_script else sum(a.playouts for a in asked),
        findings=tuple(findings_of(case, asked, tables)),
    )
    if isinstance(case.question, Sample):
        return _weigh_sums(result, asked, tables, level)
    if isinstance(case.question, Moves):
        return _weigh_choices(result, asked, tables, level)
    if (
        level.may_pass
        and asked
        and not result.failed
        and not (isinstance(case.question, Fresh) and _is_coarse(asked))
    ):
        return replace(result, exclude=excluded_by_passing(case, min(a.playouts for a in asked), tables))
    return result


def _is_coarse(asked: Iterable[Asked]) -> bool:
    """Whether a score leaves several counts open, so that X1 sees less than it did of the engine."""
    return any((wins := a.reading.statistics.wins) is not None and wins[0] < wins[1] for a in asked)


def excluded_by_passing(case: Case, playouts: int, tables: Tables) -> dict[str, float]:
    """Return the log e-values against deviations of an exact case passed with so many playouts a genmove."""
    is_script = isinstance(case.question, tuple)
    return {
        name: log_e_of_passing(runs)
        for name, (passed, runs) in tables.exact.passes.get(case.id, {}).items()
        if passed == 0 and stays_certain(name, case.file.playouts, playouts, is_script=is_script)
    }


def _weigh_sums(result: Weighed, asked: list[Asked], tables: Tables, level: Level) -> Weighed:
    case, sums = result.case, Sums.of((a.playouts, a.reading.statistics) for a in asked)
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


def _weigh_choices(result: Weighed, asked: list[Asked], tables: Tables, level: Level) -> Weighed:
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


@dataclass(frozen=True)
class Parts:
    """The e-values that a certificate's own is the mean of, for some of its cases.

    Its weights are fixed by the suite, not by what was run, so that the choice of what to ask next cannot
    tilt them: what was not asked counts as an e-value of 1.

    Attributes:
        unknown: log e-values for unspecified deviations.
        known: log e-values by deviation of the catalogue.
        random: log e-values for moves drawn at random, one for each of ``RANDOM_SHARES``.
        possible: e-values for unspecified deviations that the whole suite can give.
    """

    unknown: tuple[float, ...]
    known: Mapping[str, float]
    random: tuple[float, ...]
    possible: int

    def log_e(
        self, unknown: Sequence[Vector | float], known: Mapping[str, Vector], random: Sequence[Vector]
    ) -> Vector:
        """Return the certificate's log e-value, with those of more cases than are in the parts.

        Half of it is for unknown deviations, half for the catalogue.

        Args:
            unknown: of the others, each of any one shape.
            known: of the others by deviation, of that shape.
            random: of the others, of that shape, one for each share; none for no more.
        """
        more: Sequence[Vector | float] = random or [0.0] * len(self.random)
        at_random = [a + b for a, b in zip(self.random, more, strict=True)]
        logs: list[Vector | float] = [*self.unknown, *unknown, _log_mean(at_random)]
        half = _log_mean([*logs, *[0.0] * (self.possible - len(logs))])
        named: list[Vector | float] = [log_e + known.get(name, 0.0) for name, log_e in self.known.items()]
        whole: Vector = np.logaddexp(half, _log_mean(named)) - np.log(2)
        return whole


def parts_of(weighed: Iterable[Weighed], cases: Iterable[Case]) -> Parts:
    """Return the e-values of cases that were asked.

    Args:
        weighed: those cases.
        cases: every case of the suite.
    """
    asked = sorted(weighed, key=lambda w: w.case.id)
    unknown = [e for w in asked for e in (w.log_e, w.log_e_spread) if e is not None]
    by_share = zip(*(w.log_e_random for w in asked if w.log_e_random), strict=True)
    random = tuple(sum(values) for values in by_share) or (0.0,) * len(RANDOM_SHARES)
    possible = 1 + sum(isinstance(c.question, Moves) + 2 * isinstance(c.question, Sample) for c in cases)
    return Parts(tuple(unknown), totals(w.convict for w in asked), random, possible)


def log_evidence(weighed: Iterable[Weighed], cases: Iterable[Case]) -> float:
    """Return the certificate's log e-value; see ``parts_of``."""
    return float(parts_of(weighed, cases).log_e([], {}, []))


def _log_mean(logs: Sequence[Vector | float]) -> Vector:
    return log_means(_alike(logs))


def _alike(values: Sequence[Vector | float]) -> Vector:
    """Return values of one shape, or numbers, as one array with a first axis for them."""
    rows = np.empty((len(values), *np.broadcast_shapes(*{np.shape(value) for value in values})))
    for place, value in enumerate(values):
        rows[place] = value
    return rows


def totals(bets: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return what the log e-values of cases add up to, for every deviation that is not tolerated."""
    total = {deviation.name: 0.0 for deviation in CATALOGUE if not deviation.tolerated}
    for by_name in bets:
        for name, log_e in by_name.items():
            if name in total:
                total[name] += log_e
    return total
