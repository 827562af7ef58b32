"""The work of ``refbot selftest``: trials on all cores, the kill matrix, and the check of its promises."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from harness.bots.process_tree import left_over
from harness.cases.level import LEVELS
from harness.cases.suite import load_suite
from harness.cli.console import error_console
from harness.document import document_bytes
from harness.errors import UsageError
from harness.render.faults import complaints, render_faults, render_outcome
from harness.render.left_out import markdown_left_out, render_left_out
from harness.render.selftest import Counter, markdown, render_selftest
from harness.runs.executors import default_jobs, team
from harness.selftest.faults import FaultOutcome, load_faults, try_faults
from harness.selftest.kill_matrix import Selftest, every, selftest
from harness.selftest.left_out import LeftOut
from harness.selftest.matrix import matrix_of
from harness.suggest import closest
from harness.tables.tables import Tables
from harness.word import HARNESS_STATUS
from reference_engine.deviations import BY_NAME


def run_faults(
    console: Console, names: list[str], jobs: int | None, scale: float, *, quiet: bool, as_json: bool
) -> int:
    """Ask every fault bot, or the named ones, and print the results; return the exit status.

    Raises:
        UsageError: a name is unknown.
    """
    table = load_faults()
    for name in names:
        if name not in table.faults:
            raise UsageError(f"no fault {name!r}{closest(name, table.faults)}")
    people = error_console()

    def see(outcome: FaultOutcome) -> None:
        if not quiet:
            people.print(render_outcome(outcome), highlight=False, markup=False, soft_wrap=True)

    wanted = names or list(table.faults)
    with _temporary_folder() as folder:
        outcomes = try_faults(load_suite(), table, wanted, jobs or default_jobs(), scale, see)
        left, files = left_over(), sorted(path.name for path in folder.iterdir())
    wrong = complaints(outcomes, left, files)
    if as_json:
        data = {"faults": outcomes, "left_over": left, "files": files, "complaints": wrong}
        sys.stdout.buffer.write(document_bytes(data))
    else:
        console.print(render_faults(outcomes, left, files))
    return HARNESS_STATUS if wrong else 0


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Make all temporary files in a folder of their own, so that files left behind can be seen."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="refbot-faults-") as folder:
        tempfile.tempdir = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = before


@dataclass(frozen=True, slots=True)
class SelftestRequest:
    """A request for trials, from the command line."""

    deviations: list[str]
    trials: int
    conforming: int
    level: str
    seed: int
    jobs: int | None
    executor: str
    leave_one_out: bool = False


def run_selftest(console: Console, wanted: SelftestRequest, *, quiet: bool, page: bool, as_json: bool) -> int:
    """Run the trials and print the results; return the exit status.

    Raises:
        UsageError: a name or a level is unknown, there is nothing to run, or two forms are asked for.
    """
    if page and as_json:
        raise UsageError("--json and --markdown are two forms of one result; choose one")
    if wanted.level not in LEVELS:
        raise UsageError(f"no level {wanted.level!r}{closest(wanted.level, LEVELS)}")
    for name in wanted.deviations:
        if name not in BY_NAME:
            raise UsageError(f"no deviation {name!r}{closest(name, BY_NAME)}")
    orders = every(wanted.conforming, wanted.trials, wanted.deviations)
    if not orders:
        raise UsageError("nothing to run: --trials and --conforming are both 0")
    suite = load_suite()
    _compile()
    with (
        Counter(error_console(), quiet=quiet) as counter,
        team(wanted.executor, wanted.jobs) as workers,
    ):
        found = selftest(
            suite,
            wanted.level,
            orders,
            wanted.seed,
            workers.executor,
            counter.see,
            leave_out=wanted.leave_one_out,
        )
    if wanted.leave_one_out:
        return _show_left_out(console, LeftOut(found), wanted, page=page, as_json=as_json)
    prices = {row.deviation: row.z_test for row in matrix_of(suite, Tables(suite.folder / "tables")).rows}
    if as_json:
        sys.stdout.buffer.write(_json(found))
    elif page:
        sys.stdout.write(markdown(found, prices))
    else:
        console.print(render_selftest(found, prices))
    return HARNESS_STATUS if found.complaints else 0


def _show_left_out(
    console: Console, left: LeftOut, wanted: SelftestRequest, *, page: bool, as_json: bool
) -> int:
    if as_json:
        sys.stdout.buffer.write(_json(left.found))
    elif page:
        sys.stdout.write(markdown_left_out(left, wanted.trials, wanted.seed))
    else:
        console.print(render_left_out(left))
    return 0


def _compile() -> None:
    """Compile the kernels once, so that the worker processes find them in the cache."""
    from reference_engine.board import Position  # noqa: PLC0415 - loads Numba
    from reference_engine.playouts import Kernel, Root, record  # noqa: PLC0415
    from reference_engine.spec import SPEC  # noqa: PLC0415
    from reference_engine.vocabulary import Colour  # noqa: PLC0415

    for kernel in Kernel:
        for name in ("", "stones-only"):
            spec = BY_NAME[name].spec if name else SPEC
            record(Root(Position(5), Colour.BLACK), 1, 0, spec=spec, kernel=kernel)


def _json(found: Selftest) -> bytes:
    rows = [{"deviation": row.deviation, "trials": row.trials} for row in found.rows]
    data = {"level": found.level, "rows": rows, "complaints": found.complaints}
    return document_bytes(data)
