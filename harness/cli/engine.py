"""The command ``refbot engine``: the embedded bots as GTP programs."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import os
import sys
from typing import Annotated, Optional

import typer

from harness.cli.console import say
from harness.errors import UsageError


def engine(
    *,
    search: Annotated[
        str,
        typer.Option(
            help="amaf, the reference bot; or futures, decay, gobble, 2008-10-11: see docs/engines.md."
        ),
    ] = "amaf",
    settings: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the search (repeatable)."),
    ] = None,
    playouts: Annotated[int, typer.Option(min=1, help="Playouts of each genmove.")] = 1000,
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Fixes the sequence of genmoves; drawn from the system by default."),
    ] = None,
    deviation: Annotated[
        str, typer.Option(help="Break one rule on purpose; see `refbot list deviations`.")
    ] = "",
) -> None:
    """Run the embedded reference bot, or another engine of its time, as a GTP program."""
    from harness.suggest import closest
    from reference_engine.deviations import BY_NAME
    from reference_engine.search import Searcher, Thinker
    from reference_engine.server import Server
    from reference_engine.spec import SPEC

    if deviation and deviation not in BY_NAME:
        raise UsageError(f"no deviation {deviation!r}{closest(deviation, BY_NAME)}")

    def announce(text: str) -> None:
        say(f"refbot: {text}")

    spec = BY_NAME[deviation].spec if deviation else SPEC
    given: dict[str, str] = {}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, not {setting!r}")
        given[name] = value
    thinker: Thinker
    if search == "amaf" and not given:
        # Numba looks for SciPy's linear algebra, which playouts do without: 0.2 s of each start.
        sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]
        thinker = Searcher(playouts, seed, spec, announce)
    else:
        from reference_engine.searches import SearchError, thinker_of  # loads numpy, which amaf can wait for

        try:
            thinker = thinker_of(search, playouts, seed, spec, given, announce)
        except SearchError as error:
            raise UsageError(str(error)) from None
    Server(thinker, spec, "" if search == "amaf" else search).serve(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # to take down what Numba compiled is another 0.2 s
