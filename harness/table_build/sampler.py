"""The sampler: makes samples in numbered blocks, on all threads or by a team, and keeps the state of each.

Every draw is fixed by the sample's seed and the draw's number, and sums of counts do not depend on their
order.  So a sample is the same to the last bit whoever plays it, and however often it was interrupted: a
later call takes the kept state over and goes on with the next number.  What is drawn, and how it adds up,
is decided by ``SampleSums``.
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
"""Playouts between two states of a small board: some seconds, so that little is lost with a block."""
_FULL_BLOCK_AREA = 81
_PARTS = 40
"""Parts of a block, handed to whoever is free."""
_ONE_MACHINE = 8
"""Works at a time of which a block is made; a larger team gets larger blocks."""
_LEAST_PART = 500

_P = TypeVar("_P")
_F = TypeVar("_F", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class SamplingProgress:
    """Where a sample stands."""

    what: str
    done: int
    total: int
    elapsed_s: float
    """Seconds since this run took the sample up."""
    rate: float
    """Playouts a second of this run; 0 while nobody can know."""


@dataclass(frozen=True)
class Sampler:
    """Who makes samples, where their states are kept, and who is told."""

    see: Callable[[SamplingProgress], None] = lambda _: None
    note: Say = lambda _: None
    """Called with notes for the user."""
    warn: Say = lambda _: None
    """Called with warnings for the user."""
    threads: int = field(default_factory=default_jobs)
    folder: Path | None = None
    """Where states are kept; None for nowhere."""
    team: Team | None = None
    """Workers that play instead of threads of this process, if given."""

    @contextmanager
    def executor(self, kind: str = THREADS) -> Iterator[Executor]:
        """Provide whoever plays: the team, or threads or processes of this machine for the moment."""
        if self.team is not None:
            yield self.team.executor
            return
        with open_team(kind, self.threads) as found:
            yield found.executor

    @property
    def scale(self) -> int:
        """How many times the work of one machine is done at a time."""
        return max(1, (self.team.size if self.team else 1) // _ONE_MACHINE)


class SampleSums(ABC, Generic[_P, _F]):
    """The sums of a sample: parts are added, and the state can be stored and restored."""

    kind: type[_F]

    @property
    @abstractmethod
    def part(self) -> Callable[[int, int], _P]:
        """Runs a number of draws from a number on; called anywhere, several at a time."""

    @abstractmethod
    def add(self, part: _P) -> None:
        """Add a part."""

    @abstractmethod
    def frozen(self, done: int) -> _F:
        """Return the state after ``done`` draws."""

    @abstractmethod
    def resume(self, state: _F) -> int:
        """Take a state over, and return its number of draws."""


def block_of(size: int) -> int:
    """Return the playouts of a block: fewer on large boards, where each takes longer."""
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
        make: returns the sums of no draws.
        total: draws.
        sampler: how.
        name: names the sample among all others in the sampler's folder.
        what: names it for people.
        block: draws between two states.
        each: playouts of one draw, for the display.
    """
    path = sampler.folder / f"{name}.json" if sampler.folder else None
    sums, done = _resume(make, path, total, sampler)
    started = time.monotonic()
    # Rates count from the end of the first part, before which kernels may have been compiled.
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
    """Return the sums as they were kept, with their number of draws; or those of no draws."""
    sums = make()
    state = recall(path, sums.kind, sampler.warn) if path else None
    if path is not None and state is not None:
        try:
            if (done := sums.resume(state)) <= total:
                return sums, done
        except (IndexError, KeyError, ValueError):
            # Whole, but not of this sample: somebody put it there.
            set_aside(path, sampler.warn)
    return make(), 0


def _keep(path: Path | None, state: msgspec.Struct, sampler: Sampler) -> Path | None:
    """Keep a state; return where the next one is to be kept, None if that has no use."""
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
