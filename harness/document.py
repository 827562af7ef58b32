"""JSON documents for other programs: verdict, comparison, regression, match, and all that ``--json`` prints.

Every float is rounded to six significant digits.  Two machines compute the same number with different last
bits: the ``exp`` and ``log`` of their C libraries differ, numpy adds in another order on another processor,
and from Python 3.12 on ``sum`` adds floats more exactly.  The sixth digit is far from the last bits and small
beside the intervals in a document.  So the same evidence gives the same bytes on every machine.

Ties.  Many numbers are a count divided by a count.  A share of 640 playouts may be 0.5328125: a 5 in the
seventh place and nothing behind it.  Rounded at once, such a number would go up on one machine and down on
another.  So it is rounded to twelve digits first, which takes the last bits away, and then to six.

What remains.  Where two machines differ by a fraction d of a number, they write it differently if one of the
points at which rounding switches lies between their values.  These are at least a millionth of the number
apart.  So the chance is at most d / 1e-6 for a number that may lie anywhere: 2e-8 for d = 2e-14, the largest
that was measured (docs/verdict.md).  A number that is computed less exactly than that, such as a difference
of nearly equal numbers or the result of an iteration, has to be rounded where it is computed.

Words do not come from rounded numbers: a value is compared with its tolerance before the document is written.
"""

import json
import re
from typing import Final, TypeVar

import msgspec

_Document = TypeVar("_Document")

SIGNIFICANT: Final = 6
"""Digits of a number in a document."""
ROUNDING: Final = 0.5 * 10.0 ** (1 - SIGNIFICANT)
"""Greatest error of a number in a document, as a fraction of it."""
_STEERING: Final = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON leaves as it is and a terminal obeys: C1 characters, and marks of the direction of writing."""
_ALIKE: Final = 12
"""Digits that are the same on every machine."""


def document_bytes(document: object) -> bytes:
    """Return a document as canonical JSON, indented by two: the same document, the same bytes.

    Args:
        document: anything that msgspec can write.  JSON has no NaN and no infinity: either becomes null.
    """
    plain = json.loads(msgspec.json.encode(document), parse_float=_rounded)
    text = msgspec.json.format(msgspec.json.encode(plain), indent=2).decode() + "\n"
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def as_written(document: _Document) -> _Document:
    """Return a document as it is read back from its bytes."""
    return msgspec.json.decode(document_bytes(document), type=type(document))


def _rounded(number: str) -> float:
    alike = float(f"{float(number):.{_ALIKE}g}")
    # Zero is added because the sign of a zero is a matter of the last bits, too: -0.0 becomes 0.0.
    return float(f"{alike:.{SIGNIFICANT}g}") + 0.0
