"""An e-value in words: a number where people can read one, a power of ten beyond that."""

_LARGEST = 6
"""Power of ten up to which an e-value is written out."""
_SMALLEST = -3


def format_e_value(log10_e: float) -> str:
    """Return an e-value to two significant digits.

    Args:
        log10_e: its logarithm to the base of ten.
    """
    if not _SMALLEST <= log10_e < _LARGEST:
        return f"10^{log10_e:.1f}"
    value = float(f"{10.0**log10_e:.2g}")
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"
