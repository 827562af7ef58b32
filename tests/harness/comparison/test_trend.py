"""Runs of one bot over time: what is told, and what cannot be a trend."""

import pytest
from judged_runs import header, judged_run, units

from harness.comparison.regression import CHANGED, DRIFTED, NEWLY_FAILING, STEADY, Change, MeasureShift
from harness.comparison.trend import Point, Trend, _of, trend_of
from harness.errors import UsageError
from harness.judging.verdict import Estimate
from harness.render.trend import answer_of, render_trend_page


def point(day: int, length: float, *changes: str) -> Point:
    """Return a run of one day."""
    mean = Estimate("length", "moves a playout", length, 0.2, 111.0, 0.7)
    return Point(f"2026-01-{day:02}T00:00:00+00:00", "bot 1", "PASS", "all", mean, None, None, changes)


TREND = Trend("opening-9x9", (point(1, 111.0), point(2, 111.1), point(3, 111.6, "length moved")))


def test_the_page_says_where_something_changed() -> None:
    """The answer, the dashed line, and every run with its interval; the same values, the same bytes."""
    page = render_trend_page(TREND, "0")

    assert answer_of(TREND) == "3 runs, 1 with a change; the last on 2026-01-03 00:00:00 UTC: length moved"
    assert page == render_trend_page(TREND, "0")
    assert "<b>Mean length</b>" in page
    assert "<b>Score</b>" not in page
    assert "some intervals lie apart" in page
    assert "111.60" in page
    assert page.count("var(--fail)") > render_trend_page(Trend("c", TREND.points[:2]), "0").count(
        "var(--fail)"
    )


@pytest.mark.parametrize(
    ("levels", "said"), [(["smoke"], "two runs"), (["check", "check"], "check"), (["smoke"] * 2, "no trend")]
)
def test_what_is_no_trend(levels: list[str], said: str) -> None:
    """One run, runs of check, and runs without a mean are one clear error."""
    with pytest.raises(UsageError, match=said):
        trend_of([judged_run(units(), header(level=level)) for level in levels])


def test_what_counts_as_a_change() -> None:
    """Requirements that fail newly and means that drifted; neither cases nor what is steady."""
    kinds = (("requirement", NEWLY_FAILING), ("case", NEWLY_FAILING), ("requirement", CHANGED))
    changes = [Change(item, "R4", kind, "PASS", "FAIL", "") for item, kind in kinds]
    shifts = [
        MeasureShift("a", "length", "moves", word, 1, 2, 0.1, 9, 1, 9, 0.1, 1, "z")
        for word in (DRIFTED, STEADY)
    ]
    found = type("Found", (), {"changes": changes, "shifts": shifts, "speeds": []})()

    assert list(_of(found)) == ["R4 newly failing", "length of a moved by +1.0000 moves"]
