"""The command ``refbot merge``: joins the shards of a run into one run, with its verdict."""
# ruff: noqa: PLC0415 - the imports inside functions keep `--help` quick

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.console import conclude_verdict, say, show_verdict
from harness.cli.options import JsonOption, OutOption, StrictOption
from harness.word import Word, exit_status


def merge(
    shards: Annotated[list[Path], typer.Argument(help="Folders of all shards of a run, in any order.")],
    *,
    out: OutOption = None,
    strict: StrictOption = False,
    json: JsonOption = False,
) -> None:
    """Join the shards of a certificate, made by `refbot certify --shard I/N`, and give its verdict."""
    from harness.cases.suite import load_suite
    from harness.cli.report import leave_reports
    from harness.cli.tables import complete_tables
    from harness.records.lock import Lock
    from harness.report.judged_run import judged_run_of
    from harness.runs.merge import join, record
    from harness.runs.record import judged, make_folder, write_verdict
    from harness.runs.spread import UNFINISHED

    merged = join(shards)
    bot = merged.header.bot
    suite = load_suite().for_bot(bot.fixed_playouts)
    tables = complete_tables(suite, suite.cases, quiet=json)
    folder = make_folder(out, "certify", bot.name)
    with Lock(folder):
        evidence = record(merged, suite, tables, folder)
        verdict = judged(suite, evidence, tables)
        write_verdict(folder, verdict, evidence)
        leave_reports(folder, [judged_run_of(suite, tables, evidence, verdict)], strict=strict)
    show_verdict(verdict, suite, str(folder), json=json)
    if evidence.footer and evidence.footer.reason == UNFINISHED:
        say(f"refbot: more rounds are needed; `refbot certify --resume {folder}` with the same bot asks them")
    conclude_verdict(verdict, folder, json=json)
    raise typer.Exit(exit_status(Word(verdict.verdict), strict=strict))
