"""Which known deviation, or which two together, explain the evidence best; or that none does.

Likelihoods, not error rates: the conviction is made elsewhere, this only names what it is probably for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Final

import numpy as np
from scipy.special import logsumexp

from harness.judging.likelihood import Hypothesis, explain, fit, is_indifferent
from harness.judging.verdict import Suspect
from harness.judging.weighed import Weighed
from harness.judging.weights import EXCLUSION
from harness.statistics.evalues import Vector
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME, CATALOGUE

_LN10 = log(10)
SHOWN: Final = 5
"""Suspects in a verdict."""
_PARTNERS: Final = 12
"""Leading suspects that are paired with every other deviation, when none explains everything alone."""
_PRIOR_OF_PAIR: Final = log(100)
"""Nats by which a pair must do better than one deviation: there are about a hundred times as many."""
_NAMED: Final = 2.0
"""Nats for each of the first two cases whose failed checks name a hypothesis's very requirement.  What one
mistake makes fail in fifty cases is one piece of evidence, not fifty."""
_SURE: Final = 0.99
"""Posterior probability from which on a deviation is named with confidence."""
_MISFIT: Final = 1e-3
"""A hypothesis under which what was seen is less likely than this does not explain it."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How well the catalogue explains a conviction."""

    suspects: tuple[Suspect, ...]
    """Most likely first; empty where no listed deviation beats the specification."""
    unlisted: float
    """Log10 Bayes factor of "not in the catalogue" to the specification."""
    confident: bool
    """Whether the first suspect is far ahead of all others, and leaves nothing unexplained."""


@dataclass(frozen=True)
class _Ranked:
    hypotheses: Sequence[Hypothesis]
    ratios: Vector
    unlisted: float


NOTHING_WRONG: Final = Diagnosis((), 0.0, confident=False)


def diagnose(cases: Mapping[str, Weighed], tables: Tables, *, pairs: bool = True) -> Diagnosis:
    """Rank the catalogue by likelihood; where no single deviation explains everything, pairs of them too."""
    singles: list[Hypothesis] = [(deviation.name,) for deviation in CATALOGUE]
    ranked = _rank(cases, singles, tables)
    diagnosis = _conclude(ranked, cases, tables)
    if diagnosis.confident or not diagnosis.suspects or not pairs:
        return diagnosis
    leading = [singles[place][0] for place in np.argsort(-ranked.ratios, kind="stable")[:_PARTNERS]]
    both = [
        pair
        for pair in combinations((d.name for d in CATALOGUE), 2)
        if any(name in leading for name in pair) and _may_pair(*pair)
    ]
    return _conclude(_rank(cases, [*singles, *both], tables), cases, tables)


def _may_pair(one: str, other: str) -> bool:
    """Whether a bot can have both: they change different clauses."""
    return not set(BY_NAME[one].changes) & set(BY_NAME[other].changes)


def _rank(cases: Mapping[str, Weighed], hypotheses: Sequence[Hypothesis], tables: Tables) -> _Ranked:
    explained = {name: explain(w, hypotheses, tables) for name, w in sorted(cases.items())}
    borne_out = np.array([all(_is_borne_out(cases, n, tables) for n in h) for h in hypotheses])
    singles = np.array([len(h) == 1 for h in hypotheses])
    total, named, unlisted = np.zeros(len(hypotheses)), np.zeros(len(hypotheses)), 0.0
    for name, case in explained.items():
        indifferent = np.array([is_indifferent(cases[name], h) for h in hypotheses])
        total += case.granted(borne_out, indifferent, singles)
        named += case.accused
        unlisted += case.unlisted
    return _Ranked(hypotheses, total + _NAMED * np.minimum(named, 2), unlisted)


def _conclude(ranked: _Ranked, cases: Mapping[str, Weighed], tables: Tables) -> Diagnosis:
    prior = np.array([-_PRIOR_OF_PAIR * (len(h) - 1) for h in ranked.hypotheses])
    scores = ranked.ratios + prior
    order = [place for place in np.argsort(-scores, kind="stable") if scores[place] > EXCLUSION]
    if not order:
        return Diagnosis((), round(ranked.unlisted / _LN10, 2), confident=False)
    first = order[0]
    own = {BY_NAME[name].requirement for name in ranked.hypotheses[first]}
    # Deviations of the same requirement and their pairs are no rivals to the rule that is named.
    rivals = [
        scores[place]
        for place, h in enumerate(ranked.hypotheses)
        if not own & {BY_NAME[name].requirement for name in h}
    ]
    posterior = np.exp(scores[first] - logsumexp([scores[first], ranked.unlisted, 0.0, *rivals]))
    confident = bool(posterior >= _SURE and _fits(ranked.hypotheses[first], cases, tables))
    alone = {h[0]: score for h, score in zip(ranked.hypotheses, scores, strict=True) if len(h) == 1}
    suspects = tuple(
        _suspect(sorted(ranked.hypotheses[place], key=lambda name: -alone[name]), float(scores[place]))
        for place in order[:SHOWN]
    )
    return Diagnosis(suspects, round(ranked.unlisted / _LN10, 2), confident)


def _fits(hypothesis: Hypothesis, cases: Mapping[str, Weighed], tables: Tables) -> bool:
    """Whether nothing that was seen is too unlikely under a hypothesis.

    Of sums and chosen moves by their p-values (Bonferroni over the cases); of failed exact checks, that an
    engine with one of its deviations was ever seen to fail them.
    """
    if not all(_may_fail(name, hypothesis, tables) for name, w in cases.items() if w.failed):
        return False
    statistical = [w for w in cases.values() if w.case.is_statistical]
    return all(fit(w, hypothesis, tables) >= _MISFIT / len(statistical) for w in statistical)


def _may_fail(case: str, hypothesis: Hypothesis, tables: Tables) -> bool:
    rates = tables.exact.passes.get(case, {})
    return any(passed < runs for passed, runs in (rates.get(name, (1, 1)) for name in hypothesis))


def _suspect(hypothesis: Sequence[str], score: float) -> Suspect:
    """Describe a hypothesis; of two deviations the one that explains more alone stands first."""
    deviations = [BY_NAME[name] for name in hypothesis]
    return Suspect(
        " + ".join(d.name for d in deviations),
        deviations[0].requirement,
        "; and ".join(d.about for d in deviations),
        round(score / _LN10, 2),
    )


def _is_borne_out(cases: Mapping[str, Weighed], name: str, tables: Tables) -> bool:
    """Whether at least half of the exact cases failed that a deviation always fails."""
    own = [
        w.failed
        for case, w in cases.items()
        if not w.case.is_statistical and tables.exact.passes.get(case, {}).get(name, (1, 1))[0] == 0
    ]
    return bool(own) and 2 * sum(own) >= len(own)
