"""examples/sample-project, walked through as its README says."""

import shutil
from pathlib import Path

import pytest
from plugged import ROOT, SAMPLE, run, run_apart

LINE = "words = line.translate(_DROPPED).split()"


@pytest.fixture
def project(pytester: pytest.Pytester) -> Path:
    """Copy the project, and nothing else, to a new place, and go there."""
    ignored = shutil.ignore_patterns("__pycache__", ".pytest_cache")
    folder = pytester.path / "anywhere"
    shutil.copytree(SAMPLE, folder, ignore=ignored)
    pytester._monkeypatch.chdir(folder / "tests")
    return folder


def test_its_engine_is_the_examples() -> None:
    """The project stands alone, so it holds a copy of the Python example: the same bytes."""
    assert (SAMPLE / "engine.py").read_bytes() == (ROOT / "examples/refbot.py").read_bytes()


@pytest.mark.usefixtures("project")
def test_a_requirement_and_a_known_failure(pytester: pytest.Pytester) -> None:
    """The bot of the settings file is started in its folder, and what is known fails as known."""
    result = run(pytester, "-k", "G3 or R11 or tst or mybot", "..", "-rx")

    counts = result.parseoutcomes()
    assert counts.keys() == {"passed", "xfailed", "deselected"}
    assert counts["xfailed"] == 3
    result.stdout.fnmatch_lines(
        ["XFAIL *::G3::comments-are-cut-off - known-failures.toml: the command loop*"]
    )


def test_a_mended_bot_must_lose_its_entry(pytester: pytest.Pytester, project: Path) -> None:
    """An entry that no longer fails is a failure."""
    source = (project / "mybot.py").read_text()
    assert LINE in source
    (project / "mybot.py").write_text(source.replace(LINE, LINE.replace("line.", 'line.split("#")[0].')))

    result = run(pytester, "-k", "G3", "..")

    counts = result.parseoutcomes()
    assert (counts["passed"], counts["failed"]) == (2, 1)
    assert counts.keys() == {"passed", "failed", "deselected"}
    result.stdout.fnmatch_lines(
        ["*no longer fails: remove the entry 'comments-are-cut-off' from known-failures*"]
    )


@pytest.mark.slow
def test_the_whole_project(pytester: pytest.Pytester, project: Path) -> None:
    """As on a build server: everything is as expected, and the certificate fails as is known."""
    result = run_apart(
        pytester, "-p", "xdist", "-n", "2", "..", "--junitxml=results.xml", "--bot-out=runs", "-rx"
    )

    assert result.ret == 0
    result.stdout.fnmatch_lines(["FAIL  mybot.py: G3 broken; all failures are known failures"])
    assert len(list((project / "tests/runs").rglob("evidence.jsonl"))) == 2
