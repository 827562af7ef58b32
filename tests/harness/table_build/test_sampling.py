"""Samples by the engine: what the engine says, counted once, whatever the threads and interruptions."""

import pickle
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tiny_suite import MOVES, SAMPLE, case_of

from harness.cases.start import Start, start_of
from harness.runs.executors import Team
from harness.table_build.sampler import Sampler, SamplingProgress
from harness.table_build.sampling import (
    Plan,
    count_choices,
    count_outcomes,
    forget,
    genmove_plan_of,
    other_kernel,
    root_of,
    sample_genmoves,
    sample_playouts,
    seed_of,
)
from harness.tables.reference import Sampled
from reference_engine import playouts as engine
from reference_engine.board import Ban, Position
from reference_engine.deviations import BY_NAME
from reference_engine.playouts import Kernel
from reference_engine.spec import SPEC
from reference_engine.vocabulary import Colour

START = start_of(case_of(SAMPLE))
PLAN = Plan(START, (0.5, 3.0), Kernel.LOCKSTEP, 7)
PLAYOUTS = 30_000
TWO = Sampler(threads=2)
CASE = case_of(MOVES)


@pytest.fixture(scope="module")
def sampled() -> Sampled:
    """Return a sample of the empty 3x3 board at two komis."""
    return sample_playouts(PLAN, PLAYOUTS, Sampler(threads=1), "test")


def test_a_sample_is_what_the_engine_says(sampled: Sampled) -> None:
    """Length, margins, first plays, their worth at each komi and owners are those of one engine run."""
    for komi in (0.5, 3.0):
        histogram = engine.histogram_for(3)
        tally = engine.run(root_of(START, komi), PLAYOUTS, 7, owners=True, histogram=histogram)
        assert tally.nodes == sum(length * n for length, _, n in sampled.counts)
        assert all(histogram[length, margin + 9] == n for length, margin, n in sampled.counts)
        assert sampled.visits == tally.visits.tolist()
        assert sampled.wins["3" if komi == 3.0 else "0.5"] == tally.wins.tolist()
        assert [sampled.black, sampled.white] == tally.owned.tolist()
    assert sum(n for _, _, n in sampled.counts) == sampled.playouts == PLAYOUTS


class Elsewhere(Executor):
    """An executor of another machine: what goes there and comes back is pickled, nothing is shared."""

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        """Do it in another memory, as far as that can be told."""
        future: Future[Any] = Future()
        sent, numbers = pickle.loads(pickle.dumps((fn, args)))  # noqa: S301 - our own
        data = pickle.dumps(sent(*numbers))
        assert len(data) < 100_000
        future.set_result(pickle.loads(data))  # noqa: S301
        return future


@pytest.mark.parametrize("size", [1, 40])
def test_a_team_elsewhere_changes_nothing(sampled: Sampled, size: int) -> None:
    """Parts played on other machines, in larger blocks for a larger team, are the same sample to the bit."""
    away = Sampler(team=Team(Elsewhere(), size, lambda _call, _word: None))
    again = sample_playouts(PLAN, PLAYOUTS, away, "test")
    plan = genmove_plan_of(CASE, "test", 2_000)

    assert msgspec.json.encode(sampled) == msgspec.json.encode(again)
    assert count_choices(plan, SPEC, 2_000, away) == count_choices(plan, SPEC, 2_000, TWO)
    assert (count_outcomes(START, SPEC, 2_000, 3, away) == count_outcomes(START, SPEC, 2_000, 3, TWO)).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(sampled: Sampled, threads: int) -> None:
    """Any number of threads gives the same sample, bit for bit."""
    assert msgspec.json.encode(sampled) == msgspec.json.encode(
        sample_playouts(PLAN, PLAYOUTS, Sampler(threads=threads), "test")
    )


def test_interruption_changes_nothing(
    sampled: Sampled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between and within blocks, a sample goes on where it was and comes out the same."""
    monkeypatch.setattr("harness.table_build.sampling.block_of", lambda _: 7_000)

    def stop(progress: SamplingProgress) -> None:
        if progress.done in stops:
            stops.remove(progress.done)
            raise KeyboardInterrupt

    stops = {1_000, 7_000, 15_500}
    sampler = Sampler(stop, threads=1, folder=tmp_path)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            sample_playouts(PLAN, PLAYOUTS, sampler, "test")
    assert sampled == sample_playouts(PLAN, PLAYOUTS, sampler, "test")
    forget(PLAN, sampler)
    assert list(tmp_path.iterdir()) == []


def test_names_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start, komis, kernel, seed and engine each make another sample, kept under another name."""
    ban = Start.of(Position(3, {}, Ban((0, 0), Colour.BLACK)), Colour.BLACK, 0)
    plans = [
        PLAN,
        Plan(ban, PLAN.komis, PLAN.kernel, PLAN.seed),
        Plan(START, (0.5,), PLAN.kernel, PLAN.seed),
        Plan(START, PLAN.komis, Kernel.CHAINS, PLAN.seed),
        Plan(START, PLAN.komis, PLAN.kernel, 8),
    ]
    names = {plan.name for plan in plans}
    monkeypatch.setattr("harness.table_build.sampling.source_digest", lambda: "another engine")
    assert len(names | {PLAN.name}) == 6


def test_seeds_of_purposes() -> None:
    """Each purpose and size has its own seed, the same every time, which JSON readers can hold."""
    seeds = [seed_of("packaged", "d", 10), seed_of("asked", "d", 10), seed_of("packaged", "d", 11)]
    assert len(set(seeds)) == 3
    assert seeds[0] == seed_of("packaged", "d", 10)
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_the_other_kernel() -> None:
    """Each kernel is checked by the other, and by itself on boards only one can play on."""
    assert other_kernel(Kernel.LOCKSTEP, 9) is Kernel.CHAINS
    assert other_kernel(Kernel.CHAINS, 9) is Kernel.LOCKSTEP
    assert other_kernel(Kernel.CHAINS, 13) is Kernel.CHAINS


def test_genmoves_are_what_the_engine_says(tmp_path: Path) -> None:
    """A sample of genmoves is one engine run of them, kept and not made again."""
    plan = genmove_plan_of(CASE, "test", 9_000)
    root = root_of(plan.start, plan.komi)
    direct = engine.choice_counts(root, 4, 9_000, plan.seed, 0, list(plan.candidates))
    sampler = Sampler(threads=2, folder=tmp_path)
    chosen = sample_genmoves(plan, 9_000, sampler, "test")
    assert chosen.counts == {f"{v.upper()} {w}": n for (v, w), n in sorted(direct.items(), key=str)}
    quiet = Sampler(see=lambda _: pytest.fail("made again"), threads=2, folder=tmp_path)
    assert chosen == sample_genmoves(plan, 9_000, quiet, "test")


def test_deviations_are_counted_by_their_own_rules() -> None:
    """Outcomes and choices under a deviation are those of an engine with it; there is room for them."""
    spec = BY_NAME["no-cap"].spec
    counts = count_outcomes(START, spec, 20_000, 3, TWO)
    assert counts.sum() == 20_000
    assert counts[28:].sum() > 0
    assert count_outcomes(START, SPEC, 20_000, 3, TWO)[28:].sum() == 0
    plan = genmove_plan_of(CASE, "test", 2_000)
    resigning = BY_NAME["resigns"].spec
    found = count_choices(genmove_plan_of(CASE, "test", 2_000, spec=resigning), resigning, 2_000, TWO)
    assert sum(found.values()) == 2_000
    assert any(name.startswith("RESIGN") for name in found)
    assert not any(name.startswith("RESIGN") for name in count_choices(plan, SPEC, 2_000, TWO))
