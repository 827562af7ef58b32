"""The folder of a run: the verdict beside its evidence, and transcripts of what failed."""

import re
from datetime import UTC, datetime
from pathlib import Path

from harness.bots.wire import visible
from harness.cases.suite import Suite
from harness.comparison.bot_comparison import BotComparison
from harness.document import document_bytes
from harness.errors import EvidenceError, UsageError
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.draft import replace_file
from harness.records.evidence import FILE_NAME, Evidence
from harness.tables.tables import Tables
from harness.word import Word

VERDICT_NAME = "verdict.json"
COMPARISON_NAME = "comparison.json"
AGAIN_NAME = "again.sh"
"""Name of the file with the line of shell that reproduces a bot's first failure."""


def name_of_run(command: str, bot: str) -> str:
    """Return a name for the folder of a run: the time, the command and the bot."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{command}-{folder_name(bot)}"


def make_folder(out: Path | None, command: str, bot: str) -> Path:
    """Make the folder of a new run: the one asked for, or one under reports/ named for the time and the bot.

    Raises:
        UsageError: it holds a run already, or cannot be made.
    """
    folder = out or Path("reports") / name_of_run(command, bot)
    if (folder / FILE_NAME).exists() or (folder / COMPARISON_NAME).exists():
        raise UsageError(f"{folder} already holds a run; give another --out, or go on with it by --resume")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make the folder {folder}: {error.strerror}; give another with --out"
        ) from None
    return folder


def folder_name(bot: str) -> str:
    """Return a bot's name with the characters that a folder's name may have."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", bot)[:40].lstrip(".") or "bot"


def judged(suite: Suite, evidence: Evidence, tables: Tables | None = None) -> Verdict:
    """Return the verdict on evidence by the suite as it is installed, with its packaged tables or these."""
    return judge(suite, tables or Tables(suite.folder / "tables"), evidence)


def write_verdict(folder: Path, verdict: Verdict, evidence: Evidence) -> None:
    """Write verdict.json, a transcript of every case that failed, and how to see a bot's failure again."""
    try:
        replace_file(folder / VERDICT_NAME, document_bytes(verdict))
        failed = {c.case for r in verdict.requirements for c in r.checks if c.verdict == Word.FAIL}
        failed |= {unit.case for unit in evidence.units if unit.broken is not None}
        for case in sorted(failed):
            replace_file(folder / f"transcript-{case}.txt", visible(_transcript(evidence, case)).encode())
        if again := [u.broken for u in evidence.units if u.broken is not None and u.broken.again]:
            lines = ["#!/bin/sh", f"# {again[0].sentence}", again[0].again, ""]
            replace_file(folder / AGAIN_NAME, "\n".join(lines).encode())
    except OSError as error:
        raise EvidenceError(
            f"cannot write to {folder}: {error.strerror}; the evidence is kept, and "
            "`refbot verify` computes the verdict from it"
        ) from error


def write_comparison(folder: Path, comparison: BotComparison) -> None:
    """Write comparison.json."""
    try:
        replace_file(folder / COMPARISON_NAME, document_bytes(comparison))
    except OSError as error:
        raise EvidenceError(
            f"cannot write to {folder}: {error.strerror}; the evidence of its bots is kept"
        ) from error


def _transcript(evidence: Evidence, case: str) -> str:
    lines = []
    for unit in evidence.units:
        if unit.case != case:
            continue
        for sent, raw in unit.exchanges:
            lines += [f"> {sent}", raw.rstrip("\n")]
        if unit.broken is not None:
            lines += [f"! {unit.broken.sentence}", unit.broken.stderr_tail]
        lines.append("")
    return "\n".join(lines)
