"""Leave-one-out: deviations judged as if nobody had listed them or their near twins."""

from collections.abc import Iterable
from dataclasses import dataclass

from harness.selftest.kill_matrix import DeviationTrials, Rate, Selftest
from harness.selftest.trial import Trial
from harness.word import Word
from reference_engine.deviations import BY_NAME


@dataclass(frozen=True)
class LeftOut:
    """The trials of deviations that the catalogue did not know."""

    found: Selftest

    @property
    def trials(self) -> tuple[Trial, ...]:
        """Those of strict deviations."""
        return tuple(trial for row in self.found.deviations for trial in row.trials)

    @property
    def convicted(self) -> tuple[Trial, ...]:
        """Those that ended FAIL."""
        return tuple(trial for trial in self.trials if trial.verdict == Word.FAIL)

    @property
    def rates(self) -> list[tuple[str, Rate]]:
        """What is counted, in words."""
        convicted = self.convicted
        return [
            ("convicted", Rate(len(convicted), len(self.trials))),
            ("a kept requirement marked FAIL", _count(any(_kept(t)) for t in convicted)),
            ("another requirement named with confidence", _count(_is_misled(t) for t in convicted)),
            (
                "the right requirement named, or not known and among those exercised",
                _count(map(_is_right, convicted)),
            ),
        ]

    @property
    def wrong(self) -> list[DeviationTrials]:
        """Rows in which at least one trial was not in order."""
        return [row for row in self.found.deviations if not all(map(is_in_order, row.trials))]


def _count(values: Iterable[bool]) -> Rate:
    seen = list(values)
    return Rate(sum(seen), len(seen))


def _kept(trial: Trial) -> list[str]:
    return [name for name in trial.failed if name != BY_NAME[trial.deviation].requirement]


def _is_misled(trial: Trial) -> bool:
    return trial.confident and trial.requirement != BY_NAME[trial.deviation].requirement


def _is_right(trial: Trial) -> bool:
    own = BY_NAME[trial.deviation].requirement
    return own in trial.failed or own == trial.requirement or own in trial.exercised


def is_in_order(trial: Trial) -> bool:
    """Whether a trial ended in FAIL and its verdict says nothing wrong."""
    return trial.verdict == Word.FAIL and not _kept(trial) and _is_right(trial)
