"""The main job on real input: bots in real subprocesses, certified or convicted by the real command."""

import subprocess
import sys
from pathlib import Path

import pytest
from certificates import certificate, refbot, shipped

from reference_engine.deviations import CATALOGUE

ROOT = Path(__file__).parents[3]

WANTED = {
    "R2": "no-ko",
    "R3": "three-passes-end",
    "R4": "eye-edge-as-centre",
    "R5": "stones-only",
    "R6": "amaf-both-colours",
    "R7": "most-visited",
    "R8": "passes-back",
    "R10": "suicide-several",
    "R11": "no-superko",
    "N1": "nodes-without-passes",
    "N2": "score-for-black",
    "X1": "fixed-seed-genmove",
    "G8": "colour-ignored",
}
"""One deviation of each requirement for the real command; `refbot selftest` tries all of them in process."""


def test_the_embedded_engine_passes(tmp_path: Path) -> None:
    """The engine, in this process, is certified; by chance it is not in under one run in a hundred."""
    verdict = certificate(tmp_path)

    assert (verdict.verdict, verdict.not_excluded) == ("PASS", [])


def test_the_c_bot_passes(tmp_path: Path) -> None:
    """A bot that shares no code with the engine is certified by the real command."""
    program = ROOT / "examples" / "refbot-c"
    if not program.exists():
        pytest.skip("examples/refbot-c is not built; run `make examples`")

    outcome = refbot("certify", f"{program} --playouts {{playouts}}", folder=tmp_path)

    assert (outcome.status, outcome.verdict["verdict"]) == (0, "PASS"), outcome.stdout


@pytest.mark.slow
def test_the_python_bot_passes(tmp_path: Path) -> None:
    """A slow bot is certified at its own speed."""
    program = ROOT / "examples" / "refbot.py"

    outcome = refbot("certify", f"{sys.executable} {program} --playouts {{playouts}}", folder=tmp_path)

    assert (outcome.status, outcome.verdict["verdict"]) == (0, "PASS"), outcome.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("requirement", "deviation"), sorted(WANTED.items()))
def test_real_command_convicts_and_names_the_rule(requirement: str, deviation: str, tmp_path: Path) -> None:
    """A bot with one mistake ends with status 1, its requirement named by the first diagnosis."""
    bot = f"refbot engine --playouts {{playouts}} --deviation {deviation}"

    outcome = refbot("certify", bot, folder=tmp_path)

    assert (outcome.status, outcome.verdict["verdict"]) == (1, "FAIL"), outcome.stdout
    assert requirement == outcome.verdict["diagnosis"][0]["requirement"]


def test_every_requirement_has_a_deviation_that_breaks_it() -> None:
    """For each requirement the catalogue holds at least one mistake, and the suite at least one case."""
    suite, _ = shipped()

    assert set(suite.requirements) == {d.requirement for d in CATALOGUE}
    assert set(suite.requirements) == {c.requirement for c in suite.cases.values()}


def test_a_bot_with_a_mistake_is_shown_the_board(tmp_path: Path) -> None:
    """The certificate of a failing bot holds the rule, the drawn board, and how to see it again."""
    outcome = refbot(
        "certify",
        "refbot engine --playouts {playouts} --deviation nodes-without-passes",
        "--level",
        "smoke",
        folder=tmp_path,
    )

    assert outcome.status == 1
    assert "nodes-without-passes" in outcome.stdout
    assert "A B C" in outcome.stdout
    assert "refbot certify --case" in outcome.stdout


@pytest.mark.slow
def test_verify_recomputes_the_same_document(tmp_path: Path) -> None:
    """The verdict beside the evidence is the one its evidence gives, byte for byte."""
    folder = tmp_path / "run"
    first = refbot("certify", "--level", "smoke", folder=folder)
    again = subprocess.run(
        [sys.executable, "-m", "harness", "verify", str(folder), "--json"],
        capture_output=True,
        check=False,
    )

    assert first.status == again.returncode
    assert (folder / "verdict.json").read_bytes() == again.stdout
