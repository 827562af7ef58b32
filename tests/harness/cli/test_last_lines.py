"""What stands last on the screen: the answer, whatever scrolled away, and nothing if nobody reads it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from house import ENVIRONMENT, bot, refbot


@pytest.mark.parametrize("arguments", [["verify", "run"], ["verify", "run", "--json"]])
def test_a_reader_that_goes_away(tmp_path: Path, arguments: list[str]) -> None:
    """A closed pipe is no FAIL: the status is the verdict's own, or 141, and nothing is said."""
    refbot(tmp_path, "certify", f"{bot('none')} --playouts {{playouts}}", "--case", "an-eye", "--out", "run")
    command = [sys.executable, "-m", "harness", *arguments]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()

    assert process.returncode in {3, 141}
    assert "Traceback" not in said
    assert "Exception" not in said


@pytest.mark.parametrize(("option", "stream"), [([], "stdout"), (["--json"], "stderr")])
def test_the_last_line_is_the_answer(tmp_path: Path, option: list[str], stream: str) -> None:
    """The word, whose it is and where the page is, whatever scrolled away; a document stays a document."""
    command = f"{bot('none')} --playouts {{playouts}}"
    done = refbot(tmp_path, "certify", command, "--case", "an-eye", "--out", "run", *option)

    last = getattr(done, stream).splitlines()[-1]
    assert last.startswith("INCONCLUSIVE  mybot: ")
    assert last.endswith("  run/report.html")
    if option:
        json.loads(done.stdout)


def test_the_command_alone_and_its_version(tmp_path: Path) -> None:
    """`refbot` says the first steps, and `--version` is one line."""
    alone, version = refbot(tmp_path), refbot(tmp_path, "--version")

    assert (alone.returncode, version.returncode) == (0, 0)
    assert "refbot certify" in alone.stdout
    assert re.fullmatch(r"refbot \S+\n", version.stdout)


def test_a_certificate_of_nothing_says_so(tmp_path: Path) -> None:
    """A program that is not there is START-FAILED in a certificate as in a check."""
    done = refbot(tmp_path, "certify", "/no/such/bot", "--playouts", "8", "--out", "run")

    assert done.returncode == 4
    assert done.stdout.splitlines()[-1].startswith("START-FAILED  bot: could not be started")
    assert "has no" not in done.stdout
