"""A run's folder: the verdict beside its evidence, and transcripts of what failed."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from harness.cases.suite import Suite
from harness.errors import EvidenceError, UsageError
from harness.judging.judge import judge, verdict_json
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Evidence
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.digest import source_digest

VERDICT_NAME = "verdict.json"
AGAIN_NAME = "again.sh"
"""The file with the line of shell that shows a bot's first failure again."""


def name_of_run(command: str, bot: str) -> str:
    """Return a name for the folder of a run: the time, the command and the bot."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{command}-{re.sub(r'[^A-Za-z0-9._-]', '_', bot)[:40]}"


def make_folder(out: Path | None, command: str, bot: str) -> Path:
    """Make the folder of a new run: the one asked for, or one under reports/ named for the time and the bot.

    Raises:
        UsageError: it holds a run already, or cannot be made.
    """
    folder = out or Path("reports") / name_of_run(command, bot)
    if (folder / FILE_NAME).exists():
        raise UsageError(f"{folder} already holds a run; give another --out, or go on with it by --resume")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make the folder {folder}: {error.strerror}; give another with --out"
        ) from None
    return folder


def judged(suite: Suite, evidence: Evidence, tables: Tables | None = None) -> Verdict:
    """Return the verdict on evidence by the suite as it is installed, with its packaged tables or these."""
    return judge(suite, tables or Tables(suite.folder / "tables"), evidence)


def write_verdict(folder: Path, verdict: Verdict, evidence: Evidence) -> None:
    """Write verdict.json, a transcript of every case that failed, and how to see a bot's failure again."""
    try:
        _replace(folder / VERDICT_NAME, verdict_json(verdict))
        failed = {c.case for r in verdict.requirements for c in r.checks if c.verdict == Word.FAIL}
        failed |= {unit.case for unit in evidence.units if unit.broken is not None}
        for case in sorted(failed):
            _replace(folder / f"transcript-{case}.txt", _transcript(evidence, case).encode())
        if again := [u.broken for u in evidence.units if u.broken is not None and u.broken.again]:
            lines = ["#!/bin/sh", f"# {again[0].sentence}", again[0].again, ""]
            _replace(folder / AGAIN_NAME, "\n".join(lines).encode())
    except OSError as error:
        raise EvidenceError(
            f"cannot write to {folder}: {error.strerror}; the evidence is kept, and "
            "`refbot verify` computes the verdict from it"
        ) from error


def compare_recorded(run: Path, verdict: Verdict, suite: Suite) -> Iterator[str]:
    """Yield a line for everything in which the recorded verdict and this installation differ.

    Raises:
        EvidenceError: the recorded verdict says something else than its evidence, with the same suite.
    """
    if verdict.suite.digest != suite.digest:
        yield f"suite: the run used {verdict.suite.digest}, installed is {suite.digest}"
    if verdict.engine != source_digest():
        yield f"engine: the run used {verdict.engine}, installed is {source_digest()}"
    path = (run if run.is_dir() else run.parent) / VERDICT_NAME
    if not path.exists():
        yield "no recorded verdict beside the evidence; this one is computed from it alone"
        return
    try:
        recorded = msgspec.json.decode(path.read_bytes(), type=Verdict)
    except msgspec.DecodeError as error:
        raise EvidenceError(f"{path}: {error}") from error
    same_suite = verdict.suite.digest == suite.digest
    if recorded.evidence != verdict.evidence:
        raise EvidenceError(f"{path} was reached on other evidence than lies beside it")
    if same_suite and recorded != verdict:
        raise EvidenceError(
            f"{path} says {recorded.verdict} and differs from what its evidence says, {verdict.verdict}"
        )
    same = "the same document" if recorded == verdict else "with another suite"
    yield f"recorded verdict {recorded.verdict}, recomputed {verdict.verdict}: {same}"


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise


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
