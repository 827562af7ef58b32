"""How many playouts a bot runs, where neither its command nor its user says: asked before anything else.

What a bot is asked depends on the number, and so do the tables that are made for it.
"""

from dataclasses import replace

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.processes import Processes, Starter, start_session

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
    if isinstance(told, Exchange) and told.text.strip().isdigit() and int(told.text) > 0:
        return replace(bot, fixed_playouts=int(told.text))
    return bot
