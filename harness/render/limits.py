"""The limits of a run in lines of text, for terminals, Markdown and plain text."""

from collections.abc import Iterator

from harness.e_value import format_e_value
from harness.judging.verdict import Detectable, Verdict

_UNITS = {"length": "moves a playout", "score": "of the win fraction", "chosen moves": "of the genmoves"}


def spent(verdict: Verdict) -> str:
    """Return the numbers of playouts and genmoves, and the time."""
    return f"{verdict.playouts:,} playouts in {verdict.genmoves:,} genmoves, {verdict.elapsed_s:.1f} s"


def limits_of(verdict: Verdict) -> Iterator[str]:
    """Yield a line for the evidence, one for the known mistakes, and one for the detectable shifts."""
    yield evidence_line(verdict)
    yield exclusion_line(verdict)
    if verdict.detectable:
        yield detectable_line(verdict)


def evidence_line(verdict: Verdict) -> str:
    """Return the e-value against conformance, and the value that convicts."""
    value = format_e_value(verdict.log10_e)
    return f"e-value {value} against conformance (convicts at {1 / verdict.alpha:,.0f})"


def exclusion_line(verdict: Verdict) -> str:
    """Return the number of known mistakes that were excluded, and the names of the others."""
    known = len(verdict.excluded) + len(verdict.not_excluded)
    line = f"a bot with exactly one known mistake would have been seen: {len(verdict.excluded)} of {known}"
    line += f" (error {verdict.beta:g} each)"
    return line + (f"; not seen: {', '.join(verdict.not_excluded)}" if verdict.not_excluded else "")


def detectable_line(verdict: Verdict) -> str:
    """Return the smallest detectable shifts: of the case asked most, and the largest one of chosen moves."""
    means = [d for d in verdict.detectable if d.quantity != "chosen moves"]
    choices = [d for d in verdict.detectable if d.quantity == "chosen moves"]
    shifts = []
    if means:
        case = max(means, key=lambda d: d.sample).case
        shifts += [f"{case}: " + " or ".join(shift_text(d) for d in means if d.case == case)]
    if choices:
        worst = max(choices, key=lambda d: (d.shift is None, abs(d.shift or 0.0)))
        shifts.append(f"chosen moves: {shift_text(worst)} ({worst.case}, the least visible)")
    power = verdict.detectable[0].probability
    return f"a shift of this size would have been convicted with probability {power:g}: {'; '.join(shifts)}"


def shift_text(found: Detectable) -> str:
    """Return a shift with its unit."""
    if found.shift is None:
        return f"no shift of the {found.quantity}, however large"
    return f"{abs(found.shift):.3g} {_UNITS[found.quantity]}"
