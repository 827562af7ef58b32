"""A regression as an HTML page.  Takes the document; counts and judges nothing."""

from collections.abc import Callable
from typing import Any, Final

from harness.comparison.regression import DRIFTED, UNKNOWN, Regression
from harness.render import html_words as said
from harness.render.bench import percent
from harness.render.html_page import render_page

PAGE_NAME: Final = "regress.html"
_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "sign": said.sign,
    "tone": said.tone,
    "number": said.number,
    "percent": percent,
    "sentence": said.sentence,
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
        shifts=sorted(known, key=lambda s: (s.word != DRIFTED, -abs(s.sigma))),
    )
