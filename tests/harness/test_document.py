"""The writer of JSON documents: which numbers it rounds, and that machines which nearly agree write the same.

Statements for all numbers, tried on random ones.  They claim no error rate.
"""

import json
from decimal import ROUND_HALF_EVEN, Decimal
from math import inf, nan
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from harness.document import ROUNDING, as_written, document_bytes

NOISE = 1e-13
"""By what fraction of a number two machines differ here: seven times the most that was measured."""

_FLOATS = st.floats(1e-300, 1e300) | st.floats(-1e300, -1e-300) | st.just(0.0)
_EXACT = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text()


def _documents(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
    )


class Shape(msgspec.Struct):
    """A document with every kind of number."""

    count: int
    values: tuple[float, ...]
    missing: float | None = None


def test_the_bytes_of_a_document() -> None:
    """Six digits, integers as they are, no negative zero, null for what JSON cannot say."""
    numbers = (
        0.23857584758582648,
        111.0571,
        1234567.8,
        0.0001,
        0.00000123456789,
        1e-300,
        3.0,
        -0.0,
        nan,
        inf,
    )

    assert document_bytes({"n": 12345678, "f": numbers, "s": "0.12345678", "e": []}) == (
        b'{\n  "n": 12345678,\n  "f": [\n    0.238576,\n    111.057,\n    1234570.0,\n    0.0001,\n'
        b"    1.23457e-6,\n    1e-300,\n    3.0,\n    0.0,\n    null,\n    null\n  ],\n"
        b'  "s": "0.12345678",\n  "e": []\n}\n'
    )


@given(_documents(_EXACT | _FLOATS))
def test_rounding_twice_is_rounding_once(document: Any) -> None:
    """What was read back is written with the same bytes."""
    written = document_bytes(document)
    assert document_bytes(json.loads(written)) == written
    assert document_bytes(as_written(document)) == written


@given(_documents(_EXACT))
def test_what_is_no_float_is_left_alone(document: Any) -> None:
    """Integers of any length, texts that look like numbers, words and gaps are read back as they were."""
    assert json.loads(document_bytes(document)) == document


@given(_FLOATS)
def test_how_far_rounding_goes(number: float) -> None:
    """The error is at most half a unit of the sixth digit, but for the twelve digits first."""
    assert abs(_written(number) - number) <= (ROUNDING + 1e-11) * abs(number)


def test_a_struct_is_read_back_as_one() -> None:
    """Its type is kept, with tuples and gaps."""
    assert as_written(Shape(1, (1.23456789, 2.0))) == Shape(1, (1.23457, 2.0))


@given(st.integers(1, 10**12 - 1), st.integers(-20, 20))
def test_numbers_of_twelve_digits_hold_still(digits: int, exponent: int) -> None:
    """Ties are among them: a little more or less of a number that stands at a boundary changes no byte."""
    number = float(Decimal(digits).scaleb(exponent))
    assert _written(number * (1 - NOISE)) == _written(number) == _written(number * (1 + NOISE))


def test_every_share_of_640_playouts_holds_still() -> None:
    """A share computed in two ways is written in one, though rounding at once would tell the two apart."""
    once = [count / 640 for count in range(641)]
    twice = [1 - (640 - count) / 640 for count in range(641)]

    assert document_bytes(once) == document_bytes(twice)
    assert [f"{share:.6g}" for share in once] != [f"{share:.6g}" for share in twice]


@given(_FLOATS)
@example(0.23857584758582648)
def test_other_numbers_hold_still_away_from_a_boundary(number: float) -> None:
    """The same of any number but those within a few units of the twelfth digit of a tie."""
    assume(number == 0 or abs(number - _tie_near(number)) > 2e-11 * abs(number))
    assert _written(number * (1 - NOISE)) == _written(number) == _written(number * (1 + NOISE))


@pytest.mark.parametrize("number", [1.000004999995, 0.2385755000005])
def test_a_boundary_is_still_a_boundary(number: float) -> None:
    """Half a unit of the twelfth digit beside a tie there are numbers that two machines write differently."""
    assert _written(number * (1 - NOISE)) != _written(number * (1 + NOISE))


def _written(number: float) -> Any:
    return json.loads(document_bytes([number]))[0]


def _tie_near(number: float) -> float:
    """Return the nearest number halfway between two of six digits."""
    exact = Decimal(number)
    unit = Decimal(1).scaleb(exact.adjusted() - 5)
    below = (exact / unit - Decimal("0.5")).quantize(Decimal(1), ROUND_HALF_EVEN)
    return float((below + Decimal("0.5")) * unit)
