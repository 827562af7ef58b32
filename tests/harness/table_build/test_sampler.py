"""Samples in blocks: the same to the last bit however they are interrupted and on however many threads."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.table_build.cache import recall, retain
from harness.table_build.sampler import BLOCK, Sampler, SampleSums, SamplingProgress, block_of, fill
from harness.table_build.sampling import Chosen

BLOCK_SIZE = 2500


class Draws(SampleSums[dict[str, int], Chosen]):
    """Counts the remainders of the draws' numbers, each draw exactly once."""

    kind = Chosen

    def __init__(self, stop_at: int | None = None) -> None:
        self.counts: dict[str, int] = {}
        self.stop_at = stop_at

    def part(self, first: int, count: int) -> dict[str, int]:
        """Draw."""
        if self.stop_at is not None and first >= self.stop_at:
            raise KeyboardInterrupt
        found: dict[str, int] = {}
        for number in range(first, first + count):
            found[f"A{number % 7}"] = found.get(f"A{number % 7}", 0) + 1
        return found

    def add(self, part: dict[str, int]) -> None:
        """Add."""
        for name, n in part.items():
            self.counts[name] = self.counts.get(name, 0) + n

    def frozen(self, done: int) -> Chosen:
        """Freeze."""
        return Chosen("none", 0, done, dict(sorted(self.counts.items())))

    def resume(self, state: Chosen) -> int:
        """Take over."""
        if "B" in state.counts:
            self.counts["rubbish"] = 1
            raise ValueError
        self.counts = dict(state.counts)
        return state.genmoves


def draw(sampler: Sampler, total: int = 10_000, make: Callable[[], Draws] = Draws) -> Chosen:
    """Make the sample."""
    return fill(make, total, sampler, "name", "draws", BLOCK_SIZE)


PLAIN = draw(Sampler(threads=1))


def test_every_draw_is_counted_once() -> None:
    """The sum of the parts is that of all draws."""
    assert PLAIN.genmoves == sum(PLAIN.counts.values()) == 10_000
    assert PLAIN.counts["A0"] == 10_000 // 7 + 1


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("stop_at", [0, 500, 2500, 3000, 7000, 7500, 9500])
def test_interruptions_change_nothing(tmp_path: Path, threads: int, stop_at: int) -> None:
    """Interrupted anywhere and taken up again, with any number of threads, the sample is the same; whole
    blocks are kept, and the block under way is lost.
    """
    sampler = Sampler(threads=threads, folder=tmp_path)
    try:
        draw(sampler, make=lambda: Draws(stop_at))
    except KeyboardInterrupt:
        state = recall(tmp_path / "name.json", Chosen, pytest.fail)
        assert (state.genmoves if state else 0) == stop_at // BLOCK_SIZE * BLOCK_SIZE
    assert draw(sampler) == PLAIN
    assert recall(tmp_path / "name.json", Chosen, pytest.fail) == PLAIN


def test_a_whole_sample_is_not_made_again(tmp_path: Path) -> None:
    """What is kept whole is taken over without a single draw."""
    draw(Sampler(threads=1, folder=tmp_path))
    assert draw(Sampler(threads=1, folder=tmp_path), make=lambda: Draws(0)) == PLAIN


def test_a_sample_that_grew_is_not_cut(tmp_path: Path) -> None:
    """A kept sample that is larger than asked for is not of use, and made anew."""
    draw(Sampler(threads=1, folder=tmp_path), 20_000)
    assert draw(Sampler(threads=1, folder=tmp_path)) == PLAIN


def test_a_state_of_another_sample(tmp_path: Path) -> None:
    """A whole state that does not fit the sample is set aside, with one line, and spoils nothing."""
    said = list[str]()
    retain(tmp_path / "name.json", Chosen("none", 0, 5, {"B": 5}))
    assert draw(Sampler(threads=1, folder=tmp_path, warn=said.append)) == PLAIN
    assert len(said) == 1
    assert (tmp_path / "name.damaged").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Where nothing can be kept the sample is made all the same, with one line."""
    (tmp_path / "file").write_text("")
    said = list[str]()
    assert draw(Sampler(threads=1, folder=tmp_path / "file" / "deep", warn=said.append)) == PLAIN
    assert len([line for line in said if "interruption" in line]) == 1


def test_progress(tmp_path: Path) -> None:
    """Progress never goes back, ends at the whole, and counts what was resumed."""
    seen = list[SamplingProgress]()
    with pytest.raises(KeyboardInterrupt):
        draw(Sampler(threads=2, folder=tmp_path), make=lambda: Draws(5000))
    draw(Sampler(seen.append, threads=2, folder=tmp_path))
    done = [p.done for p in seen]
    assert sorted(done) == done
    assert done[0] > 5000
    assert (seen[-1].done, seen[-1].total) == (10_000, 10_000)


def test_blocks_are_some_seconds_long() -> None:
    """Blocks are whole up to 9x9, smaller above, where playouts take longer, and never empty."""
    assert [block_of(size) for size in (2, 5, 9)] == [BLOCK] * 3
    assert BLOCK > block_of(13) > block_of(19) > block_of(25) > 10_000
