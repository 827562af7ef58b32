"""Work items: the parts of a spread run, each asked of processes of its own by any free worker.

A work is a value.  The numbers of its processes, and with them their seeds, are part of it: so its answers
depend neither on who asks, nor when, nor where, nor on how often it had to be begun again.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

import msgspec

from harness.bots.bot import Bot
from harness.bots.processes import Starter, start_session
from harness.cases.case import Dialogue
from harness.cases.level import Level
from harness.records.evidence import WorkLine
from harness.runs.asking import FRESH, processes_for, purpose_of
from harness.runs.forecast import AREA, genmoves_of
from harness.runs.plan import Job, playouts_of

HANDSHAKE_WORK = 1
"""Number of the handshake's work item, and of its process."""
_LEAST_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class WorkItem:
    """Cases to be asked one after another, all with the same number of playouts."""

    number: int
    process: int
    """Number of its first process; the next work item has numbers after all that this one may need."""
    purpose: str
    playouts: int
    """Playouts of each genmove."""
    asks: tuple[tuple[str, int], ...]
    """Cases with the number of times each is asked."""
    processes: int = 1
    """Largest number of processes it may need: a script may leave its process in an unknown state."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What all work items of a run have in common: sent to every worker."""

    run: str
    """Identifier of the run among all runs that one worker may serve."""
    bot: Bot
    level: str
    commands: tuple[str, ...]
    """Commands that the bot lists."""
    digests: tuple[str, str, str]
    """Digests of the suite, the engine and the bot's program; a worker's must be the same."""
    start: Starter = start_session


def size_of(level: Level) -> int:
    """Return the playouts of a work item, as if all were on 9x9: 2,000 at standard, 12,649 at reference.

    It grows with the root of a level's budget: a larger run has more works, and larger ones.  A work of a
    bot that plays 10,000 a second then takes a fifth of a second or more, and its start is the lesser part.
    """
    return max(_LEAST_SIZE, round(sqrt(10 * level.budget)))


def divide(
    jobs: Iterable[Job], level: Level, fixed: int | None, number: int, process: int
) -> tuple[WorkItem, ...]:
    """Divide jobs into work items: each holds what one process can be asked, up to a size.

    Args:
        jobs: the jobs; the work items keep their order.
        level: says how large a work is.
        fixed: playouts of each genmove of a bot that always runs the same number.
        number: of the first work.
        process: number of its first process.
    """
    every: list[_Bag] = []
    filling: dict[tuple[str, int], _Bag] = {}
    for job in jobs:
        playouts, purpose = playouts_of(job.case, fixed), purpose_of(job.case, level)
        price = genmoves_of(job.case) * playouts * job.case.file.size**2 / AREA
        left = job.times
        if purpose == FRESH:
            every += [_Bag(purpose, playouts, [(job.case.id, left)]) for _ in range(processes_for(job.case))]
            left = 0
        while left:
            bag = filling.get((purpose, playouts))
            if bag is None or bag.cost + price > size_of(level):
                bag = filling[purpose, playouts] = _Bag(purpose, playouts)
                every.append(bag)
            room = int((size_of(level) - bag.cost) // price) if price else left
            times = min(left, max(1, room))
            bag.asks.append((job.case.id, times))
            bag.cost += times * price
            bag.scripts += times * (job.case.is_script or isinstance(job.case.question, Dialogue))
            left -= times
    works = []
    for bag in every:
        work = WorkItem(number, process, bag.purpose, bag.playouts, tuple(bag.asks), bag.scripts + 1)
        works.append(work)
        number, process = number + 1, process + work.processes
    return tuple(works)


def digest_of(works: Iterable[WorkItem]) -> str:
    """Return a digest of work items, 16 hexadecimal digits."""
    return hashlib.sha256(msgspec.json.encode(list(works))).hexdigest()[:16]


def is_of_shard(work: int, shard: tuple[int, int]) -> bool:
    """Whether a work item, by its number, belongs to a shard (which, of how many)."""
    return work % shard[1] == shard[0] % shard[1]


def check_is(line: WorkLine, work: WorkItem) -> bool:
    """Whether a line of evidence closes this work item."""
    return line.number == work.number and tuple(line.asks) == work.asks


@dataclass
class _Bag:
    """A work item that is being filled."""

    purpose: str
    playouts: int
    asks: list[tuple[str, int]] = field(default_factory=list)
    cost: float = 0.0
    scripts: int = 0
