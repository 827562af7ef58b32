"""Commands sent ahead: each gets its own reply, and nobody is sent any who does not keep ids."""

import pytest
from bot_sessions import PATIENT, ScriptedTransport, end, scripted, start

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.session import Session
from harness.word import Word

# What a bot that is sent six commands ahead answers to the four after the two trials, ids from 1003 on, and
# the texts that must come of it.
AHEAD: list[tuple[str, bytes, list[str], int]] = [
    ("in order", b"=1003 a\n\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 0),
    ("an error", b"=1003 a\n\n?1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 0),
    ("several lines", b"=1003 a\nx\n\n=1004\nb\n\n=1005 c\n\n=1006 d\n\n", ["a\nx", "\nb", "c", "d"], 0),
    ("noise", b"hm\n=1003 a\n\nhm\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 2),
    ("answered twice", b"=1003 a\n\n=1003 a\n\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 1),
    ("late answer", b"=1002 old\n\n=1003 a\n\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 1),
    ("an id left out", b"=1003 a\n\n? b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 1),
    ("a foreign id", b"=1003 a\n\n=5 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 1),
    ("one without id too many", b"=1003 a\n\n= x\n\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", list("abcd"), 1),
    ("two of them", b"= x\n\n= y\n\n=1003 a\n\n=1004 b\n\n=1005 c\n\n=1006 d\n\n", ["a", "b", "c", "d"], 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "want", "notes"), [row[1:] for row in AHEAD], ids=[row[0] for row in AHEAD]
)
@pytest.mark.parametrize("size", [1, 9, 1000])
def test_sent_ahead(answer: bytes, want: list[str], notes: int, size: int) -> None:
    """Every command sent ahead gets its own reply, however the bytes are cut and whatever stands between."""
    pieces = [answer[i : i + size] for i in range(0, len(answer), size)]
    transport = ScriptedTransport([b"=1001\n\n"], [b"=1002\n\n"], pieces)
    session = Session("mybot", transport, Limits().scaled(1000), transport.clock)
    outcomes = session.ask_all(["boardsize 5", "clear_board", "one", "two", "three", "four"])
    assert transport.sent == [
        b"1001 boardsize 5\n",
        b"1002 clear_board\n",
        b"1003 one\n1004 two\n1005 three\n1006 four\n",
    ]
    exchanges = [outcome for outcome in outcomes if isinstance(outcome, Exchange)]
    assert ["", "", *want] == [exchange.text for exchange in exchanges]
    assert exchanges[5].sent == "1006 four"
    assert notes == sum(len(exchange.notes) for exchange in exchanges)


def test_failure_in_what_was_sent_ahead() -> None:
    """A failure names the command that was not answered, with a limit that runs from the reply before."""
    answers = [[b"=1001\n\n"], [b"=1002\n\n"], [b"=1003\n\n", b"=1004\n\n", b"=1005 D4"]]
    session = scripted(ScriptedTransport(*answers))
    *answered, failure = session.ask_all(
        ["boardsize 5", "clear_board", "komi 5", "play b A1", "genmove w", "name"]
    )
    assert [isinstance(exchange, Exchange) for exchange in answered] == [True] * 4
    assert isinstance(failure, Failure)
    assert (failure.word, failure.command, failure.limit) == (Word.TIMEOUT, "genmove w", "first_genmove")
    assert failure.elapsed_s == failure.limit_s == 120.0
    assert [failure] == session.ask_all(["name", "version"])


@pytest.mark.parametrize("fault", ["drops-ids", "wrong-ids"])
def test_never_ahead_of_a_bot_without_ids(fault: str) -> None:
    """A bot that does not keep ids is asked one at a time, and no worse off for the trial."""
    session = start(fault)
    outcomes = session.ask_all(["boardsize 5", "name", "version", "nonsense"])
    exchanges = [outcome for outcome in outcomes if isinstance(outcome, Exchange)]
    assert [exchange.sent for exchange in exchanges] == ["1001 boardsize 5", "name", "version", "nonsense"]
    assert [exchange.success for exchange in exchanges] == [True, True, True, False]
    assert [len(exchange.notes) for exchange in exchanges] == [1, 0, 0, 0]
    end(session)


def test_a_bot_that_takes_an_id_for_a_command() -> None:
    """What is refused with an id is asked again without, and the record says so."""
    transport = ScriptedTransport([b"? unknown command\n\n"], [b"=\n\n"], [b"= b\n\n"])
    first, second = scripted(transport).ask_all(["boardsize 5", "name"])
    assert transport.sent == [b"1001 boardsize 5\n", b"boardsize 5\n", b"name\n"]
    assert isinstance(first, Exchange)
    assert isinstance(second, Exchange)
    assert (first.sent, first.success, second.text) == ("boardsize 5", True, "b")
    assert "with the id 1001 it was answered '? unknown command'" in first.notes


def test_not_sent_ahead_when_told_so() -> None:
    """Without leave to send ahead there are no ids and no trials."""
    transport = ScriptedTransport(*[[b"=\n\n"]] * 4)
    session = Session("mybot", transport, PATIENT, transport.clock, send_ahead=False)
    assert len(session.ask_all(["a", "b", "c", "d"])) == 4
    assert transport.sent == [b"a\n", b"b\n", b"c\n", b"d\n"]


def test_no_more_than_a_pipe_holds_is_sent_ahead() -> None:
    """Many commands go in portions, each answered before the next."""
    session = start("none")
    lines = ["boardsize 9", *["play black " + "A" * 100] * 500]
    outcomes = session.ask_all(lines)
    assert len(outcomes) == len(lines)
    assert all(isinstance(outcome, Exchange) and outcome.success for outcome in outcomes)
    end(session)
