"""`refbot tst` as a user runs it: exit statuses, one line for every error, results on stdout."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[3]
FAULT_BOT = f"{sys.executable} {ROOT / 'tests' / 'bots' / 'fault_bot.py'}"
SUITE = "10 name\n#? [fault bot]\n20 genmove black\n#? [pass]\n30 version\n#? [2]*\n"


def tst(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "harness", "tst", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files."""
    (tmp_path / "a.tst").write_text(SUITE)
    (tmp_path / "b.tst").write_text("10 protocol_version\n#? [2]\n")
    return tmp_path


def test_as_expected_is_success(folder: Path) -> None:
    """One line for each file and one for all; nothing on stderr; JUnit beside it."""
    done = tst(folder, "a.tst", "b.tst", "--bot", f"{FAULT_BOT} none", "--junit", "out.xml")

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("a.tst: 3 tests: 2 passed, 1 failed as known")
    assert lines[2].startswith("2 files: 4 tests: 3 passed, 1 failed as known")
    assert ET.parse(folder / "out.xml").getroot().get("tests") == "4"  # noqa: S314 - our own document


@pytest.mark.parametrize(("fault", "word"), [("dies-by-segv", "CRASH"), ("hangs-in-genmove", "TIMEOUT")])
def test_a_bot_that_falls_over_in_one_file(folder: Path, fault: str, word: str) -> None:
    """Its other tests are told as not run, the next file goes on, and the status says so."""
    (folder / "bots.toml").write_text(
        f"[fallen]\ncommand = '{FAULT_BOT} {fault}'\n[fallen.limits]\nfirst_genmove_s = 1\ngenmove_s = 1\n"
    )
    done = tst(folder, "a.tst", "b.tst", "--json", "--bots", "bots.toml", "--bot", "fallen")

    assert done.returncode == 4
    first, second = json.loads(done.stdout)["files"]
    assert [test["outcome"] for test in first["tests"]] == ["passed", "not run", "not run"]
    assert first["stop"]["word"] == word
    assert second["stop"] is None
    assert second["tests"][0]["outcome"] == "passed"


def test_a_failure_is_told_and_has_status_one(folder: Path) -> None:
    """The line names the test as it can be run again; colours stay away where they are not wanted."""
    (folder / "a.tst").write_text("10 name\n#? [x]\n20 version\n#? [1]*\n")

    done = tst(folder, "a.tst", "--bot", f"{FAULT_BOT} none", NO_COLOR="1", FORCE_COLOR="1")

    assert done.returncode == 1
    assert "a.tst:10: FAILED  name: expected [x], got 'fault bot'\n" in done.stdout.replace(
        "\x1b[1m", ""
    ).replace("\x1b[0m", "")
    assert "\x1b[31m" not in done.stdout
    assert "a.tst:20: PASSED" in done.stdout.replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("a.tst:99",), 5, "a.tst has no test 99; it has 10 to 30"),
        (("a.tst", "--limit", "name"), 2, "write COMMAND=SECONDS, such as final_score=300"),
        (("a.tst", "--limit", "name=0"), 2, "a limit is a number of seconds above 0"),
        (("a.tst", "--gnu", "--json"), 2, "choose one"),
        (("a.tst", "--junit", "no/out.xml"), 2, "give a file in a folder that exists"),
        (("a.tst", "--bot", "x {playouts}"), 2, "give --playouts N"),
    ],
)
def test_what_cannot_be_run_is_one_line(
    folder: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    """With its status, and nothing on stdout."""
    done = tst(folder, *arguments)

    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith("refbot: ")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_bot_that_hangs_in_its_start_up_command_is_ended(folder: Path) -> None:
    """It is told as such, and no process of it stays."""
    mark = f"hangs-in-genmove --playouts {1_000_000 + os.getpid()}"
    (folder / "bots.toml").write_text(
        f"[slow]\ncommand = '{FAULT_BOT} {mark}'\nstartup = ['genmove black']\n"
        "[slow.limits]\nstart_s = 1\nfirst_genmove_s = 1\ngenmove_s = 1\nquit_s = 0.5\n"
    )

    done = tst(folder, "a.tst", "--bots", "bots.toml", "--bot", "slow")

    assert done.returncode == 4
    assert "TIMEOUT" in done.stdout
    left = subprocess.run(["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert mark not in left


THINKER = """
import sys, time
for line in sys.stdin:
    number, name, *_ = *line.split(), ""
    until = time.monotonic() + {"short": 0.0, "long": 3.0}.get(name, 0.0)
    while time.monotonic() < until:
        pass
    print(f"={number} {name}" if number.isdigit() else "=", end="\\n\\n", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "status"), [("1", 4), ("20", 0)])
def test_a_limit_for_one_command_and_why_it_was_not_enough(folder: Path, limit: str, status: int) -> None:
    """A bot that computes is not suspected of keeping its reply in a buffer."""
    (folder / "thinker.py").write_text(THINKER)
    (folder / "b.tst").write_text("10 short\n#? [short]\n20 long\n#? [long]\n")

    done = tst(folder, "b.tst", "--bot", f"{sys.executable} thinker.py", "--limit", f"long={limit}")

    assert (done.returncode, done.stderr) == (status, "")
    if status:
        assert "no answer to 'long' within 1.0 s (limit: long): it was still computing" in done.stdout
        assert "--limit long=2 gives long twice the time" in done.stdout
        assert "flush" not in done.stdout


def test_one_line_that_cannot_be_read_keeps_no_other_test_from_running(folder: Path) -> None:
    """The bad line, the counts, and the status of a failure."""
    (folder / "bad.tst").write_text("# playouts: 1\n10 name\n#? [x\n20 protocol_version\n#? [2]\n")

    done = tst(folder, "bad.tst", "a.tst", "--playouts", "1")

    assert done.returncode == 1
    assert "bad.tst:10: unreadable  name (line 3: no closing bracket" in done.stdout
    assert "bad.tst: 2 tests: 1 passed, 1 UNREADABLE, " in done.stdout
