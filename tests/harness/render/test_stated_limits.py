"""What a run could see, in lines; e-values as numbers; and the ten lines on what words mean."""

from importlib import resources
from pathlib import Path

import msgspec
import pytest
from judged_runs import certified

from harness.e_value import format_e_value
from harness.judging.verdict import Detectable
from harness.render.limits import detectable_line, exclusion_line, limits_of, shift_text

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(
    ("log10_e", "text"),
    [(-0.31, "0.49"), (0.0, "1"), (1.0, "10"), (3.7, "5,000"), (4.0, "10,000"), (5.99, "980,000")],
)
def test_e_values_are_numbers(log10_e: float, text: str) -> None:
    """An e-value that people can read is written out."""
    assert format_e_value(log10_e) == text


@pytest.mark.parametrize(("log10_e", "text"), [(18.7, "10^18.7"), (-6.56, "10^-6.6"), (6.0, "10^6.0")])
def test_other_e_values_are_powers(log10_e: float, text: str) -> None:
    """One with too many zeros is a power of ten."""
    assert format_e_value(log10_e) == text


def test_a_shift_has_its_unit() -> None:
    """A shift down is as large as one up; where none would do, that is said."""
    found = Detectable("a", "length", "moves", 100, -0.553, 0.95)
    assert shift_text(found) == "0.553 moves a playout"
    assert shift_text(msgspec.structs.replace(found, shift=None)) == "no shift of the length, however large"


def test_lines_of_a_run() -> None:
    """The case asked most and the chosen moves that show least are named; what is not excluded too."""
    _, _, verdict = certified("", "smoke")
    found = [
        Detectable("few", "length", "moves", 100, 3.0, 0.95),
        Detectable("many", "length", "moves", 1000, 1.0, 0.95),
        Detectable("many", "score", "wins", 1000, -0.02, 0.95),
        Detectable("seen", "chosen moves", "total variation", 300, 0.1, 0.95),
        Detectable("hidden", "chosen moves", "total variation", 300, 0.3, 0.95),
    ]
    told = msgspec.structs.replace(verdict, detectable=found, excluded=["a"], not_excluded=["b", "c"])
    assert "1 of 3 (error 0.001 each); not seen: b, c" in exclusion_line(told)
    line = detectable_line(told)
    assert "many: 1 moves a playout or 0.02 of the win fraction" in line
    assert "0.3 of the genmoves (hidden, the least visible)" in line
    assert "few" not in line
    assert "probability 0.95" in line
    assert len(list(limits_of(told))) == 3
    assert len(list(limits_of(msgspec.structs.replace(told, detectable=[])))) == 2


def test_the_ten_lines_stand_in_the_docs() -> None:
    """What every report says of the words is what docs/statistics.md says."""
    text = resources.files("harness.render").joinpath("pages", "meaning.txt").read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) == 10
    page = (DOCS / "statistics.md").read_text("utf-8")
    assert "".join(f"- {line}\n" for line in lines) in page
