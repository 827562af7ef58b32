"""The number of playouts that a bot declares, asked first if neither its command nor its user says it.

What a bot is asked depends on the number, and so do the tables that are made for it.
"""

from dataclasses import replace

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Processes, Starter, start_session
from harness.cases.level import MOST_PLAYOUTS
from harness.errors import UsageError
from harness.number import whole_number

_PURPOSE = "playouts"


def with_playouts(bot: Bot, start: Starter = start_session) -> Bot:
    """Return the bot with the fixed number of playouts it declares by ref-playouts, if it needs and does.

    A bot that does not answer is returned as it is: the run that follows says what is wrong with it.
    """
    if bot.takes_playouts or bot.fixed_playouts is not None:
        return bot
    processes = Processes(start)
    try:
        opened = processes.open(bot, _PURPOSE, 1)
        if isinstance(opened, Failure):
            return bot
        known = opened[0].ask("list_commands")
        if not isinstance(known, Exchange) or "ref-playouts" not in known.text.split():
            return bot
        told = opened[0].ask("ref-playouts")
    finally:
        processes.close_all()
    return replace(bot, fixed_playouts=number) if (number := _number(bot, told)) else bot


def _number(bot: Bot, told: Exchange | Failure) -> int:
    """Return the number of playouts in a reply to ref-playouts; 0 if the reply holds no number.

    Raises:
        UsageError: the number is larger than ``MOST_PLAYOUTS``.
    """
    text = told.text.strip() if isinstance(told, Exchange) else ""
    if not (text.isascii() and text.isdecimal()):
        return 0
    number = whole_number(text)
    if number is None or number > MOST_PLAYOUTS:
        raise UsageError(
            f"{bot.name} answers ref-playouts with {text[:20]}; refbot makes tables for at most "
            f"{MOST_PLAYOUTS:,} playouts a genmove"
        )
    return number
