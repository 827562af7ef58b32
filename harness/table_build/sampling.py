"""Samples by the embedded engine: of playouts from a position, and of genmoves.

This module defines the draws and their sums; ``sampler`` makes and resumes samples.  The seed of a sample
follows from its purpose, so that samples for two purposes are independent.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec
import numpy as np

from harness.cases.case import Case
from harness.cases.start import Start, start_of
from harness.table_build.sampler import Sampler, SampleSums, block_of, fill, spread
from harness.tables.reference import Sampled, komi_name
from harness.tables.tables import root_digest
from reference_engine import playouts as engine
from reference_engine.digest import source_digest
from reference_engine.game import Game
from reference_engine.playouts import Counts, Kernel, Root, Tally, kernel_for
from reference_engine.search import root_candidates
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import Point


class Chosen(msgspec.Struct, frozen=True):
    """The moves chosen by a number of genmoves."""

    kernel: str
    seed: int
    genmoves: int
    counts: dict[str, int]
    """Counts by keys such as ``"C3 5"``: the move and twice the number of playouts won."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A sample of playouts, without its size."""

    start: Start
    komis: tuple[float, ...]
    kernel: Kernel
    seed: int

    @property
    def name(self) -> str:
        """A name that is unique among the samples of this and any other engine."""
        return _name(self.start.digest, self.komis, str(self.kernel), self.seed)


@dataclass(frozen=True, slots=True)
class GenmovePlan:
    """A sample of genmoves, without its size."""

    start: Start
    komi: float
    playouts: int
    candidates: tuple[Point, ...]
    kernel: Kernel
    seed: int

    @property
    def name(self) -> str:
        """A name that is unique among the samples of this and any other engine."""
        facts = (self.start.digest, self.komi, self.playouts, self.candidates, str(self.kernel), self.seed)
        return _name(*facts)


def _name(*facts: object) -> str:
    return hashlib.sha256(repr((source_digest(), *facts)).encode()).hexdigest()[:16]


def seed_of(*facts: object) -> int:
    """Return the seed of a sample for this purpose; samples for two purposes are independent."""
    return int.from_bytes(hashlib.sha256(repr(facts).encode()).digest()[:6], "big")


def other_kernel(kernel: Kernel, size: int) -> Kernel:
    """Return a kernel to check another one by, if there are two for boards of this size."""
    is_chains = kernel is Kernel.CHAINS
    return engine.kernel_for(size) if is_chains else Kernel.CHAINS


def root_of(start: Start, komi: float) -> Root:
    """Return the start in the engine's form."""
    return Root(start.position, start.colour, start.moves_played, float(komi))


def sample_playouts(plan: Plan, playouts: int, sampler: Sampler, what: str) -> Sampled:
    """Return the sample of the first ``playouts`` playouts of a plan; a saved part of it is resumed."""
    block = block_of(plan.start.size)
    return fill(lambda: _PlayoutSums(plan), playouts, sampler, plan.name, what, block)


def sample_genmoves(plan: GenmovePlan, genmoves: int, sampler: Sampler, what: str) -> Chosen:
    """Return the sample of the first ``genmoves`` genmoves of a plan; a saved part of it is resumed."""
    block = max(1, block_of(plan.start.size) // plan.playouts)
    return fill(lambda: _GenmoveSums(plan), genmoves, sampler, plan.name, what, block, plan.playouts)


def genmove_plan_of(
    case: Case, purpose: str, genmoves: int, *, spec: Spec = SPEC, kernel: Kernel | None = None
) -> GenmovePlan:
    """Return the plan for the table of a case about chosen moves, with the game played by any rules."""
    game = Game.new(case.file.size, komi=case.file.komi, spec=spec)
    for colour, move in case.plays:
        game = game.after(colour, move)
    return GenmovePlan(
        start_of(case),
        float(case.file.komi),
        case.file.playouts,
        tuple(root_candidates(game, case.colour)),
        kernel or kernel_for(case.file.size, spec),
        seed_of(purpose, root_digest(case), genmoves),
    )


def forget(plan: Plan | GenmovePlan, sampler: Sampler) -> None:
    """Remove the saved state of a sample that is now in a table."""
    if sampler.folder:
        (sampler.folder / f"{plan.name}.json").unlink(missing_ok=True)


def count_outcomes(start: Start, spec: Spec, playouts: int, seed: int, sampler: Sampler) -> Counts:
    """Run playouts under any rules and return int64[lengths, 2 * area + 1], nodes against margin + area."""
    total = engine.histogram_for(start.size, spec)
    for _, cells in spread(partial(_outcomes, start, spec, seed), 0, playouts, sampler):
        cells.add_to(total)
    return total


def count_choices(plan: GenmovePlan, spec: Spec, genmoves: int, sampler: Sampler) -> dict[str, int]:
    """Repeat a genmove under any rules and count the moves, each with twice the number of playouts won."""
    sums = _GenmoveSums(plan, spec)
    for _, part in spread(sums.part, 0, genmoves, sampler):
        sums.add(part)
    return sums.frozen(genmoves).counts


@dataclass(frozen=True, slots=True)
class _Cells:
    """The counts of a histogram that are not 0.  They are few, and only they are sent between machines."""

    lengths: Counts
    places: Counts
    counts: Counts

    @classmethod
    def of(cls, histogram: Counts) -> "_Cells":
        lengths, places = histogram.nonzero()
        return cls(lengths, places, histogram[lengths, places])

    def add_to(self, histogram: Counts) -> None:
        histogram[self.lengths, self.places] += self.counts


def _outcomes(start: Start, spec: Spec, seed: int, first: int, count: int) -> _Cells:
    histogram = engine.histogram_for(start.size, spec)
    engine.run(root_of(start, 0.0), count, seed, first, spec=spec, histogram=histogram)
    return _Cells.of(histogram)


def _playouts(plan: Plan, first: int, count: int) -> tuple[_Cells, list[Tally]]:
    histogram = engine.histogram_for(plan.start.size)
    first_root, *others = (root_of(plan.start, komi) for komi in plan.komis)
    tallies = [
        engine.run(first_root, count, plan.seed, first, kernel=plan.kernel, owners=True, histogram=histogram)
    ]
    # Another komi needs the same playouts again.  It is rare, so the engine has no code for it.
    tallies += [engine.run(root, count, plan.seed, first, kernel=plan.kernel) for root in others]
    return _Cells.of(histogram), tallies


def _choices(plan: GenmovePlan, spec: Spec, first: int, count: int) -> dict[str, int]:
    root = root_of(plan.start, plan.komi)
    found = engine.choice_counts(
        root, plan.playouts, count, plan.seed, first, list(plan.candidates), spec, plan.kernel
    )
    return {f"{vertex.upper()} {wins}": n for (vertex, wins), n in found.items()}


class _PlayoutSums(SampleSums[tuple[_Cells, list[Tally]], Sampled]):
    kind = Sampled

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        area = plan.start.size**2
        self._histogram = engine.histogram_for(plan.start.size)
        self._tallies = [
            Tally(0, 0, 0, _zeros(area), _zeros(area), _zeros(2, 0 if place else area))
            for place in range(len(plan.komis))
        ]

    @property
    def part(self) -> Callable[[int, int], tuple[_Cells, list[Tally]]]:
        return partial(_playouts, self._plan)

    def add(self, part: tuple[_Cells, list[Tally]]) -> None:
        part[0].add_to(self._histogram)
        self._tallies = [a + b for a, b in zip(self._tallies, part[1], strict=True)]

    def frozen(self, done: int) -> Sampled:
        lengths, places = self._histogram.nonzero()
        counts = self._histogram[lengths, places].tolist()
        margins = (places - self._plan.start.size**2).tolist()
        tally = self._tallies[0]
        return Sampled(
            str(self._plan.kernel),
            self._plan.seed,
            done,
            list(zip(lengths.tolist(), margins, counts, strict=True)),
            tally.visits.tolist(),
            {komi_name(k): t.wins.tolist() for k, t in zip(self._plan.komis, self._tallies, strict=True)},
            tally.owned[0].tolist(),
            tally.owned[1].tolist(),
        )

    def resume(self, state: Sampled) -> int:
        for length, margin, count in state.counts:
            self._histogram[length, margin + self._plan.start.size**2] = count
        first = self._tallies[0]
        first.visits[:], first.owned[0][:], first.owned[1][:] = state.visits, state.black, state.white
        for komi, tally in zip(self._plan.komis, self._tallies, strict=True):
            tally.wins[:] = state.wins[komi_name(komi)]
        return state.playouts


def _zeros(*shape: int) -> Counts:
    return np.zeros(shape, np.int64)


class _GenmoveSums(SampleSums[dict[str, int], Chosen]):
    kind = Chosen

    def __init__(self, plan: GenmovePlan, spec: Spec = SPEC) -> None:
        self._plan = plan
        self._spec = spec
        self._counts: dict[str, int] = {}

    @property
    def part(self) -> Callable[[int, int], dict[str, int]]:
        return partial(_choices, self._plan, self._spec)

    def add(self, part: dict[str, int]) -> None:
        for name, count in part.items():
            self._counts[name] = self._counts.get(name, 0) + count

    def frozen(self, done: int) -> Chosen:
        return Chosen(str(self._plan.kernel), self._plan.seed, done, dict(sorted(self._counts.items())))

    def resume(self, state: Chosen) -> int:
        self._counts = dict(state.counts)
        return state.genmoves
