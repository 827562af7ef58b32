"""Forms in which an innocent bot may print ref-score: the specification sets no number of digits (N2)."""

from collections.abc import Callable, Mapping
from math import floor
from typing import Final

PRINTED: Final[Mapping[str, Callable[[float], str]]] = {
    "1 decimal": lambda score: f"{score:.1f}",
    "2 decimals": lambda score: f"{score:.2f}",
    "3 decimals": lambda score: f"{score:.3f}",
    "6 decimals": lambda score: f"{score:.6f}",
    "per cent as %g": lambda score: f"{round(100 * score) / 100:g}",
    "3 digits as %g": lambda score: f"{score:.3g}",
    "exponent": lambda score: f"{score:.4e}",
    "cut to 1 decimal": lambda score: f"{floor(10 * score) / 10:.1f}",
    "cut to 2 decimals": lambda score: f"{floor(100 * score) / 100:.2f}",
    "cut to 3 decimals": lambda score: f"{floor(1000 * score) / 1000:.3f}",
}
"""What each prints, by what it is called; cut in floating point, as such programs do it."""
