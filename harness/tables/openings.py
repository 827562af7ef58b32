"""Figures of playouts from empty boards, by which an author can check a bot before any certificate does."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.cases.case import Case
from harness.cases.suite import Suite
from harness.tables.figures import KOMIS, Moments, lengths_of, visits_of, wins_of, worths_of
from harness.tables.published import PublishedComparison, compare, is_published, load_published
from harness.tables.tables import Tables
from reference_engine.vocabulary import Colour

_PLAIN = 4.0
"""Standard errors from which on a deviation's difference is worth telling."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Playouts from the empty board of one size, Black to move."""

    case: str
    size: int
    playouts: float
    """Behind the figures; infinite where they are exact."""
    length: Moments
    scores: dict[float, float]
    """Part of the playouts Black won, draws half, by komi."""
    errors: dict[float, float]
    """Standard errors of the scores."""
    counted: float
    """Points a playout counts for, by all moves as first."""


@dataclass(frozen=True, slots=True)
class Mistaken:
    """What a deviation makes of the same playouts."""

    deviation: str
    length: float
    score: float
    length_off: float
    """Difference of the length in standard deviations of one playout."""
    score_off: float


@dataclass(frozen=True, slots=True)
class Openings:
    """Everything known of the first move of a game."""

    boards: tuple[Opening, ...]
    """By size."""
    published: tuple[PublishedComparison, ...]
    """Figures of others, beside those of the 9x9 board."""
    mistaken: tuple[Mistaken, ...]
    """Deviations that shift a mean there by more than chance would, by the size of the shift."""
    trials: int
    """Playouts behind each deviation's means."""
    komi: float
    """At which the deviations' scores are, and the worths."""
    worths: tuple[tuple[float, ...], ...]
    """Rows of the 9x9 board, the lowest first: what a playout is worth that counts for the point."""


def openings_of(suite: Suite, tables: Tables) -> Openings:
    """Return the figures of every empty board that has a table."""
    cases = [c for c in suite.cases.values() if _is_opening(c)]
    boards = sorted((_opening(case, tables) for case in cases), key=lambda o: o.size)
    nine = next(c for c in cases if is_published(tables.reference(c).start))
    reference, komi = tables.reference(nine), nine.file.komi
    worths = [worth or 0.0 for worth in worths_of(reference, komi)]
    return Openings(
        boards=tuple(boards),
        published=tuple(compare(reference, load_published(suite.folder))),
        mistaken=tuple(_mistaken(nine, tables)),
        trials=tables.sample(nine).playouts,
        komi=komi,
        worths=tuple(tuple(worths[row * 9 : row * 9 + 9]) for row in range(9)),
    )


def _is_opening(case: Case) -> bool:
    return case.file.sample is not None and not case.plays and case.colour is Colour.BLACK


def _opening(case: Case, tables: Tables) -> Opening:
    reference = tables.reference(case)
    wins = {komi: wins_of(reference, komi) for komi in KOMIS}
    return Opening(
        case=case.id,
        size=case.file.size,
        playouts=reference.size,
        length=lengths_of(reference),
        scores={komi: share.value for komi, share in wins.items()},
        errors={komi: share.error for komi, share in wins.items()},
        counted=sum(visits_of(reference)),
    )


def _mistaken(case: Case, tables: Tables) -> Sequence[Mistaken]:
    reference, table = tables.reference(case), tables.sample(case)
    length, score = lengths_of(reference), wins_of(reference, case.file.komi)
    found = [
        Mistaken(name, *means, (means[0] - length.mean) / length.sd, (means[1] - score.value) / score.sd)
        for name, shift in table.shifts.items()
        for means in [(shift.mean[0], shift.mean[1])]
    ]
    least = _PLAIN / table.playouts**0.5
    shown = [m for m in found if max(abs(m.length_off), abs(m.score_off)) > least]
    return sorted(shown, key=lambda m: -max(abs(m.length_off), abs(m.score_off)))
