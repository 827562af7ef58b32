"""The identification of the bots of a match: name, version and commands, asked before the first game."""

from harness.bots.bot import Bot
from harness.bots.failure import Failure
from harness.bots.processes import Processes, Starter, start_session
from harness.bots.settings import settings_of
from harness.errors import UsageError
from harness.match.record import Entrant

_PURPOSE = "introduction"
_LINES = ("name", "version", "list_commands")


def identify_entrant(bot: Bot, playouts: int, start: Starter = start_session) -> Entrant | Failure:
    """Ask a bot for its name, version and commands, in a process of its own.

    A bot that answers with an error has no name, or lists no commands; it can play all the same.

    Raises:
        UsageError: the bot refuses a start-up command of its settings.
    """
    processes = Processes(start)
    try:
        opened = processes.open(bot, _PURPOSE, playouts)
        if isinstance(opened, Failure):
            return opened
        texts = []
        for line in _LINES:
            outcome = opened[0].ask(line)
            if isinstance(outcome, Failure):
                return outcome
            texts.append(outcome.text if outcome.success else "")
    finally:
        processes.close_all()
    name, version, commands = texts
    return Entrant(bot.name, settings_of(bot), bot.executable_digest(), name, version, commands.split())


def check_same_entrant(then: Entrant, now: Entrant) -> None:
    """Make sure that a bot is the one that played the recorded games.

    Raises:
        UsageError: it is not; the message names the difference.
    """
    for what, old, new in (
        ("program's digest", then.digest, now.digest),
        ("name", then.gtp_name, now.gtp_name),
        ("version", then.version, now.version),
        ("list of commands", sorted(then.commands), sorted(now.commands)),
    ):
        if old != new:
            raise UsageError(
                f"{then.name} is not the bot of the match to be resumed: its {what} was "
                f"{str(old)[:80]!r} and is {str(new)[:80]!r}; begin a new match with another --out"
            )
