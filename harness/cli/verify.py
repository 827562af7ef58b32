"""The command ``refbot verify``: computes a certificate again and compares every digest."""
# ruff: noqa: PLC0415 - the imports inside functions keep `--help` quick

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.console import conclude_verdict, say, show_verdict
from harness.cli.options import JsonOption, StrictOption, VerboseOption
from harness.errors import EvidenceError
from harness.word import Word, exit_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.records.evidence import Evidence
    from harness.runs.verify import Compared, DifferenceKind


def verify(
    run: Annotated[Path, typer.Argument(help="Folder of a run, or its evidence file.")],
    *,
    strict: StrictOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
) -> None:
    """Compute a verdict again from its evidence, and compare every digest with what was recorded."""
    from harness.cases.suite import load_suite
    from harness.cli.tables import complete_tables
    from harness.judging.judge import judge
    from harness.records.evidence import read_evidence
    from harness.runs.verify import (
        Agreement,
        DifferenceKind,
        compare_digests,
        compare_verdicts,
        recorded_verdict,
    )

    evidence = read_evidence(run)
    installed = load_suite()
    recorded = recorded_verdict(run)
    if recorded is None:
        say("no recorded verdict beside the evidence; this one is computed from the evidence alone")
    digests = list(compare_digests(evidence, recorded, installed))
    for compared in digests:
        say(compared.line)
    suite = installed.for_bot(evidence.header.bot.fixed_playouts)
    tables = complete_tables(suite, sorted({unit.case for unit in evidence.units}), quiet=json)
    verdict = judge(suite, tables, evidence)
    verdicts = list(compare_verdicts(recorded, verdict))
    for compared in verdicts:
        say(compared.line)
    changed = _names(digests, DifferenceKind.RECORD)
    others = _names(digests, DifferenceKind.GROUNDS)
    if not others:
        changed += _names(verdicts, DifferenceKind.RECORD)
    changed += _order(evidence)
    if changed:
        raise EvidenceError(f"{run}: NOT CONFIRMED: changed since it was made: {', '.join(changed)}")
    header = evidence.header
    show_verdict(
        verdict, suite.for_level(header.level, header.bot.sizes), str(run), json=json, verbose=verbose
    )
    if others:
        raise EvidenceError(
            f"{run}: NOT CONFIRMED: installed here is another {' and '.join(others)}; it was made by refbot "
            f"{evidence.header.refbot}"
        )
    if programs := _names(digests, DifferenceKind.BOT):
        raise EvidenceError(f"{run}: NOT CONFIRMED: not the program that was judged: {', '.join(programs)}")
    status = exit_status(Word(verdict.verdict), strict=strict)
    folder = run if run.is_dir() else run.parent
    if recorded is None:
        say(f"{run}: NOT CONFIRMED: there is no verdict.json beside the evidence to compare with")
        conclude_verdict(verdict, folder, json=json)
        raise typer.Exit(status or exit_status(Word.INCONCLUSIVE))
    absent = _names(digests, DifferenceKind.BOT, Agreement.NOT_HERE)
    beside = f"; not compared: {', '.join(absent)}" if absent else ""
    words = f"recorded verdict {recorded.verdict}, recomputed {verdict.verdict}: the same document"
    say(f"confirmed: {words}{beside}")
    conclude_verdict(verdict, folder, json=json)
    raise typer.Exit(status)


def _order(evidence: "Evidence") -> list[str]:
    """Report units that are out of order; return the name of the change, if there are any."""
    from harness.runs.verify import out_of_order

    lines = list(out_of_order(evidence))
    for line in lines:
        say(line)
    return ["the order of the units"] if lines else []


def _names(compared: "Iterable[Compared]", kind: "DifferenceKind", finding: str = "DIFFERS") -> list[str]:
    return [c.what for c in compared if c.kind is kind and c.finding == finding]
