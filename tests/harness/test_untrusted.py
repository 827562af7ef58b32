"""Untrusted text: nothing a bot prints reaches a terminal or a page unescaped."""

import io
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from harness.bots.wire import printable
from harness.cases.suite import load_suite
from harness.cli.console import say
from harness.judging.verdict import Check, RequirementVerdict, Verdict
from harness.records.evidence import BotRef, Broken, SuiteRef
from harness.render.brief import render_brief
from harness.render.failure import render_broken
from harness.render.faults import render_faults, render_outcome
from harness.render.terminal import Display, render_certificate
from harness.selftest.faults import FaultOutcome

CONTROLS = (
    "\x1b[31m \x1b]0;owned\x07 \x1b]8;;http://x\x1b\\ \x9b31m \r \n \t \0 \x7f \x1f \u202e \u2066 \u200b "
    "\ufeff \u2028 \udcff"
)
MARKUP = "[red] [/] [/red] [link=http://x] [@click=a] \\ \\[ [ ] <b> & | ` * _ =1+1 caf\u00e9 name"
PIECES = (*CONTROLS.split(" "), *MARKUP.split(" "))
HOSTILE = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=8).map("".join)
SUITE = load_suite()


def verdict(text: str, level: str) -> Verdict:
    """Return a verdict in which a bot's text stands wherever one can."""
    check = Check("ids-come-back", "FAIL", "exact", 1, 1, text, f"expected {text}", text)
    bot = BotRef(text, text, text, text, "", [text])
    suite = SuiteRef("1", "d")
    found = [RequirementVerdict("G2", "FAIL", text, [check])]
    return Verdict(
        1, "0", "check", level, suite, "e", bot, "FAIL", text, found, "G2",
        "ids-come-back", [], [], 0.0, confident=False, excluded=[],
        not_excluded=[], detectable=[], log10_e=0.0, playouts=1, genmoves=1, elapsed_s=0.0, alpha=1e-4,
        beta=1e-3, evidence="d",
    )  # fmt: skip


def outcome(text: str) -> FaultOutcome:
    """Return what came of a fault bot, in a bot's words."""
    return FaultOutcome("name", "PASS", text, text, text, 0.0, is_right=False)


def shown(thing: RenderableType, *, is_plain: bool = False) -> str:
    """Print without colours, so that every control in what comes out is the bot's."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=False, width=200)
    console.print(thing, highlight=not is_plain, markup=not is_plain)
    return file.getvalue()


RENDERERS: dict[str, Callable[[str], str]] = {
    "certificate": lambda text: shown(render_certificate(verdict(text, "standard"), SUITE, "folder")),
    "brief": lambda text: shown(render_brief(verdict(text, "standard"), SUITE, 400)),
    "broken": lambda text: render_broken(
        Broken("CRASH", text, text, text, "start", 1.0, 1.0, None, None, text), Path("folder")
    ),
    "faults": lambda text: shown(render_faults([outcome(text)], [])),
    "outcome": lambda text: shown(render_outcome(outcome(text)), is_plain=True),
}


@pytest.mark.parametrize("name", RENDERERS)
@settings(max_examples=40, deadline=None)
@given(text=HOSTILE)
def test_no_renderer_lets_controls_through(name: str, text: str) -> None:
    """Escapes, bidi overrides, line ends and bytes that are no text come out as readable escapes."""
    assert {char for char in RENDERERS[name](text) if not char.isprintable()} <= {"\n"}


@pytest.mark.parametrize(
    "markup", ["[red]x[/red]", "[link=http://x]y[/link]", "[bold]", "\\[red]", "a\\", "[/]"]
)
@pytest.mark.parametrize("name", RENDERERS)
def test_markup_is_no_markup(name: str, markup: str) -> None:
    """What looks like our own markup is shown letter by letter."""
    assert printable(markup) in RENDERERS[name](markup)


def test_errors_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """An error that quotes a bot keeps its lines and loses its controls."""
    say("refbot: it said \x1b[31mred\u202e\n  and more\r\n")
    assert capsys.readouterr().err == "refbot: it said \\x1b[31mred\\u202e\n  and more\n"


def test_progress_of_a_hostile_name() -> None:
    """The live line shows a name as it is written."""
    file = io.StringIO()
    display = Display(Console(file=file, force_terminal=True, color_system=None, width=200))
    display.start("[red]\x1b[31mx\u202e")
    display.hide()
    assert "[red]\\x1b[31mx\\u202e" in file.getvalue()


def test_json_holds_no_control_characters() -> None:
    """The verdict document escapes what a terminal would act on below the space."""
    from harness.document import document_bytes

    text = "\x1b[31m\x07\r"
    document = document_bytes(verdict(text, "check"))
    assert b"\x1b" not in document
    assert msgspec.json.decode(document)["bot"]["name"] == text
