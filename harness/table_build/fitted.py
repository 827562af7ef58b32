"""Tables of chosen moves for the number of playouts that a bot always runs.  They are made on demand.

Packaged tables are for 1, 4 and 8 playouts a genmove, but the chosen moves depend on that number.  For some
deviations only chosen moves can be evidence.  A pilot finds the cases that show them at the bot's number of
playouts, and the cases that tell deviations of different requirements apart.  Tables are then made of a
small set of cases that does both.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from time import monotonic
from typing import Final

import msgspec

from harness.cases.case import Case
from harness.statistics.evalues import Categories
from harness.table_build.cache import recall, retain
from harness.table_build.sampler import Sampler, SamplingProgress
from harness.table_build.sampling import GenmovePlan, count_choices, genmove_plan_of
from harness.tables.predict import shows_in_choices_only
from harness.tables.tables import OTHER, ChoiceTable, root_digest
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.digest import source_digest
from reference_engine.spec import SPEC

RIVALS: Final = tuple(d.name for d in CATALOGUE if shows_in_choices_only(d.name))
"""The deviations that the tables are made of."""
_TELLS: Final = 0.2
"""Least nats per genmove of the pilot at which a case is thought to show a deviation."""
_ENOUGH: Final = 2.0
"""Nats per genmove above which more is not useful: four genmoves then exclude a deviation."""
_APART: Final = 0.5
"""The same for two deviations: ten genmoves then decide between them."""
_GAIN: Final = 0.25
"""Least sum of nats, over all deviations, that another case must add."""
_RARE, _FEW = 0.01, 5
"""Share and number of genmoves below which a move has no cell of its own."""
_SPEC: Final = ""
"""The name of the specification, in place of a deviation."""
_Counted = tuple[str, dict[str, int], int]
"""The name of a deviation, its count of each move, and its number of genmoves."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Numbers of genmoves for the tables of one number of playouts."""

    pilot: int
    """Genmoves of each deviation in every case of the pilot; the specification has twice as many."""
    own: int
    """Genmoves of the specification in a chosen case; a run asks for a tenth of them at most."""
    rival: int
    """Genmoves of each deviation in a chosen case."""

    @classmethod
    def of(cls, playouts: int) -> "Effort":
        """Return the numbers that some seconds allow: fewer if each genmove has many playouts."""
        return cls(
            max(40, min(400, 60_000 // playouts)),
            max(6_000, min(40_000, 10_000_000 // playouts)),
            max(200, min(4_000, 1_000_000 // playouts)),
        )


class _Made(msgspec.Struct, frozen=True):
    tables: list[ChoiceTable]


def make_fitted(cases: Sequence[Case], sampler: Sampler) -> list[ChoiceTable]:
    """Make a table for each case, or take them from the cache.

    A case that is not chosen has a table without deviations, as asking it is not known to gain anything.

    Args:
        cases: every case of the suite about chosen moves, with the bot's number of playouts.
        sampler: the sampler.
    """
    playouts = cases[0].file.playouts
    effort = Effort.of(playouts)
    facts = (source_digest(), [root_digest(case) for case in cases], RIVALS, effort, _ENOUGH, _APART, _GAIN)
    name = f"fitted-{hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}.json"
    path = sampler.folder / name if sampler.folder else None
    kept = recall(path, _Made, sampler.warn) if path else None
    if kept is not None:
        return kept.tables
    made = _make(cases, playouts, effort, sampler)
    if path:
        with suppress(OSError):
            retain(path, _Made(made))
    return made


def _make(cases: Sequence[Case], playouts: int, effort: Effort, sampler: Sampler) -> list[ChoiceTable]:
    each = effort.pilot * (len(RIVALS) + 2) * playouts
    what = f"chosen moves at {playouts:,} playouts"
    sampler.note(
        f"{what} a genmove: no tables are packaged; a pilot of {len(cases) * each:,} playouts finds the most "
        "informative cases, then their tables are made, once"
    )
    pilot = _Round(f"{what}, pilot", sampler, len(cases) * each)
    tried = {case.id: pilot.play(case, 2 * effort.pilot, effort.pilot, "pilot") for case in cases}
    rates = {case.id: _rates(tried[case.id]) for case in cases}
    wanted = cover(rates, {case.id: case.file.size**2 for case in cases})
    each = (effort.own + effort.rival * len(RIVALS)) * playouts
    sampler.note(f"{what} a genmove: {len(wanted)} cases of {len(cases)}, {len(wanted) * each:,} playouts")
    full = _Round(what, sampler, len(wanted) * each)
    tables = []
    for case in cases:
        is_wanted = case.id in wanted
        counts = full.play(case, effort.own, effort.rival, "fitted") if is_wanted else tried[case.id]
        own = counts.pop(_SPEC)
        plan = _plan(case, _SPEC, "fitted" if is_wanted else "pilot", sum(own.values()))
        tables.append(
            ChoiceTable(
                case.id,
                root_digest(case),
                source_digest(),
                str(plan.kernel),
                plan.seed,
                playouts,
                sum(own.values()),
                own,
                counts if is_wanted else {},
                list(RIVALS) if is_wanted else [],
                moves_only=True,
            )
        )
    return tables


def cover(rates: Mapping[str, Mapping[str, float]], costs: Mapping[str, float]) -> list[str]:
    """Return a small set of cases that together tell nearly all that any of them tells.

    Args:
        rates: by case and question, the nats by which a genmove is expected to answer it; see ``_rates``.
        costs: the cost of a genmove of each case, in any unit.
    """
    best: dict[str, float] = {}
    chosen: list[str] = []

    def gain(case: str) -> float:
        return sum(max(0.0, rate - best.get(name, 0.0)) for name, rate in rates[case].items())

    while left := [case for case in rates if case not in chosen and gain(case) > _GAIN]:
        case = max(left, key=lambda c: (gain(c) / costs[c] ** 0.5, c))
        chosen.append(case)
        for name, rate in rates[case].items():
            best[name] = max(rate, best.get(name, 0.0))
    return chosen


def _rates(counts: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """Return the nats that a genmove is expected to give to each question.

    One kind of question is that against each deviation, if the bot conforms.  The other is that between two
    deviations of different requirements: the smaller of the two rates, each if the bot has the other one.
    """
    categories, others = {name: Categories(found) for name, found in counts.items()}, len(counts[_SPEC]) + 1
    rates = {}
    for name in RIVALS:
        rate = categories[_SPEC].divergence(categories[name], others)
        if rate > _TELLS:
            rates[name] = min(rate, _ENOUGH)
    for one, other in combinations(RIVALS, 2):
        if BY_NAME[one].requirement == BY_NAME[other].requirement:
            continue
        first, second = categories[one], categories[other]
        rate = min(first.divergence(second, others), second.divergence(first, others))
        if rate > _TELLS:
            rates[f"{one} or {other}"] = min(rate, _APART)
    return rates


def _plan(case: Case, name: str, purpose: str, genmoves: int) -> GenmovePlan:
    spec = BY_NAME[name].spec if name else SPEC
    return genmove_plan_of(case, f"{purpose} {name}", genmoves, spec=spec)


class _Round:
    """A round of genmoves with a progress display; the deviations of a case are played in parallel."""

    def __init__(self, what: str, sampler: Sampler, total: int) -> None:
        self._what = what
        self._sampler = sampler
        self._total = total
        self._done = 0
        self._started = monotonic()

    def play(self, case: Case, own: int, rival: int, purpose: str) -> dict[str, dict[str, int]]:
        """Return the count of each chosen move, by deviation."""
        sizes = [(_SPEC, own), *((name, rival) for name in RIVALS)]
        jobs = [partial(_count, case, name, genmoves, purpose) for name, genmoves in sizes]
        found = {}
        for name, counts, genmoves in _run_parallel(jobs, self._sampler):
            found[name] = counts
            self._done += genmoves * case.file.playouts
            seconds = monotonic() - self._started
            rate = self._done / seconds if seconds > 0 else 0.0
            self._sampler.see(SamplingProgress(self._what, self._done, self._total, seconds, rate))
        common = {move for move, count in found[_SPEC].items() if count >= max(_FEW, _RARE * own)}
        return {name: _merge_rare(counts, common) for name, counts in found.items()}


def _merge_rare(counts: Mapping[str, int], common: Collection[str]) -> dict[str, int]:
    merged: dict[str, int] = {}
    for move, count in counts.items():
        cell = move if move in common else OTHER
        merged[cell] = merged.get(cell, 0) + count
    return merged


def _count(case: Case, name: str, genmoves: int, purpose: str) -> _Counted:
    plan = _plan(case, name, purpose, genmoves)
    spec = BY_NAME[name].spec if name else SPEC
    moves: dict[str, int] = {}
    for cell, count in count_choices(plan, spec, genmoves, Sampler(threads=1)).items():
        move = cell.split()[0]
        moves[move] = moves.get(move, 0) + count
    return name, dict(sorted(moves.items())), genmoves


def _run_parallel(jobs: Iterable[Callable[[], _Counted]], sampler: Sampler) -> Iterator[_Counted]:
    with sampler.executor() as executor:
        for done in as_completed([executor.submit(job) for job in jobs]):
            yield done.result()
