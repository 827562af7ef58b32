"""Running regression files: what is sent, how answers are judged, how a file that stops is told."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from harness.bots.bot import Bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.transport import ProcessEnd
from harness.render.tst import gnu_lines, render_file
from harness.render.tst_junit import junit_tst
from harness.tst.file import Line, parse_tst
from harness.tst.result import FileResult, TstOutcome, judge, judge_as_awk, status_of
from harness.tst.run import Judge, Runner, with_absolute_sgf
from harness.tst.select import TstSelection
from harness.word import Word

HOSTILE = "\x1b[31m]]><b>&\"'\ud800\x00\ufffe\u202e[bold]\n=1 x" + "y" * 500


@dataclass
class FakeBot:
    """A process that answers as a table says; a Failure where it says None."""

    answers: dict[str, str | None]
    sent: list[str] = field(default_factory=list)

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer from the table; ? begins an error."""
        self.sent.append(line if id is None else f"{id} {line}")
        answer = self.answers.get(line, "")
        if answer is None:
            return Failure(
                Word.TIMEOUT, "fake", line, "ordinary", 10.0, 10.0, None, None, HOSTILE, "it hangs"
            )
        success = not answer.startswith("?")
        text = answer.removeprefix("?")
        return Exchange(
            line, f"{'=' if success else '?'}{'' if id is None else id} {text}\n\n", success, text, (), 0.1
        )

    def close(self) -> tuple[Exchange | Failure | None, ProcessEnd]:
        """Go."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)


def ran(
    text: str,
    answers: dict[str, str | None],
    *,
    by: Judge = judge,
    numbers: frozenset[int] | None = None,
    sent: list[str] | None = None,
) -> FileResult:
    """Run a file of this text with a bot that answers so."""
    bot = FakeBot(answers)
    selection = TstSelection(parse_tst(Path("suite.tst"), text.encode()), numbers)
    result = Runner(Bot("fake", "fake"), by, start=lambda _bot, _playouts, _seed: bot).run(selection)
    if sent is not None:
        sent += bot.sent
    return result


def outcomes(result: FileResult) -> list[tuple[int, str]]:
    """Return numbers and outcomes."""
    return [(test.number, test.outcome.value) for test in result.tests]


SIX = "10 a\n#? [x]\n20 b\n#? [x]\n30 c\n#? [x]*\n40 d\n#? [x]*\n50 e\n#? [x]&\n60 f\n"


def test_the_six_outcomes() -> None:
    """Lower case as expected, upper case unexpected."""
    result = ran(SIX, {"a": "x", "b": "y", "c": "y", "d": "x", "e": "y", "f": "z"})

    assert outcomes(result) == [
        (10, "passed"),
        (20, "FAILED"),
        (30, "failed"),
        (40, "PASSED"),
        (50, "ignored"),
        (60, "passed"),
    ]


@pytest.mark.parametrize(
    ("expectation", "answer", "here", "by_awk"),
    [
        ("[.*]", "?unknown command", "FAILED", "passed"),
        ("[!D5]", "?unknown command", "FAILED", "passed"),
        ("[no.*]", "?no", "FAILED", "passed"),
        ("[]*", "?no", "failed", "failed"),
        ("[]*", "", "PASSED", "PASSED"),
        ("", "", "passed", "passed"),
        ("", "x", "passed", "FAILED"),
        ("", "?", "FAILED", "passed"),
        ("[a]", "a\nb", "FAILED", "passed"),
        ("[a.*]", "\na\nb", "passed", "FAILED"),
        ("[a\nb]".replace("\n", "."), "a\nb", "passed", "FAILED"),
        ("[x]&*", "y", "ignored", "failed"),
        ("[x]*&", "y", "ignored", "ignored"),
    ],
)
def test_where_tools_differ(expectation: str, answer: str, here: str, by_awk: str) -> None:
    """Errors, missing patterns and further lines are judged in one way here, and in awk's with --gnu."""
    text = f"10 a\n#? {expectation}\n"

    assert [(10, here)] == outcomes(ran(text, {"a": answer}))
    assert [(10, by_awk)] == outcomes(ran(text, {"a": answer}, by=judge_as_awk))


def test_only_tests_asked_for_are_sent_and_what_they_stand_on() -> None:
    """Commands without numbers and numbered moves are sent; other tests are not."""
    sent: list[str] = []
    text = "boardsize 9\n10 reg_genmove black\n20 play black E5\n30 reg_genmove white\n40 name\n"

    result = ran(text, {"play black E5": "?no"}, numbers=frozenset({30}), sent=sent)

    assert sent == ["boardsize 9", "20 play black E5", "30 reg_genmove white"]
    assert outcomes(result) == [(30, "passed")]
    assert result.refused == []


def test_a_bot_that_hangs_leaves_its_tests_not_run() -> None:
    """The test it hung in and those behind it; what was answered stays."""
    result = ran(SIX, {"a": "x", "c": None})

    assert outcomes(result)[:2] == [(10, "passed"), (20, "FAILED")]
    assert {"not run"} == {outcome for _, outcome in outcomes(result)[2:]}
    assert result.stop is not None
    assert (result.stop.word, result.stop.line) == (Word.TIMEOUT, 5)
    assert status_of([result], strict=False) == 4


@pytest.mark.parametrize(
    ("text", "answers", "strict", "status"),
    [
        ("10 a\n#? [x]", {"a": "x"}, False, 0),
        ("10 a\n#? [x]", {"a": "y"}, False, 1),
        ("10 a\n#? [x]*", {"a": "y"}, True, 0),
        ("10 a\n#? [x]*", {"a": "x"}, False, 0),
        ("10 a\n#? [x]*", {"a": "x"}, True, 1),
        ("loadsgf b\n10 a\n#? [x]", {"a": "x", "loadsgf b": "?no"}, False, 1),
        ("reset_counter\n10 a\n#? [x]", {"a": "x", "reset_counter": "?no"}, True, 0),
        ("10 a\n#? [x]\nb", {"a": "y", "b": None}, False, 4),
    ],
)
def test_exit_statuses(text: str, answers: dict[str, str | None], strict: bool, status: int) -> None:
    """0 as expected, 1 a failure or a refused set-up, 4 a bot that could not be run; --strict."""
    assert status == status_of([ran(text, answers)], strict=strict)


def test_a_pattern_without_end_fails_its_test_only() -> None:
    """In a process of its own, since pytest's own alarm takes the place of the one that ends the search."""
    text = "10 a\n#? [(x|x)*y]\n20 b\n#? [!(x|x)*y]\n30 c\n#? [x]\n"
    script = f"""
import test_tst_run as t, harness.tst.pattern as p
p.PATIENCE_S = 0.05
result = t.ran({text!r}, dict(a="x" * 60, b="x" * 60, c="x"))
print([(test.outcome.value, len(test.notes)) for test in result.tests])
"""
    command = [sys.executable, "-c", script]
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[3])])
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
    )

    assert done.stdout.strip() == "[('FAILED', 1), ('FAILED', 1), ('passed', 0)]"


def test_ids_that_are_dropped_are_noted_and_not_seen_by_awk() -> None:
    """GNU Go's script takes a reply without its id for none, which must not look like success."""

    def nameless(line: Line, exchange: Exchange) -> TstOutcome:
        return judge_as_awk(line, msgspec.structs.replace(exchange, raw="= x\n\n"))

    result = ran("10 a\n#? [x]", {"a": "x"}, by=nameless)

    assert next(gnu_lines(result)) == "Possible crash!: expected 1 results, got 0. Crash in first test."
    assert status_of([result], strict=False) == 1


def test_nothing_run_is_never_success() -> None:
    """No results have the status of nothing run."""
    assert status_of([], strict=False) == 5


UNREADABLE = "10 a\n#? [x\n20\n#? [x]\na\n#? [x]\n30 a\n#? [x]\n"


def test_what_cannot_be_read_is_its_own_tests_error_and_the_rest_runs() -> None:
    """A bracket that is missing, a number alone, an expectation of no test."""
    sent: list[str] = []

    result = ran(UNREADABLE, {"a": "x"}, sent=sent)

    assert outcomes(result) == [(10, "unreadable"), (20, "unreadable"), (30, "passed")]
    assert sent == ["10 a", "a", "30 a"]
    assert [(one.line, one.text) for one in result.unreadable] == [(6, "#? [x]")]
    assert status_of([result], strict=False) == 1
    shown = _plain(result)
    assert "suite.tst:10: unreadable  a (line 2: no closing bracket" in shown
    assert "suite.tst line 6: unreadable  #? [x]: an expectation of a command that is no test" in shown
    assert "1 passed, 2 UNREADABLE, 1 line that cannot be read" in shown
    (suite,) = ET.fromstring(junit_tst([result], "x", strict=False))  # noqa: S314 - our own document
    assert suite.attrib["errors"] == "3"


def test_what_cannot_be_read_as_gnu_gos_script_reads_it() -> None:
    """It misses no bracket, counts every expectation, and sees no reply to a number alone."""
    result = ran(UNREADABLE, {"a": "x"}, by=judge_as_awk)

    assert list(gnu_lines(result)) == [
        "Possible crash!: expected 4 results, got 2. Last succesful test was 30.",
        "10 passed",
        "30 passed",
        "Summary: 2/2 passes. 0 unexpected passes, 0 unexpected failures",
    ]


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        (["10 a\n#? [x"], 5),
        (["# no test"], 5),
        (["# no test", "10 a\n#? [x]"], 5),
        (["# no test", "10 a\n#? [y]"], 1),
        (["10 a\n#? [x", "10 a\n#? [x]"], 1),
    ],
)
def test_a_file_that_judges_nothing_is_never_success(texts: list[str], status: int) -> None:
    """Others run all the same."""
    results = [ran(text, {"a": "x"}) for text in texts]

    assert status == status_of(results, strict=False)
    assert all(result.tests or "it holds no test" in result.notes[0] for result in results)


def test_a_limit_for_what_has_to_be_thought_about() -> None:
    """Tests get the limit of a thought, but for commands that need none; what times out says the option."""
    asked: list[Bot] = []

    def start(bot: Bot, _playouts: int, _seed: int) -> Failure:
        asked.append(bot)
        return Failure(
            Word.TIMEOUT, "fake", "10 owl_attack A1", "thinking", 120.0, 120.0, None, None, "", "it hangs"
        )

    text = "10 owl_attack A1\n20 name\n30 reg_genmove b\nestimate\n"
    selection = TstSelection(parse_tst(Path("suite.tst"), text.encode()))
    result = Runner(Bot("fake", "fake"), judge, start=start).run(selection)

    names = [asked[0].limits.for_command(line)[0] for line in text.splitlines()]
    assert names == ["thinking", "ordinary", "genmove", "ordinary"]
    assert result.stop is not None
    assert result.stop.reason.endswith("--limit owl_attack=240 gives owl_attack twice the time")


def test_a_bot_that_cannot_be_started() -> None:
    """All its tests are not run, in this file only."""
    failure = Failure(Word.START_FAILED, "fake", "", "", None, 0.0, None, None, "", "no such file")
    selection = TstSelection(parse_tst(Path("suite.tst"), SIX.encode()))

    result = Runner(Bot("fake", "fake"), judge, start=lambda *_: failure).run(selection)

    assert {"not run"} == {outcome for _, outcome in outcomes(result)}
    assert status_of([result], strict=False) == 4


def test_gnu_gos_words_and_summary() -> None:
    """As eval.sh prints them, the summary's singular included."""
    result = ran(SIX, {"a": "x", "b": "y", "c": "y", "d": "x", "e": "y", "f": ""}, by=judge_as_awk)

    assert list(gnu_lines(result)) == [
        "Possible crash!: expected 5 results, got 6. Last succesful test was 60.",
        "10 passed",
        "20 FAILED: Correct 'x', got 'y'",
        "30 failed: Correct 'x', got 'y'",
        "40 PASSED",
        "50 y",
        "60 passed",
        "Summary: 3/5 passes. 1 unexpected pass, 1 unexpected failure",
    ]


def _plain(result: FileResult) -> str:
    return "\n".join(line.plain for line in render_file(result, verbose=True))


def _gnu(result: FileResult) -> str:
    return "\n".join(gnu_lines(result))


@pytest.mark.parametrize("render", [_plain, _gnu])
def test_nothing_hostile_reaches_a_terminal(render: Callable[[FileResult], str]) -> None:
    """Answers, errors, notes and standard error are escaped, and stay on their lines."""
    result = ran("play a\n10 b\n#? [x]\n20 c\n", {"play a": "?" + HOSTILE, "b": HOSTILE, "c": None})

    shown = render(result)

    assert all(line.isprintable() for line in shown.split("\n"))
    assert r"\x1b[31m" in shown


def test_nothing_hostile_breaks_the_xml() -> None:
    """The document can be read back, and says what came in escapes."""
    text = 'play a\n10 b\n#? [x]\n15 <&>\n#? ["]*\n20 c\n30 d\n'
    result = ran(text, {"play a": "?" + HOSTILE, "b": HOSTILE, "c": None, "<&>": '"'})

    root = ET.fromstring(junit_tst([result], HOSTILE, strict=True))  # noqa: S314 - our own document

    (suite,) = root
    assert {"tests": "6", "failures": "2", "errors": "2", "skipped": "2"}.items() <= suite.attrib.items()
    assert {"tests": "6", "failures": "2", "errors": "2"}.items() <= root.attrib.items()
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "10 b": ["failure"],
        "15 <&>": ["failure"],
        "20 c": ["skipped"],
        "30 d": ["skipped"],
        "line 1: play a": ["error"],
        "line 6: the bot answers": ["error"],
    }
    assert all(
        r"\x1b[31m" in (found.get("message") or "")
        for found in suite.iter("failure")
        if found.get("type") == "FAILED"
    )


def test_results_are_json_whatever_came() -> None:
    """Bytes of the file that are no text too."""
    bot = FakeBot({})
    selection = TstSelection(parse_tst(Path("suite.tst"), b"\xff\xfe x\n10 \xe9\n#? [\xe9]\n"))

    result = Runner(Bot("fake", "fake"), judge, start=lambda *_: bot).run(selection)

    assert msgspec.json.decode(msgspec.json.encode(result), type=FileResult) == result
    assert [test.outcome for test in result.tests] == [TstOutcome.FAILED]
    assert result.tests[0].command == r"\xe9"


@pytest.mark.parametrize(
    ("command", "sent"),
    [
        ("loadsgf a.sgf", "loadsgf {}/a.sgf"),
        ("loadsgf  a.sgf 20 # x", "loadsgf  {}/a.sgf 20 # x"),
        ("loadsgf /a.sgf 20", "loadsgf /a.sgf 20"),
        ("loadsgf no.sgf", "loadsgf no.sgf"),
        ("loadsgf", "loadsgf"),
        ("printsgf a.sgf", "printsgf a.sgf"),
        ("loadsgf " + "x" * 5000, "loadsgf " + "x" * 5000),
        ("loadsgf a\0b", "loadsgf a\0b"),
    ],
)
def test_game_records_are_named_from_the_files_folder(command: str, sent: str, tmp_path: Path) -> None:
    """A record beside the file is given in full, anything else left to the bot."""
    (tmp_path / "a.sgf").write_text("(;)")

    assert sent.format(tmp_path.resolve()) == with_absolute_sgf(command, tmp_path)
