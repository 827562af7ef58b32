"""pytest sessions with the plugin: real ones, each in a process and a folder of its own."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
C_BOT = f"{ROOT / 'examples/refbot-c'} --playouts {{playouts}}"
SAMPLE = ROOT / "examples/sample-project"
needs_c = pytest.mark.skipif(not (ROOT / "examples/refbot-c").exists(), reason="make examples builds it")


def fault_bot(fault: str) -> str:
    """Return the command of a bot that is in order but for one fault."""
    return f"{sys.executable} {ROOT / 'tests/bots/fault_bot.py'} {fault} --playouts {{playouts}}"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest there with the plugin of this checkout and no other that happens to be installed."""
    pytester._monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    loaded = ["-p", "harness.plugin.entry", "-p", "no:cacheprovider"]
    return pytester.runpytest_subprocess(*loaded, *arguments, timeout=120)


def text(result: pytest.RunResult) -> str:
    """Return what it printed."""
    return result.stdout.str() + result.stderr.str()
