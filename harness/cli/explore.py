"""The command ``refbot explore``: a search for mistakes of any GTP engine by random dialogues."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import conclude, console, error_console, say, say_open
from harness.cli.options import (
    BotArgument,
    BotsOption,
    PlayoutsOption,
    QuietOption,
    SandboxOption,
    ScaleOption,
    WrapOption,
)
from harness.errors import UsageError
from harness.word import Word, exit_status

if TYPE_CHECKING:
    from harness.runs.explore import Discovery, Exploration


def explore(
    bot: BotArgument = None,
    *,
    minutes: Annotated[float, typer.Option(min=0.0, help="Length of the search.")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random dialogues.")] = 1,
    sizes: Annotated[str, typer.Option(help="Board sizes, such as 5,9,19.")] = "2,3,4,5,6,7,9,13,19",
    playouts: PlayoutsOption = None,
    bots: BotsOption = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option("--out", help="Folder for the dialogues that are found, as .tst files."),
    ] = None,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    quiet: QuietOption = False,
) -> None:
    """Search for mistakes of any GTP engine by random dialogues, and shorten the dialogues that show one.

    A bot with ref-nodes and ref-score is compared with the specification, any other engine with the rules
    that all rule sets of Go share.  Exit status 0: nothing was found; 1: a mistake was found.
    """
    from harness.bots.bot import parse_bot
    from harness.bots.declared import with_playouts
    from harness.render.explore import render_coverage, sentence
    from harness.render.failure import render_broken
    from harness.render.live import Live
    from harness.runs.explore import Exploration

    chosen = _sizes(sizes)
    player = parse_bot(bot, playouts, bots, time_scale, wrap, sandbox=sandbox)
    say_open(player)
    player = with_playouts(player)
    exploration = Exploration(player, chosen, seed)
    found: list[Discovery] = []
    try:
        with Live(error_console(), quiet=quiet) as live:

            def see(_coverage: object) -> None:
                text = sentence(exploration.coverage, len(found))
                live.show(f"explore  {text}", round(exploration.elapsed_s), round(60 * minutes))

            for discovery in exploration.hunt(60 * minutes, see):
                live.hide()
                found.append(discovery)
                _show(exploration, discovery, len(found), out)
    finally:
        exploration.close()
    if exploration.broken is not None:
        say(render_broken(exploration.broken, Path()))
        raise typer.Exit(exit_status(Word(exploration.broken.word)))
    console().print(render_coverage(exploration.coverage))
    conclude(Word.FAIL if found else Word.PASS, player.name, _answer(found), out)
    raise typer.Exit(exit_status(Word.FAIL if found else Word.PASS))


def _sizes(text: str) -> list[int]:
    """Return the board sizes.

    Raises:
        UsageError: the text is not a list of board sizes.
    """
    found = [int(n) for n in text.split(",")] if re.fullmatch(r"[0-9]{1,2}(,[0-9]{1,2})*", text) else []
    if not found or not 2 <= min(found) <= max(found) <= 25:
        raise UsageError(f"--sizes {text!r} is not a list of sizes from 2 to 25, such as 5,9,19")
    return found


def _show(exploration: "Exploration", found: "Discovery", number: int, out: Path | None) -> None:
    """Print a finding, and write it as a regression file if there is a folder for it."""
    from harness.cases.suite import shipped_suite
    from harness.render.explore import render_discovery
    from harness.report.example import shell_line
    from harness.runs.explore import lines_of
    from harness.tst.discovery import tst_of

    assert exploration.reference is not None  # noqa: S101 - a finding implies that the bot was asked
    again = shell_line(exploration.reference, lines_of(found.unit), found.unit.playouts)
    console().print(render_discovery(shipped_suite(), found, number, again))
    if out is None:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"{number}.tst"
        path.write_text(tst_of(found, found.unit.playouts if exploration.is_reference else None))
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from None
    say(f"refbot: written to {path}")


def _answer(found: "list[Discovery]") -> str:
    if not found:
        return "nothing found; the bot followed the rules in every dialogue"
    first = found[0]
    what = first.finding.expected if first.finding else first.broken.word if first.broken else ""
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"expected {what}{more}"
