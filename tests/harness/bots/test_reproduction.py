"""The line of shell beside a failure: what is pasted shows the failure again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.bots.failure import Failure
from harness.bots.limits import Limits
from harness.bots.reproduction import SentHistory, format_invocation, reproduction_line
from harness.bots.session import Session

FAULT_BOT = str(Path(__file__).parents[2] / "bots" / "fault_bot.py")


def fail(fault: str, *lines: str, limits: Limits | None = None) -> Failure:
    """Ask a fault bot until it fails."""
    session = Session.start("mybot", [sys.executable, "-IS", FAULT_BOT, fault], limits or Limits())
    assert isinstance(session, Session)
    outcomes = [session.ask(line) for line in lines]
    session.close()
    assert isinstance(outcomes[-1], Failure)
    return outcomes[-1]


def paste(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line as a user would."""
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=30, check=False)


def test_death_is_shown_again() -> None:
    """A bot that died halfway through a reply does so again, after the same replies."""
    failure = fail("dies-mid-reply", "name", "komi 6.5 # it's 50%", "genmove b")
    assert "sleep" in failure.again
    done = paste(failure.again)
    assert (done.stdout, done.returncode) == ("= fault bot\n\n= \n\n= D", 1)


def test_hanging_is_shown_again() -> None:
    """A bot that hung answers up to that point again and then nothing, though its input stays open."""
    failure = fail("hangs-in-genmove", "name", "genmove b", limits=Limits(first_genmove_s=0.2, genmove_s=0.2))
    done = paste(failure.again.replace(" | ", " | timeout 3 "))
    assert (done.stdout, done.returncode) == ("= fault bot\n\n", 124)


def test_bot_that_cannot_be_executed() -> None:
    """For a command that could not be executed the line is that command."""
    failure = Session.start("mybot", ["/no/such bot", "--x"], Limits())
    assert isinstance(failure, Failure)
    assert failure.again == "'/no/such bot' --x"


@pytest.mark.parametrize(
    ("sent", "arrives"),
    [
        (["name"], b"name\n"),
        (["# x\nname"], b"# x\nname\n"),
        (["play\tblack\x07 C3 'it'"], b"play\tblack\x07 C3 'it'\n"),
        (['komi $HOME `id` "q" \\n 50%', "-n"], b'komi $HOME `id` "q" \\n 50%\n-n\n'),
        (["caf\u00e9 \x1b[0m"], "caf\u00e9 \x1b[0m\n".encode()),
        (["\udcff\x01"], b"\xff\x01\n"),
    ],
)
def test_lines_arrive_as_they_were_sent(sent: list[str], arrives: bytes) -> None:
    """Whatever a line holds, the bot gets the same bytes, and the line itself can be printed."""
    line = reproduction_line("cat", [*sent, "quit"], 0.0)
    assert line.isprintable()
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=10, check=True)
    assert done.stdout == arrives + b"quit\n"


def test_folder_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line starts a bot where and with what it was started here."""
    command = ["sh", "-c", 'echo "$PWD $A $HOME"']
    line = format_invocation(command, tmp_path, {**os.environ, "A": "b c"})
    assert "b c" not in line, "values may be secrets; whoever runs the line has them"
    monkeypatch.setenv("A", "b c")
    assert paste(line).stdout == f"{tmp_path} b c {os.environ['HOME']}\n"
    clean = format_invocation(command, tmp_path, {"A": "b c", "PATH": os.environ["PATH"]})
    assert paste(clean).stdout == f"{tmp_path} b c \n"
    assert paste(reproduction_line(line, ["quit"], 0.0)).stdout == f"{tmp_path} b c {os.environ['HOME']}\n"
    own = paste(format_invocation(["pwd"], None, None, own_folder=True)).stdout.strip()
    assert own
    assert own != str(Path.cwd())


def test_nothing_that_was_sent_ahead_is_missing() -> None:
    """Commands answered in one go stand in the line too; those of the board before do not."""
    session = Session.start("mybot", [sys.executable, "-IS", FAULT_BOT, "dies-by-segv"], Limits())
    assert isinstance(session, Session)
    session.ask_all(["name", "boardsize 9", "clear_board", "play b C3"])
    board = ["boardsize 5", "clear_board", "komi 0.5", *(f"play b A{i}" for i in range(1, 6)), "genmove w"]
    outcomes = session.ask_all(board)
    session.close()
    failure = outcomes[-1]
    assert isinstance(failure, Failure)
    shown = failure.again.partition("printf")[2]
    assert [shown.count(line) for line in board] == [1] * len(board)
    assert "C3" not in shown
    assert "name" in shown


def test_boards_in_the_middle_of_what_was_sent_together() -> None:
    """Of many boards only the last counts, wherever it begins; what came before the first always does."""
    sent = SentHistory()
    sent.add(("name", "boardsize 9", "play b C3"), 1001)
    assert sent.lines == ["1001 name", "1002 boardsize 9", "1003 play b C3"]
    sent.add(("play w D4",), None)
    sent.add(("clear_board", "boardsize 5", "komi 1", "boardsize 7", "play b A1"), 1004)
    sent.add(("genmove w",), 1009)
    assert sent.lines == ["1001 name", "1007 boardsize 7", "1008 play b A1", "1009 genmove w"]
    sent.add(("known_command boardsize",), 1010)
    assert len(sent.lines) == 5
