"""The command ``refbot explain``: one requirement, case or deviation, or the whole specification."""
# ruff: noqa: PLC0415 - the imports inside the command are what makes `--help` quick

import sys
from typing import Annotated, Optional

import typer

from harness.cli.console import console
from harness.errors import UsageError


def explain(
    name: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads the annotation at run time
        typer.Argument(
            help="A requirement, a case, a deviation, or any word of a verdict.", show_default=False
        ),
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Print the whole specification: docs/specification.md.")
    ] = False,
) -> None:
    """Say in words, with the board drawn, what a requirement, a case or a deviation is."""
    from harness.cases.suite import load_suite

    if everything and name is not None:
        raise UsageError(f"--all explains everything, and {' '.join(name)!r} is one thing; choose one")
    if everything:
        from harness.render.specification import render_specification
        from harness.tables.openings import openings_of
        from harness.tables.tables import Tables

        suite = load_suite()
        page = render_specification(suite, openings_of(suite, Tables(suite.folder / "tables")))
        sys.stdout.write(page)
        return
    if name is None:
        raise UsageError(
            "name a requirement, a case, a deviation or a word of a verdict, or give --all; "
            "`refbot list` has names"
        )
    from harness.render.explain import render_explanation

    console().print(render_explanation(load_suite(), " ".join(name)))
