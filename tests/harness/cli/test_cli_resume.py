"""``refbot certify --resume`` as its users meet it: what is refused and how, locks, disks that are full."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from harness.records.evidence import FILE_NAME
from harness.records.lock import LOCK_NAME

ROOT = Path(__file__).parents[3]
FAULT_BOT = ROOT / "tests" / "bots" / "fault_bot.py"
CASES = ["--case", "required-commands-are-listed", "--case", "a-single-playout", "--level", "smoke", "-q"]
Done = subprocess.CompletedProcess[str]


def bot(fault: str = "none") -> str:
    """Return the command of a fault bot."""
    return f"mybot={sys.executable} -IS {FAULT_BOT} {fault} --playouts {{playouts}}"


def refbot(*arguments: str, before: Callable[[], None] | None = None, user: int | None = None) -> Done:
    """Run the real command."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        preexec_fn=before,
        user=user,
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the lines of a run that ended."""
    folder = tmp_path_factory.mktemp("whole")
    done = refbot("certify", bot(), *CASES, "--out", str(folder / "run"))
    assert done.returncode in (1, 3), done.stderr
    assert sorted(path.name for path in (folder / "run").iterdir()) >= [FILE_NAME]
    assert not (folder / "run" / LOCK_NAME).exists()
    return (folder / "run" / FILE_NAME).read_bytes().splitlines(keepends=True)


def killed(folder: Path, lines: list[bytes], rest: bytes = b"") -> Path:
    """Leave what a kill would leave, and return the evidence file."""
    (folder / FILE_NAME).write_bytes(b"".join(lines) + rest)
    return folder / FILE_NAME


def complaint(done: Done, status: int) -> str:
    """Return the one line a refused command says."""
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


def test_half_a_line_is_dropped(tmp_path: Path, whole: list[bytes]) -> None:
    """A resumed run says where it goes on and what it drops, needs no BOT, and can be verified; once it has
    ended, resuming it prints the same verdict again and asks nothing.
    """
    path = killed(tmp_path, whole[:2], whole[2][:-20])

    done = refbot("certify", "--resume", str(tmp_path), "--trust", "-q", "--json")

    assert done.returncode in (1, 3), done.stderr
    assert "going on after 1 units; line 3, of which only a half was written, is dropped" in done.stderr
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds[:4] == ["header", "unit", "resumed", "unit"]
    assert (kinds.count("resumed"), kinds.count("footer"), kinds[-1]) == (1, 1, "footer")
    assert done.returncode == refbot("verify", str(tmp_path)).returncode
    before = path.read_bytes()
    again = refbot("certify", bot(), "--resume", str(path), "-q", "--json")
    assert (again.returncode, again.stdout) == (done.returncode, done.stdout)
    assert "is complete" in again.stderr
    assert before == path.read_bytes()


def _slow(*cases: tuple[object, ...]) -> list[ParameterSet]:
    return [pytest.param(*case, marks=pytest.mark.slow) for case in cases]


@pytest.mark.parametrize(
    ("old", "new", "arguments", "said"),
    [
        (b"", b"", [bot("banner")], "the bot's command was"),
        (b"", b"", ["other=" + bot().partition("=")[2]], "the bot's name was"),
        (b"", b"", [bot(), "--time-scale", "2"], "the bot's limits was"),
        *_slow(
            (b"", b"", ["--level", "full"], "is of level smoke, not full"),
            (b"", b"", ["--case", "an-odd-number-of-playouts"], "omit --case"),
            (b"", b"", ["--out", "elsewhere"], "omit --out"),
            (b"", b"", ["--playouts", "5"], "go with a BOT"),
            (b'"env":{}', b'"env":{"TOKEN":"x"}', [bot()], "the bot's env is another"),
            (
                b'"executable_digest":"',
                b'"executable_digest":"0',
                ["--trust"],
                "the bot's program had digest 0",
            ),
            (b'"digest":"', b'"digest":"0', ["--trust"], "the suite with its tables was 0"),
            (b'"engine":"', b'"engine":"0', ["--trust"], "the engine was 0"),
            (b'"command":"certify"', b'"command":"check"', [], "is a run of refbot check"),
            (b'"settings":{"name":"mybot"', b'"settings":{"name":5', [], ""),
        ),
    ],
)
def test_another_run_is_refused(
    tmp_path: Path, whole: list[bytes], old: bytes, new: bytes, arguments: list[str], said: str
) -> None:
    """What is not the run that was begun is refused in one line that says what differs; nothing changes."""
    path = killed(tmp_path, [whole[0].replace(old, new, 1), whole[1]])
    before = path.read_bytes()

    done = refbot("certify", *arguments, "--resume", str(tmp_path))

    assert said in complaint(done, 5 if not said else 2)
    assert before == path.read_bytes()


def test_a_damaged_line_is_an_error(tmp_path: Path, whole: list[bytes]) -> None:
    """A line damaged elsewhere than at the end is named, and not a byte is changed."""
    path = killed(tmp_path, [whole[0], whole[1][:50] + b"\n", whole[2]], b'{"type"')
    before = path.read_bytes()

    assert "line 2" in complaint(refbot("certify", "--resume", str(tmp_path), "--trust"), 5)

    assert before == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("data", [None, b"", b'{"type":"hea'])
def test_nothing_to_resume(tmp_path: Path, data: bytes | None) -> None:
    """A folder in which nothing was recorded is named."""
    if data is not None:
        killed(tmp_path, [], data)
    assert str(tmp_path) in complaint(refbot("certify", "--resume", str(tmp_path), "--trust"), 5)


@pytest.mark.parametrize("is_resumed", [pytest.param(False, marks=pytest.mark.slow), True])
def test_two_runs_into_one_folder(tmp_path: Path, whole: list[bytes], is_resumed: bool) -> None:
    """A folder in use is refused with its name and the process that has it; a lock of a dead one is none."""
    path = tmp_path / LOCK_NAME
    with path.open("w") as file:
        file.write("4711\n")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        if is_resumed:
            killed(tmp_path, whole[:2])
        how = (
            ["--resume", str(tmp_path), "--trust"] if is_resumed else [bot(), *CASES, "--out", str(tmp_path)]
        )
        said = complaint(refbot("certify", *how), 2)
        assert f"{tmp_path} is in use by another run (process 4711)" in said

    assert refbot("certify", *how).returncode in (1, 3)
    assert not path.exists()


def test_full_disk(tmp_path: Path, whole: list[bytes]) -> None:
    """When no more can be written, one line says so with status 5, the lines so far are whole, and the run
    goes on when there is room again.
    """

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = len(b"".join(whole[:3])) + 30
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    folder = tmp_path / "run"
    said = complaint(refbot("certify", bot(), *CASES, "--out", str(folder), before=no_room), 5)

    assert "File too large; what was written so far is kept" in said
    data = (folder / FILE_NAME).read_bytes()
    assert data.endswith(b"\n")
    assert data.count(b"\n") >= 2
    assert refbot("certify", "--resume", str(folder), "--trust").returncode in (1, 3)


def test_read_only_folder(tmp_path: Path, whole: list[bytes]) -> None:
    """A folder that cannot be written to is one line with status 5, for a new run as for an old one."""
    killed(tmp_path, whole[:2])
    if os.geteuid() == 0:
        # Nothing is read-only for root, but the kernel's own folders are.
        folder = Path("/sys/kernel")
        assert f"cannot write to {folder}" in complaint(
            refbot("certify", bot(), *CASES, "--out", str(folder)), 5
        )
        return
    tmp_path.chmod(0o500)
    assert "cannot write to" in complaint(refbot("certify", "--resume", str(tmp_path), "--trust"), 5)
    tmp_path.chmod(0o700)


def test_a_deaf_bot_does_not_outlive_a_killed_harness(tmp_path: Path) -> None:
    """A bot that takes no notice of the end of its input is ended when the harness is killed."""
    command = [sys.executable, "-m", "harness", "certify", bot("never-reads-stdin"), *CASES]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "run")], cwd=ROOT, stderr=subprocess.PIPE
    ) as process:
        wait_for(lambda: children(process.pid) >= 2 and len(bots_of(process.pid)) == 1)
        bots = bots_of(process.pid)
        process.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in bots))


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def pids() -> list[int]:
    """Return every process."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def parent(pid: int) -> int:
    """Return the parent of a process; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def children(pid: int) -> int:
    """Return the number of children of a process."""
    return sum(parent(other) == pid for other in pids())


def bots_of(harness: int) -> list[int]:
    """Return the bots of a harness."""
    return [pid for pid in pids() if parent(pid) == harness and is_bot(pid)]


def is_bot(pid: int) -> bool:
    """Whether it is a bot: a child that has not begun its own program still has the harness's words."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"fault_bot" in words and b"certify" not in words
