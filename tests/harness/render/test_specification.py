"""The specification: the page is current, whole, and says what the fixtures say."""

import re
from pathlib import Path

import pytest
from rich.console import Console

from harness.cases.suite import load_suite
from harness.errors import FixtureError, UsageError
from harness.render.specification import _before, _board, _talk, render_clause, render_specification
from harness.tables.openings import openings_of
from harness.tables.tables import Tables
from reference_engine.deviations import CATALOGUE, UNTELLABLE

DOCS = Path(__file__).parents[3] / "docs"
SUITE = load_suite()
OPENINGS = openings_of(SUITE, Tables(SUITE.folder / "tables"))
PAGE = render_specification(SUITE, OPENINGS)


def test_the_page_is_current() -> None:
    """docs/specification.md is what `refbot explain --all` prints."""
    assert (DOCS / "specification.md").read_text("utf-8") == PAGE, "run `make specification`"


@pytest.mark.parametrize("rule", list(SUITE.requirements))
def test_explain_and_the_page_say_the_same(rule: str) -> None:
    """Every requirement has its section, and what explain prints of it stands on the page word for word."""
    console = Console(width=200, no_color=True)
    with console.capture() as captured:
        console.print(render_clause(SUITE, rule))
    wanted = plain(section(rule))
    assert plain(captured.get()) == wanted
    r = SUITE.requirements[rule]
    for text in (
        r.clause,
        r.reading,
        *(part for o in r.open for part in (o.question, o.accepted, o.because)),
    ):
        assert plain(text) in wanted


def test_stars_and_bars_are_shown() -> None:
    """Markdown makes nothing slanted of N*N, and no column of a bar."""
    assert r"three times N\*N moves" in section("R3")
    assert "N*N" not in re.sub("```.*?```", "", PAGE, flags=re.DOTALL)


def test_every_case_and_mistake_has_its_place() -> None:
    """A case is linked, and a mistake named, in the section of the requirement it belongs to."""
    for case in SUITE.every_case.values():
        if case.requirement not in SUITE.requirements:
            continue  # a clause of GTP that says nothing of a reference bot: docs/check.md
        assert f"[{case.id}](../" in section(case.requirement)
    for d in CATALOGUE:
        assert f"- `{d.name}`: {d.about}" in section(d.requirement).replace("\\", "")
    assert [u.name for u in UNTELLABLE if f"`{u.name}`" not in PAGE] == []


def test_links_lead_somewhere() -> None:
    """Files that the page links to exist, and so do the headings."""
    titles = re.findall(r"^#+ (.*)", PAGE, re.MULTILINE)
    headings = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}
    targets = re.findall(r"\]\(([^)]*)\)", PAGE)
    assert len(targets) > len(SUITE.cases)
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in headings
        else:
            assert (DOCS / target).is_file(), target


def test_no_example_is_missing() -> None:
    """Every board asked for by the template is in the suite, and drawn."""
    assert "this suite has no case" not in PAGE
    assert PAGE.count("```") % 2 == 0
    assert "{{" not in PAGE
    assert "{%" not in PAGE


def test_the_figures_are_those_of_the_tables() -> None:
    """The published figures and ours stand side by side; ours are those of the opening's table."""
    nine = next(board for board in OPENINGS.boards if board.size == 9)
    assert (nine.length.mean, nine.counted) == pytest.approx((111.057, 39.996), abs=0.001)
    assert nine.scores[7.0] == pytest.approx((nine.scores[6.5] + nine.scores[7.5]) / 2, abs=1e-9)
    assert "| 9x9 | 111.0571 ± 0.0005 | 16.02 |" in PAGE
    assert "| score at komi 7 | 0.4333795 |" in PAGE
    assert max(abs(c.z) for c in OPENINGS.published if c.z is not None) < 4


def test_wrong_bots_are_told_by_their_size() -> None:
    """The mistakes that the empty board shows stand there, the plainest first; others do not."""
    sizes = [max(abs(m.length_off), abs(m.score_off)) for m in OPENINGS.mistaken]
    assert sizes == sorted(sizes, reverse=True)
    names = [m.deviation for m in OPENINGS.mistaken]
    assert {"eye-no-diagonals", "komi-ignored"} <= set(names)
    assert {"cap-4NN", "ko-survives-pass"}.isdisjoint(names)


def test_an_unknown_requirement() -> None:
    """There is no section of a requirement that does not exist."""
    with pytest.raises(UsageError, match="no requirement 'R99'"):
        render_clause(SUITE, "R99")


def test_the_template_asks_for_what_there_is() -> None:
    """A picture of one move earlier needs a move, a talk known answers; another suite may lack a case."""
    with pytest.raises(FixtureError, match="nothing came before it"):
        _before(SUITE, "opening-9x9")
    with pytest.raises(FixtureError, match="leaves its answers open"):
        _talk(SUITE, "ko-snapback-is-no-ko")
    for draw in (_board, _before, _talk):
        assert draw(SUITE, "no-such-case") == "(this suite has no case no-such-case)"


def section(rule: str) -> str:
    """Return a requirement's section of the page."""
    found = re.search(rf"^### {rule}: .*?(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def plain(text: str) -> str:
    """Return the words of Markdown, or of what a terminal shows of it: links, signs and layout left out."""
    text = re.sub(r"\]\(\.\.[^)]*\)", "]", text).replace("\\", "")
    return " ".join(re.findall(r"[A-Za-z0-9]+", text.replace("```text", ""))).lower()
