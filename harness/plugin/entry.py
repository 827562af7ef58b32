"""What pytest loads wherever refbot is installed: options and nothing else, unless a bot is named.

Must stay light: no import of ours at the top, for it is read at the start of every pytest session.
"""
# ruff: noqa: PLC0415 - what a session without a bot does not need is not imported

from typing import Final

import pytest

OPTIONS: Final = (
    ("bot", "COMMAND", "Collect the certificate of the bot this command starts, or this name in --bots."),
    ("bots", "FILE", "Settings file (TOML) with named bots."),
    ("bot-level", "LEVEL", "smoke, standard (default), full or reference."),
    ("bot-playouts", "N", "Playouts of a bot whose command takes no {playouts}."),
    ("bot-known", "FILE", "Known failures (TOML): [[failure]] tables with id and reason. They must fail."),
    ("bot-out", "DIR", "Keep the run in a new folder under DIR; by default it goes where tmp_path does."),
    ("bot-time-scale", "X", "Factor on every time limit of the bot, for slow machines."),
    ("bot-wait", "SECONDS", "How long a worker of pytest-xdist waits for a run another one makes (3600)."),
)  # fmt: skip
"""Options with a value: name, what stands for the value, help.  In a settings file ``refbot_...``."""
SWITCHES: Final = (
    ("bot-strict", "NON-STRICT fails, and so does a test of a .tst file that is marked * and passes."),
    ("bot-allow-inconclusive", "INCONCLUSIVE skips an item instead of failing it."),
)
MARKS: Final = (
    "refbot: made by refbot for the bot under test",
    "refbot_exact: a case with one possible answer",
    "refbot_statistical: a case judged by statistics",
    "refbot_verdict: a requirement, or the whole, judged on the evidence of all cases",
    "refbot_tst: a numbered test of a regression file",
)


def ini_name(option: str) -> str:
    """Return what an option is called in pytest.ini or pyproject.toml."""
    return "refbot_" + option.removeprefix("bot-").replace("-", "_")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and each under another name to the settings files."""
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
