"""Charts for HTML pages: evidence by playouts, lengths, bots side by side, runs over time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from harness.bots.wire import printable
from harness.comparison.bot_comparison import Quantity
from harness.render.chart import FAINT, LIMIT, OTHER, OWN, REFERENCE, SOFT, Chart, ticks_of
from harness.report.evidence_growth import EvidenceStep
from harness.report.lengths import Lengths

_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMED: Final = 12
"""Largest number of bots that a chart names; more bots are numbered."""


def draw_path(looks: Sequence[EvidenceStep], limit: float, what: str) -> Markup:
    """Draw the growth of an e-value with the playouts, and the line at which it convicts.

    Args:
        looks: one or more looks at the evidence.
        limit: the power of ten at which the evidence convicts.
        what: the name of the case or run.
    """
    xs, ys = [look.playouts for look in looks], [look.log10_e for look in looks]
    low, high = min(0.0, *ys), max(limit, *ys)
    margin = 0.12 * (high - low)
    x, y = (0.0, max(xs[-1], 1) * 1.04), (low - margin, high + margin)
    chart = Chart(x, y)
    chart.across(limit, LIMIT, is_dashed=True)
    chart.across(0, FAINT, 1)
    chart.line(zip(xs, ys, strict=True), OWN)
    chart.mark(xs[-1], ys[-1], OWN, 2.4)
    chart.label_across(ticks_of(x), "playouts; up: e-value")
    chart.label_up(ticks_of(y, whole=True), _power)
    text = (
        f"{what}: 10 to the power of {ys[-1]:.2f} after {xs[-1]:,} playouts; it convicts at 10 to the power "
        f"of {limit:.2f}. Highest on the way {max(ys):.2f}, lowest {min(ys):.2f}."
    )
    return chart.markup("Evidence by playouts", text)


def draw_lengths(lengths: Lengths) -> Markup:
    """Draw the observed lengths as bars, and the expected ones of the reference as a stepped line."""
    edges = lengths.edges
    x, y = (edges[0], edges[-1]), (0.0, 1.08 * max(*lengths.counts, *lengths.expected, 1))
    chart = Chart(x, y)
    observed = list(_steps(edges, lengths.counts))
    chart.area([(edges[0], 0), *observed, (edges[-1], 0)], OWN, 0.45)
    chart.line(_steps(edges, lengths.expected), REFERENCE)
    unit = "moves of a playout" if lengths.playouts == 1 else "mean moves of a playout"
    chart.label_across(ticks_of(x), f"{unit}; up: genmoves")
    chart.label_up(ticks_of(y, whole=True))
    rows = zip(edges, lengths.counts, lengths.expected, strict=False)
    values = "; ".join(f"from {edge:.2f}: {count}, {wanted:.1f}" for edge, count, wanted in rows if count)
    return chart.markup("Lengths beside the reference's", f"Genmoves seen and expected by length. {values}.")


def _steps(edges: Sequence[float], heights: Sequence[float]) -> Iterator[tuple[float, float]]:
    for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True):
        yield left, height
        yield right, height


def draw_quantity(quantity: Quantity, bots: Sequence[str]) -> Markup:
    """Draw the estimates of all bots for one measure, with the tolerance around the reference.

    Args:
        quantity: the measure.
        bots: the names of the bots.
    """
    count, is_named = len(bots), len(bots) <= _NAMED
    rows = [
        (place, value, radius, group)
        for place, (value, radius, group) in enumerate(
            zip(quantity.values, quantity.radii, quantity.classes, strict=True)
        )
        if value is not None
    ]
    reference, tolerance = quantity.reference, quantity.tolerance
    ends = [value + side * (radius or 0.0) for _, value, radius, _ in rows for side in (-1, 1)]
    ends += [] if reference is None else [reference - tolerance, reference + tolerance]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    margin = 0.05 * (high - low) or 1.0
    x = (low - margin, high + margin)
    height, left = 56 + (20 if is_named else 9) * count, 0.36 if is_named else 0.1
    chart = Chart(x, (count - 0.4, -0.6), height, left)
    if reference is not None:
        chart.band(x=(reference - tolerance, reference + tolerance))
        chart.upright(reference, REFERENCE)
    for place, value, radius, group in rows:
        colour = SOFT if group is None else OWN if group == 0 else OTHER
        if radius is not None:
            chart.line([(value - radius, place), (value + radius, place)], colour)
        chart.mark(value, place, colour, 2.8 if is_named else 2.0, is_diamond=group not in (None, 0))
    chart.label_across(ticks_of(x), quantity.unit)
    names = [printable(name, 18) if is_named else f"{place}" for place, name in enumerate(bots, start=1)]
    chart.label_up(range(count), lambda place: names[int(place)])
    places = 4
    text = "; ".join(
        f"{printable(bots[place], 40)} {value:.{places}f}"
        + ("" if radius is None else f" plus or minus {radius:.{places}f}")
        for place, value, radius, _ in rows
    )
    return chart.markup(f"{quantity.case}, {quantity.measure}, of every bot", text)


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
) -> Markup:
    """Draw the values of consecutive runs.

    Args:
        marks: the value of each run; None for a run without one.
        changed: indices of the runs at which something changed.
        unit: the unit of the values.
        band: the least tolerated value, the reference and the greatest tolerated value, if there are any.
        title: the title of the chart.
    """
    known = [(place, mark) for place, mark in enumerate(marks, start=1) if mark is not None]

    ends = [end for _, mark in known for end in (mark.low, mark.high)]
    ends += [] if band is None else [band[0], band[2]]
    margin = 0.08 * (max(ends) - min(ends)) or 1.0
    x, y = (0.5, len(marks) + 0.5), (min(ends) - margin, max(ends) + margin)
    chart = Chart(x, y)
    if band is not None:
        chart.band(y=(band[0], band[2]))
        chart.across(band[1], REFERENCE, 1.4)
    for place in changed:
        chart.upright(place + 0.5, LIMIT, 1.2, is_dashed=True)
    for place, mark in known:
        chart.line([(place, mark.low), (place, mark.high)], OWN)
        chart.mark(place, mark.value, OWN)
    chart.label_across(ticks_of(x, 8, whole=True), f"run; up: {unit}")
    chart.label_up(ticks_of(y))
    text = "; ".join(f"run {place}: {m.value:.4f}, {m.low:.4f} to {m.high:.4f}" for place, m in known)
    return chart.markup(title, text)


def _power(value: float) -> str:
    return f"10{str(round(value)).translate(_RAISED)}"
