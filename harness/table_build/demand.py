"""References made on demand: exact if every course of the playouts can be followed, otherwise sampled.

All references are made here, packaged ones too.  Results of long computations are saved in the user's cache.
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
"""The purposes of samples.  Each purpose has its own seeds, so that samples for two are independent."""
STATES = 30_000
"""Greatest number of states for which a distribution is computed on demand: some seconds; enough for 3x3."""
MAPS = BLOCK
"""Playouts of the maps if the distribution itself is exact."""


class _Tried(msgspec.Struct, frozen=True):
    """The result of an attempt at an exact distribution; None if there are too many states."""

    exact: Exact | None


@dataclass(frozen=True, slots=True)
class ReferenceRequest:
    """A request for a reference."""

    start: Start
    komis: tuple[float, ...]
    playouts: int
    purpose: str = ASKED
    states: int = STATES
    """Greatest number of states of an exact distribution."""
    maps: int = MAPS
    """Number of playouts that is enough for the maps if the distribution is exact."""


def plan_of(request: ReferenceRequest, playouts: int) -> Plan:
    """Return the plan of a request's sample; a sample of another size has another seed."""
    seed = seed_of(request.purpose, request.start.digest, playouts)
    return Plan(request.start, request.komis, kernel_for(request.start.size), seed)


def make_reference(request: ReferenceRequest, sampler: Sampler, what: str) -> Reference:
    """Make a reference, or take it from the cache."""
    exact = exact_of(request.start, request.states, sampler)
    playouts = min(request.playouts, request.maps) if exact else request.playouts
    sampled = sample_playouts(plan_of(request, playouts), playouts, sampler, what)
    return Reference(request.start, source_digest(), sampled, exact)


def exact_of(start: Start, states: int, sampler: Sampler) -> Exact | None:
    """Return the distribution of playouts from a start; None if they have too many states."""
    name = f"exact-{start.digest}-{states}-{source_digest()}.json"
    path = sampler.folder / name if sampler.folder else None
    tried = recall(path, _Tried, sampler.warn) if path else None
    if tried is None:
        tried = _Tried(_compute(start, states))
        if path:
            with suppress(OSError):
                # If nothing can be saved, the sample that follows reports it.
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
        case: a case about chosen moves.
        playouts: the number of playouts of all genmoves together.
        purpose: one of the purposes above.
        sampler: the sampler.
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
    """Makes tables that are not packaged, for ``Tables``."""

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
        """Return the sampler, with a note before the first playout."""
        is_announced = False

        def see(progress: SamplingProgress) -> None:
            nonlocal is_announced
            if not is_announced:
                self.sampler.note(f"{what}: no table is packaged; playing {progress.total:,} playouts once")
                is_announced = True
            self.sampler.see(progress)

        return replace(self.sampler, see=see)
