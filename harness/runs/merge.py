"""Merging shards of one run: gives the same evidence as if one machine had asked it all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from harness.bots.settings import bot_of, check_installed
from harness.cases.suite import Suite
from harness.errors import UsageError
from harness.records.evidence import FILE_NAME, Evidence, Header, Part, Unit, WorkLine, read_evidence
from harness.records.journal import Journal
from harness.runs.progress import Unwatched
from harness.runs.run import INTERRUPTED
from harness.runs.spread import SpreadRun
from harness.runs.work import HANDSHAKE_WORK
from harness.tables.tables import Tables

_FIELDS = {
    "command": "the command",
    "suite": "the suite with its tables",
    "engine": "the engine",
    "level": "the level",
    "bot": "the bot",
    "settings": "the bot's settings",
    "cases": "the cases",
}


@dataclass(frozen=True, slots=True)
class Merged:
    """The evidence of all shards together."""

    header: Header
    works: list[tuple[WorkLine, list[Unit]]]
    """Work items by their numbers."""
    elapsed_s: float
    """Seconds of the shard that took longest."""


def join(runs: Sequence[Path]) -> Merged:
    """Merge shards.

    Raises:
        EvidenceError: one cannot be read. UsageError: a folder is not a shard, belongs to another run, is
        given twice, is unfinished, or is missing.
    """
    shards: dict[int, tuple[Path, Evidence]] = {}
    for run in runs:
        evidence = read_evidence(run)
        plan = evidence.header.plan
        if plan is None or plan.shard is None:
            raise UsageError(f"{run} is a whole run, not a shard of one; shards are made by --shard I/N")
        if evidence.footer is not None and evidence.footer.reason == INTERRUPTED:
            raise UsageError(
                f"{run} was interrupted; `refbot certify --resume {run}` with the same bot goes on with it"
            )
        place, number = plan.shard
        if place in shards:
            raise UsageError(f"{run} is shard {place} of {number}, and so is {shards[place][0]}; give one")
        shards[place] = run, evidence
    first_run, first = shards[min(shards)]
    for run, evidence in shards.values():
        _check_same(first_run, first.header, run, evidence.header)
    number = _number(first.header)
    if missing := [place for place in range(1, number + 1) if place not in shards]:
        names = ", ".join(f"{place}/{number}" for place in missing)
        raise UsageError(f"{len(missing)} of {number} shards missing: {names}")
    works: dict[int, tuple[WorkLine, list[Unit]]] = {}
    for _, (_, evidence) in sorted(shards.items()):
        for line, units in evidence.done:
            # Every shard asks the handshake, to know what the bot can be asked; one is enough.
            if line.number != HANDSHAKE_WORK or line.number not in works or units[0].broken is not None:
                works[line.number] = line, units
    assert first.header.plan is not None  # noqa: S101 - it has a number
    plan = msgspec.structs.replace(first.header.plan, shard=None)
    header = msgspec.structs.replace(first.header, plan=plan)
    elapsed_s = max(e.footer.elapsed_s for _, e in shards.values() if e.footer)
    return Merged(header, [works[name] for name in sorted(works)], elapsed_s)


def record(merged: Merged, suite: Suite, tables: Tables, folder: Path) -> Evidence:
    """Write the evidence of a merged run, with the footer that the planner gives, and return it.

    Raises:
        UsageError: suite or engine differ from those the shards were asked with.
        EvidenceError: it cannot be written, or the plan here differs.
    """
    header = merged.header
    bot = bot_of(header)
    check_installed(header, suite)
    units = [unit for _, units in merged.works for unit in units]
    evidence = Evidence(header, units, None, works=[line for line, _ in merged.works])
    with Journal(folder / FILE_NAME, header) as journal:
        for line, asked in merged.works:
            journal.add_work(asked, line)
        part = Part(evidence, 0, 0, merged.elapsed_s)
        run = SpreadRun(
            bot, suite, tables, header.level, folder, header.cases, None, part=part, journal=journal
        )
        return run.go(Unwatched())


def _number(header: Header) -> int:
    return header.plan.shard[1] if header.plan and header.plan.shard else 1


def _check_same(first: Path, expected: Header, run: Path, header: Header) -> None:
    found = [what for name, what in _FIELDS.items() if getattr(header, name) != getattr(expected, name)]
    a, b = expected.plan, header.plan
    if a and b and (a.works, a.digest) != (b.works, b.digest):
        found.append("the plan")
    if _number(header) != _number(expected):
        found.append("the number of shards")
    if found:
        verb = "is" if len(found) == 1 else "are"
        raise UsageError(f"{run} is not of the same run as {first}: {', '.join(found)} {verb} another")
