"""The entry point that pytest loads wherever refbot is installed: only options, unless a bot is named.

It must be light, because every pytest session reads it: of our modules it imports only the table of options.
"""
# ruff: noqa: PLC0415 - a session without a bot imports only what it needs

from typing import Final

import pytest

from harness.plugin.options import OPTIONS, SWITCHES, ini_name

MARKS: Final = (
    "refbot: made by refbot for the bot under test",
    "refbot_exact: a case with one possible answer",
    "refbot_statistical: a case judged by statistics",
    "refbot_verdict: a requirement, or the whole, judged on the evidence of all cases",
    "refbot_tst: a numbered test of a regression file",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options to the command line and, under other names, to the settings files."""
    group = parser.getgroup("refbot", "refbot: conformance of a Go bot")
    for name, value, text in OPTIONS:
        group.addoption(f"--{name}", metavar=value, default=None, help=text)
        parser.addini(ini_name(name), f"--{name}: {text}", default="")
    for name, text in SWITCHES:
        group.addoption(f"--{name}", action="store_true", default=None, help=text)
        parser.addini(ini_name(name), f"--{name}: {text}", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Join the session if a bot is named.

    Raises:
        pytest.UsageError: an option is wrong.
    """
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if not (config.getoption("bot") or config.getini("refbot_bot")):
        return
    from harness.plugin.session import join

    join(config)
