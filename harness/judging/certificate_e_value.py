"""The certificate's own e-value: a mean, by weights that the suite fixes, of the e-values of its cases.

It is valid at every look: a mean of e-values whose weights do not depend on the data is an e-value.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.cases.case import Case, Moves, Sample
from harness.judging.case_assessment import CaseAssessment
from harness.judging.choices import RANDOM_SHARES
from harness.statistics.evalues import Vector, log_means
from reference_engine.deviations import CATALOGUE


@dataclass(frozen=True)
class EValueParts:
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


def parts_of(assessed: Iterable[CaseAssessment], cases: Iterable[Case]) -> EValueParts:
    """Return the e-values of cases that were asked.

    Args:
        assessed: those cases.
        cases: every case of the suite.
    """
    asked = sorted(assessed, key=lambda w: w.case.id)
    unknown = [e for w in asked for e in (w.log_e, w.log_e_spread) if e is not None]
    by_share = zip(*(w.log_e_random for w in asked if w.log_e_random), strict=True)
    random = tuple(sum(values) for values in by_share) or (0.0,) * len(RANDOM_SHARES)
    possible = 1 + sum(isinstance(c.question, Moves) + 2 * isinstance(c.question, Sample) for c in cases)
    return EValueParts(tuple(unknown), totals(w.convict for w in asked), random, possible)


def log_evidence(assessed: Iterable[CaseAssessment], cases: Iterable[Case]) -> float:
    """Return the certificate's log e-value; see ``parts_of``."""
    return float(parts_of(assessed, cases).log_e([], {}, []))


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
