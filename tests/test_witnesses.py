"""The search for witnesses: the same options give the same positions, and they are what it says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "benchmarks" / "witnesses.py"
OPTIONS = ("--sizes", "3,4", "--positions", "20", "--climbs", "40", "--choices", "10")


@pytest.mark.slow
def test_a_small_search(tmp_path: Path) -> None:
    """A search on small boards finds positions for an eye rule and for ties, twice the same."""
    found = [
        subprocess.run(
            [sys.executable, PROGRAM, *OPTIONS, "--only", "eye-centre-strict,ties-in-order"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert found[0] == found[1]
    for name in ("eye-centre-strict", "ties-in-order"):
        line = next(line for line in found[0].splitlines() if line.startswith(f"{name}: "))
        distance, _, error = line.removeprefix(f"{name}: ").partition("; ")[0].split()
        assert float(distance) > 0.2 > 10 * float(error)
