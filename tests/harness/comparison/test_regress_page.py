"""The page of a regression opens with its outcome."""

import msgspec
import pytest

from harness.comparison.regression import NEWLY_FAILING, Change, Regression
from harness.render.regress_page import render_regression_page

_RUN = {
    "folder": "runs/1", "verdict": "PASS", "level": "standard", "refbot": "0", "suite": "s", "engine": "e",
    "evidence": "v", "bot": "<bot>", "executable": "x", "playouts": 1,
}  # fmt: skip


@pytest.mark.parametrize(("outcome", "reasons"), [("PASS", []), ("FAIL", ["R4 fails newly", "slower"])])
def test_the_outcome_stands_first(outcome: str, reasons: list[str]) -> None:
    """The word with its first reason before anything else, what changed, and the bot's name as text."""
    changes = [Change("requirement", "R4", NEWLY_FAILING, "PASS", "FAIL", "an eye", counts=True)]
    found = msgspec.convert(
        {
            "schema": 1, "then": _RUN, "now": _RUN, "outcome": outcome, "reasons": reasons,
            "changes": msgspec.to_builtins(changes if reasons else []), "unchanged": {}, "suite_changes": [],
            "shifts": [], "speeds": [], "rates": None, "stale": [], "notes": ["no speed"], "alpha": 1e-4,
            "speed_margin": 0.05,
        },
        Regression,
    )  # fmt: skip

    page = render_regression_page(found)
    text = page[page.index("<main") :]

    assert (
        text.index(outcome)
        < text.index(reasons[0] if reasons else "Nothing counts")
        < text.index("What to do")
    )
    assert ("an eye" in text) == bool(reasons)
    assert "<bot>" not in page
