"""References made on demand: computed where every course can be followed, sampled otherwise.

The one place where references come from, packaged or not.  What took long is kept in the user's cache.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec

from harness.cases.case import Case
from harness.cases.start import Start
from harness.table_build.cache import recall, retain
from harness.table_build.fitted import make_fitted
from harness.table_build.sampler import BLOCK, Sampler, SamplingProgress
from harness.table_build.sampling import (
    Chosen,
    Plan,
    genmove_plan_of,
    sample_genmoves,
    sample_playouts,
    seed_of,
)
from harness.tables.reference import Exact, Reference
from harness.tables.sizes import LEAST
from harness.tables.tables import ChoiceTable, root_digest
from reference_engine.digest import source_digest
from reference_engine.distribution import TooManyStatesError, distribution_of
from reference_engine.playouts import kernel_for

PACKAGED = "packaged"
ASKED = "asked"
CHECK = "check"
"""Purposes: a sample for another purpose has another seed, and is independent of those for this one."""
STATES = 30_000
"""Different states up to which a distribution is computed while somebody waits: seconds; enough for 3x3."""
MAPS = BLOCK
"""Playouts of the maps where the distribution itself is exact."""


class _Tried(msgspec.Struct, frozen=True):
    """How an attempt at an exact distribution ended."""

    exact: Exact | None


@dataclass(frozen=True, slots=True)
class ReferenceRequest:
    """A reference to be made."""

    start: Start
    komis: tuple[float, ...]
    playouts: int
    purpose: str = ASKED
    states: int = STATES
    maps: int = MAPS
    """Playouts that are enough where the distribution turns out exact."""


def plan_of(request: ReferenceRequest, playouts: int) -> Plan:
    """Return the sample an request asks for; one of another size is another sample."""
    seed = seed_of(request.purpose, request.start.digest, playouts)
    return Plan(request.start, request.komis, kernel_for(request.start.size), seed)


def make_reference(request: ReferenceRequest, sampler: Sampler, what: str) -> Reference:
    """Make a reference, or take it from the cache."""
    exact = exact_of(request.start, request.states, sampler)
    playouts = min(request.playouts, request.maps) if exact else request.playouts
    sampled = sample_playouts(plan_of(request, playouts), playouts, sampler, what)
    return Reference(request.start, source_digest(), sampled, exact)


def exact_of(start: Start, states: int, sampler: Sampler) -> Exact | None:
    """Return the distribution of playouts from a start, or None if there are too many states on the way."""
    name = f"exact-{start.digest}-{states}-{source_digest()}.json"
    path = sampler.folder / name if sampler.folder else None
    tried = recall(path, _Tried, sampler.warn) if path else None
    if tried is None:
        tried = _Tried(_compute(start, states))
        if path:
            with suppress(OSError):
                # The sample that follows says it when nothing can be kept.
                retain(path, tried)
    return tried.exact


def _compute(start: Start, states: int) -> Exact | None:
    try:
        found = distribution_of(
            start.position, start.colour, start.moves_played, limit=states, first_plays=False
        )
    except TooManyStatesError:
        return None
    chances = sorted((int(length), int(margin), float(p)) for (length, margin), p in found.outcomes.items())
    return Exact(found.states, float(found.error), chances)


def make_choice(case: Case, playouts: int, purpose: str, sampler: Sampler) -> ChoiceTable:
    """Make a table of chosen moves, without deviations, or take it from the cache.

    Args:
        case: asks about chosen moves.
        playouts: of all genmoves together.
        purpose: see ``ReferenceRequest``.
        sampler: how.
    """
    genmoves = -(-playouts // case.file.playouts)
    plan = genmove_plan_of(case, purpose, genmoves)
    chosen = sample_genmoves(plan, genmoves, sampler, case.id)
    return choice_table_of(case, chosen)


def choice_table_of(case: Case, chosen: Chosen) -> ChoiceTable:
    """Return a sample of genmoves as the table of its case."""
    facts = (case.id, root_digest(case), source_digest(), chosen.kernel, chosen.seed)
    return ChoiceTable(*facts, case.file.playouts, chosen.genmoves, chosen.counts, {})


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Makes what is not packaged, for ``Tables``."""

    sampler: Sampler
    playouts: int = LEAST

    def reference(self, start: Start, komi: float) -> Reference:
        """Return the reference of a start, from the user's cache or made now."""
        request = ReferenceRequest(start, (float(komi),), self.playouts)
        return make_reference(request, self._announcing(start.about), start.name)

    def choice(self, case: Case) -> ChoiceTable:
        """Return a table of chosen moves, without deviations, from the user's cache or made now."""
        return make_choice(case, self.playouts, ASKED, self._announcing(case.id))

    def fitted(self, cases: Sequence[Case]) -> list[ChoiceTable]:
        """Return tables for cases with a bot's own number of playouts, from the user's cache or made now."""
        return make_fitted(cases, self.sampler)

    def _announcing(self, what: str) -> Sampler:
        """Return the sampler, with one line before any playout is made."""
        told: list[SamplingProgress] = []

        def see(progress: SamplingProgress) -> None:
            if not told:
                self.sampler.note(f"{what}: no table is packaged; playing {progress.total:,} playouts once")
                told.append(progress)
            self.sampler.see(progress)

        return replace(self.sampler, see=see)
