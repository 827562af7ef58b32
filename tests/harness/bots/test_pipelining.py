"""Commands sent ahead: each gets its own reply, and nobody is sent any who does not keep ids."""

import pytest
from bot_sessions import PATIENT, ScriptedTransport, end, scripted, start

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.pipelining import MAX_BYTES, Pipeline, portion
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


def test_replies_before_a_long_genmove_are_taken_together() -> None:
    """If the last genmove was long, replies to the set-up are not waited for one by one."""
    naps: list[float] = []
    set_up, move = b"=1003\n\n=1004\n\n", b"=1005 A1\n\n"
    answers = [[b"=1001\n\n"], [b"=1002\n\n"], [set_up, move]]
    answers += [[b"=1006\n\n=1007\n\n", b"=1008 A1\n\n"]]
    answers += [[b"=1009\n\n=1010\n\n=1011 A1\n\n"], [b"=1012\n\n=1013\n\n", b"=1014 A1\n\n"]]
    transport = ScriptedTransport(*answers)
    session = Session("mybot", transport, PATIENT, transport.clock, naps.append)
    lines = ["boardsize 5", "clear_board", "genmove b"]
    assert all(isinstance(outcome, Exchange) for outcome in session.ask_all(["name", "version", *lines]))
    seen = []
    for _ in range(3):
        assert [e.text for e in session.ask_all(lines) if isinstance(e, Exchange)] == ["", "", "A1"]
        seen.append(len(naps))
    # The second of these genmoves was answered in one go with what was before it, so it was none to wait for.
    assert seen == [1, 2, 2]
    assert max(naps) < 1e-3


def test_lines_are_sent_as_they_are() -> None:
    """Whatever a line holds, it goes out behind its id, and the record says so."""
    lines = ("play b 50%", "%d %s", "komi caf\u00e9", "name \udcff")
    ahead = Pipeline(portion(lines, 4), 1001)
    assert ahead.data == "".join(f"{n} {line}\n" for n, line in enumerate(lines, 1001)).encode(
        "utf-8", "surrogateescape"
    )
    ahead.take_run([("=1001\n\n", ""), ("?1002 no\n\n", "no"), ("=1003\n\n", ""), ("=1004\n\n", "")], 1.0)
    sent = ["1001 play b 50%", "1002 %d %s", "1003 komi caf\u00e9", "1004 name \\xff"]
    assert [(e.sent, e.success, e.elapsed_s) for e in ahead.exchanges] == [
        (line, place != 1, 0.0 if place else 1.0) for place, line in enumerate(sent)
    ]


def test_portions_end_where_a_pipe_is_full() -> None:
    """As many lines as fit go together, with ids of any length, and always one."""
    lines = ("x" * 2000, "y" * 2000, "genmove b", "z" * 9000)
    assert portion(lines, 4).lines == lines[:3]
    assert (portion(lines, 4).genmove, portion(lines[2:], 4).genmove) == (2, 0)
    assert portion(lines, 60).lines == lines[:1]
    assert portion(lines[3:], 4).lines == lines[3:]
    assert len(portion(lines, 4).text(9999)) <= MAX_BYTES
