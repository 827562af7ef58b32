"""Published figures: read from one place, and compared with a reference in standard errors."""

from math import sqrt
from pathlib import Path

import pytest
from test_figures import reference

from harness.cases.start import Start
from harness.cases.suite import fixtures_folder
from harness.errors import FixtureError
from harness.tables.published import PublishedSample, compare, is_published, load_published, sample_of


def test_the_rows_of_2008() -> None:
    """Don Dailey's table and the earlier playouts are there, each row with its number of playouts."""
    samples = load_published(fixtures_folder())
    dailey = [s for s in samples if "Dailey" in s.source]
    assert {s.playouts for s in dailey} == {1_000_000}
    assert {komi for s in dailey for komi, _ in s.scores} == {0.0, 5.5, 6.0, 6.5, 7.0, 7.5}
    assert {s.scores[0][0]: s.length for s in dailey}[7.5] == 111.047843
    earlier = next(s for s in samples if s.playouts == 200_000_000)
    assert (earlier.length, earlier.sd, earlier.longest) == (111.0588, 16.017, 219)


def test_comparison() -> None:
    """A difference counts in the errors of both samples together."""
    sample = PublishedSample("somebody", 8, [(0.5, 0.5)], length=5.0, sd=2.0, longest=9)
    found = {c.quantity: c for c in compare(reference(), [sample])}
    wins = found["score at komi 0.5"]
    assert (wins.theirs, wins.ours) == (0.5, 0.875)
    assert wins.z == pytest.approx(0.375 / sqrt(7 / 64 * (1 / 8 + 1 / 8)))
    assert found["length"].z == pytest.approx((5.625 - 5.0) / sqrt(2.484375 * (1 / 8 + 1 / 8)))
    assert found["longest"].z is None
    assert found["sd of the length"].z is not None


def test_a_reference_agrees_with_itself() -> None:
    """Nothing differs between a reference and its own figures."""
    assert {c.z for c in compare(reference(), [sample_of(reference(), "itself")])} == {0.0}


def test_whose_figures_they_are() -> None:
    """The published figures are of the empty 9x9 board with Black to move, and of nothing else."""
    rows = (". " * 8 + ".",) * 9
    assert is_published(Start(9, rows, "black", 0))
    assert not is_published(Start(9, rows, "white", 0))
    assert not is_published(Start(9, rows, "black", 1))
    assert not is_published(Start(9, ("X" + rows[0][1:], *rows[1:]), "black", 0))
    assert not is_published(reference().start)


def test_a_broken_file(tmp_path: Path) -> None:
    """A file that is missing or broken is named."""
    with pytest.raises(FixtureError, match=r"published\.toml"):
        load_published(tmp_path)
    (tmp_path / "published.toml").write_text("[[samples]]\nplayouts = 3\n")
    with pytest.raises(FixtureError, match=r"published\.toml"):
        load_published(tmp_path)
