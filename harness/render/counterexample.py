"""A counter-example in lines of plain text that several formats show, and the facts about a run.

Text of a bot is unchanged in these lines; each format escapes it in its own way.
"""

from collections.abc import Iterator
from typing import Final

from harness.judging.verdict import Check, StepVerdict
from harness.records.evidence import Unit
from harness.render.check import fault_lines
from harness.render.plain import format_estimate
from harness.render.terminal import failure_lines
from harness.report.judged_run import JudgedRun

SHOWN: Final = 40
"""Number of exchanges shown of a unit, counted from the last."""
_COLUMN: Final = 20
"""Columns of a sent line, before the reply."""


def facts(judged_run: JudgedRun) -> dict[str, str]:
    """Return the identification of a run, and the versions and digests it was judged by, as text."""
    verdict, bot = judged_run.verdict, judged_run.verdict.bot
    return {
        "bot": bot.name,
        "command": bot.command,
        "gtp name": bot.gtp_name,
        "gtp version": bot.version,
        "level": verdict.level,
        "playouts": str(verdict.playouts),
        "genmoves": str(verdict.genmoves),
        "started": judged_run.evidence.header.started,
        "refbot": verdict.refbot,
        "suite version": verdict.suite.version,
        "digest of the evidence": verdict.evidence,
        "digest of its header and footer": verdict.frame,
        "digest of the suite": verdict.suite.digest,
        "digest of the tables": verdict.suite.tables,
        "digest of the engine": verdict.engine,
        "digest of the bot's program": bot.executable_digest,
    }


def check_text(judged_run: JudgedRun, check: Check) -> str:
    """Return everything about a failed check: board, expected and observed answer, estimates, exchanges."""
    case = judged_run.case(check.case)
    lines = [] if case is None else failure_lines(check, case, judged_run.verdict.bot)
    lines += [f"measured  {format_estimate(e)}" for e in check.estimates]
    unit = judged_run.witness(check)
    return "\n".join([*lines, *(exchange_lines(unit) if unit else [])])


def step_text(judged_run: JudgedRun, step: StepVerdict) -> str:
    """Return all faults of a step that did not pass."""
    return "\n\n".join("\n".join(fault_lines(step, fault, judged_run.suite)) for fault in step.faults)


def exchange_lines(unit: Unit) -> Iterator[str]:
    """Yield the last lines sent in a unit, each with its reply."""
    left_out = len(unit.exchanges) - SHOWN
    yield ""
    yield f"sent to process {unit.process}, and what came"
    if left_out > 0:
        yield f"({left_out} exchanges before these)"
    for sent, raw in unit.exchanges[-SHOWN:]:
        *before, last = sent.split("\n")
        first, *others = raw.rstrip("\n").split("\n")
        yield from (f"> {line}" for line in before)
        yield f"> {last:<{_COLUMN}} {first}"
        yield from others
