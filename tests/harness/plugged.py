"""pytest sessions with the plugin, each in a folder of its own."""

import sys
from pathlib import Path

import pytest

# A session in this process takes away what it has loaded, and numpy cannot be loaded twice.
import harness.cli.certify
import harness.render.plain
import harness.render.tst
import harness.tst.run  # noqa: F401

ROOT = Path(__file__).parents[2]
C_BOT = f"{ROOT / 'examples/refbot-c'} --playouts {{playouts}}"
SAMPLE = ROOT / "examples/sample-project"
# Where refbot is installed, the outer session has the plugin already, and pytest says so.
_HUSHED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
_LOADED = ("-p", "harness.plugin.entry", "-p", "no:cacheprovider", *_HUSHED)
needs_c = pytest.mark.skipif(not (ROOT / "examples/refbot-c").exists(), reason="make examples builds it")


def fault_bot(fault: str) -> str:
    """Return the command of a bot that is in order but for one fault."""
    return f"{sys.executable} {ROOT / 'tests/bots/fault_bot.py'} {fault} --playouts {{playouts}}"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest there, in this process, with the plugin and no other that happens to be installed."""
    pytester._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester.runpytest_inprocess(*_LOADED, *arguments)


def run_apart(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest there, in a process that has loaded nothing yet."""
    pytester._monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester.runpytest_subprocess(*_LOADED, *arguments, timeout=500)


def text(result: pytest.RunResult) -> str:
    """Return what it printed."""
    return result.stdout.str() + result.stderr.str()
