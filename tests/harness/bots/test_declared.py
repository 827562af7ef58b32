"""A bot that says how many playouts it runs is believed, if it says a number that can be used."""

import msgspec
import pytest

from harness.bots.bot import Bot
from harness.bots.declared import with_playouts
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess
from harness.bots.processes import Process
from harness.cases.level import MOST_PLAYOUTS
from harness.errors import UsageError


class Telling(InProcess):
    """The engine, with another answer to ref-playouts."""

    text = "33"

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002
        """Answer ref-playouts with the text."""
        exchange = super().ask(line, playouts=playouts, id=id)
        if line != "ref-playouts" or isinstance(exchange, Failure):
            return exchange
        return msgspec.structs.replace(exchange, raw=f"= {self.text}\n\n", text=self.text)


def told(text: str) -> int | None:
    """Return the number of playouts of a bot that answers ref-playouts with a text."""

    def start(_bot: Bot, playouts: int, seed: int) -> Process | Failure:
        bot = Telling(playouts, seed)
        bot.text = text
        return bot

    return with_playouts(Bot("a-bot", "a-bot"), start).fixed_playouts


@pytest.mark.parametrize(
    ("text", "number"), [("33", 33), ("0", None), ("-5", None), ("²", None), ("٣٣", None)]
)
def test_only_ascii_digits_are_a_number(text: str, number: int | None) -> None:
    """What is no number of playouts is not taken for one."""
    assert told(text) == number


@pytest.mark.parametrize("text", ["9" * 5000, str(2**31), str(10**18), str(MOST_PLAYOUTS + 1)])
def test_more_than_tables_can_be_made_for_is_one_line(text: str) -> None:
    """It is refused at once, with the bound."""
    with pytest.raises(UsageError, match=f"at most {MOST_PLAYOUTS:,} playouts"):
        told(text)
