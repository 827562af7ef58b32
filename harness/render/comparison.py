"""A comparison of bots on a terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from harness.comparison.bot_comparison import BotComparison, Quantity
from harness.render.terminal import safe, word
from harness.word import UNJUDGED, Word

_WIDEST = 8
"""Largest number of bots with a column each; of more bots only those that differ have one."""
_PAIRS = 10


def apart(comparison: BotComparison) -> list[int]:
    """Return the places of the bots that stand apart: the odd ones, then those that failed, then others.

    Others are shown to be unlike the reference, or could not be judged.
    """
    classes = {name: place for place, names in enumerate(comparison.classes) for name in names}
    odd = [o.bot for o in comparison.odd]
    found = []
    for place, (name, verdict) in enumerate(zip(comparison.bots, comparison.verdicts, strict=True)):
        is_other = name in classes and comparison.reference_class not in (None, classes[name])
        if name in odd:
            # A majority may be wrong: an odd bot that passed is not the first to be blamed.
            found.append((3 if verdict in (Word.PASS, Word.NON_STRICT) else 0, odd.index(name), place))
        elif verdict == Word.FAIL:
            found.append((1, 0, place))
        elif verdict in UNJUDGED or is_other:
            found.append((2, 0, place))
    return [place for *_, place in sorted(found)]


def reason_of(comparison: BotComparison, place: int) -> str:
    """Return why a bot stands apart, in a sentence without a full stop."""
    name = comparison.bots[place]
    if comparison.verdicts[place] in {Word.FAIL, *UNJUDGED} and len(comparison.reasons) > place:
        return comparison.reasons[place]
    return next((o.reason for o in comparison.odd if o.bot == name), "not like the reference")


def answer_of(comparison: BotComparison) -> tuple[str, str]:
    """Return the first bot that stands apart and why; if none does, which bots agree."""
    if places := apart(comparison):
        first = places[0]
        name, reason = comparison.bots[first], reason_of(comparison, first)
        broken = comparison.requirements[first] if len(comparison.requirements) > first else ""
        leads = [
            "not judged" if comparison.verdicts[first] in UNJUDGED else "",
            f"breaks {broken}" if broken else "",
            "the odd one" if any(o.bot == name for o in comparison.odd) else "not like the reference",
        ]
        lead = next(filter(None, leads))
        others = f", and {len(places) - 1} more stand apart" if len(places) > 1 else ""
        reason = reason.removeprefix(f"{name}: ").removeprefix(f"{broken} is broken: ")
        return name, f"{lead}{others}" + ("" if reason == lead else f": {reason}")
    if comparison.reference_class is not None and not comparison.undecided:
        return ", ".join(comparison.classes[comparison.reference_class]), "like the reference"
    return ", ".join(comparison.undecided or comparison.bots), "cannot be told"


def render_comparison(comparison: BotComparison, folder: str, *, verbose: bool = True) -> RenderableType:
    """Return the classes of bots, the odd ones and, if ``verbose``, the measurements."""
    parts: list[RenderableType] = [
        Panel(_standing(comparison), title=f"refbot compare, level {comparison.level}")
    ]
    if comparison.odd:
        parts.append(_odd(comparison))
    parts.append(_bots(comparison))
    if verbose:
        parts.append(_quantities(comparison))
        if comparison.differences:
            parts.append(_differences(comparison))
        parts.append(_checks(comparison))
    if comparison.note:
        parts.append(escape(comparison.note))
    if not verbose:
        parts.append(
            "[dim]every measure, every pair and the checks that need no table: --verbose, or the page[/]"
        )
    parts.append(f"comparison.json, and every bot's evidence and verdict.json, in [bold]{escape(folder)}[/]")
    return Group(*parts)


def _standing(comparison: BotComparison) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for place, names in enumerate(comparison.classes):
        is_own = place == comparison.reference_class
        title = "[green]like the reference[/]" if is_own else "[red]not like the reference[/]"
        if not is_own and len(names) > 1:
            title = "[red]alike, not like the reference[/]"
        grid.add_row(title, _names(names))
    if comparison.undecided:
        grid.add_row("[cyan]cannot be told[/]", _names(comparison.undecided))
    placed = {name for names in comparison.classes for name in names} | set(comparison.undecided)
    if unplaced := [name for name in comparison.bots if name not in placed]:
        grid.add_row("[magenta]not judged[/]", _names(unplaced))
    for odd in comparison.odd:
        broken = f"  [bold red]{odd.requirement}[/]" if odd.requirement else ""
        grid.add_row("the odd one", f"[bold]{safe(odd.bot, 40)}[/]{broken}")
    return grid


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"[bold]{safe(name, 40)}[/]" for name in names)


def _odd(comparison: BotComparison) -> RenderableType:
    table = _table("The odd one out", "bot", "requirement", "case", "measure", "tolerances off", "why")
    for odd in comparison.odd:
        off = f"{odd.residual:+.1f}" if odd.residual else ""
        table.add_row(safe(odd.bot, 40), odd.requirement, odd.case, odd.measure, off, safe(odd.reason, 300))
    return table


def _bots(comparison: BotComparison) -> RenderableType:
    table = _table("Bots", "bot", "verdict", "breaks", "playouts/s", "genmoves/s", "playouts", "why")
    for place, name in enumerate(comparison.bots):
        speed = comparison.speeds[place]
        rates = [
            f"{n / speed.seconds:,.0f}" if speed.seconds else "" for n in (speed.playouts, speed.genmoves)
        ]
        table.add_row(
            safe(name, 40),
            word(comparison.verdicts[place]),
            comparison.requirements[place],
            *rates,
            f"{speed.playouts:,}",
            safe(comparison.reasons[place], 240),
        )
    return table


def _quantities(comparison: BotComparison) -> RenderableType:
    shown = _shown(comparison)
    names = [comparison.bots[place] for place in shown]
    title = "Length and win fraction, beside the reference"
    if len(shown) < len(comparison.bots):
        title += f" ({len(shown)} of {len(comparison.bots)} bots; all are in comparison.json)"
    table = _table(title, "case", "measure", "reference", *(safe(name, 24) for name in names))
    for quantity in comparison.quantities:
        reference = "" if quantity.reference is None else f"{quantity.reference:.4f} ~{quantity.tolerance:g}"
        cells = [_cell(quantity, place) for place in shown]
        table.add_row(quantity.case, quantity.measure, reference, *cells)
    table.caption = (
        "~ tolerance; +- anytime-valid interval, all of them together with error "
        f"{comparison.alpha:g}; [red](1)[/] in another class than the reference, [cyan]?[/] cannot be told"
    )
    table.caption_justify = "left"
    return table


def _shown(comparison: BotComparison) -> list[int]:
    everybody = list(range(len(comparison.bots)))
    if len(everybody) <= _WIDEST:
        return everybody
    own = comparison.classes[comparison.reference_class] if comparison.reference_class is not None else []
    return [place for place in everybody if comparison.bots[place] not in own][:_WIDEST] or everybody[
        :_WIDEST
    ]


def _cell(quantity: Quantity, place: int) -> str:
    value, radius, group = quantity.values[place], quantity.radii[place], quantity.classes[place]
    if value is None:
        return "[dim]-[/]"
    text = f"{value:.4f} +- {radius:.4f}"
    if group is None:
        return f"{text} [cyan]?[/]"
    return text if group == 0 else f"[red]{text} ({group})[/]"


def _differences(comparison: BotComparison) -> RenderableType:
    shown = sorted(comparison.differences, key=lambda d: (-d.distance, d.bots))[:_PAIRS]
    title = f"Pairs shown to differ ({len(shown)} of {len(comparison.differences)})"
    table = _table(title, "bots", "most in", "measure", "tolerances apart", "measures that differ")
    for d in shown:
        pair = " / ".join(safe(name, 40) for name in d.bots)
        table.add_row(pair, d.case, d.measure, f"{d.distance:.1f}", str(d.quantities))
    return table


def _checks(comparison: BotComparison) -> RenderableType:
    table = _table(
        "Checks that need no table", "check", "requirement", "bot", "word", "one side against the other"
    )
    for check in comparison.checks:
        if set(check.words) in ({"PASS"}, {"NOT-APPLICABLE"}):
            found = check.words[0]
            why = "" if found == "PASS" else safe(check.details[0], 120)
            table.add_row(check.name, check.requirement, "all", word(found), why)
            continue
        for place, found in enumerate(check.words):
            row = (check.name, check.requirement) if place == 0 else ("", "")
            bot = safe(comparison.bots[place], 40)
            table.add_row(*row, bot, word(found), safe(check.details[place], 120))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    numbers = (
        "tolerances off",
        "playouts/s",
        "genmoves/s",
        "playouts",
        "tolerances apart",
        "measures that differ",
    )
    for name in columns:
        table.add_column(name, justify="right" if name in numbers else "left")
    return table
