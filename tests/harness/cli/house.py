"""A checkout with a tiny suite, where shipped cases and tables do not matter; commands run in it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tiny_suite import EYE, SCRIPT, UNDO, write_suite

from harness.tables.tables import ExactTable

ROOT = Path(__file__).parents[3]
FAULT_BOT = Path(__file__).parents[2] / "bots" / "fault_bot.py"
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "CI")
} | {"TERM": "xterm-256color"}

CASES = {
    "protocol-version-is-two": SCRIPT.replace("G4", "G1")
    .replace("no-such-command", "protocol_version")
    .replace('"error"', '"2"'),
    "ids-come-back": SCRIPT.replace("G4", "G2")
    .replace("no-such-command", "17 name")
    .replace('"error"', '"ok"'),
    "undo-brings-captured-stones-back": UNDO,
    "an-eye": EYE,
}


@pytest.fixture(scope="session", autouse=True)
def make_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Set it up."""
    house = tmp_path_factory.mktemp("house")
    for package in ("harness", "reference_engine"):
        (house / package).symlink_to(ROOT / package)
    (write_suite(house / "fixtures", CASES, ["protocol-version-is-two"]) / "tables").mkdir()
    nothing = ExactTable("e", "s", {name: {} for name in CASES})
    (house / "fixtures" / "tables" / "exact.json").write_bytes(msgspec.json.encode(nothing))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENVIRONMENT, "PYTHONPATH", str(house))
        patch.setitem(ENVIRONMENT, "PYTHONDONTWRITEBYTECODE", "1")
        yield


Done = subprocess.CompletedProcess[str]


def refbot(folder: Path, *arguments: str | bytes) -> Done:
    """Run the real command in a folder of the test's."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def bot(fault: str) -> str:
    """Return the command of a fault bot."""
    return f"mybot={sys.executable} -IS {FAULT_BOT} {fault}"
