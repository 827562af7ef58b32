"""Finds the known deviation, or the pair of them, that explains everything seen in a run.

Each candidate is simulated on the questions of the run (``simulation``).  It is refuted if it misses one
of the values seen.  Candidates that are not refuted are ranked by likelihood.  No error rate is claimed here:
the bot is convicted elsewhere (``case_assessment``), this module only explains it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, log
from typing import Final

import numpy as np
import scipy  # its parts are loaded when they are first used

from harness.cases.case import Case, Complete, Fresh
from harness.cases.suite import Suite
from harness.judging.exact import score_digits
from harness.judging.likelihood import Hypothesis, fit, ratios, unlisted_ratio
from harness.judging.run_assessment import EXCLUSION, RunAssessment
from harness.judging.simulation import EffortError, Simulation
from harness.judging.verdict import Suspect
from harness.records.evidence import BotRef, Unit
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME, CATALOGUE, Deviation
from reference_engine.playout import move_cap
from reference_engine.spec import SPEC, Spec

SHOWN: Final = 5
"""Suspects in a verdict."""
_PRIOR_OF_PAIR: Final = log(len(CATALOGUE))
"""Nats by which two deviations must do better than one: as many partners can be chosen."""
_MOST_AGAINST: Final = 3
"""Exact cases that may contradict a deviation before it is simulated: of each there are a dozen runs."""
_SURE: Final = 0.99
"""Posterior probability from which on a deviation is named with confidence."""
_MISFIT: Final = 1e-3
"""A hypothesis is refuted if the p-value of the statistical cases under it is less than this."""
_PLACES: Final = 8
"""Failed units, of different cases, that are simulated first."""
_SIMULATED: Final = 6
"""The likeliest candidates, for which the whole run is simulated."""
_PLACES_OF_PAIRS: Final = 4
"""Failed units on which the two deviations of a pair are looked for."""
_PAIRS: Final = 12
"""Pairs that are tried."""
_EFFORT: Final = 20_000
"""Commands that are simulated, at most, before no more pairs are looked for: some seconds."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How well the catalogue explains a conviction."""

    suspects: tuple[Suspect, ...]
    """Likeliest first.  If none explains everything: the nearest, and the value that refutes it."""
    unlisted: float
    """Probability of a deviation that nobody listed."""
    confident: bool
    """Whether the first suspect explains everything, and no other requirement's does nearly as well."""
    is_cut_short: bool = False
    """Whether known deviations were left untried, since to simulate them would have taken too long."""

    @property
    def explained(self) -> bool:
        """Whether a listed deviation explains everything that was seen."""
        return bool(self.suspects) and not self.suspects[0].refuted


NOTHING_WRONG: Final = Diagnosis((), 0.0, confident=False)


def diagnose(
    suite: Suite,
    tables: Tables,
    assessment: RunAssessment,
    units: Sequence[Unit],
    bot: BotRef,
    *,
    pairs: bool = True,
) -> Diagnosis:
    """Return the deviations that explain everything that was seen, or the nearest.

    Args:
        suite: what the run was planned by.
        tables: the references, and how deviations fare.
        assessment: of the run.
        units: of the run, in any order.
        bot: who was asked.
        pairs: whether pairs of deviations are tried if no single one explains everything.
    """
    try:
        return _Search(suite, tables, assessment, units, bot).diagnosis(pairs=pairs)
    except EffortError:
        return Diagnosis((), 1.0, confident=False, is_cut_short=True)


def spec_of(hypothesis: Hypothesis) -> Spec:
    """Return the rules of a bot with every deviation of a hypothesis."""
    return SPEC.changed(**{field: v for name in hypothesis for field, v in BY_NAME[name].changes.items()})


class _Search:
    def __init__(
        self, suite: Suite, tables: Tables, assessment: RunAssessment, units: Sequence[Unit], bot: BotRef
    ) -> None:
        self._tables = tables
        self._assessment = assessment
        self._bot = bot
        self._simulation = Simulation(suite, units, bot.commands, score_digits(list(units)))
        self._failed = self._first_failures()
        self._refuted: dict[Hypothesis, tuple[int, str]] = {}

    def _first_failures(self) -> list[int]:
        """Return the places of some failed units, each of another case."""
        shown = self._simulation.shown
        cases: dict[str, int] = {}
        for place, each in enumerate(shown):
            if each.faults:
                cases.setdefault(self._simulation.case_at(place).id, place)
        places = sorted(
            cases.values(), key=lambda place: isinstance(self._simulation.case_at(place).question, Complete)
        )
        return places[:_PLACES]

    def diagnosis(self, *, pairs: bool) -> Diagnosis:
        listed: list[Hypothesis] = [(d.name,) for d in self._tables.catalogue if self._is_possible(d)]
        scores = self._scores(listed)
        likeliest = self._likeliest(listed, scores)
        left = [h for h in likeliest if self._survives(h)]
        if not left:
            left = [h for h in likeliest[:1] if self._survives(h, is_last_look=True)]
        if not left and pairs and self._failed:
            left = [h for h in islice(self._pairs(), _PAIRS) if self._survives(h)]
        return self._conclude(self._scores(left, simulated=True))

    def _is_possible(self, deviation: Deviation) -> bool:
        """Whether few exact cases contradict how engines with a deviation always fared."""
        against = 0
        for name, assessed in self._assessment.cases.items():
            if name not in self._tables.exact.passes or not self._is_measured(assessed.case):
                continue
            passed, runs = self._tables.exact.passes[name].get(deviation.name, (1, 1))
            is_against = passed == runs if assessed.failed else passed == 0
            if is_against and isinstance(assessed.case.question, Fresh):
                return False  # X1 is checked over many genmoves, and simulations are of single ones
            against += is_against
        return against <= _MOST_AGAINST

    def _is_measured(self, case: Case) -> bool:
        return self._bot.fixed_playouts in (None, case.file.playouts)

    def _scores(
        self, hypotheses: Sequence[Hypothesis], *, simulated: bool = False
    ) -> dict[Hypothesis, float]:
        """Return log likelihood ratios to the specification, by sums and chosen moves.

        If the tables do not predict a case under a hypothesis, the case counts as it does for an unlisted
        deviation, provided that the hypothesis changes it; whether it fits is left to the simulation.

        Args:
            hypotheses: to be scored.
            simulated: whether the whole run was simulated under each, so the cases they change are known.
        """
        total = np.array([-_PRIOR_OF_PAIR * (len(h) - 1) for h in hypotheses])
        is_changed = [self._simulation.changed(spec_of(h)) if simulated else None for h in hypotheses]
        for name, assessed in sorted(self._assessment.cases.items()):
            found = ratios(assessed, hypotheses, self._tables)
            changes = [bool(self._failed) if names is None else name in names for names in is_changed]
            granted = np.where(changes, unlisted_ratio(assessed, self._tables), 0.0)
            total += np.where(np.isnan(found), granted, found)
        return dict(zip(hypotheses, total.tolist(), strict=True))

    def _likeliest(
        self, listed: Sequence[Hypothesis], scores: Mapping[Hypothesis, float]
    ) -> list[Hypothesis]:
        """Return the candidates for which the whole run is simulated: those that explain the failed units."""
        left = [h for h in listed if self._explains_failures(h)]
        cases = self._assessment.cases.values()
        if not self._failed and not any(w.failed for w in cases if isinstance(w.case.question, Fresh)):
            left = [h for h in left if scores[h] > EXCLUSION]
        return sorted(left, key=lambda h: -scores[h])[:_SIMULATED]

    def _explains_failures(self, hypothesis: Hypothesis) -> bool:
        return all(self._holds(hypothesis, place, done) for done, place in enumerate(self._failed))

    def _holds(self, hypothesis: Hypothesis, place: int, done: int, *, is_last_look: bool = False) -> bool:
        if shown := self._simulation.refutes(spec_of(hypothesis), place, is_last_look=is_last_look):
            seen = self._simulation.shown[place].in_words
            text = f"in {self._simulation.case_at(place).id} it would show {shown}; the bot showed {seen}"
            self._refuted[hypothesis] = (done, text)
            return False
        return True

    def _survives(self, hypothesis: Hypothesis, *, is_last_look: bool = False) -> bool:
        """Whether a hypothesis explains every value of the run."""
        done, places = len(self._failed), self._simulation.exact
        if not all(self._holds(hypothesis, place, done, is_last_look=is_last_look) for place in places):
            return False
        found = self._simulation.compare(spec_of(hypothesis))
        for name, assessed in self._assessment.cases.items():
            if assessed.case.is_statistical:
                both = (found.get(name, 1.0), fit(assessed, hypothesis, self._tables))
                found[name] = min(1.0, 2 * min(both))
        worst = min(found, key=lambda name: found[name], default="")
        if worst and _pooled(list(found.values())) < _MISFIT:
            text = f"in {worst} it would show other figures (p-value {found[worst]:.2g})"
            self._refuted[hypothesis] = (done + 1, text)
            return False
        return True

    def _pairs(self) -> Iterator[Hypothesis]:
        """Yield pairs of deviations such that each failure is explained by one of the two."""
        every = [(d.name,) for d in self._tables.catalogue]
        explains = {
            place: [
                h
                for h in every
                if self._simulation.spent < _EFFORT
                and self._may_fail(h[0], place)
                and self._holds(h, place, 0)
            ]
            for place in self._failed[:_PLACES_OF_PAIRS]
        }
        tried = set()
        for first in explains[self._failed[0]]:
            rest = [place for place in explains if first not in explains[place]]
            for second in explains[rest[0]] if rest else every:
                pair = (first[0], second[0])
                if frozenset(pair) in tried or not may_pair(*pair):
                    continue
                tried.add(frozenset(pair))
                if self._simulation.spent > 2 * _EFFORT:
                    return
                if all(second in explains[place] for place in rest) and self._explains_failures(pair):
                    yield pair

    def _may_fail(self, name: str, place: int) -> bool:
        rates = self._tables.exact.passes.get(self._simulation.case_at(place).id, {})
        passed, runs = rates.get(name, (0, 1))
        return passed < runs

    def _conclude(self, left: Mapping[Hypothesis, float]) -> Diagnosis:
        if not left:
            return Diagnosis(self._nearest(), 1.0, confident=False)
        scores = {
            h: score + sum(self._simulation.log_likelihood(spec_of(h), place) for place in self._failed)
            for h, score in left.items()
        }
        unlisted = self._unlisted()
        everything = scipy.special.logsumexp([unlisted, *scores.values()])
        order = sorted(scores, key=lambda h: -scores[h])
        own = {BY_NAME[name].requirement for name in order[0]}
        named = [s for h, s in scores.items() if own & {BY_NAME[n].requirement for n in h}]
        confident = exp(scipy.special.logsumexp(named) - everything) >= _SURE
        suspects = tuple(_suspect(h, exp(scores[h] - everything)) for h in order[:SHOWN])
        return Diagnosis(suspects, exp(unlisted - everything), bool(confident))

    def _nearest(self) -> tuple[Suspect, ...]:
        """Return the refuted hypothesis that explains most of what failed, if any explains something."""
        near = [(-done, len(h), h) for h, (done, _) in self._refuted.items() if done]
        if not near:
            return ()
        hypothesis = min(near)[2]
        return (_suspect(hypothesis, 0.0, self._refuted[hypothesis][1]),)

    def _unlisted(self) -> float:
        """Return the log likelihood ratio of a deviation that nobody listed.

        Every value within the bounds is taken as equally likely under it.  Only two failed values count: one
        mistake can make many cases fail, and these are not independent evidence.
        """
        values = [-log(_values_of(self._simulation.case_at(place))) for place in self._failed[:2]]
        return sum(values) + sum(unlisted_ratio(w, self._tables) for w in self._assessment.cases.values())


def _pooled(p_values: Sequence[float]) -> float:
    """Combine independent p-values: twice the smaller of the results by Fisher (1925) and by Bonferroni."""
    logs = -2 * np.log(np.maximum(p_values, 1e-300)).sum()
    fisher = float(scipy.special.chdtrc(2 * len(p_values), logs))
    return min(1.0, 2 * min(fisher, len(p_values) * min(p_values)))


def may_pair(one: str, other: str) -> bool:
    """Whether a bot can have both: they change different clauses."""
    return not set(BY_NAME[one].changes) & set(BY_NAME[other].changes)


def _values_of(case: Case) -> int:
    """Return how many different values one unit of a case can show."""
    if case.is_script:
        return 2 * len(case.steps)  # each step may go wrong, with an error or without
    lengths = move_cap(case.file.size) * case.file.playouts
    return lengths * (2 * case.file.playouts + 1)


def _suspect(hypothesis: Hypothesis, probability: float, refuted: str = "") -> Suspect:
    deviations = [BY_NAME[name] for name in hypothesis]
    return Suspect(
        " + ".join(d.name for d in deviations),
        deviations[0].requirement,
        "; and ".join(d.about for d in deviations),
        round(probability, 4),
        refuted,
    )
