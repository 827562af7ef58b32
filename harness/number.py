"""Numbers that strangers write: ASCII digits, of bounded length, before anything is computed with them.

Python's own readers take digits of any script and of any number, and raise on thousands of them.
"""

import math
import re

_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]{1,18}\.?[0-9]{0,18}|\.[0-9]{1,18})")


def whole_number(text: str) -> int | None:
    """Return the number that at most 18 ASCII digits are; None for anything else."""
    return int(text) if _WHOLE.fullmatch(text) else None


def decimal_number(text: str) -> float | None:
    """Return the number that digits, a sign and a point are; None for anything else."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def is_finite(*numbers: float) -> bool:
    """Whether none of the numbers is infinite, or no number at all."""
    return all(map(math.isfinite, numbers))
