"""The work of ``refbot list``: names, the matrix, the forecast of the cost, and cases as regression files."""
# ruff: noqa: PLC0415 - the imports inside functions keep the lists quick

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from harness.cases.suite import Suite
from harness.errors import UsageError
from harness.suggest import closest

if TYPE_CHECKING:
    from harness.selftest.matrix import Matrix


def list_names(console: Console, suite: Suite, what: str) -> None:
    """Print the cases, requirements or deviations."""
    from harness.render.explain import render_list

    console.print(render_list(suite, what))


def show_matrix(console: Console, suite: Suite, name: str | None, *, json: bool, page: bool) -> None:
    """Print the matrix of deviations and cases.

    Args:
        console: the console for text.
        suite: the suite with the cases and tables.
        name: one deviation; None for all.
        json: whether to print JSON instead.
        page: whether to print a Markdown page instead.

    Raises:
        UsageError: no deviation has the name, or both forms are asked for.
    """
    if json and page:
        raise UsageError("--json and --markdown are two forms of one matrix; choose one")
    if page and name:
        raise UsageError(f"--markdown prints the whole matrix; `refbot list --matrix {name}` shows one row")
    matrix = _matrix(suite)
    rows = {row.deviation: row for row in matrix.rows}
    if name is not None and name not in rows:
        raise UsageError(f"no deviation {name!r}{closest(name, rows)}")
    if json:
        sys.stdout.write(_json(matrix, name))
    elif page:
        from harness.render.matrix import markdown

        sys.stdout.write(markdown(matrix))
    else:
        from harness.render.matrix import render_matrix, render_row

        console.print(render_row(matrix, rows[name]) if name else render_matrix(matrix))


def show_plan(
    console: Console, suite: Suite, name: str | None, fixed: int | None, speed: float | None, *, json: bool
) -> None:
    """Print the forecast of the cost of a certificate.

    Args:
        console: the console for text.
        suite: the suite with the cases and tables.
        name: one level; None for all levels with statistics.
        fixed: the playouts of each genmove of a bot that always runs the same number.  Its tables are made
            now if they do not exist.
        speed: playouts per second of the bot on the empty 9x9 board; None for a few examples.
        json: whether to print JSON instead.

    Raises:
        UsageError: there is no such level, or it has no plan.
    """
    from harness.cases.level import LEVELS
    from harness.cli.tables import complete_tables
    from harness.runs.forecast import forecast

    levels = {level.name: level for level in LEVELS.values() if level.statistical_genmoves}
    if name is not None and name not in levels:
        raise UsageError(f"no level {name!r} to plan{closest(name, levels)}; there are {', '.join(levels)}")
    asked = [levels[name]] if name else list(levels.values())
    fitted = suite.for_bot(fixed)
    tables = complete_tables(fitted, fitted.cases, quiet=json)
    forecasts = [forecast(fitted, tables, level, fixed) for level in asked]
    if json:
        from harness.document import document_bytes

        sys.stdout.write(document_bytes(forecasts).decode())
        return
    from harness.render.plan import render_plan

    console.print(render_plan(forecasts, [speed] if speed else None))


def write_tst(suite: Suite, folder: Path) -> None:
    """Write the exact cases as regression files, and print their names.

    Raises:
        UsageError: the folder cannot be made or written to.
    """
    from harness.tst.export import tst_files

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in tst_files(suite).items():
            (folder / name).write_text(text, "utf-8", newline="\n")
            sys.stdout.write(f"{folder / name}\n")
    except OSError as error:
        raise UsageError(f"--tst {folder}: {error.strerror}; give another folder") from None


def _matrix(suite: Suite) -> "Matrix":
    from harness.selftest.matrix import matrix_of
    from harness.tables.tables import Tables

    return matrix_of(suite, Tables(suite.folder / "tables"))


def _json(matrix: "Matrix", name: str | None) -> str:
    import msgspec

    from harness.document import document_bytes

    rows = tuple(row for row in matrix.rows if name in (None, row.deviation))
    return document_bytes(msgspec.structs.replace(matrix, rows=rows)).decode()
