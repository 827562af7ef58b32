"""A spread run: whoever does its works, in whatever order, however often interrupted, it is the same run."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from certificates import shipped

from harness.bots.bot import Bot, parse_bot
from harness.bots.inprocess import starter
from harness.bots.process_tree import left_over
from harness.bots.processes import Starter
from harness.errors import EvidenceError, UsageError, WorkerError
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Evidence, Unit, encoder, read_evidence, read_part
from harness.runs.executors import Team, team
from harness.runs.forecast import Luck
from harness.runs.merge import join, record
from harness.runs.progress import Unwatched
from harness.runs.resume import has_ended
from harness.runs.run import INTERRUPTED, Progress
from harness.runs.spread import SHARD_DONE, UNFINISHED, SpreadRun
from harness.runs.worker import Done, do_work
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec

ROOT = Path(__file__).parents[3]
FAULT_BOT = ROOT / "tests" / "bots" / "fault_bot.py"
ENGINE = parse_bot(None, None, None, 1.0)


@dataclass
class Inline(Executor):
    """An executor that does a work when it is given out; ``change`` stands for what a worker may do to it."""

    change: Callable[[int, Done], Done] = lambda _, done: done
    starts: Callable[[int], Starter | None] = lambda _: None
    numbers: list[int] = field(default_factory=list)
    is_reversed: bool = False

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        """Do it now."""
        assert fn is do_work
        order, work = args
        start = self.starts(work.number)
        future: Future[Any] = Future()
        self.numbers.append(work.number)
        try:
            done = do_work(replace(order, start=start) if start else order, work)
            future.set_result(self.change(work.number, done))
        except Exception as error:  # noqa: BLE001 - as an executor does
            future.set_exception(error)
        return future


def here(executor: Executor | None = None) -> Team:
    """Return a team of one."""
    return Team(executor or Inline(), 1, lambda call, word: call(word))


def spread(
    folder: Path,
    executor: Executor | None = None,
    *,
    level: str = "smoke",
    spec: Spec = SPEC,
    shard: tuple[int, int] | None = None,
    only: list[str] | None = None,
    observer: Any = None,
) -> Evidence:
    """Run in this process; go on with what is in the folder, if there is anything."""
    suite, tables = shipped()
    part = read_part(folder) if (folder / FILE_NAME).exists() else None
    run = SpreadRun(
        ENGINE, suite, tables, level, folder, only or [], here(executor), starter(spec), part, shard
    )
    return run.go(observer or Unwatched())


def verdict(evidence: Evidence) -> Verdict:
    """Judge a run; of the document all but what depends on times and hosts."""
    suite, tables = shipped()
    found = judge(suite, tables, evidence)
    return msgspec.structs.replace(found, elapsed_s=0.0, evidence="", frame="", crew=None)


def facts(evidence: Evidence) -> list[tuple[object, ...]]:
    """Return all that was asked and answered, but for times, in a fixed order."""
    return sorted((u.case, u.process, u.playouts, str(u.exchanges)) for u in evidence.units)


@lru_cache(maxsize=4)
def whole(deviation: str = "") -> tuple[Evidence, Path]:
    """Return a run at level smoke that nothing disturbed, and its folder."""
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="refbot-spread-"))
    return spread(folder, spec=BY_NAME[deviation].spec if deviation else SPEC), folder


def test_the_order_of_works_changes_nothing(tmp_path: Path) -> None:
    """Threads, which finish in any order, come to the units and the document of works done one by one."""
    expected, _ = whole()
    suite, tables = shipped()
    with team("threads", 3) as workers:
        run = SpreadRun(ENGINE, suite, tables, "smoke", tmp_path, [], workers, starter(SPEC))
        found = run.go(Unwatched())

    assert facts(expected) == facts(found)
    assert verdict(expected) == verdict(found)
    assert msgspec.structs.replace(read_evidence(tmp_path), footer=None) == msgspec.structs.replace(
        found, footer=None
    )


def test_every_process_has_its_own_seed() -> None:
    """No two works share the number of a process, and X1 is asked of two."""
    evidence, _ = whole()
    by_process: dict[int, set[int]] = {}
    for work, units in evidence.done:
        for unit in units:
            by_process.setdefault(unit.process, set()).add(work.number)

    assert all(len(works) == 1 for works in by_process.values())
    fresh = {unit.process for unit in evidence.units if unit.case == "fresh-opening-9x9"}
    assert len(fresh) == 2


@pytest.mark.parametrize("deviation", ["", "eye-edge-as-centre"])
def test_shards_make_the_same_run(tmp_path: Path, deviation: str) -> None:
    """Three shards, merged in any order, are the run that one machine would have made."""
    expected, _ = whole(deviation)
    spec = BY_NAME[deviation].spec if deviation else SPEC
    for place in (1, 2, 3):
        shard = spread(_made(tmp_path / f"{place}"), shard=(place, 3), spec=spec)
        assert shard.footer
        assert shard.footer.reason == SHARD_DONE
    suite, tables = shipped()
    shards = [tmp_path / name for name in ("3", "1", "2")]

    merged = record(join(shards), suite, tables, _made(tmp_path / "m"))

    assert facts(expected) == facts(merged)
    assert merged == read_evidence(tmp_path / "m")
    assert expected.footer
    assert merged.footer
    assert expected.footer.reason == merged.footer.reason
    if not deviation:
        assert verdict(expected) == verdict(merged)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_merged_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first stage does not decide, here since it provides for perfect luck, the merged run
    is resumed to the end that a run comes to which was never cut.
    """
    monkeypatch.setattr("harness.runs.spread.UNLUCKY", Luck(errors=0.0, yields=9.0))
    only = ["amaf-counts-late-plays-like-early-ones", "amaf-after-captures-four-playouts"]
    expected = spread(_made(tmp_path / "whole"), level="standard", only=only)
    assert expected.header.plan is not None
    assert len(expected.works) > expected.header.plan.works
    for place in (1, 2):
        spread(_made(tmp_path / f"{place}"), level="standard", only=only, shard=(place, 2))
    suite, tables = shipped()
    merged = record(join([tmp_path / "1", tmp_path / "2"]), suite, tables, _made(tmp_path / "m"))
    assert merged.footer
    assert merged.footer.reason == UNFINISHED
    assert not has_ended(read_part(tmp_path / "m"))

    again = spread(tmp_path / "m", level="standard", only=only)

    assert facts(expected) == facts(again)
    assert verdict(expected) == verdict(again)


def test_what_is_not_of_one_run_is_not_merged(tmp_path: Path) -> None:
    """Shards missing, given twice, of another bot or plan, and whole runs are refused by name."""
    _, folder = whole()
    for place in (1, 2):
        spread(_made(tmp_path / f"{place}"), shard=(place, 2), only=["opening-9x9", "opening-5x5"])
    one, two = tmp_path / "1", tmp_path / "2"
    shutil.copytree(one, tmp_path / "copy")
    for name, old, new in (
        ("bot", b'"executable_digest":"', b'"executable_digest":"0'),
        ("plan", b'"plan":{"works":', b'"plan":{"works":1'),
        ("number", b'"shard":[2,2]', b'"shard":[2,3]'),
        ("level", b'"level":"smoke"', b'"level":"full"'),
        ("stopped", SHARD_DONE.encode(), INTERRUPTED.encode()),
    ):
        shutil.copytree(two, tmp_path / name)
        data = (two / FILE_NAME).read_bytes()
        assert old in data
        (tmp_path / name / FILE_NAME).write_bytes(data.replace(old, new, 1))

    def refused(*names: str) -> str:
        with pytest.raises(UsageError) as caught:
            join([tmp_path / name for name in names])
        return str(caught.value)

    assert "1 of 2 shards missing: 2/2" in refused("1")
    assert "is shard 1 of 2, and so is" in refused("1", "copy", "2")
    assert "the bot is another" in refused("1", "bot")
    assert "the plan is another" in refused("1", "plan")
    assert "the number of shards is another" in refused("1", "number")
    assert "the level is another" in refused("1", "level")
    assert "was interrupted" in refused("1", "stopped")
    with pytest.raises(UsageError, match="is a whole run"):
        join([one, two, folder])


def test_a_kill_loses_whole_works_only(tmp_path: Path) -> None:
    """Wherever the file is cut, whole works are taken over, the rest is asked anew, nothing twice."""
    expected, source = whole()
    data = (source / FILE_NAME).read_bytes()
    lines = data.splitlines(keepends=True)
    ends = [place for place, line in enumerate(lines) if line.startswith(b'{"type":"work"')]
    cuts = {
        "after a work": b"".join(lines[: ends[3] + 1]),
        "among the units of one": b"".join(lines[: ends[3] + 3]),
        "in the middle of a line": b"".join(lines[: ends[5]]) + lines[ends[5]][:9],
        "before the footer": b"".join(lines[:-1]),
    }
    for name, kept in cuts.items():
        folder = _made(tmp_path / name)
        (folder / FILE_NAME).write_bytes(kept)
        executor = Inline()

        found = spread(folder, executor)

        before = {work.number for work in expected.works[: kept.count(b'{"type":"work"')]}
        assert before.isdisjoint(executor.numbers), name
        assert before | set(executor.numbers) == {work.number for work in expected.works}, name
        assert facts(expected) == facts(found), name
        assert verdict(expected) == verdict(found), name
        assert read_evidence(folder).digest == found.digest, name


def test_half_a_work_is_no_part_of_a_run(tmp_path: Path) -> None:
    """Units that no work line closes are not read on, and a whole file may not hold any."""
    _, source = whole()
    lines = (source / FILE_NAME).read_bytes().splitlines(keepends=True)
    stray = encoder.encode(Unit("opening-9x9", 99, 400, [], 0.0)) + b"\n"
    (tmp_path / FILE_NAME).write_bytes(b"".join([*lines[:3], stray]))

    part = read_part(tmp_path)

    assert [work.number for work in part.evidence.works] == [1]
    assert part.torn == 4
    assert part.kept_bytes == sum(map(len, lines[:3]))
    twice = [*lines[:3], *lines[1:3], *lines[3:-1]]
    (tmp_path / FILE_NAME).write_bytes(b"".join(twice))
    with pytest.raises(EvidenceError, match="work item 1 is there already"):
        read_part(tmp_path)


class _Interrupter:
    def __init__(self, times: int, error: type[BaseException] = KeyboardInterrupt) -> None:
        self._left = times
        self._error = error

    def see(self, _: Progress) -> None:
        """Strike after so many units."""
        self._left -= 1
        if self._left == 0:
            raise self._error


def slow_bot(fault: str = "none") -> Bot:
    """Return a bot over pipes."""
    text = f"mybot={sys.executable} -IS {FAULT_BOT} {fault} --playouts {{playouts}}"
    return parse_bot(text, None, None, 1.0)


def test_an_interrupt_ends_bots_and_keeps_works(tmp_path: Path) -> None:
    """Interrupted among works under way in threads, a run leaves no bot, and is resumed to its end."""
    suite, tables = shipped()

    def go(observer: Any, part: Any = None) -> Evidence:
        with team("threads", 3) as workers:
            run = SpreadRun(slow_bot(), suite, tables, "smoke", tmp_path, [], workers, part=part)
            return run.go(observer)

    with pytest.raises(KeyboardInterrupt):
        go(_Interrupter(30))
    assert left_over() == []
    before = read_evidence(tmp_path)
    assert before.footer
    assert before.footer.reason == INTERRUPTED

    after = go(Unwatched(), read_part(tmp_path))

    numbers = [work.number for work in after.works]
    assert len(numbers) == len(set(numbers))
    assert all(work in after.works for work in before.works)
    assert left_over() == []


def test_a_bot_that_breaks_off_ends_the_run(tmp_path: Path) -> None:
    """A work that breaks off is evidence, with its word; works not begun are not begun."""
    suite, tables = shipped()
    with team("threads", 2) as workers:
        bot = slow_bot("dies-by-segv")
        evidence = SpreadRun(bot, suite, tables, "smoke", tmp_path, [], workers).go(Unwatched())

    assert judge(suite, tables, evidence).verdict == "CRASH"
    assert evidence.header.plan is not None
    assert len(evidence.works) < evidence.header.plan.works
    assert left_over() == []


def test_another_program_at_a_host_is_named(tmp_path: Path) -> None:
    """A worker whose bot has another digest does nothing; the error says where, and the run can go on."""
    program = tmp_path / "bot.py"
    shutil.copy(ROOT / "examples" / "refbot.py", program)
    suite, tables = shipped()
    bot = parse_bot(f"mybot={sys.executable} {program} --playouts {{playouts}}", None, None, 1.0)

    class Changing(Inline):
        def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
            program.write_bytes(program.read_bytes() + b"\n")
            return super().submit(fn, *args)

    folder = _made(tmp_path / "run")
    with pytest.raises(WorkerError, match=rf"host .*process {os.getpid()}: the bot's program has digest"):
        SpreadRun(bot, suite, tables, "smoke", folder, [], here(Changing())).go(Unwatched())

    assert [work.number for work in read_part(folder).evidence.works] == [1]


def test_a_lost_work_is_an_error_of_ours(tmp_path: Path) -> None:
    """What an executor says of a worker it lost becomes one line with what to do; what was done is kept."""

    def lose(number: int, done: Done) -> Done:
        if number == 5:
            raise MemoryError("gone")
        return done

    with pytest.raises(WorkerError, match=r"a work was lost: MemoryError: gone; .*--resume"):
        spread(tmp_path, Inline(lose))


def test_killed_with_its_bots(tmp_path: Path) -> None:
    """A harness killed by SIGKILL leaves no bot of any of its threads, and a file that can be resumed."""
    command = f"mybot={sys.executable} -IS {FAULT_BOT} none --playouts {{playouts}}"
    arguments = ["certify", command, "-q", "--level", "smoke", "--jobs", "2", "--out", str(tmp_path / "run")]
    harness = subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        env=os.environ | {"REFBOT_TEST_MARK": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    path = tmp_path / "run" / FILE_NAME
    while harness.poll() is None and not (path.exists() and path.read_bytes().count(b'"work"') > 2):
        time.sleep(0.01)
    harness.send_signal(signal.SIGKILL)
    harness.wait()

    deadline = time.monotonic() + 20
    while _marked(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _marked(str(tmp_path)) == []
    assert len(read_part(path).evidence.works) > 2


def _marked(mark: str) -> list[str]:
    """Return the living processes with this mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"REFBOT_TEST_MARK={mark}".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return found


def test_a_host_with_another_bot_is_named(tmp_path: Path) -> None:
    """A worker whose bot breaks a rule under the same digest is named; such evidence shows no conformance."""
    wrong = starter(BY_NAME["eye-edge-as-centre"].spec)
    cases = ["opening-9x9"]

    def rename(number: int, done: Done) -> Done:
        return replace(done, line=msgspec.structs.replace(done.line, host=f"host{number % 4}"))

    bad = Inline(rename, lambda number: wrong if number % 4 == 2 else None)
    found = spread(_made(tmp_path / "bad"), bad, level="standard", only=cases)
    suite, tables = shipped()
    judged = judge(suite, tables, found)
    good = judge(
        suite, tables, spread(_made(tmp_path / "good"), Inline(rename), level="standard", only=cases)
    )

    assert judged.crew is not None
    assert judged.crew.hosts == ["host0", "host1", "host2", "host3"]
    assert {unlike.who.split()[0] for unlike in judged.crew.unlike} == {"host2"}
    assert "host2" in judged.reason
    assert judged.verdict != "PASS"
    assert good.crew is not None
    assert good.crew.unlike == ()
