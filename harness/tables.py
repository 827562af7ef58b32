"""Reference tables: what the engine measured, for the specification and for every deviation.

One file per statistical case and one for all exact cases; each carries its size, seed and the digests
of what it was made from.  Loading only; ``build`` makes them.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from harness.case import Case, Moves
from harness.errors import FixtureError
from harness.evalues import Categories, Histogram, Mixture, Tilt
from reference_engine.playout import move_cap

_T = TypeVar("_T", bound=msgspec.Struct)

EXACT_FILE = "exact.json"

PASS_BOUND = 4.61
"""A deviation that passed none of n runs passes with probability below this over n, with 99% confidence."""


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

    playouts: int
    mean: list[float]
    """Length and win fraction of one playout."""
    covariance: list[float]
    """Of one playout: length, mixed, win."""
    distance: float
    """Per-playout Mahalanobis distance from the reference."""
    convict: Bet | None = None
    """Bet against the specification; absent when the deviation does not show here."""
    exclude: Bet | None = None
    """Bet against the deviation."""


class SampleTable(msgspec.Struct, frozen=True):
    """Length and result of playouts from one case's position."""

    case: str
    root: str
    engine: str
    seed: int
    playouts: int
    counts: list[tuple[int, int, int]]
    """Length, twice the result for the side to move, how often."""
    shifts: dict[str, Shift]


class ChoiceTable(msgspec.Struct, frozen=True):
    """Chosen move and half wins of genmoves from one case's position."""

    case: str
    root: str
    engine: str
    seed: int
    playouts: int
    """Of each genmove."""
    genmoves: int
    counts: dict[str, int]
    """Under ``"C3 5"``: the move and twice the playouts won."""
    deviations: dict[str, dict[str, int]]


class ExactTable(msgspec.Struct, frozen=True):
    """How often an engine with each deviation passes each exact case."""

    engine: str
    suite: str
    """Digest of the exact cases."""
    passes: dict[str, dict[str, tuple[int, int]]]
    """Case, deviation: passes and runs."""


def root_digest(case: Case) -> str:
    """Return a digest of everything a case's table depends on."""
    position = case.game.position
    facts = [
        position.size,
        sorted((*point, int(colour)) for point, colour in position.stones.items()),
        (*position.ko.point, int(position.ko.colour)) if position.ko else None,
        int(case.colour),
        len(case.plays),
        case.file.komi,
        case.file.playouts if isinstance(case.question, Moves) else None,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Rival:
    """A deviation's distribution of chosen moves beside the reference's."""

    categories: Categories
    convict_rate: float
    """Nats a genmove yields against the specification if the bot deviates so."""
    exclude_rate: float
    """Nats a genmove yields against the deviation if the bot conforms."""


class Tables:
    """All tables of a suite, each read when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._samples: dict[str, SampleTable] = {}
        self._choices: dict[str, ChoiceTable] = {}
        self._rivals: dict[str, dict[str, Rival]] = {}
        self._histograms: dict[str, Histogram] = {}
        self._mixtures: dict[str, Mixture] = {}

    def sample(self, case: Case) -> SampleTable:
        """Return the table of lengths and results for a case's position."""
        if case.id not in self._samples:
            table = self._read(case.id, SampleTable)
            self._check(case, table.root)
            self._samples[case.id] = table
        return self._samples[case.id]

    def choice(self, case: Case) -> ChoiceTable:
        """Return the table of chosen moves for a case's position."""
        if case.id not in self._choices:
            table = self._read(case.id, ChoiceTable)
            self._check(case, table.root)
            self._choices[case.id] = table
        return self._choices[case.id]

    def rivals(self, case: Case) -> dict[str, "Rival"]:
        """Return the deviations that show in a chosen-move case, with what a genmove says of each."""
        if case.id not in self._rivals:
            table = self.choice(case)
            null, others = Categories(table.counts), len(table.counts) + 1
            self._rivals[case.id] = {
                name: Rival(other, null.rate_of(other, others), other.rate_of(null, others))
                for name, counts in table.deviations.items()
                if (other := Categories(counts))
            }
        return self._rivals[case.id]

    def histogram(self, case: Case) -> Histogram:
        """Return a sample case's reference as a histogram of (length, win)."""
        if case.id not in self._histograms:
            self._histograms[case.id] = histogram_of(case, self.sample(case).counts)
        return self._histograms[case.id]

    def mixture(self, case: Case) -> Mixture:
        """Return the bets against a sample case's reference for an unspecified deviation."""
        if case.id not in self._mixtures:
            self._mixtures[case.id] = Mixture.against(self.histogram(case))
        return self._mixtures[case.id]

    @cached_property
    def exact(self) -> ExactTable:
        """How every deviation fares in the exact cases."""
        return self._read(EXACT_FILE.removesuffix(".json"), ExactTable)

    def _read(self, name: str, kind: type[_T]) -> _T:
        path = self._folder / f"{name}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError) as error:
            raise FixtureError(f"{path}: {error}; `refbot tables --rebuild` makes it anew") from error

    def _check(self, case: Case, root: str) -> None:
        if root != root_digest(case):
            raise FixtureError(
                f"the table of {case.id} was made for another position; run `refbot tables --rebuild`"
            )


def histogram_of(case: Case, counts: list[tuple[int, int, int]]) -> Histogram:
    """Turn (length, twice the result, count) rows into a histogram with the corners of what is possible."""
    rows = np.array(counts, np.float64).reshape(-1, 3)
    values = np.stack([rows[:, 0], rows[:, 1] / 2], axis=1)
    longest = max(1, move_cap(case.file.size) - len(case.plays))
    longest = max(longest, int(rows[:, 0].max()))
    corners = np.array([(length, win) for length in (1.0, float(longest)) for win in (0.0, 1.0)])
    return Histogram(values, rows[:, 2], corners)
