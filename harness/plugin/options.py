"""The options of the pytest plugin, by their names on the command line and in settings files."""

from typing import Final

OPTIONS: Final = (
    ("bot", "COMMAND", "Collect the certificate of the bot this command starts, or this name in --bots."),
    ("bots", "FILE", "Settings file (TOML) with named bots."),
    ("bot-level", "LEVEL", "smoke, standard (default), full or reference."),
    ("bot-playouts", "N", "Playouts of a bot whose command takes no {playouts}."),
    ("bot-known", "FILE", "Known failures (TOML): [[failure]] tables with id and reason. They must fail."),
    ("bot-out", "DIR", "Keep the run in a new folder under DIR; by default it goes where tmp_path does."),
    ("bot-time-scale", "X", "Factor on every time limit of the bot, for slow machines."),
    ("bot-wait", "SECONDS", "How long a worker of pytest-xdist waits for another one's run (3600)."),
)  # fmt: skip
"""Options with a value: name, placeholder of the value, help.  Names in a settings file: ``ini_name``."""
SWITCHES: Final = (
    ("bot-strict", "NON-STRICT fails, and so does a test of a .tst file that is marked * and passes."),
    ("bot-allow-inconclusive", "INCONCLUSIVE skips an item instead of failing it."),
)


def ini_name(option: str) -> str:
    """Return the name of an option in pytest.ini or pyproject.toml."""
    return "refbot_" + option.removeprefix("bot-").replace("-", "_")
