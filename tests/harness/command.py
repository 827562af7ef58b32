"""The real command, run from the checkout."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
Done = subprocess.CompletedProcess[str]


def refbot(*arguments: str, timeout_s: float = 120) -> Done:
    """Run the real command."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout_s,
        check=False,
    )
