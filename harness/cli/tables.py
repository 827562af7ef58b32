"""The work of ``refbot tables``: list, show, check and rebuild tables, and make references of positions."""
# ruff: noqa: PLC0415 - the imports inside functions keep the list quick

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console

from harness.cases.case import Case, Moves, Sample
from harness.cases.start import Start, start_of
from harness.cases.suite import Suite
from harness.cli.console import error_console
from harness.errors import FixtureError, UsageError
from harness.interruption import Interruption
from harness.render.tables import (
    render_choice,
    render_comparison,
    render_cross_checks,
    render_list,
    render_reference,
)
from harness.table_build.inventory import inventory
from harness.tables.reference import Reference
from harness.tables.tables import Tables
from harness.word import HARNESS_STATUS, INTERRUPTED_STATUS

if TYPE_CHECKING:
    from harness.table_build.sampler import Sampler
    from harness.tables.cross_check import CrossCheck

PLAYOUTS: Final = 1_000_000
"""Default number of playouts of a reference on demand and of a check."""


@contextmanager
def sampler(threads: int | None, *, quiet: bool) -> Iterator["Sampler"]:
    """Provide a sampler with threads, the user's cache, and a display on standard error."""
    from harness.render.sampling import SamplingDisplay
    from harness.runs.executors import default_jobs
    from harness.table_build.cache import samples_folder
    from harness.table_build.sampler import Sampler
    from reference_engine.playouts import announce_compilation

    display = SamplingDisplay(error_console(), quiet=quiet)
    announce_compilation(display.note)
    try:
        yield Sampler(display.see, display.note, display.warn, threads or default_jobs(), samples_folder())
    except KeyboardInterrupt as error:
        display.hide()
        display.warn("interrupted; all complete blocks are kept, and the same command goes on")
        status = error.status if isinstance(error, Interruption) else INTERRUPTED_STATUS
        raise SystemExit(status) from None
    finally:
        display.hide()


def complete_tables(suite: Suite, cases: Iterable[str], *, quiet: bool) -> Tables:
    """Return the tables of a suite; those not packaged come from the user's cache or are made now."""
    tables = Tables(suite.folder / "tables")
    asked = [suite.cases[name] for name in cases if name in suite.cases]
    if any(case.is_fitted for case in asked):
        # Which of the fitted cases are useful is determined for all of them together.
        asked = [case for case in asked if not case.is_fitted]
        asked += [case for case in suite.cases.values() if case.is_fitted]
    if all(tables.has(case) for case in asked):
        return tables
    from harness.table_build.demand import OnDemand

    with sampler(None, quiet=quiet) as means:
        tables = Tables(suite.folder / "tables", OnDemand(means))
        tables.prepare(asked)
    return tables


def list_tables(console: Console, suite: Suite) -> None:
    """Print the list of tables."""
    console.print(render_list(inventory(suite)))


def show_table(console: Console, suite: Suite, case: Case, threads: int | None, *, quiet: bool) -> None:
    """Print the table of a case; if it has none, make and print the reference of its position."""
    tables = Tables(suite.folder / "tables")
    if not case.needs_table:
        sample_position(console, suite, start_of(case), case.file.komi, case.id, None, threads, quiet=quiet)
        return
    entry = next(inventory(suite, case.id))
    if isinstance(case.question, Moves):
        console.print(render_choice(tables.choice(case), case.id, entry.state))
        return
    bets = tables.sample(case) if isinstance(case.question, Sample) else None
    reference = tables.reference(case)
    console.print(render_reference(reference, case.id, case.file.komi, entry.state, bets))
    _compare(console, suite, reference, None)


def sample_position(
    console: Console,
    suite: Suite,
    start: Start,
    komi: float,
    title: str,
    playouts: int | None,
    threads: int | None,
    *,
    quiet: bool,
) -> None:
    """Print the reference of a position; the part that is not in the user's cache is made now."""
    from harness.table_build.demand import MAPS, ReferenceRequest, make_reference

    number = playouts or PLAYOUTS
    order = ReferenceRequest(start, (float(komi),), number, maps=number if playouts else min(number, MAPS))
    with sampler(threads, quiet=quiet) as means:
        reference = make_reference(order, means, title)
    console.print(render_reference(reference, title, komi))
    _compare(console, suite, reference, _packaged(suite, start))


def _packaged(suite: Suite, start: Start) -> Reference | None:
    """Return the packaged reference of a start, if there is a current one."""
    from harness.tables.staleness import fault_of_reference

    tables = Tables(suite.folder / "tables")
    for case in suite.cases.values():
        if case.needs_table and not isinstance(case.question, Moves) and start_of(case) == start:
            try:
                reference = tables.reference(case)
            except FixtureError:
                return None
            return None if fault_of_reference(reference, start, ()) else reference
    return None


def _compare(console: Console, suite: Suite, reference: Reference, packaged: Reference | None) -> None:
    """Print how a reference agrees with known figures of its position."""
    from harness.tables.published import compare, is_published, load_published, sample_of

    samples = load_published(suite.folder) if is_published(reference.start) else []
    if packaged is not None:
        samples.append(sample_of(packaged, "the packaged table"))
    if samples:
        console.print(render_comparison(compare(reference, samples)))


def rebuild_tables(
    console: Console,
    suite: Suite,
    only: list[str],
    threads: int | None,
    executor: str | None,
    *,
    quiet: bool,
) -> None:
    """Make tables again and print the list; an executor replaces the threads of this process."""
    from harness.runs.executors import team
    from harness.table_build.build import build
    from harness.tables.sizes import Sizes

    with ExitStack() as stack:
        means = stack.enter_context(sampler(threads, quiet=quiet))
        if executor is not None:
            means = replace(means, team=stack.enter_context(team(executor, threads)))
        build(suite, Sizes(), means, only)
    list_tables(console, suite)


def check_tables(
    console: Console,
    suite: Suite,
    case: Case | None,
    playouts: int | None,
    threads: int | None,
    *,
    quiet: bool,
) -> None:
    """Compare tables with independent samples and print the results.

    Raises:
        typer.Exit: a table is outdated or disagrees with its sample.
    """
    from harness.tables.cross_check import disagreements

    if case is not None and not case.needs_table:
        raise UsageError(f"case {case.id!r} has no table; `refbot tables {case.id}` samples its position")
    entries = list(inventory(suite, case.id if case else ""))
    faults = [f"{entry.case}: {entry.state}" for entry in entries if not entry.is_current]
    checks: list[CrossCheck] = []
    with sampler(threads, quiet=quiet) as means:
        # The second samples take only a moment, so they are not kept.
        uncached = replace(means, folder=None)
        for asked in [suite.cases[entry.case] for entry in entries if entry.case in suite.cases]:
            try:
                checks += _cross_checks(suite, asked, playouts or PLAYOUTS, uncached, checks, faults)
            except FixtureError:
                # The inventory has reported it.
                continue
    console.print(render_cross_checks(checks, faults))
    if faults or disagreements(checks):
        raise typer.Exit(HARNESS_STATUS)


def _cross_checks(
    suite: Suite, case: Case, playouts: int, means: "Sampler", done: list["CrossCheck"], faults: list[str]
) -> list["CrossCheck"]:
    """Return cross-checks of the tables of a case, without those already made."""
    from harness.table_build.audit import cross_check_of_choice, cross_checks_of, wrong_bets

    tables = Tables(suite.folder / "tables")
    if isinstance(case.question, Moves):
        return [cross_check_of_choice(tables.choice(case), case, playouts, means)]
    reference = tables.reference(case)
    if isinstance(case.question, Sample):
        wrong = wrong_bets(tables.sample(case), reference, case.file.komi)
        faults += [f"{case.id}: the bet on {name} does not follow from the reference" for name in wrong]
    if any(check.name == start_of(case).name for check in done):
        return []
    return cross_checks_of(reference, playouts, means)
