"""The build of the packaged tables with the embedded engine: slow, seeded, file by file.

A file that is current and large enough is not changed.  Samples are saved block by block, so that a build
that was killed can be resumed.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from harness.cases.case import Case, Moves, Sample
from harness.cases.start import Start, start_of
from harness.cases.suite import Suite
from harness.errors import UsageError
from harness.records.draft import replace_file
from harness.statistics.evalues import Categories, Histogram, best_tilt
from harness.table_build.demand import PACKAGED, ReferenceRequest, choice_table_of, make_reference, plan_of
from harness.table_build.pass_rates import SHOWS, build_exact
from harness.table_build.sampler import Sampler
from harness.table_build.sampling import (
    count_choices,
    count_outcomes,
    forget,
    genmove_plan_of,
    sample_genmoves,
    seed_of,
)
from harness.tables.predict import predicts_choices, predicts_sums
from harness.tables.reference import Reference
from harness.tables.sizes import Sizes
from harness.tables.staleness import (
    fault_of_choice,
    fault_of_draws,
    fault_of_exact,
    fault_of_passes,
    fault_of_reference,
    fault_of_sample,
    starts_of,
)
from harness.tables.tables import (
    EXACT_FILE,
    POSITIONS,
    Bet,
    ChoiceTable,
    ExactTable,
    SampleTable,
    Shift,
    Tables,
    histogram_from,
    histogram_of,
    root_digest,
)
from reference_engine.deviations import CATALOGUE
from reference_engine.digest import source_digest
from reference_engine.playouts import rules_of
from reference_engine.spec import Spec
from reference_engine.tally import doubled_result, reported_result

_T = TypeVar("_T", bound=msgspec.Struct)

TILT_LIMITS = np.array([15.0, 30.0])
"""Largest tilts tried, per move and per win: beyond them the unseen mass of a table dominates."""


def build(suite: Suite, sizes: Sizes, sampler: Sampler, only: list[str]) -> None:
    """Make every table that is missing, outdated or too small; tables named in ``only`` are always made.

    Raises:
        UsageError: the folder of the tables cannot be written to, or ``only`` names a case without a table.
    """
    builder = _Builder(suite, sizes, sampler, only)
    try:
        builder.go()
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or builder.folder}: {error.strerror}") from None


class _Builder:
    """One build of tables."""

    def __init__(self, suite: Suite, sizes: Sizes, sampler: Sampler, only: list[str]) -> None:
        for name in only:
            if name != "exact" and not suite.case(name).needs_table:
                raise UsageError(
                    f"case {name!r} has no table of its own; exact cases share one, --only exact"
                )
        self.folder = suite.folder / "tables"
        self._suite = suite
        self._sizes = sizes
        self._sampler = sampler
        self._only = only

    def go(self) -> None:
        (self.folder / POSITIONS).mkdir(parents=True, exist_ok=True)
        cases = [c for c in self._suite.cases.values() if c.needs_table and self._is_asked(c.id)]
        komis = starts_of(self._suite)
        for start in dict.fromkeys(start_of(c) for c in cases if not isinstance(c.question, Moves)):
            self._reference(start, komis[start])
        tables = Tables(self.folder)
        for case in cases:
            if isinstance(case.question, Moves):
                self._choice(case)
            elif isinstance(case.question, Sample):
                self._sample(case, tables.reference(case))
        if self._is_asked("exact"):
            self._exact()
        if not self._only:
            self._remove_others(komis)

    def _is_asked(self, name: str) -> bool:
        return not self._only or name in self._only

    def _reference(self, start: Start, komis: tuple[float, ...]) -> None:
        path, size = self.folder / POSITIONS / f"{start.name}.json", self._sizes.of(start)
        old = _read(path, Reference)
        is_large = old is not None and (old.exact is not None or old.sampled.playouts >= size)
        if old is not None and is_large and self._may_stay(fault_of_reference(old, start, komis)):
            return
        self._sampler.note(f"{start.name}: {start.about}")
        order = ReferenceRequest(
            start, komis, size, PACKAGED, self._sizes.states, min(size, self._sizes.maps)
        )
        reference = make_reference(order, self._sampler, start.name)
        _write(path, reference)
        forget(plan_of(order, reference.sampled.playouts), self._sampler)

    def _sample(self, case: Case, reference: Reference) -> None:
        path, size = self.folder / f"{case.id}.json", self._sizes.deviation
        old = _read(path, SampleTable)
        if old and old.playouts >= size and self._may_stay(fault_of_sample(old, case, reference)):
            return
        self._sampler.note(f"{case.id}: {size:,} playouts by each deviation")
        _write(path, build_sample(case, reference, size, self._sampler))

    def _choice(self, case: Case) -> None:
        path, rivals = self.folder / f"{case.id}.json", self._sizes.rivals
        genmoves = -(-self._sizes.position // case.file.playouts)
        old = _read(path, ChoiceTable)
        if old and old.genmoves >= genmoves and self._may_stay(fault_of_choice(old, case)):
            return
        self._sampler.note(f"{case.id}: {genmoves:,} genmoves, {rivals:,} by each deviation")
        plan = genmove_plan_of(case, PACKAGED, genmoves)
        if old is None or old.genmoves < genmoves or not self._may_stay(fault_of_draws(old, case)):
            old = choice_table_of(case, sample_genmoves(plan, genmoves, self._sampler, case.id))
        _write(path, with_rivals(old, case, rivals, self._sampler))
        forget(plan, self._sampler)

    def _exact(self) -> None:
        path = self.folder / EXACT_FILE
        old = _read(path, ExactTable)
        if old is None or not self._may_stay(fault_of_exact(old, self._suite)):
            may_add = old is not None and self._may_stay(fault_of_passes(old, self._suite))
            known = old if may_add else None
            _write(path, build_exact(self._suite, self._sizes.runs, self._sampler, known))

    def _may_stay(self, fault: str) -> bool:
        """Whether a table with this fault (empty for none) is kept as it is."""
        return not fault and not self._only

    def _remove_others(self, starts: Collection[Start]) -> None:
        """Remove files that no case reads any more."""
        positions = {f"{start.name}.json" for start in starts}
        for path in [*self.folder.glob("*.json"), *(self.folder / POSITIONS).glob("*.json")]:
            is_position = path.parent.name == POSITIONS
            case = self._suite.cases.get(path.stem)
            is_read = path.name == EXACT_FILE or (case is not None and case.is_statistical)
            if path.name not in positions if is_position else not is_read:
                self._sampler.note(f"{path.name}: removed, because no case reads it")
                path.unlink()


def build_sample(case: Case, reference: Reference, playouts: int, sampler: Sampler) -> SampleTable:
    """Make the table of a case about sums: the distribution under every deviation, and the bets."""
    null, start, root = histogram_of(reference, case.file.komi), start_of(case), root_digest(case)
    shifts = {}
    for deviation in CATALOGUE:
        if predicts_sums(deviation.name):
            seed = seed_of(deviation.name, root, playouts)
            other = _histogram_by(start, case.file.komi, deviation.spec, playouts, seed, sampler)
            shifts[deviation.name] = _shift(null, other)
    return SampleTable(case.id, start.name, reference.digest, root, source_digest(), playouts, shifts)


def _histogram_by(
    start: Start, komi: float, spec: Spec, playouts: int, seed: int, sampler: Sampler
) -> Histogram:
    """Return the distribution of length and win under any rules; komi, draws and point of view are theirs."""
    counts = count_outcomes(start, spec, playouts, seed, sampler)
    rows: dict[tuple[int, float], float] = {}
    for length, place in zip(*np.nonzero(counts), strict=True):
        margin = int(place) - start.size**2
        rules, colour = rules_of(spec), int(start.colour)
        result = int(reported_result(doubled_result(margin, float(komi), colour, rules), colour, rules))
        key = (int(length), result / 2)
        rows[key] = rows.get(key, 0) + int(counts[length, place])
    return histogram_from(rows, start)


def _shift(null: Histogram, other: Histogram) -> Shift:
    difference = other.mean - null.mean
    floor = np.diag([1e-4, 1e-6])
    distance = float(np.sqrt(difference @ np.linalg.solve(null.covariance + floor, difference)))
    convict = best_tilt(null, other.mean, TILT_LIMITS)
    exclude = best_tilt(other, null.mean, TILT_LIMITS)
    (a, b), (_, d) = other.covariance
    return Shift(
        mean=[float(x) for x in other.mean],
        covariance=[float(a), float(b), float(d)],
        distance=round(distance, 4),
        convict=Bet(list(convict.tilt), convict.log_mgf, convict.rate) if convict.rate > 0 else None,
        exclude=Bet(list(exclude.tilt), exclude.log_mgf, exclude.rate) if exclude.rate > 0 else None,
    )


def with_rivals(table: ChoiceTable, case: Case, genmoves: int, sampler: Sampler) -> ChoiceTable:
    """Return a table of chosen moves with the choices of every deviation that shows in it."""
    null, rivals, measured = Categories(table.counts), {}, []
    for deviation in CATALOGUE:
        if predicts_choices(deviation.name):
            measured.append(deviation.name)
            plan = genmove_plan_of(case, deviation.name, genmoves, spec=deviation.spec)
            found = count_choices(plan, deviation.spec, genmoves, sampler)
            if null.rate_of(Categories(found), len(table.counts)) > SHOWS:
                rivals[deviation.name] = found
    return msgspec.structs.replace(table, deviations=rivals, measured=measured)


def _read(path: Path, kind: type[_T]) -> _T | None:
    """Return the table in a file; None if there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _write(path: Path, table: msgspec.Struct) -> None:
    replace_file(path, msgspec.json.encode(table) + b"\n")
