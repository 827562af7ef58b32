"""Charts with axes for HTML pages, as inline SVG: evidence by playouts, lengths, bots side by side.

Their colours and fonts are the page's own, so that they follow light and dark.  Same values, same bytes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final
from xml.etree import ElementTree as ET

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, ScalarFormatter

from harness.bots.wire import printable
from harness.comparing.comparison import Quantity
from harness.showing.lengths import Lengths
from harness.showing.path import Look

_DOT: Final = 72
"""Dots of the page in an inch of a figure."""
_WIDTH: Final = 336
"""Of a chart: it stands whole on the narrowest screen."""
_SVG: Final = "http://www.w3.org/2000/svg"
_INK, _FAINT, _OWN, _REFERENCE, _LIMIT, _BAND, _OTHER = (
    "#010203",
    "#010204",
    "#010205",
    "#010206",
    "#010207",
    "#010208",
    "#010209",
)
_COLOURS: Final = {
    _INK: "var(--ink)",
    _FAINT: "var(--rule)",
    _OWN: "var(--own)",
    _REFERENCE: "var(--reference)",
    _LIMIT: "var(--fail)",
    _BAND: "var(--band)",
    _OTHER: "var(--fail)",
}
"""What stands in the page for the colours drawn with."""
_SETTINGS: Final[Any] = {
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10.0,
    "path.simplify": False,
}
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMED: Final = 12
"""Bots up to which a chart names them; more are numbered."""

ET.register_namespace("", _SVG)
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def draw_path(looks: Sequence[Look], limit: float, what: str, name: str) -> Markup:
    """Draw how an e-value grew with the playouts, and the line at which it convicts.

    Args:
        looks: one or more.
        limit: where it convicts, as a power of ten.
        what: whose evidence it is, in words.
        name: no other chart of the page has.
    """
    xs, ys = [look.playouts for look in looks], [look.log10_e for look in looks]

    def plot(axes: Axes) -> None:
        axes.axhline(limit, color=_LIMIT, linewidth=1.2, linestyle=(0, (5, 3)))
        axes.axhline(0, color=_FAINT, linewidth=1)
        axes.plot(xs, ys, color=_OWN, linewidth=1.6)
        axes.plot(xs[-1:], ys[-1:], color=_OWN, marker="o", markersize=4, linestyle="none")
        low, high = min(0.0, *ys), max(limit, *ys)
        margin = 0.12 * (high - low)
        axes.set_xlim(0, max(xs[-1], 1) * 1.04)
        axes.set_ylim(low - margin, high + margin)
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(_power))
        axes.set_xlabel("playouts")

    text = (
        f"{what}: 10 to the power of {ys[-1]:.2f} after {xs[-1]:,} playouts; it convicts at 10 to the power "
        f"of {limit:.2f}. Highest on the way {max(ys):.2f}, lowest {min(ys):.2f}."
    )
    return _chart(plot, "Evidence by playouts", text, name)


def draw_lengths(lengths: Lengths, name: str) -> Markup:
    """Draw lengths seen as bars, and what the reference would have as a line of steps."""

    def plot(axes: Axes) -> None:
        axes.stairs(lengths.counts, lengths.edges, fill=True, color=_OWN, alpha=0.45, linewidth=0)
        axes.stairs(lengths.expected, lengths.edges, color=_REFERENCE, linewidth=1.6, baseline=None)
        axes.set_xlim(lengths.edges[0], lengths.edges[-1])
        axes.set_ylim(0, 1.08 * max(*lengths.counts, *lengths.expected, 1))
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.set_xlabel("moves of a playout" if lengths.playouts == 1 else "mean moves of a playout")

    rows = zip(lengths.edges, lengths.counts, lengths.expected, strict=False)
    seen = "; ".join(f"from {edge:.2f}: {count}, {wanted:.1f}" for edge, count, wanted in rows if count)
    return _chart(
        plot, "Lengths beside the reference's", f"Genmoves seen and expected by length. {seen}.", name
    )


def draw_quantity(quantity: Quantity, bots: Sequence[str], places: int, name: str) -> Markup:
    """Draw all bots' estimates of one measure in one strip, with the tolerance around the reference.

    Args:
        quantity: the measure.
        bots: their names.
        places: decimals of the numbers along the axis.
        name: no other chart of the page has.
    """
    count, is_named = len(bots), len(bots) <= _NAMED
    rows = [
        (place, value, radius, group)
        for place, (value, radius, group) in enumerate(
            zip(quantity.values, quantity.radii, quantity.classes, strict=True)
        )
        if value is not None
    ]

    def plot(axes: Axes) -> None:
        reference = quantity.reference
        if reference is not None:
            axes.axvspan(
                reference - quantity.tolerance, reference + quantity.tolerance, color=_BAND, linewidth=0
            )
            axes.axvline(reference, color=_REFERENCE, linewidth=1.4)
        for place, value, radius, group in rows:
            colour, marker = (_OWN, "o") if group == 0 else (_OTHER, "D")
            if radius is not None:
                axes.plot([value - radius, value + radius], [place, place], color=colour, linewidth=1.6)
            axes.plot([value], [place], color=colour, marker=marker, markersize=5 if is_named else 3.5)
        labels = [printable(name, 18) if is_named else f"{place}" for place, name in enumerate(bots, start=1)]
        axes.set_yticks(range(count))
        axes.set_yticklabels(labels, parse_math=False)
        axes.set_ylim(count - 0.4, -0.6)
        # The library's own formatter has as many decimals as its ticks need.
        ticks = ScalarFormatter(useOffset=False)
        ticks.set_scientific(False)
        axes.xaxis.set_major_formatter(ticks)
        axes.set_xlabel(quantity.unit)

    text = "; ".join(
        f"{printable(bots[place], 40)} {value:.{places + 1}f}"
        + ("" if radius is None else f" plus or minus {radius:.{places + 1}f}")
        for place, value, radius, _ in rows
    )
    left = 0.36 if is_named else 0.1
    height = 56 + (20 if is_named else 9) * count
    return _chart(plot, f"{quantity.case}, {quantity.measure}, of every bot", text, name, height, left)


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with its interval."""

    value: float
    low: float
    high: float


def draw_trend(
    marks: Sequence[Mark | None],
    changed: Sequence[int],
    unit: str,
    band: tuple[float, float, float] | None,
    title: str,
    name: str,
) -> Markup:
    """Draw values of runs one after another.

    Args:
        marks: of each run; None where it has none.
        changed: places of runs at which something changed.
        unit: of the values.
        band: the least, the middle and the most that is tolerated, if anything is.
        title: of the chart.
        name: no other chart of the page has.
    """
    known = [(place, mark) for place, mark in enumerate(marks, start=1) if mark is not None]

    def plot(axes: Axes) -> None:
        if band is not None:
            axes.axhspan(band[0], band[2], color=_BAND, linewidth=0)
            axes.axhline(band[1], color=_REFERENCE, linewidth=1.4)
        for place in changed:
            axes.axvline(place + 0.5, color=_LIMIT, linewidth=1.2, linestyle=(0, (5, 3)))
        for place, mark in known:
            axes.plot([place, place], [mark.low, mark.high], color=_OWN, linewidth=1.6)
            axes.plot([place], [mark.value], color=_OWN, marker="o", markersize=4)
        axes.set_xlim(0.5, len(marks) + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(min(8, len(marks)), integer=True))
        ticks = ScalarFormatter(useOffset=False)
        ticks.set_scientific(False)
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.yaxis.set_major_formatter(ticks)
        axes.set_xlabel(f"run; up: {unit}")

    text = "; ".join(f"run {place}: {m.value:.4f}, {m.low:.4f} to {m.high:.4f}" for place, m in known)
    return _chart(plot, title, text, f"trend-{name}")


def _power(value: float, _: object) -> str:
    return f"10{str(round(value)).translate(_RAISED)}"


def _chart(
    plot: Callable[[Axes], None], title: str, text: str, name: str, height: int = 190, left: float = 0.13
) -> Markup:
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": name}):
        figure = Figure(figsize=(_WIDTH / _DOT, height / _DOT))
        figure.patch.set_visible(False)
        bottom = 38 / height
        axes = figure.add_axes((left, bottom, 0.98 - left, 1 - bottom - 8 / height))
        axes.patch.set_visible(False)
        axes.tick_params(length=0, pad=5, colors=_INK)
        axes.xaxis.label.set_color(_INK)
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(_FAINT)
        axes.xaxis.set_major_locator(MaxNLocator(4))
        if left <= 0.13:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.10g}"))
        plot(axes)
        for artist in (*axes.lines, *axes.patches, *axes.collections):
            artist.set_clip_on(False)
        out = StringIO()
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _inline(out.getvalue(), title, text)


def _inline(svg: str, title: str, text: str) -> Markup:
    """Make a drawing part of a page: named, without ids that could meet others, in the page's colours."""
    root = ET.fromstring(svg[svg.index("<svg") :])  # noqa: S314 - drawn here
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)  # a style in one drawing is a style of the whole page
    for element in root.iter():
        if element.tag == f"{{{_SVG}}}g":
            element.attrib.pop("id", None)
        if element.tag == f"{{{_SVG}}}text" and "style" in element.attrib:
            kept = [s for s in element.attrib["style"].split(";") if not s.strip().startswith("font")]
            element.attrib["style"] = ";".join(kept).strip()
    for name in ("version", "height", "width"):
        root.attrib.pop(name, None)
    root.attrib |= {"class": "chart", "role": "img"}
    for place, (tag, words) in enumerate((("title", title), ("desc", text))):
        element = ET.Element(f"{{{_SVG}}}{tag}")
        element.text = words
        root.insert(place, element)
    drawn = ET.tostring(root, encoding="unicode")
    for drawn_with, shown in _COLOURS.items():
        drawn = drawn.replace(drawn_with, shown)
    # Everything in it was escaped by the library that wrote it.
    return Markup(re.sub(r">\s+<", "><", drawn))  # noqa: S704
