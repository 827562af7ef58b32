"""`refbot tst --gnu` beside GNU Go's own way: all commands in one pipe, the replies judged by awk."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SUITE = HERE / "gnugo" / "positions.tst"
ORACLE = HERE / "tst_oracle.awk"
GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
AWK = shutil.which("awk")

pytestmark = pytest.mark.skipif(GNUGO is None or AWK is None, reason="GNU Go (gnugo) or awk is not installed")

BOT = f"{GNUGO} --mode gtp --quiet --level 1 --seed 1"


def by_refbot(*arguments: str, cwd: Path = ROOT) -> str:
    """Return what the real command prints."""
    command = [sys.executable, "-m", "harness", "tst", "--quiet", "--bot", BOT, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def by_gnu_go(suite: Path, folder: Path) -> str:
    """Return what GNU Go's own way says: the file on standard input, judged by the oracle."""
    assert AWK is not None
    replies = folder / "replies"
    with suite.open("rb") as commands, replies.open("wb") as out:
        subprocess.run(BOT.split(), stdin=commands, stdout=out, cwd=SUITE.parent, check=True)
    done = subprocess.run(
        [AWK, "-f", str(ORACLE), str(suite), str(replies)], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_same_passes_and_failures_as_gnu_go(tmp_path: Path) -> None:
    """Every line is the same, on a file that has each result word many times."""
    wanted = by_gnu_go(SUITE, tmp_path)

    assert wanted == by_refbot("--gnu", str(SUITE))
    words = Counter(line.split()[1].rstrip(":") for line in wanted.splitlines())
    assert words["passed"] > 40
    assert words["FAILED"] > 10
    assert words["failed"] > 5
    assert words["PASSED"] > 2


def test_tests_without_an_expectation_and_of_a_bot_that_leaves(tmp_path: Path) -> None:
    """Miscounted results are announced in GNU Go's words, and the empty answer is what is expected then."""
    suite = tmp_path / "odd.tst"
    suite.write_text("10 name\n20 boardsize 9\n30 version\n#? [3.8]\n")

    wanted = by_gnu_go(suite, tmp_path)

    assert wanted == by_refbot("--gnu", str(suite))
    assert wanted.startswith("Possible crash!: expected 1 results, got 3.")


@pytest.mark.parametrize("where", ["gnugo", "."])
def test_game_records_are_found_from_any_folder(where: str) -> None:
    """A record is named from the regression file's folder, wherever refbot and the bot were started."""
    out = by_refbot("--verbose", f"{SUITE}:10,100", cwd=HERE / where)

    assert ":10: " in out
    assert "refused" not in out
    assert "got 'black'" in out
