"""A regression as an HTML page."""

from collections.abc import Callable
from typing import Any, Final

from harness.comparison.regression import DRIFTED, UNKNOWN, Regression
from harness.render import html_words
from harness.render.bench import format_ratio
from harness.render.html_page import render_page
from harness.render.regress import FEW

PAGE_NAME: Final = "regress.html"
_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "sign": html_words.sign,
    "tone": html_words.tone,
    "number": html_words.number,
    "format_ratio": format_ratio,
    "sentence": html_words.sentence,
}


def render_regression_page(regression: Regression) -> str:
    """Return the page of a regression."""
    known = [s for s in regression.shifts if s.word != UNKNOWN]
    return render_page(
        "regress.jinja",
        _FILTERS,
        title=f"{regression.now.bot}: {regression.outcome} - refbot regress",
        refbot=regression.now.refbot,
        r=regression,
        few=FEW,
        shifts=sorted(known, key=lambda s: (s.word != DRIFTED, -abs(s.sigma))),
    )
