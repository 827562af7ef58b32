"""The page of a match: what the summary holds, hostile text as text, fit to be read."""

import re
import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest
from matches import summary

from harness.match.record import Ask, Question
from harness.match.summary import CountAnswer, MatchAnswer, Summary
from harness.render.match_page import render_match_page
from harness.word import Word

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NASTY = '<img src=x onerror="alert(1)">&{{ 7*7 }}\x1b[31m\u202e\'"></title></svg></script>'
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
EVEN = Question(Ask.EVEN, 0.05)
SAID = CountAnswer(Word.PASS, (2.5, -0.5))


def asked(text: str) -> Summary:
    """Return a match of two with an answer."""
    return summary(text, test=MatchAnswer(EVEN, Word.PASS, SAID, SAID, (2.0, 2.0), 80))


def many(text: str, count: int) -> Summary:
    """Return a round robin."""
    one = summary(text, bots=count)
    bots = [msgspec.structs.replace(bot, name=f"{place} {text}") for place, bot in enumerate(one.bots)]
    meetings = [
        msgspec.structs.replace(one.meetings[0], first=first.name, second=second.name, share=0.25)
        for place, first in enumerate(bots)
        for second in bots[:place]
    ]
    ratings = [
        msgspec.structs.replace(one.ratings[0], bot=bot.name, elo=10.0 * n) for n, bot in enumerate(bots)
    ]
    return msgspec.structs.replace(one, bots=bots, meetings=meetings, ratings=ratings)


def test_an_answer_comes_first() -> None:
    """The word, the question, the result with both intervals and what counts as even."""
    page = render_match_page(asked("me"))

    for part in (
        'class="result PASS"', "even within 5 %: decided after game 80", "2.5 of 4", "62.5 %", "20 to 90",
        "10 to 95", "1–1–0", '<rect class="band" x="108.0"', "void or unfinished", "CRASH",  # noqa: RUF001
    ):  # fmt: skip
        assert part in page, part
    assert "Standings" not in page


def test_standings_of_many() -> None:
    """The strongest first, a cell for each two, none for a bot with itself."""
    page = render_match_page(many("bot", 5))

    names = re.findall(r'<tr><th scope="row">\d (\d bot)</th><td>[+-]', page)
    assert names == ["4 bot", "3 bot", "2 bot", "1 bot", "0 bot"]
    assert page.count('class="share"') == 20
    assert page.count('class="self"') == 5


@pytest.mark.parametrize("count", [2, 4])
def test_text_of_bots_is_text(count: int) -> None:
    """No markup, no template, no control character."""
    page = render_match_page(asked(NASTY) if count == 2 else many(NASTY, count))

    assert "<img" not in page
    assert "49" not in page.split("</style>")[1].split("<footer>")[0].replace("{{ 7*7 }}", "")
    assert not {c for c in page if not c.isprintable()} - {"\n"}
    assert page.count("<script>") == page.count("</script>") == 1


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("width", [360, 1400])
def test_in_a_browser(width: int) -> None:
    """Nothing asked of a network, nothing wrong on the console, no page wider than the window."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser: Browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for content in (asked(NASTY), many(NASTY, 12)):
            page = browser.new_page(viewport={"width": width, "height": 800})
            said: list[str] = []
            asked_for: list[str] = []
            page.on("console", lambda message, said=said: said.append(message.text))
            page.on("request", lambda request, asked_for=asked_for: asked_for.append(request.url))
            page.set_content(render_match_page(content))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert (said, [url for url in asked_for if not url.startswith("data:")]) == ([], [])
        browser.close()
