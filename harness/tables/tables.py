"""Reference tables: what the engine measured, for the specification and for every deviation.

Three kinds of file, each with the digests of what it was made from: one for every position, with the
playouts from it (``reference``); one for every statistical case, with what depends on its komi, its
question and the deviations; and one for all exact cases.  Loading only; ``build`` makes them.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from harness.cases.case import Case, Moves
from harness.cases.start import Start, start_of
from harness.errors import FixtureError
from harness.statistics.batches import BatchSpread
from harness.statistics.evalues import Categories, Gains, Histogram, Mixture, Tilt, Vector
from harness.tables.reference import Reference, worth
from reference_engine.deviations import CATALOGUE, Deviation
from reference_engine.playout import move_cap

_T = TypeVar("_T", bound=msgspec.Struct)
_V = TypeVar("_V")

EXACT_FILE = "exact.json"
POSITIONS = "positions"
"""Folder of the references."""

OTHER = "other"
"""Any move but those named."""


def log_e_of_passing(runs: int) -> float:
    """Return the log e-value against a deviation if a bot passes a check that the deviation never passed.

    If it passes with probability p, it passes none of n runs and then the one that counts with probability
    (1 - p)^n p, which is largest at p = 1/(n + 1).  The inverse of that maximum is an e-value.  That the runs
    were few is part of its error, over the making of the table and the certificate together.

    Args:
        runs: how often an engine with the deviation was tried, and failed each time.
    """
    return (runs + 1) * log(runs + 1) - runs * log(runs)


class Bet(msgspec.Struct, frozen=True):
    """A tilt as a table keeps it."""

    tilt: list[float]
    log_mgf: float
    rate: float

    @property
    def value(self) -> Tilt:
        """The tilt itself."""
        return Tilt(tuple(self.tilt), self.log_mgf, self.rate)


class Shift(msgspec.Struct, frozen=True):
    """What one deviation does to the sums of a case."""

    mean: list[float]
    """Length and score of one playout."""
    covariance: list[float]
    """Covariances of one playout: length, mixed, win."""
    distance: float
    """Per-playout Mahalanobis distance from the reference."""
    convict: Bet | None = None
    """Bet against the specification; absent when the deviation does not show here."""
    exclude: Bet | None = None
    """Bet against the deviation."""


class SampleTable(msgspec.Struct, frozen=True):
    """What the deviations do to the sums of one case, with bets for and against each."""

    case: str
    position: str
    """Name of the position's reference, the file with its playouts."""
    reference: str
    """Digest of the reference the bets were made with."""
    root: str
    engine: str
    playouts: int
    """Playouts of each deviation."""
    shifts: dict[str, Shift]


class ChoiceTable(msgspec.Struct, frozen=True):
    """Chosen move and half wins of genmoves from one case's position."""

    case: str
    root: str
    engine: str
    kernel: str
    seed: int
    playouts: int
    """Playouts of each genmove."""
    genmoves: int
    counts: dict[str, int]
    """Under ``"C3 5"``: the move and twice the playouts won."""
    deviations: dict[str, dict[str, int]]
    """Counts of the deviations that show in the case, by deviation."""
    measured: list[str] = []
    """Deviations that were tried."""
    moves_only: bool = False
    """Whether the wins are left out, and rare moves counted as one: small tables know neither well."""

    def cell(self, move: str, halves: int) -> str:
        """Return the name under which a genmove is counted."""
        if not self.moves_only:
            return f"{move} {halves}"
        return self.move_cell(move)

    def move_cell(self, move: str) -> str:
        """Return the name under which a chosen move is counted, whatever its score."""
        return OTHER if self.moves_only and move not in self.counts else move

    def tells_of(self, name: str) -> bool:
        """Whether the table holds what a deviation does here, be it nothing."""
        return not self.measured or name in self.measured


class ExactTable(msgspec.Struct, frozen=True):
    """How often an engine with each deviation passes the exact checks of each case."""

    engine: str
    suite: str
    """Digest of the cases."""
    passes: dict[str, dict[str, tuple[int, int]]]
    """Case, deviation: passes and runs."""


def root_digest(case: Case) -> str:
    """Return a digest of everything a case's own table depends on."""
    facts = [
        start_of(case).digest,
        case.file.komi,
        case.file.playouts if isinstance(case.question, Moves) else None,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Tilts:
    """One bet on the sums of a case for each of some deviations."""

    names: tuple[str, ...]
    tilts: Vector
    """float64[k, 2]"""
    log_mgf: Vector
    """float64[k]"""

    @classmethod
    def of(cls, bets: Mapping[str, Bet | None]) -> "Tilts":
        """Collect the bets that there are."""
        made = {name: bet for name, bet in bets.items() if bet is not None}
        tilts = np.array([bet.tilt for bet in made.values()], np.float64).reshape(-1, 2)
        return cls(tuple(made), tilts, np.array([bet.log_mgf for bet in made.values()], np.float64))

    def log_e(self, ends: Iterable[Vector], n: int) -> dict[str, float]:
        """Return log e-values of ``n`` draws by name: the least over what their sums may be (float64[2])."""
        values = np.min([self.tilts @ end for end in ends], axis=0) - n * self.log_mgf
        return dict(zip(self.names, values.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Bets:
    """The bets on the sums of a case."""

    convict: Tilts
    """Against the specification."""
    exclude: Tilts
    """Against each deviation."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A deviation's distribution of chosen moves beside the reference's."""

    categories: Categories
    convict_rate: float
    """Nats a genmove yields against the specification if the bot deviates so."""
    exclude_rate: float
    """Nats a genmove yields against the deviation if the bot conforms."""
    convicting: Gains
    """The bet against the specification."""
    excluding: Gains
    """The bet against the deviation."""


class Demand(Protocol):
    """Makes what is not packaged: the user's own cases have no tables."""

    def reference(self, start: Start, komi: float) -> Reference:
        """Return the reference of a start, from the user's cache or made now."""

    def choice(self, case: Case) -> ChoiceTable:
        """Return a table of chosen moves, without deviations, from the user's cache or made now."""

    def fitted(self, cases: Sequence[Case]) -> list[ChoiceTable]:
        """Return tables for cases with a bot's own number of playouts, from the user's cache or made now."""


class Tables:
    """All tables of a suite, each read when it is first needed.

    Args:
        folder: where the packaged tables are.
        demand: makes what is not packaged; without it a missing table is an error.
        left_out: deviations that are treated as if nobody had listed them.
    """

    def __init__(
        self, folder: Path, demand: Demand | None = None, left_out: frozenset[str] = frozenset()
    ) -> None:
        self._folder = folder
        self._demand = demand
        self._left_out = left_out
        self._references: dict[Start, Reference] = {}
        self._samples: dict[str, SampleTable] = {}
        self._choices: dict[tuple[str, int], ChoiceTable] = {}
        self._rivals: dict[tuple[str, int], dict[str, Rival]] = {}
        self._moves: dict[tuple[str, int], Categories] = {}
        self._histograms: dict[str, Histogram] = {}
        self._mixtures: dict[str, Mixture] = {}
        self._bets: dict[str, Bets] = {}
        self._spreads: dict[tuple[str, int], BatchSpread] = {}

    @cached_property
    def catalogue(self) -> tuple[Deviation, ...]:
        """The deviations that are known."""
        return tuple(d for d in CATALOGUE if d.name not in self._left_out)

    def without(self, names: Iterable[str]) -> "Tables":
        """Return the tables as they would be had nobody listed some deviations."""
        tables = Tables(self._folder, self._demand, self._left_out | frozenset(names))
        tables._references = self._references
        tables._histograms = self._histograms
        tables._mixtures = self._mixtures
        tables._spreads = self._spreads
        return tables

    def has(self, case: Case) -> bool:
        """Whether what a case reads is packaged, or was prepared."""
        if not case.needs_table:
            return True
        if case.is_fitted:
            return _key(case) in self._choices
        names = [case.id] if case.is_statistical else []
        if not isinstance(case.question, Moves):
            names.append(f"{POSITIONS}/{start_of(case).name}")
        return all(self._path(name).exists() for name in names)

    def prepare(self, cases: Iterable[Case]) -> None:
        """Read, or have made, what the cases need, so that nobody waits for it later."""
        cases = list(cases)
        fitted = [case for case in cases if case.is_fitted and not self.has(case)]
        if fitted and self._demand is not None:
            made = self._demand.fitted(fitted)
            self._choices |= {_key(case): table for case, table in zip(fitted, made, strict=True)}
        for case in cases:
            if isinstance(case.question, Moves):
                self.choice(case)
            elif case.needs_table:
                self.reference(case)

    def reference(self, case: Case) -> Reference:
        """Return the playouts from a case's position."""
        start = start_of(case)
        if start not in self._references:
            name = f"{POSITIONS}/{start.name}"
            if self._demand is not None and not self._path(name).exists():
                reference = self._demand.reference(start, case.file.komi)
            else:
                reference = self._read(name, Reference)
                self._check(case, reference.start.digest, start.digest)
            self._references[start] = reference
        return self._references[start]

    def sample(self, case: Case) -> SampleTable:
        """Return what the deviations do to the sums of a case; nothing is known where nothing is packaged."""
        if case.id not in self._samples:
            if self._demand is not None and not self._path(case.id).exists():
                table = SampleTable(case.id, start_of(case).name, "", root_digest(case), "", 0, {})
            else:
                table = self._read(case.id, SampleTable)
                self._check(case, table.root, root_digest(case))
            self._samples[case.id] = replace(table, shifts=self._known(table.shifts))
        return self._samples[case.id]

    def choice(self, case: Case) -> ChoiceTable:
        """Return the table of chosen moves for a case's position."""
        if _key(case) not in self._choices:
            if case.is_fitted:
                raise FixtureError(f"no table of {case.id} holds {case.file.playouts} playouts a genmove")
            if self._demand is not None and not self._path(case.id).exists():
                table = self._demand.choice(case)
            else:
                table = self._read(case.id, ChoiceTable)
                self._check(case, table.root, root_digest(case))
            self._choices[_key(case)] = replace(table, deviations=self._known(table.deviations))
        return self._choices[_key(case)]

    def rivals(self, case: Case) -> dict[str, "Rival"]:
        """Return the deviations that show in a chosen-move case, with what a genmove says of each."""
        if _key(case) not in self._rivals:
            table = self.choice(case)
            null, others = Categories(table.counts), len(table.counts) + 1
            self._rivals[_key(case)] = {
                name: Rival(
                    other,
                    null.rate_of(other, others),
                    other.rate_of(null, others),
                    null.gains_of(other, others),
                    other.gains_of(null, others),
                )
                for name, counts in table.deviations.items()
                if (other := Categories(counts))
            }
        return self._rivals[_key(case)]

    def moves(self, case: Case) -> Categories:
        """Return how often each move was chosen by the specification, whatever the score."""
        if _key(case) not in self._moves:
            counts: dict[str, int] = {}
            for cell, count in self.choice(case).counts.items():
                move = cell.split()[0]
                counts[move] = counts.get(move, 0) + count
            self._moves[_key(case)] = Categories(counts)
        return self._moves[_key(case)]

    def histogram(self, case: Case) -> Histogram:
        """Return a case's reference as a histogram of (length, win)."""
        if case.id not in self._histograms:
            self._histograms[case.id] = histogram_of(self.reference(case), case.file.komi)
        return self._histograms[case.id]

    def mixture(self, case: Case) -> Mixture:
        """Return the bets against a sample case's reference for an unspecified deviation."""
        if case.id not in self._mixtures:
            self._mixtures[case.id] = Mixture.against(self.histogram(case))
        return self._mixtures[case.id]

    def bets(self, case: Case) -> Bets:
        """Return the bets for and against every deviation that shows in a sample case."""
        if case.id not in self._bets:
            shifts = self.sample(case).shifts
            self._bets[case.id] = Bets(
                Tilts.of({name: shift.convict for name, shift in shifts.items()}),
                Tilts.of({name: shift.exclude for name, shift in shifts.items()}),
            )
        return self._bets[case.id]

    def spread(self, case: Case, playouts: int) -> BatchSpread:
        """Return how sums over ``playouts`` playouts of a sample case should spread."""
        if (case.id, playouts) not in self._spreads:
            self._spreads[case.id, playouts] = BatchSpread.of(self.histogram(case), playouts)
        return self._spreads[case.id, playouts]

    @cached_property
    def exact(self) -> ExactTable:
        """How every deviation fares in the exact cases."""
        table = self._read(EXACT_FILE.removesuffix(".json"), ExactTable)
        return replace(table, passes={case: self._known(rates) for case, rates in table.passes.items()})

    def _known(self, of_deviations: Mapping[str, _V]) -> dict[str, _V]:
        return {name: value for name, value in of_deviations.items() if name not in self._left_out}

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _read(self, name: str, kind: type[_T]) -> _T:
        path = self._path(name)
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError) as error:
            raise FixtureError(f"{path}: {error}; `refbot tables --rebuild` makes it anew") from error

    def _check(self, case: Case, found: str, wanted: str) -> None:
        if found != wanted:
            raise FixtureError(
                f"the table of {case.id} was made for another position or komi; run `refbot tables --rebuild`"
            )


def _key(case: Case) -> tuple[str, int]:
    return case.id, case.file.playouts


def histogram_of(reference: Reference, komi: float) -> Histogram:
    """Return a reference as a histogram of (length, win of the side to move) at a komi."""
    exact, colour = reference.exact, reference.start.colour
    rows: dict[tuple[int, float], float] = {}
    for length, margin, weight in exact.chances if exact else reference.sampled.counts:
        key = (length, worth(margin, komi, colour))
        rows[key] = rows.get(key, 0) + weight
    return histogram_from(rows, reference.start, exact.error if exact else None)


def histogram_from(
    rows: dict[tuple[int, float], float], start: Start, error: float | None = None
) -> Histogram:
    """Turn counts by (length, win) into a histogram with the corners of what is possible."""
    keys = sorted(rows)
    values = np.array(keys, np.float64).reshape(-1, 2)
    counts = np.array([rows[key] for key in keys], np.float64)
    longest = max(1, move_cap(start.size) - start.moves_played, int(values[:, 0].max()))
    corners = np.array([(length, win) for length in (1.0, float(longest)) for win in (0.0, 1.0)])
    return Histogram(values, counts, corners, error)
