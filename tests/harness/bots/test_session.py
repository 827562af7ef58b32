"""Sessions: every way to go wrong has its word and its sentence, and leaves no process behind."""

import re
from dataclasses import replace

import pytest
from bot_sessions import PATIENT, ScriptedTransport, ask, end, scripted, start

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.session import Session
from harness.bots.transport import ProcessEnd
from harness.word import Word

# For bots that write something first: long enough for that on a busy machine.
SHORT = Limits().scaled(0.2)
# Only for bots that never answer at all: what is cut short is the waiting, not a start-up.
BRIEF = Limits(start_s=0.5, ordinary_s=0.5, first_genmove_s=0.5, genmove_s=0.5, quit_s=0.3)


def test_conversation() -> None:
    """A proper bot is asked, refuses what it does not know, and leaves when told to."""
    session = start("none")
    name = ask(session, "name")
    assert (
        name.sent,
        name.raw,
        name.success,
        name.text,
        name.notes,
    ) == ("name", "= fault bot\n\n", True, "fault bot", ())
    refusal = ask(session, "nonsense", 12)
    assert (refusal.sent, refusal.success, refusal.text) == ("12 nonsense", False, "unknown command")
    last, ended = end(session)
    assert isinstance(last, Exchange)
    assert (last.sent, last.success) == ("quit", True)
    assert ProcessEnd(0, None, "", orphans=False, forced=None) == ended


# A bot, whether its fault waits for a genmove, the limits, the word, and the sentence from the bot's name on.
FAULTS: list[tuple[str, str, Limits, Word, str]] = [
    (
        "never-answers",
        "name",
        BRIEF,
        Word.TIMEOUT,
        r"no answer to 'name' within 0\.5 s \(limit: start\)",
    ),
    (
        "never-reads-stdin",
        "name",
        BRIEF,
        Word.TIMEOUT,
        r"no answer to 'name' within 0\.5 s \(limit: start\)",
    ),
    (
        "no-flush",
        "name",
        SHORT,
        Word.TIMEOUT,
        r"no answer to 'name' within 2\.0 s \(limit: start\): it answered once .*flush.*",
    ),
    (
        "exits-at-once",
        "name",
        PATIENT,
        Word.START_FAILED,
        r"did not start, no answer to 'name' after .* s \(limit: start, 10\.0 s\): it exited with status 0.*",
    ),
    (
        "exits-status-3",
        "name",
        PATIENT,
        Word.START_FAILED,
        r".*: it exited with status 3.*; last line on stderr: 'cannot find weights\\x07\.bin'",
    ),
    (
        "closes-stdout-at-once",
        "name",
        Limits(quit_s=0.3),
        Word.START_FAILED,
        r".*: it closed its output and went on running until SIGTERM.*",
    ),
    (
        "not-gtp",
        "name",
        PATIENT,
        Word.NOT_GTP,
        r"does not speak GTP, .*: its first line was 'usage: .*\\x1b\[0m', then it exited with status 2.*",
    ),
    ("prompts", "name", SHORT, Word.NOT_GTP, r".* after 2\..* s .*: its first line was 'go>'"),
    ("echo", "name", SHORT, Word.NOT_GTP, r".*: its first line was 'name'"),
    (
        "one-newline",
        "name",
        SHORT,
        Word.PROTOCOL,
        r"broke the protocol at 'name' .*: no empty line ended the reply '= fault bot'",
    ),
]

# The same for faults that strike at a genmove, after an exchange that went well.
LATE_FAULTS: list[tuple[str, Limits, Word, str]] = [
    (
        "hangs-in-genmove",
        Limits(first_genmove_s=0.25),
        Word.TIMEOUT,
        r"no answer to 'genmove b' within 0\.25 s \(limit: first_genmove\)",
    ),
    (
        "dies-by-segv",
        PATIENT,
        Word.CRASH,
        r"ended without answering 'genmove b' after .* \(limit: first_genmove, .*\): it was ended by SIGSEGV",
    ),
    (
        "dies-mid-reply",
        PATIENT,
        Word.CRASH,
        r".*: it exited with status 1 in the middle of the reply '= D'",
    ),
    (
        "closes-stdout",
        PATIENT,
        Word.CRASH,
        r".*: it closed its output and went on running until SIGTERM",
    ),
    (
        "forks-child-holding-pipe",
        PATIENT,
        Word.CRASH,
        r".*: it exited with status 1",
    ),
    (
        "floods-stdout-no-newline",
        PATIENT,
        Word.PROTOCOL,
        r".*: it floods its output, beginning with 'x{199}…'",
    ),
    ("floods-lines", PATIENT, Word.PROTOCOL, r".*: it floods its output, beginning with 'thinking'"),
    (
        "floods-blank-lines",
        Limits(first_genmove_s=0.25),
        Word.TIMEOUT,
        r"no answer to 'genmove b' within 0\.25 s \(limit: first_genmove\)",
    ),
]


def hasty(limits: Limits) -> Limits:
    """Let the first genmove's limit be the longer one, and give little time to leave."""
    return replace(limits, genmove_s=0.0, quit_s=0.3)


@pytest.mark.parametrize(
    ("fault", "line", "limits", "word", "sentence"), FAULTS, ids=[row[0] for row in FAULTS]
)
def test_fault_at_the_start(fault: str, line: str, limits: Limits, word: Word, sentence: str) -> None:
    """A bot that fails before its first reply ends in its word, with one line that says why."""
    session = start(fault, limits)
    failure = session.ask(line)
    assert isinstance(failure, Failure)
    assert word is failure.word
    assert re.fullmatch("mybot: " + sentence, failure.sentence()), failure.sentence()
    assert failure is session.ask("version")
    last, _ = end(session)
    assert last is None


@pytest.mark.parametrize(
    ("fault", "limits", "word", "sentence"), LATE_FAULTS, ids=[row[0] for row in LATE_FAULTS]
)
def test_fault_at_genmove(fault: str, limits: Limits, word: Word, sentence: str) -> None:
    """A bot that fails after its first reply ends in its word, with one line that says why."""
    session = start(fault, hasty(limits))
    ask(session, "name")
    failure = session.ask("genmove b")
    assert isinstance(failure, Failure)
    assert word is failure.word
    assert re.fullmatch("mybot: " + sentence, failure.sentence()), failure.sentence()
    last, _ = end(session)
    assert last is None


def test_status_and_signal_are_the_bots_own() -> None:
    """A failure carries the status or signal a bot ended with, but never a signal the harness sent."""
    for fault, status, signal in [
        ("exits-status-3", 3, None),
        ("dies-by-segv", None, "SIGSEGV"),
        ("closes-stdout", None, None),
    ]:
        session = start(fault, Limits(quit_s=0.3))
        failure = session.ask("genmove w")
        assert isinstance(failure, Failure)
        assert (status, signal) == (failure.status, failure.signal)
        end(session)


def test_cannot_execute() -> None:
    """A command that cannot be executed is a failure before any session."""
    failure = Session.start("mybot", ["/no/such/bot"], PATIENT)
    assert isinstance(failure, Failure)
    assert Word.START_FAILED is failure.word
    assert failure.sentence() == "mybot: could not be started: /no/such/bot: No such file or directory"


@pytest.mark.parametrize(
    ("fault", "line", "number", "notes"),
    [
        ("banner", "name", None, ("line outside any reply: 'Welcome to fault bot'",)),
        ("debug-lines", "name", None, ("line outside any reply: 'thinking about name'",)),
        ("drops-ids", "name", 5, ("the reply carries no id, and 5 was sent",)),
        ("drops-ids", "name", None, ()),
        ("crlf", "name", 5, ()),
        ("floods-stderr", "genmove b", None, ()),
    ],
)
def test_odd_but_answered(fault: str, line: str, number: int | None, notes: tuple[str, ...]) -> None:
    """What does not prevent the pairing of command and reply is a note, not a failure."""
    session = start(fault)
    exchange = ask(session, line, number)
    assert (True, notes) == (exchange.success, exchange.notes)
    last, _ = end(session)
    assert isinstance(last, Exchange)


def test_wrong_id() -> None:
    """An answer to another id than was sent cannot be paired; without ids the same bot is in order."""
    session = start("wrong-ids")
    assert ask(session, "name").notes == ()
    failure = session.ask("version", id=8)
    assert isinstance(failure, Failure)
    assert Word.PROTOCOL is failure.word
    assert failure.detail == "the reply carries id 9, and 8 was sent: '=9 1'"
    end(session)


def test_surplus_reply() -> None:
    """A second reply to one command is noted, and not taken for the answer to the next."""
    session = start("surplus-replies")
    ask(session, "genmove b")
    version = ask(session, "version")
    assert (version.text, version.notes) == ("1", ("surplus reply before the command was sent: '= pass'",))
    end(session)


def test_stays_after_quit() -> None:
    """A bot that answers quit and stays is sent away by force, and the end of the process says so."""
    session = start("ignores-sigterm", Limits(quit_s=0.8))
    ask(session, "name")
    last, ended = end(session)
    assert isinstance(last, Exchange)
    assert ended.forced == "SIGKILL"


def test_no_answer_to_quit() -> None:
    """A bot that takes no notice of quit is out of time."""
    session = start("ignores-quit", Limits(quit_s=0.3))
    ask(session, "name")
    last, ended = end(session)
    assert isinstance(last, Failure)
    assert last.sentence() == "mybot: no answer to 'quit' within 0.3 s (limit: quit)"
    assert ended.forced == "SIGTERM"


def test_leaves_without_answering_quit() -> None:
    """A bot that leaves in order but without the full reply to quit has broken the protocol, not crashed."""
    session = start("quits-silently")
    ask(session, "name")
    last, ended = end(session)
    assert isinstance(last, Failure)
    assert (last.word, last.status) == (Word.PROTOCOL, 0)
    assert (ended.status, ended.forced) == (0, None)


def test_reply_to_quit_without_empty_line() -> None:
    """A reply to quit that only the end of the output ends is accepted and noted."""
    session = start("quits-with-one-newline")
    ask(session, "name")
    last, _ = end(session)
    assert isinstance(last, Exchange)
    assert (last.raw, last.notes) == ("= \n", ("no empty line ended the reply",))


def test_quit_asked_by_hand() -> None:
    """A quit that was asked like any other command is not asked again; a closed session answers nothing."""
    session = start("none")
    ask(session, "quit")
    last, ended = end(session)
    assert (last, ended.status) == (None, 0)
    assert (None, ended) == session.close()
    with pytest.raises(RuntimeError, match="the session of mybot is closed"):
        session.ask("name")


def test_limits_by_command() -> None:
    """The first reply, the first genmove, later genmoves and quit each have their own limit."""
    seen = []
    for lines in (
        ["name"],
        ["genmove b"],
        ["name", "name"],
        ["name", "genmove b", "genmove w"],
        ["name", "quit"],
    ):
        transport = ScriptedTransport(*[[b"= ok\n\n"]] * (len(lines) - 1))
        session = scripted(transport)
        outcomes = [session.ask(line, playouts=2000) for line in lines]
        failure = outcomes[-1]
        assert isinstance(failure, Failure)
        assert Word.TIMEOUT is failure.word
        assert failure.limit_s == failure.elapsed_s
        assert failure.stderr_tail == "out of\nmemory"
        seen.append((failure.limit, failure.limit_s))
    assert seen == [
        ("start", 10.0),
        ("first_genmove", 120.0),
        ("ordinary", 10.0),
        ("genmove", 90.0),
        ("quit", 5.0),
    ]


def test_elapsed_time() -> None:
    """The time of an exchange runs from the command to the last byte of its reply."""
    session = scripted(ScriptedTransport([b"= o", b"k\n", b"\n"]))
    assert ask(session, "name").elapsed_s == 1.5


def test_waiting_output_is_not_the_answer() -> None:
    """Whole replies, lines and half a reply that were there before the command are noted and skipped."""
    transport = ScriptedTransport([b"f\n\n= new\n\n"], waiting=b"= old\n\nhello\n= hal")
    exchange = ask(scripted(transport), "name")
    assert exchange.text == "new"
    assert exchange.notes == (
        "surplus reply before the command was sent: '= old'",
        "line outside any reply: 'hello'",
        r"surplus reply before the command was sent: '= half'",
    )


def test_many_lines_are_counted() -> None:
    """Of many lines outside replies the first are quoted and the others counted."""
    exchange = ask(scripted(ScriptedTransport([b"x\n" * 1000 + b"= ok\n\n"])), "name")
    assert len(exchange.notes) == 6
    assert exchange.notes[-1] == "995 more of such lines or replies"


@pytest.mark.parametrize("waiting", [b" " * 4095 + b"\n", b"x" * 65536, b"x\n" * 100, b"= a\n\n" * 100])
def test_endless_output_before_the_command(waiting: bytes) -> None:
    """A bot that talks without end before anything is asked is given up, and never asked."""
    transport = ScriptedTransport(waiting=waiting, is_endless=True)
    failure = scripted(transport).ask("name")
    assert isinstance(failure, Failure)
    assert Word.NOT_GTP is failure.word
    assert transport.sent == []


def test_silence_with_half_a_reply() -> None:
    """A reply that stops in the middle of a line is a matter of time, and the sentence shows it."""
    session = scripted(ScriptedTransport([b"= ok\n\n"], [b"= \x1b[7mfoo"]))
    ask(session, "name")
    failure = session.ask("version")
    assert isinstance(failure, Failure)
    assert failure.sentence() == (
        "mybot: no answer to 'version' within 10.0 s (limit: ordinary): "
        r"the reply broke off after '= \x1b[7mfoo'"
    )
