"""One chart with axes, as inline SVG in the page's own colours and fonts.  Same values, same bytes.

A plotting library needs 50 ms for each chart and a second to load, and a certificate has forty charts.  So
only the positions of the ticks are taken from the library.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from markupsafe import Markup, escape

_WIDTH: Final = 336
"""Width of a chart, in its units; it fits on the narrowest screen."""
_TOP, _BOTTOM, _RIGHT = 8, 38, 7
_TICK, _LABEL = 14, 30
"""Distance of the axis numbers, and of the axis title, below the axis."""

FAINT, SOFT, OWN, REFERENCE, LIMIT, BAND, OTHER = (
    f"var(--{name})" for name in ("rule", "soft", "own", "reference", "fail", "band", "fail")
)
Range = tuple[float, float]


def ticks_of(span: Range, most: int = 4, *, whole: bool = False) -> list[float]:
    """Return round numbers in a range, chosen by the library's locator."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - many pages have no chart

    low, high = span
    slack = 1e-9 * (high - low)
    values = MaxNLocator(most, integer=whole).tick_values(low, high)
    return [float(value) for value in values if low - slack <= value <= high + slack]


def texts_of(ticks: Sequence[float]) -> list[str]:
    """Return the texts of ticks, all with the number of decimals that they need."""
    step = min((abs(b - a) for a, b in pairwise(ticks)), default=1.0)
    places = next((n for n in range(10) if all(abs(round(t, n) - t) < 1e-3 * step for t in ticks)), 10)
    # Rounding may give -0.0; adding 0.0 makes it 0.0.
    return [f"{round(t, places) + 0.0:,.{places}f}" for t in ticks]


class Chart:
    """A chart that is being drawn."""

    def __init__(self, x: Range, y: Range, height: int = 190, left: float = 0.13) -> None:
        """Set the ranges of the axes.

        Args:
            x: the least and the greatest value of the lower axis.
            y: the values at the bottom and at the top.
            height: the height of the whole chart, in units.
            left: the share of the width that is kept for the labels of the left axis.
        """
        self._x, self._y = x, y
        self._height = height
        self._box = (left * _WIDTH, _TOP, _WIDTH - _RIGHT, height - _BOTTOM)
        self._parts: list[str] = []

    def _across(self, value: float) -> float:
        low, high = self._x
        return round(self._box[0] + (value - low) / (high - low) * (self._box[2] - self._box[0]), 2)

    def _up(self, value: float) -> float:
        low, high = self._y
        return round(self._box[3] - (value - low) / (high - low) * (self._box[3] - self._box[1]), 2)

    def line(
        self, points: Iterable[Range], colour: str, width: float = 1.6, *, is_dashed: bool = False
    ) -> None:
        """Draw a line through points."""
        path = "L".join(f"{self._across(x):g} {self._up(y):g}" for x, y in points)
        dashes = ";stroke-dasharray:6 4" if is_dashed else ""
        self._parts.append(
            f'<path d="M{path}" style="fill:none;stroke:{colour};stroke-width:{width:g}{dashes}"/>'
        )

    def across(self, y: float, colour: str, width: float = 1.2, *, is_dashed: bool = False) -> None:
        """Draw a horizontal line over the whole width."""
        self.line([(self._x[0], y), (self._x[1], y)], colour, width, is_dashed=is_dashed)

    def upright(self, x: float, colour: str, width: float = 1.4, *, is_dashed: bool = False) -> None:
        """Draw a vertical line over the whole height."""
        self.line([(x, self._y[0]), (x, self._y[1])], colour, width, is_dashed=is_dashed)

    def area(self, points: Iterable[Range], colour: str, opacity: float = 1.0) -> None:
        """Fill the polygon with these corners."""
        path = "L".join(f"{self._across(x):g} {self._up(y):g}" for x, y in points)
        self._parts.append(f'<path d="M{path}z" style="fill:{colour};opacity:{opacity:g}"/>')

    def band(self, x: Range | None = None, y: Range | None = None) -> None:
        """Fill a tolerated range of one axis, over the whole of the other axis."""
        (left, right), (low, high) = x or self._x, y or self._y
        self.area([(left, low), (right, low), (right, high), (left, high)], BAND)

    def mark(self, x: float, y: float, colour: str, size: float = 2.8, *, is_diamond: bool = False) -> None:
        """Draw a dot, or a diamond."""
        across, up = self._across(x), self._up(y)
        if is_diamond:
            far = 1.3 * size
            shape = f'<path d="M{across:g} {up - far:g}l{far:g} {far:g}l-{far:g} {far:g}l-{far:g}-{far:g}z"'
        else:
            shape = f'<circle cx="{across:g}" cy="{up:g}" r="{size:g}"'
        self._parts.append(f'{shape} style="fill:{colour}"/>')

    def label_across(self, ticks: Sequence[float], title: str) -> None:
        """Draw the lower axis with its numbers and its title."""
        left, _, right, bottom = self._box
        self._parts.append(f'<path d="M{left:g} {bottom}H{right}" style="stroke:{FAINT};stroke-width:1"/>')
        for tick, text in zip(ticks, texts_of(ticks), strict=True):
            at = self._across(tick)
            is_last = at > _WIDTH - 3 * len(text)
            self._text(_WIDTH if is_last else at, bottom + _TICK, text, "end" if is_last else "middle")
        self._text((left + right) / 2, bottom + _LABEL, title, "middle")

    def label_up(self, ticks: Sequence[float], write: Callable[[float], str] | None = None) -> None:
        """Draw the labels of the left axis: its numbers, or the texts that ``write`` returns for them."""
        texts = texts_of(ticks) if write is None else [write(tick) for tick in ticks]
        for tick, text in zip(ticks, texts, strict=True):
            self._text(self._box[0] - 5, self._up(tick) + 3.5, text, "end")

    def _text(self, x: float, y: float, text: str, anchor: str) -> None:
        self._parts.append(f'<text x="{x:g}" y="{y:g}" style="text-anchor:{anchor}">{escape(text)}</text>')

    def markup(self, title: str, text: str) -> Markup:
        """Return the drawing, with a title and a description for screen readers."""
        # ``_text`` has escaped all text.
        head = Markup('<svg class="chart" role="img" viewBox="0 0 {} {}"><title>{}</title><desc>{}</desc>')
        drawn = Markup("".join(self._parts))  # noqa: S704
        return head.format(_WIDTH, self._height, title, text) + drawn + Markup("</svg>")
