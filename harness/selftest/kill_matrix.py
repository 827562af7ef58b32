"""The kill matrix: every deviation certified again and again, and the engine that has none.

Runs trials on all cores and adds them up; the numbers are the proof that verdicts can be believed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, exp, inf, sqrt
from pathlib import Path
from typing import Final

from scipy.stats import beta, binom

from harness.cases.level import LEVELS
from harness.cases.suite import Suite, load_suite, sent_folder
from harness.selftest.trial import CONFORMING, LOOKS, Trial, run_trial
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME, CATALOGUE

_CONFIDENCE: Final = 0.95
_SURELY: Final = 1e-3
"""Error with which a promise is called broken that is kept."""
CONVICTED: Final = 0.99
"""Share of trials in which a deviation is to be convicted, at a level that may pass a bot."""
CERTIFIED: Final = 0.99
"""Share of trials in which the conforming engine is to pass."""
NAMED: Final = 0.95
"""Share of convictions that are to name the right requirement first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The fraction."""
        return self.count / self.total if self.total else 0.0

    def is_below(self, promised: float) -> bool:
        """Whether so few would come less than once in a thousand times, if the promise were kept."""
        return bool(binom.cdf(self.count, self.total, promised) < _SURELY)

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's 95% interval; one-sided at 0 and at 1."""
        if not self.total:
            return 0.0, 1.0
        tail = (1 - _CONFIDENCE) / (1 if self.count in (0, self.total) else 2)
        low = beta.ppf(tail, self.count, self.total - self.count + 1) if self.count else 0.0
        high = beta.ppf(1 - tail, self.count + 1, self.total - self.count) if self.count < self.total else 1.0
        return float(low), float(high)


@dataclass(frozen=True)
class DeviationTrials:
    """The trials of one deviation, or of the engine without any."""

    deviation: str
    trials: tuple[Trial, ...]

    @property
    def requirement(self) -> str:
        """The requirement that should be named."""
        return BY_NAME[self.deviation].requirement if self.deviation else ""

    @property
    def wanted(self) -> str:
        """The word that is right."""
        if not self.deviation:
            return str(Word.PASS)
        return str(Word.NON_STRICT if BY_NAME[self.deviation].tolerated else Word.FAIL)

    @property
    def words(self) -> Mapping[str, int]:
        """How often each verdict came."""
        return Counter(trial.verdict for trial in self.trials)

    @property
    def right(self) -> Rate:
        """Verdicts that are right."""
        return Rate(self.words.get(self.wanted, 0), len(self.trials))

    @property
    def named(self) -> Rate:
        """Convictions that name the right requirement first."""
        convicted = [t for t in self.trials if t.verdict == Word.FAIL]
        return Rate(sum(t.requirement == self.requirement for t in convicted), len(convicted))

    @property
    def identified(self) -> Rate:
        """Convictions whose first suspect is the deviation itself."""
        convicted = [t for t in self.trials if t.verdict == Word.FAIL]
        return Rate(sum(t.suspect == self.deviation for t in convicted), len(convicted))

    @cached_property
    def to_conviction(self) -> tuple[int, ...]:
        """Playouts to conviction, least first."""
        return tuple(sorted(t.convicted_after for t in self.trials if t.convicted_after is not None))

    @property
    def to_verdict(self) -> tuple[int, ...]:
        """Playouts of whole runs, least first."""
        return tuple(sorted(t.playouts for t in self.trials))

    @property
    def convicted_by(self) -> str:
        """The case that convicted most often."""
        found = Counter(t.convicted_by for t in self.trials if t.convicted_by).most_common(1)
        return found[0][0] if found else ""


def quantile(values: Sequence[int], share: float) -> int | None:
    """Return the least value that at least ``share`` of the values do not exceed."""
    return values[max(0, ceil(share * len(values)) - 1)] if values else None


@dataclass(frozen=True, slots=True)
class Fairness:
    """The mean of one e-value over all trials at one look; it may not exceed 1."""

    name: str
    look: int
    mean: float
    error: float
    """Standard error of the mean."""
    largest: float

    @property
    def z(self) -> float:
        """Standard errors by which the mean exceeds 1."""
        return (self.mean - 1) / self.error if self.error else (inf if self.mean > 1 + 1e-9 else 0.0)


@dataclass(frozen=True)
class Selftest:
    """The kill matrix."""

    level: str
    rows: tuple[DeviationTrials, ...]

    @property
    def conforming(self) -> DeviationTrials | None:
        """The engine's own row."""
        return next((row for row in self.rows if row.deviation == CONFORMING), None)

    @property
    def deviations(self) -> tuple[DeviationTrials, ...]:
        """The rows of strict deviations."""
        return tuple(r for r in self.rows if r.deviation and not BY_NAME[r.deviation].tolerated)

    @property
    def tolerated(self) -> tuple[DeviationTrials, ...]:
        """The rows of readings that are accepted."""
        return tuple(r for r in self.rows if r.deviation and BY_NAME[r.deviation].tolerated)

    @property
    def to_conviction(self) -> tuple[int, ...]:
        """Each strict deviation's median of playouts to conviction, least first."""
        medians = (quantile(row.to_conviction, 0.5) for row in self.deviations)
        return tuple(sorted(median for median in medians if median is not None))

    @property
    def complaints(self) -> list[str]:
        """What a single trial may not do, and rates that are surely below what is promised."""
        return [*self._wrong_verdicts(), *(self._broken_promises() if self.promises else ())]

    @property
    def promises(self) -> bool:
        """Whether rates are promised at this level: not where no bot can pass, for too little is asked."""
        return LEVELS[self.level].may_pass

    def _broken_promises(self) -> Iterator[str]:
        for row in self.rows:
            who = row.deviation or "the conforming engine"
            promised = CONVICTED if row.deviation else CERTIFIED
            if row.right.is_below(promised):
                yield f"{who} ended {row.wanted} in only {row.right.count} of {row.right.total} trials"
            if row.wanted == Word.FAIL and row.named.is_below(NAMED):
                named = f"{row.named.count} of {row.named.total} convictions"
                yield f"{who}: {row.requirement} named first in only {named}"

    def _wrong_verdicts(self) -> list[str]:
        found = []
        for row in self.rows:
            for trial in row.trials:
                who = row.deviation or "the conforming engine"
                innocent = row.wanted != Word.FAIL and trial.verdict == Word.FAIL
                passed = row.wanted == Word.FAIL and trial.verdict in (Word.PASS, Word.NON_STRICT)
                if innocent or passed:
                    found.append(f"{who} ended {trial.verdict} (seed {trial.seed})")
        return found

    def fairness(self) -> Iterator[Fairness]:
        """Yield the mean of every e-value against the specification at every look, over conforming trials.

        What was not asked yet counts as 1, as it does in the certificate.
        """
        trials = self.conforming.trials if self.conforming else ()
        names = sorted({name for trial in trials for look in trial.log_e for name in look})
        for look in range(len(LOOKS) + 1 if trials else 0):
            for name in names:
                values = [exp(t.log_e[look].get(name, 0.0)) for t in trials]
                mean = sum(values) / len(values)
                spread = sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)
                yield Fairness(name, look + 1, mean, sqrt(spread / len(values)), max(values))


def selftest(
    suite: Suite,
    level: str,
    wanted: Mapping[str, int],
    seed: int,
    executor: Executor,
    see: Callable[[int, int], None],
    *,
    leave_out: bool = False,
) -> Selftest:
    """Run trials, several at a time.

    Args:
        suite: what is judged by.
        level: level of every trial.
        wanted: trials by deviation, ``CONFORMING`` for the engine itself.
        seed: number of the first trial of each; the others follow.
        executor: runs them.
        see: told how many trials of how many are done.
        leave_out: whether a deviation's trials know neither it nor its near twins.
    """
    orders = [(name, seed + k) for name, times in wanted.items() for k in range(times)]
    # Slow ones apart from each other: trials of one deviation take about as long.
    orders.sort(key=lambda order: order[1])
    found: dict[str, list[Trial]] = {name: [] for name in wanted}
    folder = sent_folder(suite)
    waiting = [
        executor.submit(_trial, folder, name, level, number, leave_out=leave_out) for name, number in orders
    ]
    for done, job in enumerate(as_completed(waiting), start=1):
        trial = job.result()
        found[trial.deviation].append(trial)
        see(done, len(orders))
    rows = tuple(DeviationTrials(name, tuple(sorted(t, key=lambda x: x.seed))) for name, t in found.items())
    return Selftest(level, rows)


def every(conforming: int, deviating: int, only: Iterable[str] = ()) -> dict[str, int]:
    """Return how many trials of what: of the engine, and of each deviation or of ``only`` some."""
    chosen = list(only) or [d.name for d in CATALOGUE]
    wanted = {CONFORMING: conforming} if conforming else {}
    return wanted | {name: deviating for name in chosen if deviating}


@lru_cache(maxsize=1)
def _loaded(folder: Path | None) -> tuple[Suite, Tables]:
    suite = load_suite(folder)
    return suite, Tables(suite.folder / "tables")


def twins_of(name: str) -> frozenset[str]:
    """Return a deviation with its near twins: those that change one of the clauses it changes."""
    changed = BY_NAME[name].changes.keys()
    return frozenset(d.name for d in CATALOGUE if d.changes.keys() & changed)


def _trial(folder: Path | None, deviation: str, level: str, seed: int, *, leave_out: bool) -> Trial:
    suite, tables = _loaded(folder)
    if leave_out and deviation:
        tables = tables.without(twins_of(deviation))
    return run_trial(suite, tables, deviation, level, seed)
