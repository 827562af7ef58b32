"""The inventory of a suite's tables: their sizes and main figures, and whether each is current."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from harness.cases.case import Case, Moves, Sample
from harness.cases.start import start_of
from harness.cases.suite import Suite
from harness.errors import FixtureError
from harness.tables.figures import Moments, Share, lengths_of, wins_of
from harness.tables.staleness import (
    fault_of_choice,
    fault_of_exact,
    fault_of_reference,
    fault_of_sample,
    starts_of,
)
from harness.tables.tables import EXACT_FILE, POSITIONS, ChoiceTable, Tables

CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Entry:
    """The table of one case, or the common table of all exact cases."""

    case: str
    position: str
    """Name of the position's file; empty if the case has a table of its own."""
    size: str
    """Playouts; or genmoves and the playouts of each; or the states of an exact distribution."""
    kernel: str
    length: Moments | None
    wins: Share | None
    """Share of playouts won by the side to move, at the case's komi."""
    bytes: int
    """Size of the files that the case reads."""
    digest: str
    state: str
    """``current``, or the reason why it is not."""

    @property
    def is_current(self) -> bool:
        """Whether the table was made by the installed engine from the installed cases."""
        return self.state == CURRENT


def inventory(suite: Suite, only: str = "") -> Iterator[Entry]:
    """Yield the entry of every case with a table, or of one case; then that of the exact cases."""
    tables, folder = Tables(suite.folder / "tables"), suite.folder / "tables"
    for case in suite.cases.values():
        if case.needs_table and only in ("", case.id):
            try:
                is_choice = isinstance(case.question, Moves)
                entry = _choice(case, tables, folder) if is_choice else _sums(case, tables, folder, suite)
            except FixtureError as error:
                entry = Entry(case.id, "", "", "", None, None, 0, "", _state(error))
            yield entry
    if not only:
        yield _exact(suite, tables, folder)


def _sums(case: Case, tables: Tables, folder: Path, suite: Suite) -> Entry:
    start = start_of(case)
    reference = tables.reference(case)
    fault = fault_of_reference(reference, start, starts_of(suite)[start])
    files = [folder / POSITIONS / f"{start.name}.json"]
    if isinstance(case.question, Sample):
        fault = fault or fault_of_sample(tables.sample(case), case, reference)
        files.append(folder / f"{case.id}.json")
    exact = reference.exact
    return Entry(
        case.id,
        start.name,
        f"exact ({exact.states:,})" if exact else f"{reference.sampled.playouts:,}",
        "" if exact else reference.sampled.kernel,
        lengths_of(reference),
        wins_of(reference, case.file.komi),
        _bytes(*files),
        reference.digest,
        fault or CURRENT,
    )


def _choice(case: Case, tables: Tables, folder: Path) -> Entry:
    table = tables.choice(case)
    return Entry(
        case.id,
        "",
        f"{table.genmoves:,} x {table.playouts}",
        table.kernel,
        None,
        wins_of_choice(table),
        _bytes(folder / f"{case.id}.json"),
        table.root,
        fault_of_choice(table, case) or CURRENT,
    )


def _exact(suite: Suite, tables: Tables, folder: Path) -> Entry:
    name = "(exact cases)"
    try:
        table = tables.exact
    except FixtureError as error:
        return Entry(name, "", "", "", None, None, 0, "", _state(error))
    runs = sum(runs for rates in table.passes.values() for _, runs in rates.values())
    fault = fault_of_exact(table, suite)
    return Entry(
        name, "", f"{runs:,} runs", "", None, None, _bytes(folder / EXACT_FILE), table.suite, fault or CURRENT
    )


def wins_of_choice(table: ChoiceTable) -> Share:
    """Return the score in a table of chosen moves; its sample size is the number of genmoves."""
    worths = [(int(name.split()[1]) / 2 / table.playouts, n) for name, n in table.counts.items()]
    value = sum(w * n for w, n in worths) / table.genmoves
    variance = sum((w - value) ** 2 * n for w, n in worths) / table.genmoves
    return Share(value, sqrt(variance), table.genmoves)


def _state(error: FixtureError) -> str:
    """Return the reason why a table could not be read, in a few words."""
    if error.__cause__ is None:
        return "other position or komi"
    return "missing" if isinstance(error.__cause__, FileNotFoundError) else "broken"


def _bytes(*files: Path) -> int:
    return sum(path.stat().st_size for path in files)
