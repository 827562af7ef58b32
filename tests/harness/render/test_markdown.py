"""Markdown: the most important first, never too long, and a bot's words are never more than text."""

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_runs import HOSTILE, broken, certified, header, judged_run, saying, units
from markdown_it import MarkdownIt
from markdown_it.token import Token

from harness.judging.checked import kept_of
from harness.render.gfm import block, code, pipe_table, plain
from harness.render.markdown import LIMIT, render_markdown
from harness.render.terminal import first_failure

PIECES = (
    *(
        "`",
        "``",
        "|",
        "\\",
        "\\|",
        "](x)",
        "![i](u)",
        "<b>",
        "</details>",
        "<!--",
        "&amp;",
        "@who",
        "#1",
        "\n",
    ),
    *(
        "http://e.vil",
        "www.e.vil",
        "a@b.cd",
        "* ",
        "_",
        "~~~",
        "```",
        "\x1b[0m",
        "\u202e",
        "\ud800",
        "$x$",
        " ",
    ),
)
HOSTILES = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=12).map("".join)
LONG = "\U0001f41b" * 5000
OURS = {"<details>", "<summary>", "</summary>", "</details>"}


def tokens(page: str) -> Iterator[Token]:
    """Yield every token of a page, those inside others too."""
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(page):
        yield token
        yield from token.children or ()


def assert_only_text(page: str, marks: tuple[str, ...]) -> None:
    """Make sure that no link, picture or tag comes of a page, and the marks stand in code alone."""
    depth = 0
    for token in tokens(page):
        assert token.type not in {"link_open", "image", "html_inline"}, token
        if token.type == "html_block":
            left = token.content
            depth += left.count("<details>") - left.count("</details>")
            assert depth in {0, 1}
            for tag in OURS:
                left = left.replace(tag, "")
            assert "<" not in left, token
            assert not any(mark in left for mark in marks)
        if token.type == "text":
            assert not any(mark in token.content for mark in marks), token
    assert depth == 0


@settings(deadline=None)
@given(HOSTILES)
def test_code_is_one_span(text: str) -> None:
    """Anybody's text is one code span, in a sentence and in a cell, and shows what it shows."""
    for page in (f"so {code(text)} it is", "\n".join(pipe_table(("a", "b"), [(code(text), "end")]))):
        inner = [t for t in tokens(page) if t.type == "code_inline"]
        assert len(inner) == (0 if code(text) == "(nothing)" else 1)
        words = [t.content for t in tokens(page) if t.type == "text" and t.content.strip()]
        assert set(words) <= {"so ", " it is", "a", "b", "end", "(nothing)", "so (nothing) it is"}
    assert code(text).isprintable()


@settings(deadline=None)
@given(st.lists(HOSTILES, min_size=1, max_size=4))
def test_a_block_is_one_block(lines: list[str]) -> None:
    """Anybody's lines are one code block, and nothing after it is in it."""
    kinds = [t.type for t in tokens(block(lines) + "\nafter\n")]
    assert kinds == ["fence", "paragraph_open", "inline", "text", "paragraph_close"]


@settings(deadline=None)
@given(st.text(st.sampled_from("ab*_`[]()<>|&~#@!\\ "), min_size=1))
def test_our_own_text_means_nothing(text: str) -> None:
    """Signs in a clause stay signs."""
    kinds = {t.type for t in tokens(f"x {plain(text)}") if t.type not in {"inline", "paragraph_open"}}
    assert kinds <= {"text", "text_special", "paragraph_close"}


def test_a_hostile_bot_is_text() -> None:
    """A bot whose name, answers, notes and last words are hostile makes no link, tag or mention."""
    page = render_markdown(
        [saying(HOSTILE), judged_run(units(HOSTILE), header(HOSTILE.split("\r", 1)[0][-20:]))]
    )
    assert b"evil" in page
    assert_only_text(page.decode(), ("evil", "@who", "1+1"))


@settings(max_examples=20, deadline=None)
@given(HOSTILES)
def test_any_name_and_reason_is_text(text: str) -> None:
    """Whatever a bot is called and a verdict quotes, the page has the same shape."""
    found, _, _ = certified("", "check")
    plainly = text.encode("utf-8", "backslashreplace").decode()
    verdict = msgspec.structs.replace(
        found.verdict,
        reason=f"MARK{plainly}MARK",
        bot=msgspec.structs.replace(found.verdict.bot, name=plainly, command=plainly, version=plainly),
    )
    told = replace(found, verdict=verdict)
    assert_only_text(render_markdown([told]).decode(), ("MARK", "e.vil", "@who"))


def test_the_most_important_comes_first() -> None:
    """Word, reason, board with expected and observed, diagnosis, requirements, how to repeat it, digests."""
    found, _, verdict = certified("eye-edge-as-centre")
    innocent = [
        msgspec.structs.replace(r, verdict="PASS") if r.id == "R1" else r for r in verdict.requirements
    ]
    passing = msgspec.structs.replace(found.verdict, requirements=innocent)
    page = render_markdown([replace(found, verdict=passing)]).decode()
    check = first_failure(verdict)
    assert check is not None

    places = [
        page.index(part)
        for part in (
            "FAIL: `refbot-engine`",
            verdict.reason,
            "A B C",
            f"expected  {check.expected}",
            f"got       {check.observed}",
            "`eye-edge-as-centre` |",
            "### Requirements",
            "1 requirements passed</summary>",
            "### Again",
            verdict.evidence,
        )
    ]
    assert places == sorted(places)


def test_it_is_never_too_long() -> None:
    """With a hundred runs, each with all that can be long, the page keeps its limit, whole, and says so."""
    long = saying(LONG)
    one = len(render_markdown([long]))
    assert one <= LIMIT
    many = render_markdown([*[long] * 40, *[judged_run([broken(LONG)], header(LONG))] * 60])
    assert LIMIT * 0.8 < len(many) <= LIMIT < 1_048_576
    text = many.decode()
    assert "does not fit here" in text
    assert re.search(r"\*and [1-9][0-9] more\*", text)
    assert_only_text(text, ("\U0001f41b",))


def test_runs_to_be_looked_at_come_first() -> None:
    """Of several runs the page has a table, those that failed at its head, and one section each."""
    good, _, _ = certified("", "check")
    page = render_markdown(
        [good, judged_run(units()), judged_run([broken("fell over")], header("third"))]
    ).decode()
    rows = [line for line in page.split("\n") if line.startswith("| `")][:3]
    assert [row.split("`")[1] for row in rows] == ["third", "bot", "refbot-engine"]
    assert page.count("\n## ") == 3


def test_a_check_shows_its_steps() -> None:
    """A check that failed has its first fault in full, and the others folded up."""
    found, _, verdict = certified("nodes-without-passes", "check")
    page = render_markdown([found]).decode()
    failed = [s for s in verdict.steps if s.verdict == "FAIL"]
    assert f"### {failed[0].clause} {failed[0].title}" in page
    assert f"{len([s for s in verdict.steps if s.verdict != 'FAIL'])} clauses passed or not offered" in page
    for step in failed[1:]:
        assert f"<summary>{step.clause} {step.name}: FAIL</summary>" in page
    kept, of = kept_of(verdict.steps)
    assert f"![GTP 2: {kept} of {of}](https://img.shields.io/badge/GTP_2-{kept}_of_{of}-red)" in page


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_nothing_is_said_to_be_nothing(text: str) -> None:
    """An empty text is not an empty code span, which would be no code span."""
    assert code(text) in {"(nothing)", r"`\n`"}
