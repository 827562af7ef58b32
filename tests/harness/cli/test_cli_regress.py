"""``refbot bench`` and ``refbot regress`` as people run them, and the recipes that name them."""

import re
import shlex
from pathlib import Path

import msgspec
import pytest
import typer
from certificates import refbot, shipped
from typer.testing import CliRunner

from harness.cli.main import app
from harness.comparison.drift import TOP_UP
from harness.comparison.regression import Regression
from harness.records.evidence import read_evidence
from harness.selftest.repeats import run_once, shifted

ROOT = Path(__file__).parents[3]
RECIPES = (ROOT / "docs" / "ci.md").read_text("utf-8")


@pytest.mark.slow
def test_a_bot_is_held_against_itself_by_the_real_command(tmp_path: Path) -> None:
    """The C example, unchanged: status 0; its run has the playouts that a comparison needs, and rounds."""
    program = ROOT / "examples" / "refbot-c"
    if not program.exists():
        pytest.skip("examples/refbot-c is not built; run `make examples`")
    command = f"{program} --playouts {{playouts}}"
    runner = CliRunner()

    assert (
        runner.invoke(app, ["certify", command, "--baseline", "-q", "--out", f"{tmp_path / 'a'}"]).exit_code
        == 0
    )
    done = runner.invoke(
        app, ["regress", f"{tmp_path / 'a'}", command, "-q", "--json", "--out", f"{tmp_path / 'b'}"]
    )

    found = msgspec.json.decode(done.stdout, type=Regression)
    evidence = read_evidence(tmp_path / "b")
    assert (done.exit_code, found.outcome, found.changes) == (0, "PASS", [])
    assert min(s.playouts for s in found.shifts) >= TOP_UP
    assert evidence.header.command == "regress"
    assert evidence.rounds[0].bot.nodes is not None
    assert evidence.rounds[0].bot.peak_bytes is not None
    assert {s.measure for s in found.speeds} == {"cpu", "wall"}
    assert runner.invoke(app, ["verify", f"{tmp_path / 'b'}"]).exit_code == 0


@pytest.mark.slow
def test_bench_refuses_what_fails_its_check(tmp_path: Path) -> None:
    """A bot that breaks the protocol is not timed, and the status is that of its check."""
    wrong = "refbot engine --playouts {playouts} --deviation unknown-accepted"

    outcome = refbot("bench", wrong, "--rounds", "4", folder=tmp_path)

    assert outcome.status == 1
    assert "not measured" in outcome.stdout


@pytest.mark.slow
def test_a_tenth_of_a_deviation_is_caught_in_whole_runs() -> None:
    """An engine whose playouts of the empty 5x5 board are longer by so much: FAIL, and the drift is named."""
    from harness.comparison.regress import compare_runs
    from harness.selftest.repeats import as_baseline

    suite, tables = shipped()
    then, now = run_once(suite, tables, 31), run_once(suite, tables, 32, shifted(0.1))

    found = compare_runs(as_baseline(then), now, suite, tables, {}, 0.05)

    assert now.verdict.verdict == "NON-STRICT"
    assert found.outcome == "FAIL"
    assert [reason.partition(" by ")[0] for reason in found.reasons] == ["opening-5x5: length drifted"]


def test_a_baseline_that_is_none_is_refused(tmp_path: Path) -> None:
    """One line and status 2, before any bot is started."""
    from harness.errors import UsageError

    done = CliRunner().invoke(app, ["regress", f"{tmp_path / 'none'}", "./bot {playouts}"])

    assert isinstance(done.exception, UsageError)
    assert "no baseline" in str(done.exception)


def test_known_failures_must_be_known(tmp_path: Path) -> None:
    """A word misspelt in the file is found before any bot is started."""
    from harness.errors import UsageError

    (tmp_path / "known.toml").write_text('[[failure]]\nid = "R44"\nreason = "x"\n')

    done = CliRunner().invoke(
        app, ["regress", f"{tmp_path}", "./bot", "--known", f"{tmp_path / 'known.toml'}"]
    )

    assert isinstance(done.exception, UsageError)
    assert "R44" in str(done.exception)


def recipes() -> list[str]:
    """Return the YAML of both recipes."""
    return re.findall(r"```yaml\n(.*?)```", RECIPES, re.DOTALL)


def test_recipes_are_yaml() -> None:
    """Both parse, and have the steps that a system of their kind looks for."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    github, gitlab = (yaml.safe_load(text) for text in recipes())

    steps = github["jobs"]["refbot"]["steps"]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    assert gitlab["refbot"]["artifacts"]["reports"]["junit"] in gitlab["refbot"]["after_script"][0]


def test_recipes_name_commands_and_options_that_there_are() -> None:
    """Every refbot line of docs/ci.md could be run."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    lines = re.findall(r"(?m)^ *(?:- run: |run: |- )?(refbot .*)$", "\n".join(recipes()))
    for line in lines:
        words = shlex.split(line.partition(">")[0])
        if words[1] == "report" and "report" not in commands:
            continue
        known = {option for p in commands[words[1]].params for option in p.opts}
        assert {word for word in words if word.startswith("--")} <= known, line

    assert {shlex.split(line)[1] for line in lines} == {"check", "regress", "report"}
