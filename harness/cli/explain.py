"""The command ``refbot explain``: one requirement, case or deviation, or the whole specification."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

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
    """Explain a requirement, a case, a deviation or a word of a verdict, with the board drawn."""
    from harness.cases.suite import load_suite

    if everything and name is not None:
        raise UsageError(f"--all explains everything, and {' '.join(name)!r} only one thing; choose one")
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
            "`refbot list` prints names"
        )
    from harness.render.explain import render_explanation

    console().print(render_explanation(load_suite(), " ".join(name)))
