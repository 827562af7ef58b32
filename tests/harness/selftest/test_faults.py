"""Fault bots: each comes to the word that stands beside it, and nothing of it is left running."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from harness.bots.process_tree import left_over
from harness.cases.suite import load_suite
from harness.cli.selftest import run_faults
from harness.errors import FixtureError, UsageError
from harness.selftest.faults import FaultTable, bots_folder, load_faults, try_faults
from harness.word import UNJUDGED, Word

ROOT = Path(__file__).parents[3]

SAMPLE = (
    "closes-stdin",
    "dies-by-segv",
    "exits-status-3",
    "floods-replies",
    "forks-runaway",
    "refuses-genmove",
    "score-nan",
    "surplus-replies",
    "vertex-occupied",
)
"""One of every kind of end, none of them slow."""


def test_sample_of_faults() -> None:
    """A sample of the fault bots comes to its words, and no process is left."""
    outcomes = try_faults(load_suite(), load_faults(), SAMPLE, 3)
    assert [(o.name, o.expected) for o in outcomes] == [(o.name, o.found) for o in outcomes]
    assert all(o.is_right for o in outcomes)
    assert [bool(o.again) for o in outcomes] == [
        o.expected in ("TIMEOUT", "CRASH", "START-FAILED", "PROTOCOL") for o in outcomes
    ]
    assert left_over() == []


def test_wrong_word_is_noticed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something else comes of a bot than must, it is called wrong, by name, and the status is 5."""
    from rich.console import Console

    table = load_faults()
    wrong = msgspec.structs.replace(table.faults["exits-at-once"], word=Word.CRASH)
    elsewhere = msgspec.structs.replace(table.faults["exits-status-3"], at=["genmove"])
    changed = {"exits-at-once": wrong, "exits-status-3": elsewhere, "dies-at-once-by-segv": None}
    faults = {name: fault or table.faults[name] for name, fault in changed.items()}
    monkeypatch.setattr("harness.cli.selftest.load_faults", lambda: FaultTable(table.limits, faults))
    assert run_faults(Console(), [], 2, 1.0, quiet=True, as_json=True) == 5
    said = json.loads(capsys.readouterr().out)
    assert [o["is_right"] for o in said["faults"]] == [False, False, True]
    assert said["complaints"] == [
        "exits-at-once: expected CRASH, found START-FAILED",
        "exits-status-3: expected START-FAILED, found START-FAILED",
    ]
    assert said["left_over"] == []


def test_unknown_fault() -> None:
    """A name that is none is answered with the closest."""
    from rich.console import Console

    with pytest.raises(UsageError, match="did you mean 'never-answers'"):
        run_faults(Console(), ["never-answer"], 1, 1.0, quiet=True, as_json=False)


def test_table_and_bots_agree() -> None:
    """Every fault bot has an entry and every entry a bot; every word for an unjudged bot is among them."""
    names = subprocess.run(
        [sys.executable, "-IS", bots_folder() / "fault_bot.py"], capture_output=True, text=True, check=False
    ).stderr.partition("one of ")[2]
    table = load_faults()
    assert set(names.strip().split(", ")) == set(table.faults)
    assert {fault.word for fault in table.faults.values()} >= UNJUDGED
    known = set(load_suite().cases)
    assert all(known.issuperset(fault.cases) for fault in table.faults.values())
    assert all(f.word == Word.FAIL for f in table.faults.values() if f.requirement)


def test_missing_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the table says so."""
    monkeypatch.setattr("harness.selftest.faults.bots_folder", lambda: tmp_path)
    with pytest.raises(FixtureError, match=r"faults\.toml"):
        load_faults()


@pytest.mark.slow
def test_every_fault() -> None:
    """All fault bots come to their words, by the command itself, and no process is left."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", "selftest", "--faults", "--json", "--quiet"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = json.loads(done.stdout)
    assert said["complaints"] == []
    assert done.returncode == 0
    assert len(said["faults"]) == len(load_faults().faults)
