"""What a run notes first: who the bot is, how many playouts it runs, when and where it is asked."""

import platform
import time
from datetime import UTC, datetime

from harness.bots.bot import Bot
from harness.bots.driver import NEEDED, broken_by
from harness.bots.failure import Failure
from harness.bots.processes import Processes
from harness.errors import UsageError
from harness.records.evidence import BotRef, Unit
from harness.records.handshake import HANDSHAKE, LINES


def shake_hands(bot: Bot, processes: Processes) -> tuple[BotRef, Unit]:
    """Start the bot, ask who it is, and end it.

    Args:
        bot: to be started.
        processes: of its run.

    Raises:
        UsageError: neither the command nor the bot says how many playouts it runs.
    """
    answers: dict[str, str] = {}
    exchanges: list[tuple[str, str]] = []
    notes: list[str] = []
    started = time.monotonic()
    broken = None
    opened = processes.open(bot, "handshake", 1)
    for line in LINES:
        outcome = opened if isinstance(opened, Failure) else opened[0].ask(line)
        if isinstance(outcome, Failure):
            broken = broken_by(outcome)
            break
        exchanges.append((outcome.sent, outcome.raw))
        notes += outcome.notes
        answers[line] = outcome.text.strip() if outcome.success else ""
    commands = answers.get("list_commands", "").split()
    fixed = bot.fixed_playouts
    # A bot without the private commands is asked nothing that depends on its playouts.
    counts = not commands or bool(set(NEEDED) & set(commands))
    if fixed is None and not bot.takes_playouts and broken is None and counts:
        processes.close_all()
        raise UsageError(
            f"how many playouts does {bot.name} run? Put {{playouts}} where its command takes the "
            "number, or give its fixed number with --playouts N"
        )
    processes.close("handshake", 1)
    reference = BotRef(
        bot.name,
        # A command line may hold bytes that are not text; the record escapes them.
        bot.command.encode("utf-8", "backslashreplace").decode(),
        answers.get("name", "")[:200],
        answers.get("version", "")[:200],
        bot.executable_digest(),
        commands,
        fixed,
        bot.file_digests(),
    )
    seconds = round(time.monotonic() - started, 6)
    return reference, Unit(HANDSHAKE, processes.count, 0, exchanges, seconds, notes, broken)


def time_now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def host_system() -> str:
    """Return the operating system and the kind of machine."""
    return f"{platform.system()} {platform.machine()}"
