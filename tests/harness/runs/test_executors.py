"""Executors by their names, and what is said of those that are none."""

import os
import sys
from pathlib import Path

import pytest
from certificates import shipped

from harness.bots.bot import parse_bot
from harness.errors import UsageError, WorkerError
from harness.judging.judge import judge
from harness.runs.executors import team
from harness.runs.progress import Unwatched
from harness.runs.spread import SpreadRun

FAULT_BOT = Path(__file__).parents[3] / "tests" / "bots" / "fault_bot.py"


@pytest.mark.parametrize(
    ("name", "jobs", "said"),
    [
        ("treads", None, "did you mean 'threads'"),
        ("dask", None, "no executor 'dask'"),
        ("dask:", None, "comes a scheduler's address"),
        ("dask:host", None, "comes a scheduler's address, as in dask:tcp://host:8786"),
        ("dask:tcp://127.0.0.1:9", 2, "--jobs is for this machine"),
    ],
)
def test_names_that_are_none(name: str, jobs: int | None, said: str) -> None:
    """What cannot be an executor is a mistake of the command line."""
    with pytest.raises(UsageError, match=said), team(name, jobs):
        pytest.fail("there was one")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where distributed is not installed, it is said how to install it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'refbot\[dask\]'"), team("dask:tcp://127.0.0.1:9"):
        pytest.fail("there was one")


def test_a_scheduler_that_is_not_there() -> None:
    """It is waited for so long and no longer, and the error says what to do."""
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'refbot[dask]'")
    with (
        pytest.raises(WorkerError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 within 0.2 s"),
        team("dask:tcp://127.0.0.1:9", limit_s=0.2),
    ):
        pytest.fail("there was one")


def test_processes_ask_bots_too(tmp_path: Path) -> None:
    """A certificate by a pool of processes: other processes than this one have asked."""
    suite, tables = shipped()
    bot = parse_bot(f"mybot={sys.executable} -IS {FAULT_BOT} none --playouts {{playouts}}", None, None, 1.0)
    only = ["required-commands-are-listed", "a-single-playout"]
    with team("processes", 1) as workers:
        evidence = SpreadRun(bot, suite, tables, "smoke", tmp_path, only, workers).go(Unwatched())

    assert {work.pid for work in evidence.works if work.number > 1}.isdisjoint({os.getpid()})
    assert judge(suite, tables, evidence).verdict in ("FAIL", "INCONCLUSIVE")
