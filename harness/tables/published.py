"""Figures published before these tables, and how a reference compares with them."""

from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path

import msgspec

from harness.cases.start import Start
from harness.errors import FixtureError
from harness.tables.figures import KOMIS, lengths_of, wins_of
from harness.tables.reference import Reference

FILE = "published.toml"


class PublishedSample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set of playouts from the empty 9x9 board, Black to move, as somebody else made it."""

    source: str
    playouts: float
    scores: list[tuple[float, float]]
    """Komi, and the part of the playouts Black won, draws half."""
    length: float | None = None
    """Moves per playout."""
    sd: float | None = None
    longest: int | None = None


class _PublishedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    samples: list[PublishedSample]


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """One published figure beside ours."""

    source: str
    playouts: float
    quantity: str
    theirs: float
    ours: float
    z: float | None
    """Their difference in standard errors, both samples' together; None where that says nothing."""


def load_published(folder: Path) -> list[PublishedSample]:
    """Read the published figures of a suite's folder.

    Raises:
        FixtureError: the file cannot be read.
    """
    path = folder / FILE
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_PublishedFile).samples
    except (OSError, msgspec.DecodeError, ValueError) as error:
        raise FixtureError(f"{path}: {error}") from error


def is_published(start: Start) -> bool:
    """Whether the published figures are of this start."""
    is_empty = not any(sign in row for row in start.rows for sign in "XO")
    return is_empty and (start.size, start.to_move, start.moves_played, start.ko) == (9, "black", 0, "")


def sample_of(reference: Reference, source: str) -> PublishedSample:
    """Return the figures of a reference as if somebody had published them."""
    scores = [(komi, wins_of(reference, komi).value) for komi in KOMIS]
    return PublishedSample(source, reference.size, scores, lengths_of(reference).mean)


def compare(reference: Reference, samples: list[PublishedSample]) -> list[PublishedComparison]:
    """Hold a reference against every figure published of its position."""
    found = []
    lengths = lengths_of(reference)
    for sample in samples:
        who = (sample.source, sample.playouts)
        both = sqrt(1 / sample.playouts + 1 / reference.size)
        if sample.length is not None:
            z = _z(lengths.mean - sample.length, lengths.sd * both)
            found.append(PublishedComparison(*who, "length", sample.length, lengths.mean, z))
        if sample.sd is not None:
            # Of nearly normal lengths; good enough for a figure of five digits.
            z = _z(lengths.sd - sample.sd, lengths.sd * both / sqrt(2))
            found.append(PublishedComparison(*who, "sd of the length", sample.sd, lengths.sd, z))
        if sample.longest is not None:
            found.append(PublishedComparison(*who, "longest", sample.longest, lengths.greatest, None))
        for komi, score in sample.scores:
            wins = wins_of(reference, komi)
            z = _z(wins.value - score, wins.sd * both)
            found.append(PublishedComparison(*who, f"score at komi {komi:g}", score, wins.value, z))
    return found


def _z(difference: float, error: float) -> float:
    if error > 0:
        return difference / error
    return 0.0 if difference == 0 else inf
