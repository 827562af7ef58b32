"""The HTML report: the same bytes each time, nothing from outside, hostile text as text, fit to be read."""

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tiny_run import SHOWN, ask, header
from tiny_suite import CASES, limit_catalogue, make_suite

from harness.bots.wire import printable
from harness.cases.reflection import original_of
from harness.cases.suite import Suite
from harness.comparison.bot_comparison import BotComparison, ContrastCheck, OddBot, Quantity, Speed
from harness.judging.judge import judge
from harness.records.evidence import Broken, Evidence, Footer, Unit
from harness.render.html import MOST_FULL, render_html
from harness.render.html_words import listed
from harness.report.run_report import RunReport, run_report_of
from harness.tables.tables import Tables
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NASTY = '<img src=x onerror="alert(1)">&{{ 7*7 }}$x^2$\x1b[31m\u202e\'"></title></svg></script>\n end'
"""What a bot may call itself: markup, a template, a formula, a terminal's colours, text the other way."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module", name="suite")
def _suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    with pytest.MonkeyPatch.context() as patch:
        limit_catalogue(patch, SHOWN)
        yield make_suite(tmp_path_factory.mktemp("suite"), CASES, [BY_NAME[name] for name in SHOWN])


def run_report(suite: Suite, units: list[Unit], level: str = "standard", **bot: object) -> RunReport:
    """Return what a run of some units shows."""
    tables = Tables(suite.folder / "tables")
    cases = sorted(suite.for_level(level).cases)
    evidence = Evidence(header(suite, level, cases, **bot), units, Footer(len(units), 1.0, "complete"))
    return run_report_of(suite, tables, evidence, judge(suite, tables, evidence))


def nasty(suite: Suite) -> RunReport:
    """Return a run of a bot whose every word is hostile, and which crashes in the end."""
    wrong = BY_NAME["one-pass-ends"].spec
    units = [
        msgspec.structs.replace(u, exchanges=[*u.exchanges[:-1], (u.exchanges[-1][0], f"? {NASTY}\n\n")])
        if u.case in ("undo", "script")
        else u
        for u in ask(suite, wrong, 1)
    ]
    broken = Broken("CRASH", f"bot: {NASTY}", f"{NASTY}\n" * 3, "genmove b", again=f"echo '{NASTY}'")
    units.append(Unit("sample", 9, 50, [("boardsize 3", f"= {NASTY}\n\n")], 0.1, broken=broken))
    return run_report(suite, units, name=NASTY, command=NASTY, gtp_name=NASTY, version=NASTY)


def checked(suite: Suite) -> RunReport:
    """Return a check in which a step fails."""
    units = [u for u in ask(suite, BY_NAME["undo-keeps-stone"].spec, 1) if u.case in ("undo", "script")]
    return run_report(suite, units, "check", name="checked")


def several(both: list[RunReport], count: int) -> tuple[list[RunReport], BotComparison]:
    """Return as many runs, in turn one and the other of two, with a comparison of them."""
    names = [f"{i} {NASTY}" for i in range(count)]
    runs = [_renamed(run, name) for name, run in zip(names, both * count, strict=False)]
    values: list[float | None] = [5.0 + i % 2 for i in range(count)]
    groups: list[int | None] = [i % 2 for i in range(count)]
    quantities = [
        Quantity("sample", "length", "moves", 0.5, 5.0, values, [0.1] * count, groups),
        Quantity("sample", "win", "wins", 0.02, None, [None] * count, [None] * count, [None] * count),
    ]
    comparison = BotComparison(
        names,
        [x.verdict.verdict for x in runs],
        quantities,
        [names[::2], names[1::2]],
        [OddBot(names[1], "sample", "length", 2.0, "R3", NASTY)],
        [ContrastCheck("komi steps", "5.5 = 6", "R5", ["PASS"] * count, ["1 and 1"] * count)],
        [Speed(100, 10, 0.0)] * count,
        NASTY,
    )
    return runs, comparison


def _renamed(run: RunReport, name: str) -> RunReport:
    bot = msgspec.structs.replace(run.verdict.bot, name=name)
    return replace(run, verdict=msgspec.structs.replace(run.verdict, bot=bot))


@pytest.fixture(scope="module", name="runs")
def _runs(suite: Suite) -> dict[str, RunReport]:
    return {"pass": run_report(suite, ask(suite, SPEC, 1)), "nasty": nasty(suite), "check": checked(suite)}


@pytest.fixture(scope="module", name="pages")
def _pages(runs: dict[str, RunReport]) -> dict[str, str]:
    both = [runs["pass"], runs["nasty"]]
    (two, of_two), (many, of_many) = several(both, 2), several(both, 14)
    return {
        **{name: render_html([run], None) for name, run in runs.items()},
        "two": render_html(two, of_two),
        "many": render_html(many, of_many),
    }


NAMES = ("pass", "nasty", "check", "two", "many")


class _Reader(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of a tag."""
        self.tags[tag] += 1
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))

    def handle_data(self, data: str) -> None:
        """Take note of text."""
        self.text += data


def read(page: str) -> _Reader:
    """Read a page."""
    reader = _Reader()
    reader.feed(page)
    return reader


def test_the_same_evidence_gives_the_same_bytes(suite: Suite) -> None:
    """A page made anew from the same units is the same page."""
    units = ask(suite, BY_NAME["one-pass-ends"].spec, 1)

    assert render_html([run_report(suite, units)], None) == render_html([run_report(suite, units)], None)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_needs_nothing_from_outside(pages: dict[str, str], name: str) -> None:
    """Links lead to places of the page itself, which are there, once each; the icon is empty."""
    page = read(pages[name])

    assert [i for i, count in Counter(page.ids).items() if count > 1] == []
    assert {link for link in page.links if not link.startswith("#")} == {"data:,"}
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert "url(" not in pages[name].replace("url(#", "")


@pytest.mark.parametrize("name", NAMES)
def test_headings_go_down_one_level_at_a_time(pages: dict[str, str], name: str) -> None:
    """One first heading, and none that skips a level on the way down."""
    headings = read(pages[name]).headings

    assert headings.count(1) == 1
    assert headings[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


@pytest.mark.parametrize("name", ["nasty", "two", "many"])
def test_what_a_bot_says_is_text(pages: dict[str, str], name: str) -> None:
    """No tag, attribute or template of a bot's comes to life, and its control characters are to be seen."""
    page = read(pages[name])

    assert page.tags["img"] == 0
    assert page.tags["script"] == 1
    assert "onerror" not in page.attributes
    assert "\x1b" not in pages[name]
    assert "\u202e" not in pages[name]
    assert "49$" not in page.text
    assert '<img src=x onerror="alert(1)">&{{ 7*7 }}$x^2$\\x1b[31m\\u202e' in page.text


def test_a_page_says_what_the_verdict_says(runs: dict[str, RunReport], pages: dict[str, str]) -> None:
    """The word, the reason, every requirement with its word, every case, the digests."""
    run = runs["nasty"]
    text = " ".join(read(pages["nasty"]).text.split())

    assert run.verdict.verdict == "FAIL"
    assert f"{printable(NASTY)}: FAIL - refbot" in read(pages["nasty"]).text
    assert printable(run.verdict.reason) in text
    for requirement in run.verdict.requirements:
        assert f"{requirement.id} " in text
    for case in (check.case for requirement in run.verdict.requirements for check in listed(requirement)):
        assert case in text
    assert {original_of(case) for case in run.cases} <= set(text.split())
    for digest in (run.verdict.evidence, run.verdict.suite.digest, run.verdict.engine):
        assert digest in text
    assert run.verdict.diagnosis[0].about in text
    assert "Where it stopped" in text


def test_a_page_of_many_leaves_the_single_checks_out_and_says_so(pages: dict[str, str]) -> None:
    """Up to four runs are shown in full; of more the results, and how to see the rest."""
    assert "leaves out the single checks" not in pages["two"]
    assert f"With more than {MOST_FULL} runs" in pages["many"]
    assert "every check of" in pages["two"]
    assert "every check of" not in pages["many"]


@pytest.fixture(scope="module", name="browser")
def _browser() -> Iterator["Browser"]:
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: "Browser", page: str, folder: Path, width: int, scheme: Any) -> tuple["Page", list[str]]:
    """Open a page with all its parts unfolded; return it and everything it should not have said or asked."""
    path = folder / "report.html"
    path.write_text(page, "utf-8")
    complaints: list[str] = []
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.on("console", lambda message: complaints.append(f"console: {message.text}"))
    tab.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    tab.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))

    def hold(route: Any) -> None:
        if route.request.url == path.as_uri():
            route.continue_()
        else:
            complaints.append(f"request: {route.request.url}")
            route.abort()

    tab.route("**/*", hold)
    tab.goto(path.as_uri())
    return tab, complaints


PICTURES = """() => [...document.querySelectorAll('svg')].filter(s => {
  const box = s.getBoundingClientRect(), region = s.closest('.scroll');
  const right = region ? region.getBoundingClientRect().left + region.scrollWidth : innerWidth;
  const isThere = box.width > 20 && box.height > 5 && s.getBBox().width > 20;
  return !(isThere && box.left >= 0 && box.right <= right + 1);
}).map(s => s.outerHTML.slice(0, 200))"""
"""Pictures that are not to be seen, or reach out of the page."""
FAINT = """() => {
  const channel = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const read = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
  const behind = e => { for (; e; e = e.parentElement) {
    const c = read(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  } return [255, 255, 255]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest('script, .board')) continue;
    const style = getComputedStyle(e), drawn = e.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(read(drawn)), light(behind(e))].sort((x, y) => y - x);
    const words = walker.currentNode.data.slice(0, 40);
    if ((a + .05) / (b + .05) < 4.5) found.add(`${e.className} ${drawn} ${words}`);
  }
  return [...found];
}"""
"""Texts whose contrast is below 4.5 (WCAG 2, level AA)."""
WIDE = "document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("name", NAMES)
def test_a_browser_shows_all_of_it(
    browser: "Browser", pages: dict[str, str], tmp_path: Path, name: str, width: int
) -> None:
    """No error, no request, every picture there, no scrolling sideways, and contrast, in light and dark."""
    for scheme in ("light", "dark"):
        tab, complaints = opened(browser, pages[name], tmp_path, width, scheme)
        assert not tab.evaluate(WIDE)
        tab.get_by_role("button", name="Open all parts").click()
        assert tab.locator("details:not([open])").count() == 0
        assert tab.evaluate(PICTURES) == []
        assert tab.evaluate(FAINT) == []
        assert not tab.evaluate(WIDE)
        assert complaints == []
        tab.close()


@pytest.mark.parametrize("name", ["nasty", "check", "many"])
def test_a_screen_reader_is_told_what_there_is(
    browser: "Browser", pages: dict[str, str], tmp_path: Path, name: str
) -> None:
    """Pictures, regions, tables' headers, links and buttons have names; the first key leads to the result."""
    tab, _ = opened(browser, pages[name], tmp_path, 1400, "light")
    tab.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    tree = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    shown = [node for node in tree if not node.get("ignored")]
    named = {"image", "region", "navigation", "link", "button", "heading", "columnheader", "article"}
    nameless = [
        node["role"]["value"]
        for node in shown
        if node["role"]["value"] in named and not node.get("name", {}).get("value", "").strip()
    ]
    roles = Counter(node["role"]["value"] for node in shown)

    assert nameless == []
    assert roles["main"] == 1
    assert roles["image"] >= (0 if name == "check" else 1)
    assert roles["navigation"] == 1
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("location.hash") == "#main"
    tab.close()


def test_a_page_is_read_without_script(browser: "Browser", pages: dict[str, str], tmp_path: Path) -> None:
    """With scripts off, nothing is missing but the button, and a part opens at a click."""
    path = tmp_path / "report.html"
    path.write_text(pages["pass"], "utf-8")
    tab = browser.new_context(java_script_enabled=False).new_page()
    tab.goto(path.as_uri())
    part = tab.locator("summary").filter(has_text="every playout takes one course").first

    assert not tab.get_by_role("button").is_visible()
    assert not tab.locator("#r1-eye").is_visible()
    part.click()
    assert tab.locator("#r1-eye").is_visible()
    tab.close()


def test_a_printed_page_is_light(browser: "Browser", pages: dict[str, str], tmp_path: Path) -> None:
    """On paper the ground is white and texts have contrast, whatever the screen's colours."""
    tab, _ = opened(browser, pages["nasty"], tmp_path, 1000, "dark")
    tab.emulate_media(media="print")

    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate(FAINT) == []
    tab.close()
