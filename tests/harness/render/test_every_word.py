"""Every word that a run can end in, in every format and on the terminal: whatever happened, it is shown."""

import io
from functools import cache

import msgspec
import pytest
from judged_runs import header, judged_run, units, word_of
from rich.console import Console

from harness.cases.checklist import REQUIRED
from harness.cli.console import LONGEST_LINE
from harness.records.evidence import Broken, Unit
from harness.records.handshake import HANDSHAKE
from harness.render.answer import answer_line
from harness.render.brief import render_brief
from harness.render.check import render_check
from harness.render.formats import FORMATS, Format
from harness.render.terminal import render_certificate
from harness.report.cause import cause_of
from harness.report.judged_run import JudgedRun
from harness.word import UNJUDGED, Word

_REPLIES = ("name", "version", "protocol_version", "list_commands", "known_command")


def stopped(word: Word, level: str) -> JudgedRun:
    """Return a run whose bot did not get through the handshake; what it did before is not known."""
    why = Broken(str(word), f"bot: {word} at the start", "Traceback\nKeyError: 1\n", "name", again="bot")
    head = header(level=level, commands=[])
    return judged_run([Unit(HANDSHAKE, 1, 0, [], 0.1, broken=why)], head)


def died(word: Word, level: str) -> JudgedRun:
    """Return a run whose bot stopped answering in the middle."""
    asked = units()
    why = Broken(str(word), f"bot: {word} in the middle", "", "genmove black", again="bot")
    return judged_run([*asked[:2], msgspec.structs.replace(asked[2], broken=why)], header(level=level))


def refusing(level: str) -> JudgedRun:
    """Return a run of a bot that refuses all but its own name."""
    asked = [
        msgspec.structs.replace(
            unit,
            exchanges=[
                (sent, raw if sent.split(" ")[0] in _REPLIES else "? unknown command\n\n")
                for sent, raw in unit.exchanges
            ],
        )
        for unit in units()
    ]
    # A check of a bot that does not even list the required commands is a FAIL.
    return judged_run(asked, header(level=level, commands=[*REQUIRED] if level == "check" else ["name"]))


STARTS = [(word, "check") for word in sorted(UNJUDGED - {Word.REFUSED})] + [(Word.START_FAILED, "standard")]
DEATHS = [(Word.CRASH, "check"), (Word.CRASH, "smoke"), (Word.TIMEOUT, "smoke"), (Word.PROTOCOL, "smoke")]
NAMES = [
    *(f"{word} at the start, {level}" for word, level in STARTS),
    *(f"{word} in the middle, {level}" for word, level in DEATHS),
    *("REFUSED, check", "REFUSED, smoke", "FAIL, smoke", "FAIL, check", "INCONCLUSIVE", "PASS", "NON-STRICT"),
    "ERROR",
]


@cache
def runs() -> dict[str, JudgedRun]:
    """Return a run for every word, judged from evidence where evidence of it can be made."""
    passed = judged_run(units())
    found = {f"{word} at the start, {level}": stopped(word, level) for word, level in STARTS}
    found |= {f"{word} in the middle, {level}": died(word, level) for word, level in DEATHS}
    found |= {f"REFUSED, {level}": refusing(level) for level in ("check", "smoke")}
    found |= {f"FAIL, {level}": judged_run(units("=1"), header(level=level)) for level in ("check", "smoke")}
    found |= {str(word): word_of(passed, word) for word in (Word.PASS, Word.NON_STRICT, Word.ERROR)}
    return found | {"INCONCLUSIVE": passed}


@pytest.mark.parametrize("each", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_made(name: str, each: Format) -> None:
    """Every format of every run."""
    assert each.render([runs()[name]], strict=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_word_is_the_runs(name: str) -> None:
    """What the verdict says is what happened, and nothing is judged that was not asked."""
    verdict = runs()[name].verdict

    assert verdict.verdict == name.partition(" ")[0].rstrip(",")
    if "at the start" in name:
        assert {r.verdict for r in verdict.requirements} == {"INCONCLUSIVE"}
        assert not any("has no" in check.reason for r in verdict.requirements for check in r.checks)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_shows_it(name: str, width: int) -> None:
    """First and last stands the word; nothing is wider than the terminal."""
    found = runs()[name]
    renders = [render_check(found.verdict, found.suite, "run")] if found.verdict.steps else [
        render_brief(found.verdict, found.suite, width), render_certificate(found.verdict, found.suite, "run")
    ]  # fmt: skip
    for render in renders:
        file = io.StringIO()
        Console(file=file, width=width, color_system=None).print(render)
        assert max(len(line) for line in file.getvalue().splitlines()) <= width
        assert found.verdict.steps or found.verdict.verdict in file.getvalue()
    last = answer_line(
        found.verdict.verdict, "bot", cause_of(found.verdict), "reports/run/report.html", width
    )
    assert last.startswith(f"{found.verdict.verdict}  bot")
    assert last.endswith("  reports/run/report.html")
    assert len(last) <= min(width, LONGEST_LINE)


def page_of(name: str) -> str:
    """Return the page of a run."""
    html = next(each for each in FORMATS if each.name == "html")
    return bytes(html.render([runs()[name]], strict=False)).decode()


def test_bot_that_answered_no_genmove_is_not_judged() -> None:
    """Of a bot that never got to play the page tells what happened, and no word of a requirement."""
    page = page_of("START-FAILED at the start, standard")
    assert "Where it stopped" in page
    assert "KeyError: 1" in page
    for part in ("Requirements", "known mistakes excluded", "e-value against it", "could not have seen"):
        assert part not in page
    assert "Requirements" in page_of("CRASH in the middle, smoke")
