"""Certificates on a Dask cluster: scheduler and workers are processes of their own, as on many machines."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from command import ROOT, refbot
from tiny_suite import MOVES, SAMPLE, SIZES, limit_catalogue, write_suite

from harness.cases.suite import load_suite
from harness.records.evidence import FILE_NAME, read_evidence
from harness.runs.executors import team
from harness.table_build.build import build
from harness.table_build.sampler import Sampler

C_BOT = ROOT / "examples" / "refbot-c"
BOT = f"{C_BOT} --playouts {{playouts}} --seed {{seed}}"
PYTHON_BOT = f"{sys.executable} {ROOT / 'examples' / 'refbot.py'} --playouts {{playouts}} --seed {{seed}}"
_PATIENCE_S = 90
_LONG_S = 300

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="distributed is not installed: pip install 'refbot[dask]'",
)


@dataclass
class Cluster:
    """A scheduler and its workers."""

    address: str
    folder: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add(self, name: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a worker of one thread, without a nanny: what kills it kills it for good."""
        command = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name]
        return self.start(*command, "--local-directory", str(self.folder), environment=environment)

    def start(self, *command: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a process of Dask, to be stopped in the end."""
        with (self.folder / f"{len(self.started)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *command],
                cwd=ROOT,
                env=os.environ | (environment or {}),
                stdout=log,
                stderr=log,
            )
        self.started.append(process)
        return process

    def logs(self) -> str:
        """Return what all of them said."""
        return "\n".join(path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("*.log")))


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Start a scheduler; stop it and all workers in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    found, told = Cluster("", folder), folder / "scheduler.json"
    try:
        arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
        scheduler = found.start("scheduler", *arguments)
        deadline = time.monotonic() + _PATIENCE_S
        while not _is_written(told):
            assert scheduler.poll() is None, found.logs()
            assert time.monotonic() < deadline, found.logs()
            time.sleep(0.05)
        found.address = json.loads(told.read_text())["address"]
        yield found
    finally:
        for process in reversed(found.started):
            process.terminate()
        for process in reversed(found.started):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _is_written(path: Path) -> bool:
    try:
        return "address" in json.loads(path.read_text())
    except (OSError, ValueError):
        return False


def certify(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run the real command, and return its status and what it said."""
    done = refbot("certify", *arguments, "-q", "--out", str(folder), timeout_s=_LONG_S)
    return done.returncode, done.stdout + done.stderr


def document(folder: Path) -> dict[str, Any]:
    """Return a run's verdict document but for times and host facts."""
    found: dict[str, Any] = json.loads((folder / "verdict.json").read_bytes())
    return {key: found[key] for key in found if key not in ("elapsed_s", "evidence", "frame", "crew")}


def crew(folder: Path) -> dict[str, Any]:
    """Return who did the works."""
    found: dict[str, Any] = json.loads((folder / "verdict.json").read_bytes())["crew"]
    return found


@pytest.mark.slow
def test_threads_and_a_cluster_do_the_same(tmp_path: Path) -> None:
    """Two workers of a cluster come to the document that threads come to: seeds go with works."""
    assert certify(tmp_path / "threads", BOT, "--level", "smoke", "--jobs", "2")[0] == 3
    with cluster(tmp_path / "dask") as found:
        found.add("one")
        found.add("two")
        arguments = (BOT, "--level", "smoke", "--executor", f"dask:{found.address}")
        status, said = certify(tmp_path / "run", *arguments)
        assert status == 3, said + found.logs()

    assert document(tmp_path / "threads") == document(tmp_path / "run")
    assert [crew(tmp_path / name)["workers"] for name in ("threads", "run")] == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["smoke", "standard"])
def test_the_same_certificate_wherever_it_is_asked(tmp_path: Path, level: str) -> None:
    """Threads, two workers of a cluster, and four merged shards come to one document.

    Level smoke has a first stage and no more, so merging decides it; at level standard a merged run that is
    still open is gone on with.
    """
    status, said = certify(tmp_path / "threads", BOT, "--level", level, "--jobs", "2")
    assert status == (0 if level == "standard" else 3), said
    with cluster(tmp_path / "dask") as found:
        found.add("one")
        found.add("two")
        arguments = (BOT, "--level", level, "--executor", f"dask:{found.address}")
        assert certify(tmp_path / "run", *arguments)[0] == status, found.logs()
    for place in range(1, 5):
        assert certify(tmp_path / f"{place}", BOT, "--level", level, "--shard", f"{place}/4")[0] == 0
    out = tmp_path / "merged"
    merged = refbot(
        "merge", *(str(tmp_path / f"{place}") for place in (2, 4, 1, 3)), "--out", str(out), timeout_s=_LONG_S
    )
    if "more rounds are needed" in merged.stderr:
        assert level == "standard"
        merged = refbot("certify", "--resume", str(out), "--trust", "-q", timeout_s=_LONG_S)
    assert merged.returncode == status, merged.stderr

    assert document(tmp_path / "threads") == document(tmp_path / "run") == document(out)
    assert [crew(tmp_path / name)["workers"] for name in ("threads", "run")] == [1, 2]
    assert crew(out)["workers"] >= 4


def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    """Within its limit there is one line and status 5; a run that was to go on is as it was."""
    only = ("--level", "smoke", "--case", "opening-5x5")
    assert certify(tmp_path / "run", BOT, *only, "--jobs", "1")[0] in (1, 3)
    path = tmp_path / "run" / FILE_NAME
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    before = path.read_bytes()

    resumed = refbot(
        "certify",
        "--trust",
        "--resume",
        str(path.parent),
        "-q",
        "--executor",
        "dask:tcp://127.0.0.1:9",
        timeout_s=_LONG_S,
    )

    assert resumed.returncode == 5
    assert "no Dask scheduler answers at tcp://127.0.0.1:9 within 10 s" in resumed.stderr
    assert "Traceback" not in resumed.stderr
    assert before == path.read_bytes()


@pytest.mark.slow
def test_a_worker_killed_in_the_middle(tmp_path: Path) -> None:
    """Its work is done again by another, counted once; its bots die with it."""
    out = tmp_path / "run"
    with cluster(tmp_path / "dask") as found:
        found.add("survivor")
        victim = found.add("victim")
        arguments = ["certify", PYTHON_BOT, "-q", "--level", "smoke", "--out", str(out)]
        harness = subprocess.Popen(
            [sys.executable, "-m", "harness", *arguments, "--executor", f"dask:{found.address}"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + _PATIENCE_S
        while not (bots := _bots_of(victim.pid)):
            assert harness.poll() is None
            assert time.monotonic() < deadline, found.logs()
            time.sleep(0.01)
        victim.send_signal(signal.SIGKILL)
        _, said = harness.communicate(timeout=300)

        assert harness.returncode == 3, said
        assert [pid for pid in bots if Path(f"/proc/{pid}/stat").exists() and not _is_zombie(pid)] == []
    status, said = certify(tmp_path / "threads", PYTHON_BOT, "--level", "smoke", "--jobs", "2")
    assert status == 3, said
    evidence = read_evidence(out)
    numbers = [work.number for work in evidence.works]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert evidence.header.plan is not None
    assert len(numbers) == evidence.header.plan.works
    assert document(out) == document(tmp_path / "threads")


def _bots_of(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task")
    children: list[int] = []
    for task in found.glob("*"):
        try:
            children += [int(word) for word in (task / "children").read_text().split()]
        except OSError:
            continue
    return [child for child in children if b"refbot.py" in _command(child)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.slow
def test_a_worker_with_another_bot_of_the_same_digest(tmp_path: Path) -> None:
    """A variable of one worker's environment changes the rules of its bots: it is named, no PASS given."""
    program = tmp_path / "bot.sh"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m harness engine $RULES "$@"\n')
    program.chmod(0o755)
    bot = f"{program} --playouts {{playouts}} --seed {{seed}}"
    with cluster(tmp_path / "dask") as found:
        found.add("good")
        found.add("good-too")
        found.add("bad", {"RULES": "--deviation eye-edge-as-centre"})
        arguments = (bot, "--case", "opening-9x9", "--executor", f"dask:{found.address}")
        status, said = certify(tmp_path / "run", *arguments)
        bad = found.started[-1].pid

    assert status in (1, 3), said
    unlike = {odd["who"] for odd in crew(tmp_path / "run")["unlike"]}
    assert len(unlike) == 1
    assert unlike.pop().endswith(f"process {bad}")
    assert "UNLIKE THE OTHERS" in said


@pytest.mark.slow
def test_tables_by_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables made by two workers are those that threads make, to the last byte."""
    limit_catalogue(monkeypatch, ["no-cap", "ids-dropped"])
    made = {}
    with cluster(tmp_path / "dask") as found:
        found.add("one")
        found.add("two")
        with team(f"dask:{found.address}") as workers:
            for name, given in (("here", None), ("there", workers)):
                suite = load_suite(write_suite(tmp_path / name, {"sample": SAMPLE, "moves": MOVES}))
                build(suite, SIZES, Sampler(team=given), ["sample", "moves"])
                tables = suite.folder / "tables"
                made[name] = {p.relative_to(tables): p.read_bytes() for p in tables.rglob("*.json")}

    assert len(made["here"]) == 3
    assert made["here"] == made["there"]


@pytest.mark.slow
def test_an_interrupt_reaches_the_workers(tmp_path: Path) -> None:
    """After Ctrl-C the workers go on living, and none of them has a bot any more."""
    out = tmp_path / "run"
    with cluster(tmp_path / "dask") as found:
        workers = [found.add("one"), found.add("two")]
        command = [sys.executable, "-m", "harness", "certify", PYTHON_BOT, "-q", "--out", str(out)]
        harness = subprocess.Popen(
            [*command, "--executor", f"dask:{found.address}"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        while not all(_bots_of(worker.pid) for worker in workers):
            assert harness.poll() is None
            time.sleep(0.01)
        harness.send_signal(signal.SIGINT)
        _, said = harness.communicate(timeout=120)

        assert harness.returncode == 130, said
        assert [bot for worker in workers for bot in _bots_of(worker.pid)] == []
        assert all(worker.poll() is None for worker in workers)
    footer = read_evidence(out).footer
    assert footer is not None
    assert footer.reason == "interrupted"
