"""References on demand: exact where that is possible, kept, the same every time, and announced."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tiny_suite import FRESH, MOVES, SAMPLE, write_suite

from harness.cases.start import Start, start_of
from harness.cases.suite import load_suite
from harness.errors import FixtureError
from harness.table_build.demand import OnDemand, ReferenceRequest, exact_of, make_reference, plan_of
from harness.table_build.sampler import Sampler
from harness.tables.figures import lengths_of, wins_of
from harness.tables.tables import Tables
from reference_engine.board import Position
from reference_engine.vocabulary import Colour

SMALL = Start.of(Position(2), Colour.BLACK, 0)
LARGE = Start.of(Position(5), Colour.BLACK, 0)


def test_exact_where_that_is_possible() -> None:
    """The empty 2x2 board is exact; its sample, for the maps, agrees within 6 standard errors."""
    found = make_reference(ReferenceRequest(SMALL, (0.5,), 10**9, maps=100_000), Sampler(threads=2), "test")
    assert found.exact is not None
    assert found.sampled.playouts == 100_000
    assert sum(p for _, _, p in found.exact.chances) == pytest.approx(1, abs=10 * found.exact.error)
    sampled = msgspec.structs.replace(found, exact=None)
    lengths, wins = lengths_of(sampled), wins_of(sampled, 0.5)
    assert abs(lengths.mean - lengths_of(found).mean) < 6 * lengths.error
    assert abs(wins.value - wins_of(found, 0.5).value) < 6 * wins.error


def test_sampled_where_it_is_not() -> None:
    """The empty 5x5 board has too many states."""
    found = make_reference(ReferenceRequest(LARGE, (0.5,), 20_000, states=500), Sampler(threads=2), "test")
    assert found.exact is None
    assert found.sampled.playouts == 20_000


def test_an_attempt_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a distribution is feasible is found out once."""
    sampler = Sampler(folder=tmp_path)
    exact, none = exact_of(SMALL, 1000, sampler), exact_of(LARGE, 500, sampler)
    assert exact is not None
    assert none is None
    monkeypatch.setattr(
        "harness.table_build.demand.distribution_of", lambda *_, **__: pytest.fail("computed again")
    )
    assert (exact, none) == (exact_of(SMALL, 1000, sampler), exact_of(LARGE, 500, sampler))


def test_sizes_and_purposes_are_other_samples() -> None:
    """A sample for another purpose, or of another size, is independent of this one."""
    order = ReferenceRequest(LARGE, (0.5,), 1000)
    assert plan_of(order, 1000).seed != plan_of(order, 2000).seed
    assert plan_of(order, 1000).seed != plan_of(replace(order, purpose="check"), 1000).seed


def test_what_is_not_packaged(tmp_path: Path) -> None:
    """A case without packaged tables is an error, or made on demand: announced, kept, the same next time."""
    cases = {"sample": SAMPLE.replace("size = 3", "size = 4"), "moves": MOVES, "fresh": FRESH}
    suite = load_suite(write_suite(tmp_path / "suite", cases))
    folder = suite.folder / "tables"
    sample, moves, fresh = (suite.cases[name] for name in cases)
    for ask in (lambda: Tables(folder).reference(sample), lambda: Tables(folder).choice(moves)):
        with pytest.raises(FixtureError, match="refbot tables --rebuild"):
            ask()
    assert not any(Tables(folder).has(case) for case in suite.cases.values())
    said = list[str]()
    sampler = Sampler(note=said.append, threads=2, folder=tmp_path / "cache")
    tables = Tables(folder, OnDemand(sampler, 20_000))
    tables.prepare(suite.cases.values())
    assert [line.split(":")[0] for line in said] == [
        start_of(fresh).about,
        "moves",
        start_of(sample).about,
    ]
    assert tables.sample(sample).shifts == {}
    assert tables.rivals(moves) == {}
    assert tables.histogram(sample).total == 20_000
    assert tables.mixture(sample).log_e([tables.histogram(sample).mean * 100], 100) < 1
    again = Tables(folder, OnDemand(replace(sampler, see=lambda _: pytest.fail("made again")), 20_000))
    again.prepare(suite.cases.values())
    assert again.reference(sample) == tables.reference(sample)
    assert again.choice(moves) == tables.choice(moves)
