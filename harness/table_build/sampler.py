"""The sampler: makes samples in numbered blocks, in parallel, and saves the state after each block.

Every draw is determined by the sample's seed and the draw's number, and sums of counts do not depend on
their order.  So a sample is the same to the last bit whoever makes it, and however often it was interrupted:
a later call resumes the saved state with the next number.  ``SampleSums`` defines what a draw is and how
draws are added.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from harness.runs.executors import THREADS, Team, default_jobs
from harness.runs.executors import team as open_team
from harness.table_build.cache import Say, recall, retain, set_aside

BLOCK = 4_000_000
"""Playouts of a block on a small board: some seconds, so that an interruption loses little."""
_FULL_BLOCK_AREA = 81
_PARTS = 40
"""Number of parts of a block; each is given to a worker that is free."""
_ONE_MACHINE = 8
"""Number of parallel workers for which a block is made; a larger team gets larger blocks."""
_LEAST_PART = 500

_P = TypeVar("_P")
_F = TypeVar("_F", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class SamplingProgress:
    """The progress of a sample."""

    what: str
    done: int
    total: int
    elapsed_s: float
    """Seconds since this run began or resumed the sample."""
    rate: float
    """Playouts per second of this run; 0 while unknown."""


@dataclass(frozen=True)
class Sampler:
    """The workers that make samples, the folder for their states, and the functions that report progress."""

    see: Callable[[SamplingProgress], None] = lambda _: None
    note: Say = lambda _: None
    """Called with notes for the user."""
    warn: Say = lambda _: None
    """Called with warnings for the user."""
    threads: int = field(default_factory=default_jobs)
    folder: Path | None = None
    """Folder in which states are saved; None for no saving."""
    team: Team | None = None
    """Workers that play instead of threads of this process, if given."""

    @contextmanager
    def executor(self, kind: str = THREADS) -> Iterator[Executor]:
        """Provide the workers: the team, or temporary threads or processes of this machine."""
        if self.team is not None:
            yield self.team.executor
            return
        with open_team(kind, self.threads) as found:
            yield found.executor

    @property
    def scale(self) -> int:
        """How many times as much work as on one machine is done in parallel."""
        return max(1, (self.team.size if self.team else 1) // _ONE_MACHINE)


class SampleSums(ABC, Generic[_P, _F]):
    """The sums of a sample: parts are added, and the state can be stored and restored."""

    kind: type[_F]

    @property
    @abstractmethod
    def part(self) -> Callable[[int, int], _P]:
        """A function that runs a number of draws from a first number; it may run anywhere, in parallel."""

    @abstractmethod
    def add(self, part: _P) -> None:
        """Add a part."""

    @abstractmethod
    def frozen(self, done: int) -> _F:
        """Return the state after ``done`` draws."""

    @abstractmethod
    def resume(self, state: _F) -> int:
        """Restore a state, and return its number of draws."""


def block_of(size: int) -> int:
    """Return the number of playouts of a block: fewer on large boards, where each takes longer."""
    return max(_PARTS, int(BLOCK * min(1.0, _FULL_BLOCK_AREA / size**2) ** 2))


def fill(
    make: Callable[[], SampleSums[_P, _F]],
    total: int,
    sampler: Sampler,
    name: str,
    what: str,
    block: int,
    each: int = 1,
) -> _F:
    """Return the sum of the first ``total`` draws of a sample.

    Args:
        make: a function that returns empty sums.
        total: the number of draws.
        sampler: the sampler.
        name: the name of the sample in the sampler's folder.
        what: a name for people.
        block: the number of draws between two saved states.
        each: the number of playouts of one draw, for the display.
    """
    path = sampler.folder / f"{name}.json" if sampler.folder else None
    sums, done = _resume(make, path, total, sampler)
    started = time.monotonic()
    # Speed counts from the end of the first part, because kernels may have been compiled before that.
    first_done, first_time = 0, inf
    while done < total:
        count = min(block * sampler.scale, total - done)
        for size, part in spread(sums.part, done, count, sampler):
            sums.add(part)
            done += size
            now = time.monotonic()
            first_done, first_time = (done, now) if first_time > now else (first_done, first_time)
            rate = (done - first_done) / (now - first_time) if now > first_time else 0.0
            sampler.see(SamplingProgress(what, done * each, total * each, now - started, rate * each))
        path = _keep(path, sums.frozen(done), sampler)
    return sums.frozen(done)


def _resume(
    make: Callable[[], SampleSums[_P, _F]], path: Path | None, total: int, sampler: Sampler
) -> tuple[SampleSums[_P, _F], int]:
    """Return the saved sums with their number of draws, or empty sums."""
    sums = make()
    state = recall(path, sums.kind, sampler.warn) if path else None
    if path is not None and state is not None:
        try:
            if (done := sums.resume(state)) <= total:
                return sums, done
        except (IndexError, KeyError, ValueError):
            # The file is complete, but belongs to another sample: somebody has put it there.
            set_aside(path, sampler.warn)
    return make(), 0


def _keep(path: Path | None, state: msgspec.Struct, sampler: Sampler) -> Path | None:
    """Save a state; return the path for the next one, or None if saving failed."""
    if path is None:
        return None
    try:
        retain(path, state)
    except OSError as error:
        sampler.warn(f"{path} cannot be written ({error.strerror}); an interruption would lose this sample")
        return None
    return path


def spread(
    run: Callable[[int, int], _P], first: int, count: int, sampler: Sampler
) -> Iterator[tuple[int, _P]]:
    """Run ``count`` draws from number ``first`` in parts; yield each part with its size."""
    size = max(_LEAST_PART, -(-count // (_PARTS * sampler.scale)))
    starts = range(first, first + count, size)
    with sampler.executor() as executor:
        jobs = {
            executor.submit(run, start, n): n for start in starts if (n := min(size, first + count - start))
        }
        for job in as_completed(jobs):
            yield jobs[job], job.result()
