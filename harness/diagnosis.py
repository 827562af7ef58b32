"""Which known deviation explains the evidence best.

Likelihoods, not error rates: the conviction is made elsewhere, this only names what it is probably for.
"""

from collections.abc import Mapping
from math import log

from harness.verdict import Suspect
from harness.weigh import Weighed, log_likelihood
from harness.weights import EXCLUSION
from reference_engine.deviations import CATALOGUE

_LN10 = log(10)


def diagnose(cases: Mapping[str, Weighed]) -> list[Suspect]:
    """Rank the catalogue by likelihood; empty when no listed deviation explains the evidence."""
    suspects = []
    for deviation in CATALOGUE:
        borne_out = _is_borne_out(cases, deviation.name)
        value = sum(log_likelihood(w, deviation.name, borne_out=borne_out) for w in cases.values())
        if value > EXCLUSION:
            factor = round(value / _LN10, 2)
            suspects.append(Suspect(deviation.name, deviation.requirement, deviation.about, factor))
    return sorted(suspects, key=lambda s: -s.log10_bayes_factor)[:5]


def _is_borne_out(cases: Mapping[str, Weighed], name: str) -> bool:
    """Whether at least half of the exact cases failed that a deviation always fails."""
    own = [w.failed for w in cases.values() if name in w.never_passed]
    return bool(own) and 2 * sum(own) >= len(own)
