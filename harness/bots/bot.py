"""Which bot to start, and how: a command line in one string, or an entry of a settings file."""

import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from harness.bots.confinement import Confinement
from harness.bots.limits import LONGEST_S, Limits
from harness.cases.level import MOST_PLAYOUTS
from harness.errors import UsageError
from harness.regular_file import MEBIBYTE, digest_of_files, read_file
from harness.suggest import closest

EMBEDDED: Final = "refbot engine --playouts {playouts}"
"""The embedded engine, as a bot like any other."""

INTERPRETERS: Final = ("python", "python3", "java", "node", "ruby", "perl", "sh", "bash", "wine")
"""Programs that run a bot, and are not the bot themselves."""

_AMOUNTS: Final = {
    "memory_mb": "megabytes",
    "cpu_s": "seconds",
    "open_files": "files",
    "processes": "processes",
    "total_mb": "megabytes",
    "file_mb": "megabytes",
}
_MOST: Final = 1_000_000_000
_NAMED = re.compile(r"([A-Za-z0-9][\w.-]*)=(.+)", re.DOTALL)


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time limits of one bot in a settings file, in seconds."""

    start_s: float | None = None
    ordinary_s: float | None = None
    first_genmove_s: float | None = None
    genmove_s: float | None = None
    genmove_per_1000_playouts_s: float | None = None
    quit_s: float | None = None
    thinking_s: float | None = None
    commands: dict[str, float] | None = None
    """Limits of single commands, by their names."""


class BotSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One bot of a settings file."""

    command: str
    cwd: str | None = None
    env: dict[str, str] = {}
    playouts: int | None = None
    startup: list[str] = []
    """GTP commands sent before anything else, in every process."""
    send_ahead: bool = True
    """Whether commands may be sent before earlier ones are answered (pipelining)."""
    limits: LimitSettings = LimitSettings()
    memory_mb: int | None = None
    cpu_s: int | None = None
    open_files: int | None = None
    processes: int = 500
    total_mb: int | None = None
    file_mb: int | None = None
    clean_env: bool = False
    own_folder: bool = False
    wrap: str = ""
    sandbox: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot to be started, as often as needed."""

    name: str
    command: str
    """The command, with ``{playouts}`` and ``{seed}`` still in it."""
    fixed_playouts: int | None = None
    cwd: Path | None = None
    env: dict[str, str] = field(default_factory=dict)
    startup: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    confinement: Confinement = field(default_factory=Confinement)
    send_ahead: bool = True

    def arguments(self, playouts: int, seed: int) -> list[str]:
        """Return the argument list of one process; no shell is involved.

        Raises:
            UsageError: the command's quotes do not match, or it is empty.
        """
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise UsageError(f"bot {self.name}: {error} in the command {self.command!r}") from None
        if not words:
            raise UsageError(f"bot {self.name}: the command is empty")
        words = [w.replace("{playouts}", str(playouts)).replace("{seed}", str(seed)) for w in words]
        if words[:2] == ["refbot", "engine"]:
            # The embedded engine is started by this interpreter, whatever PATH says.
            return [sys.executable, "-m", "harness", *words[1:]]
        return words

    @property
    def takes_playouts(self) -> bool:
        """Whether the number of playouts can be chosen when the bot is started."""
        return "{playouts}" in self.command

    def executable_digest(self) -> str:
        """Return a digest of the program and of the files among its arguments; empty if there is none."""
        files = [path for _, path in self._files()]
        return digest_of_files(files)[:16] if files else ""

    def file_digests(self) -> dict[str, str]:
        """Return the digest of each file that the command names, by its word; none of the embedded engine.

        The embedded engine is known by the digest of its own source, whatever interpreter runs it.
        """
        if self.is_embedded:
            return {}
        return {
            word.encode("utf-8", "backslashreplace").decode(): digest_of_files([path])[:16]
            for word, path in self._files()
        }

    @property
    def is_embedded(self) -> bool:
        """Whether the bot is this package's own engine."""
        return self.command.split()[:2] == ["refbot", "engine"]

    def _files(self) -> Iterator[tuple[str, Path]]:
        for place, word in enumerate(self.arguments(1, 1)):
            path = Path(shutil.which(word) or word) if place == 0 else (self.cwd or Path()) / word
            if _is_file(path):
                yield word, path


def parse_bot(
    text: str | None,
    playouts: int | None,
    settings: Path | None,
    scale: float,
    wrap: str | None = None,
    *,
    sandbox: bool = False,
) -> Bot:
    """Make a bot of an argument of the command line.

    Args:
        text: a command, ``name=command``, or a name from the settings; None for the embedded engine.
        playouts: the bot's fixed number of playouts, where its command takes none.
        settings: a TOML file of bots.
        scale: factor on every time limit.
        wrap: a command prefix, instead of the one in the settings.
        sandbox: whether it is shut in, whatever the settings say.

    Raises:
        UsageError: the text or the settings cannot be used; the message says what to change.
    """
    known = load_settings(settings) if settings else {}
    bot = known.get(text or "")
    if bot is None:
        bot = _from_text(EMBEDDED if text is None else text)
        if (
            settings
            and text
            and len(text.split()) == 1
            and not _NAMED.fullmatch(text)
            and shutil.which(text) is None
        ):
            raise UsageError(f"no bot {text!r} in {settings}{closest(text, known)}")
    if playouts is not None:
        if bot.takes_playouts:
            raise UsageError(
                "--playouts gives the fixed number of a bot whose command takes none; this one has {playouts}"
            )
        bot = replace(bot, fixed_playouts=playouts)
    if bot.fixed_playouts is not None and bot.fixed_playouts > MOST_PLAYOUTS:
        raise UsageError(
            f"{bot.name}: {bot.fixed_playouts} playouts a genmove; "
            f"refbot makes tables for at most {MOST_PLAYOUTS:,}"
        )
    if wrap is not None:
        bot = replace(bot, confinement=replace(bot.confinement, wrap=wrap))
    if sandbox:
        bot = replace(bot, confinement=replace(bot.confinement, sandbox=True))
    bot.confinement.command(bot.arguments(1, 1), bot.cwd)
    return replace(bot, limits=bot.limits.scaled(scale))


def _is_file(path: Path) -> bool:
    """Whether a word of a command names a file; a word can be anything, a whole script included."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def load_settings(path: Path) -> dict[str, Bot]:
    """Read a settings file: a table of tables, one for each bot.

    Raises:
        UsageError: the file cannot be read, or a key or value is wrong; suggests the key meant.
    """
    try:
        data = tomllib.loads(read_file(path, MEBIBYTE).decode("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: {error}") from None
    return {name: _from_settings(path, name, entry) for name, entry in data.items()}


def _from_settings(path: Path, name: str, entry: Any) -> Bot:
    where = f"{path}: [{name}]"
    if not name.isprintable():
        raise UsageError(f"{path}: the name {name!r} holds characters that are not printable")
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: every bot is a table with at least a command")
    _check_keys(where, entry, BotSettings)
    if isinstance(entry.get("limits"), dict):
        _check_keys(f"{where} limits", entry["limits"], LimitSettings)
    try:
        values = msgspec.convert(entry, BotSettings)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {error}") from None
    _check_values(where, values)
    given = {k: v for k, v in msgspec.structs.asdict(values.limits).items() if v is not None}
    return Bot(
        name,
        values.command,
        values.playouts,
        (path.parent / values.cwd) if values.cwd else None,
        values.env,
        tuple(values.startup),
        replace(Limits(), **given),
        Confinement(**{f.name: getattr(values, f.name) for f in fields(Confinement)}),
        values.send_ahead,
    )


def _check_values(where: str, values: BotSettings) -> None:
    if values.playouts is not None and values.playouts < 1:
        raise UsageError(f"{where}: playouts is {values.playouts}; a bot runs at least 1")
    if values.playouts is not None and "{playouts}" in values.command:
        raise UsageError(f"{where}: the command takes {{playouts}}, so a fixed number of them says nothing")
    for name, unit in _AMOUNTS.items():
        value = getattr(values, name)
        if value is not None and not 1 <= value <= _MOST:
            raise UsageError(f"{where}: {name} is {value}; it is a number of {unit} from 1 to {_MOST:,}")
    if values.own_folder and values.cwd is not None:
        raise UsageError(f"{where}: own_folder gives the bot a new folder to work in, and cwd another one")
    given = msgspec.structs.asdict(values.limits)
    for name, value in (*(given.pop("commands") or {}).items(), *given.items()):
        if value is not None:
            check_limit(f"{where}: limits: {name}", value)


def check_limit(where: str, seconds: float) -> None:
    """Check that a number can be a limit.

    Args:
        where: whose it is, for the message.
        seconds: the number.

    Raises:
        UsageError: it cannot.
    """
    if not 0 < seconds <= LONGEST_S:
        raise UsageError(
            f"{where} is {seconds}; a limit is a number of seconds above 0, and at most {LONGEST_S:,.0f}"
        )


def _check_keys(where: str, entry: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    known = [f.name for f in msgspec.structs.fields(kind)]
    for key in entry:
        if key not in known:
            raise UsageError(f"{where}: unknown key {key!r}{closest(key, known)}")


def _from_text(text: str) -> Bot:
    if match := _NAMED.fullmatch(text):
        return Bot(match[1], match[2])
    words = text.split()
    first = Path(words[0]).name if words else "bot"
    if first in INTERPRETERS:
        first = next((Path(w).name for w in words[1:] if _is_file(Path(w))), first)
    if words[:2] == ["refbot", "engine"]:
        first = "refbot-engine"
    return Bot(re.sub(r"[^\w.-]", "_", first) or "bot", text)
