"""The shell commands that show an item's result again.  They hold no value of the bot's environment."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.bots.bot import Bot
from harness.bots.processes import seed_of
from harness.bots.reproduction import format_invocation, reproduction_line
from harness.bots.wire import printable
from harness.plugin.bot_options import BotOptions
from harness.report.excerpt import Excerpt

_LONG = 1500
"""Greatest length of a command that is shown."""
_WAIT_S = 1.0


def pipe_line(bot: Bot, place: Excerpt, lines: Sequence[str]) -> str:
    """Return the command that sends the bot the same lines; empty if it would be too long.

    Args:
        bot: the bot to be asked.
        place: the excerpt of the evidence.
        lines: the lines to be sent.
    """
    command = bot.confinement.command(
        bot.arguments(place.unit.playouts, seed_of(place.unit.process)), bot.cwd
    )
    invocation = format_invocation(command, bot.cwd, None, own_folder=bot.confinement.own_folder)
    text = reproduction_line(invocation, [part for line in lines for part in line.split("\n")], _WAIT_S)
    return text if len(text) <= _LONG else ""


def certify_line(bot_options: BotOptions, case: str) -> str:
    """Return the command that asks one case again; all cases if ``case`` is empty."""
    words = ["refbot", "certify"]
    words += ["--case", case] if case else []
    words += ["--bots", str(bot_options.bots)] if bot_options.bots else []
    words += ["--playouts", str(bot_options.playouts)] if bot_options.playouts else []
    words += ["--level", bot_options.level] if bot_options.level != "standard" else []
    return shlex.join([*words, bot_options.bot])


def tst_line(bot_options: BotOptions, file: Path, number: int) -> str:
    """Return the command that asks one test of a regression file again."""
    bots = ["--bots", str(bot_options.bots)] if bot_options.bots else []
    words = ["refbot", "tst", f"{file}:{number}", "--bot", bot_options.bot, *bots]
    return printable(shlex.join(words), _LONG)


def reproduction_lines(bot_options: BotOptions, bot: Bot, case: str, place: Excerpt | None) -> Iterator[str]:
    """Yield every command that shows a case again."""
    if place is not None:
        sent = [line for line, _ in place.exchanges]
        if place.unit.broken is not None and place.unit.broken.command:
            sent.append(place.unit.broken.command)
        if text := pipe_line(bot, place, sent):
            note = "  # with the environment of its settings" if bot.env else ""
            yield printable(text, 2 * _LONG) + note
    yield printable(certify_line(bot_options, case), _LONG)
