"""Whole certificates with the shipped suite: in this process, or by the real command."""

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.bots.bot import parse_bot
from harness.bots.inprocess import starter
from harness.bots.processes import Starter
from harness.cases.suite import Suite, load_suite
from harness.judging.verdict import Verdict
from harness.runs.progress import Unwatched
from harness.runs.record import judged
from harness.runs.run import Run
from harness.tables.tables import Tables
from reference_engine.spec import SPEC, Spec


@lru_cache(maxsize=1)
def shipped() -> tuple[Suite, Tables]:
    """Return the shipped suite and its tables."""
    suite = load_suite()
    return suite, Tables(suite.folder / "tables")


def certificate(
    folder: Path,
    spec: Spec = SPEC,
    level: str = "standard",
    seed: int = 0,
    start: Starter | None = None,
) -> Verdict:
    """Certify the engine with some rules, or what ``start`` starts, in this process.

    ``seed`` sets one certificate off from another.
    """
    suite, tables = shipped()
    begin = start or starter(spec)
    run = Run(
        parse_bot(None, None, None, 1.0),
        suite,
        tables,
        level,
        folder,
        [],
        lambda bot, playouts, s: begin(bot, playouts, s + 7_919 * 10**9 * seed),
    )
    return judged(suite, run.go(Unwatched()), tables)


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    verdict: dict[str, Any]
    stdout: str
    stderr: str


def refbot(*arguments: str, folder: Path, timeout_s: float = 600) -> Outcome:
    """Run the real command with its runs going to ``folder``."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments, "--out", str(folder)],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    path = folder / "verdict.json"
    return Outcome(
        done.returncode, json.loads(path.read_bytes()) if path.exists() else {}, done.stdout, done.stderr
    )
