"""The options of a session with a bot, from the command line or from pytest's settings file."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.cases.level import LEVELS
from harness.errors import UsageError
from harness.plugin.options import ini_name
from harness.suggest import closest

_WAIT_S = 3600.0


@dataclass(frozen=True, slots=True)
class BotOptions:
    """The options of a session with a bot."""

    bot: str
    bots: Path | None
    level: str
    playouts: int | None
    known: Path | None
    out: Path | None
    time_scale: float
    wait_s: float
    strict: bool
    allow_inconclusive: bool
    base: Path
    """Folder in which the bot is started: that of the settings file if the bot is named there."""


def read_bot_options(config: pytest.Config) -> BotOptions:
    """Read the options.  Paths in a settings file are relative to its folder.

    Raises:
        UsageError: a level, a number or a file is invalid.
    """

    def text(name: str) -> str:
        return str(config.getoption(name.replace("-", "_")) or config.getini(ini_name(name)))

    def path(name: str) -> Path | None:
        folder = config.invocation_params.dir if config.getoption(name.replace("-", "_")) else config.rootpath
        return folder / text(name) if text(name) else None

    def is_on(name: str) -> bool:
        return bool(config.getoption(name.replace("-", "_")) or config.getini(ini_name(name)))

    level = text("bot-level") or "standard"
    known = [name for name in LEVELS if name != "check"]
    if level not in known:
        raise UsageError(f"no level {level!r}{closest(level, known)}; there are {', '.join(known)}")
    playouts = _number("bot-playouts", text("bot-playouts"), 0.0)
    if playouts != int(playouts):
        raise UsageError(f"--bot-playouts {playouts:g} is not a whole number")
    return BotOptions(
        bot=text("bot"),
        bots=path("bots"),
        level=level,
        playouts=int(playouts) or None,
        known=path("bot-known"),
        out=path("bot-out"),
        time_scale=_number("bot-time-scale", text("bot-time-scale"), 1.0),
        wait_s=_number("bot-wait", text("bot-wait"), _WAIT_S),
        strict=is_on("bot-strict"),
        allow_inconclusive=is_on("bot-allow-inconclusive"),
        base=config.invocation_params.dir if config.getoption("bot") else config.rootpath,
    )


def _number(option: str, text: str, default: float) -> float:
    """Return a number above 0; the default if the text is empty."""
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UsageError(f"--{option} {text!r} is not a number above 0")
    return value
