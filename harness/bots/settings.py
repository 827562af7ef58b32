"""Settings of a bot as the header of a run records them, and what a resumed run must have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from harness.bots.bot import EMBEDDED, Bot
from harness.bots.masking import HIDDEN
from harness.cases.suite import Suite
from harness.errors import EvidenceError, UsageError
from harness.records.evidence import BotRef, Header
from reference_engine.digest import source_digest


def settings_of(bot: Bot) -> dict[str, Any]:
    """Return everything about a bot that its user said, as plain data; of its environment only the names."""
    plain = msgspec.json.encode(_as_text(bot), enc_hook=_encode)
    return msgspec.json.decode(plain, type=dict[str, Any])


def bot_of(header: Header) -> Bot:
    """Return the bot of a run, to be started as it was.

    Raises:
        EvidenceError: the header does not say how.
    """
    return bot_from(header.settings)


def bot_from(settings: dict[str, Any]) -> Bot:
    """Return the bot that ``settings_of`` was asked about.

    Raises:
        EvidenceError: the settings are none of a bot.
    """
    try:
        return msgspec.convert(settings, Bot, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise EvidenceError(f"the header does not say how the bot was started: {error}") from error


def check_same(header: Header, bot: Bot, suite: Suite) -> None:
    """Make sure that a resumed run has the settings it was begun with.

    Raises:
        UsageError: the bot, its settings, the suite with its tables, or the engine is another; the message
            says which.
    """
    if found := list(_differences(header, bot, suite)):
        raise UsageError(
            f"this is another run than the one to be resumed: {'; '.join(found)}. "
            "Start it as it was started, or begin a new run with another --out"
        )


def check_trusted(bots: Sequence[Bot]) -> None:
    """Refuse to start a program that only a folder names, unless it is the embedded engine.

    Raises:
        UsageError: one is another program; the message says which.
    """
    for bot in bots:
        if bot != Bot(bot.name, EMBEDDED, limits=bot.limits):
            words = [bot.confinement.wrap, bot.command]
            raise UsageError(
                f"this folder would start {_short(' '.join(filter(None, words)))}: "
                "say --trust if it is yours, or name the BOT again"
            )


def check_installed(header: Header, suite: Suite) -> None:
    """Make sure that suite and engine are those of a run.

    Raises:
        UsageError: one is another; the message says which.
    """
    if found := list(_installed_otherwise(header, suite)):
        raise UsageError(f"this refbot is not the one of the run: {'; '.join(found)}")


def check_identity(header: Header, bot: BotRef) -> None:
    """Make sure that the bot gives the name, version and commands it gave before.

    Raises:
        UsageError: it does not.
    """
    then, now = header.bot, bot
    answers = {
        "name": (then.gtp_name, now.gtp_name),
        "version": (then.version, now.version),
        "list_commands": (sorted(then.commands), sorted(now.commands)),
    }
    for command, (old, new) in answers.items():
        if old != new:
            raise UsageError(
                f"this is another bot than the one of the run to be resumed: it answered {command} with "
                f"{_short(old)}, and now with {_short(new)}; begin a new run with another --out"
            )


def _differences(header: Header, bot: Bot, suite: Suite) -> Iterator[str]:
    then, now = header.settings, settings_of(bot)
    for key in sorted({*then, *now}):
        if then.get(key) != now.get(key):
            # The values of an environment may be secrets.
            values = "" if key == "env" else f" was {_short(then.get(key))} and is {_short(now.get(key))}"
            yield f"the bot's {key.replace('_', ' ')}{values or ' is another'}"
    if header.bot.executable_digest != bot.executable_digest():
        here = bot.executable_digest()
        is_here = f"is {here}" if here else "is not found from this folder"
        yield f"the bot's program had digest {header.bot.executable_digest or 'none'} and {is_here}"
    yield from _installed_otherwise(header, suite)


def _installed_otherwise(header: Header, suite: Suite) -> Iterator[str]:
    if header.suite.digest != suite.digest:
        yield f"the suite with its tables was {header.suite.digest} and is {suite.digest}"
    if header.engine != source_digest():
        yield f"the engine was {header.engine} and is {source_digest()}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _as_text(bot: Bot) -> Bot:
    """Return the bot with names that can be written down: a command line may hold bytes that are no text."""
    hidden = {_text(name): HIDDEN for name in bot.env}
    return replace(bot, name=_text(bot.name), command=_text(bot.command), env=hidden)


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _encode(value: Any) -> Any:
    if isinstance(value, Path):
        return _text(str(value))
    raise NotImplementedError


def _decode(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError
