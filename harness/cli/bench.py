"""The command ``refbot bench``: the speed of bots, compared with the embedded engine in the same minutes."""
# ruff: noqa: PLC0415 - the imports inside the command keep `--help` quick

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from harness.cli.console import conclude, console, page_in, say
from harness.cli.options import (
    BotsOption,
    PlayoutsOption,
    QuietOption,
    SandboxOption,
    ScaleOption,
    WrapOption,
)
from harness.word import Word, exit_status

if TYPE_CHECKING:
    from harness.cli.certify import CertifiedRun
    from harness.render.bench import BenchRow


def bench(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Commands that start the bots, each in one string, optionally name=command, or names from "
            "--bots.",
        ),
    ],
    *,
    size: Annotated[int, typer.Option(min=2, max=25, help="Lines of the board.")] = 9,
    rounds: Annotated[int, typer.Option(min=4, help="Greatest number of rounds for each bot.")] = 40,
    budget: Annotated[
        float, typer.Option(min=0.0, help="Seconds for each bot after which no further round begins.")
    ] = 120.0,
    playouts: PlayoutsOption = None,
    settings: BotsOption = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045 - typer reads the annotation at run time
        typer.Option("--out", help="Folder for a run's folder of each bot; reports/ by default."),
    ] = None,
    time_scale: ScaleOption = 1.0,
    wrap: WrapOption = None,
    sandbox: SandboxOption = False,
    quiet: QuietOption = False,
    json: Annotated[bool, typer.Option("--json", help="Print the speeds as JSON.")] = False,
) -> None:
    """Measure the speed of bots, compared with the embedded engine; run it alone on an idle machine.

    Each bot is checked first (`refbot check`); the speed of one that fails is not measured.
    """
    from harness.cli.certify import CertifyRequest, certify
    from harness.render.bench import render_bench, speed_of
    from harness.runs.speed import Timing

    timing = Timing(size=size, rounds=rounds, budget_s=budget)
    rows, words, folders = [], [], []
    for number, bot in enumerate(bots, start=1):
        folder = None if out is None else out / f"{number}"
        wanted = CertifyRequest(
            "bench",
            bot,
            "check",
            playouts,
            settings,
            folder,
            [],
            time_scale,
            wrap,
            sandbox=sandbox,
            timing=timing,
        )
        done = certify(wanted, say, quiet=quiet)
        for failure in done.failures:
            say(failure)
        rows.append(_row(done))
        words.append(_word(done))
        folders.append(done.folder)
    if json:
        sys.stdout.write(_document(rows))
    else:
        console().print(render_bench(rows))
    for row, word, folder in zip(rows, words, folders, strict=True):
        conclude(word, row.name, row.why_not or speed_of(row), page_in(folder), json=json)
    raise typer.Exit(max((exit_status(word) for word in words), key=_gravity))


def _row(done: "CertifiedRun") -> "BenchRow":
    from harness.comparison.rates import rates_of
    from harness.render.bench import BenchRow

    rates = rates_of(done.evidence.rounds)
    why_not = ""
    if rates is None:
        broken = next((r.broken.sentence for r in done.evidence.rounds if r.broken is not None), "")
        if done.verdict.verdict in (Word.PASS, Word.NON_STRICT):
            why_not = broken or "it has no ref-nodes and ref-score, so its playouts are not known"
        else:
            why_not = f"its check ends {done.verdict.verdict}, so it is not measured: {done.verdict.reason}"
    return BenchRow(done.verdict.bot.name, rates, why_not, str(done.folder))


def _word(done: "CertifiedRun") -> Word:
    """Return the word of the bot's bench: that of its check, or that of the round in which it failed."""
    word = Word(done.verdict.verdict)
    if word not in (Word.PASS, Word.NON_STRICT):
        return word
    broken = next((r.broken for r in done.evidence.rounds if r.broken is not None), None)
    if broken is not None:
        return Word(broken.word)
    return Word.PASS if done.evidence.rounds else Word.NOT_APPLICABLE


def _gravity(status: int) -> int:
    """Return the rank of an exit status in a bench, the most severe last.

    The order differs from ``SEVERITY``.  A bench does not judge bots, so a fault of refbot, or a bot that
    could not be measured at all, is more severe than a bot that fails its check.
    """
    return (0, 3, 1, 4, 5).index(status)


def _document(rows: "list[BenchRow]") -> str:
    from harness.document import document_bytes

    document = {
        "schema": 1,
        "bots": [
            {"name": row.name, "folder": row.folder, "why_not": row.why_not, "rates": row.rates}
            for row in rows
        ],
    }
    return document_bytes(document).decode()
