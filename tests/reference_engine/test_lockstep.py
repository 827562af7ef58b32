"""The lock-step kernel: what it makes of lanes, batches and machines; proofs are elsewhere."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference_engine import lockstep, playouts
from reference_engine.board import Position
from reference_engine.compiled import compiled
from reference_engine.deviations import CATALOGUE
from reference_engine.lanes import WIDTH, load, store
from reference_engine.playouts import Kernel, Root
from reference_engine.records import Records
from reference_engine.spec import SPEC, Spec
from reference_engine.vocabulary import Colour

SEED = 20081013
KNOWN = [d for d in CATALOGUE if lockstep.knows(d.spec)]


def record(size: int, count: int, first: int = 0, spec: Spec = SPEC) -> Records:
    """Record playouts of the lock-step kernel from the empty board, everything kept."""
    root = Root(Position(size), Colour.BLACK)
    return playouts.record(
        root, count, SEED, first, spec=spec, kernel=Kernel.LOCKSTEP, owners=True, moves=True
    )


def digest_of(records: Records) -> str:
    """Return a digest of all that was recorded."""
    digest = hashlib.sha256()
    for array in records:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("size", [2, 5, 9])
def test_a_playout_depends_on_its_number_alone(size: int) -> None:
    """One batch, several and single playouts give the same rows: lanes that end early favour nobody."""
    count = 5 * WIDTH + 3
    whole = record(size, count)

    cuts = [0, 1, WIDTH - 1, 2 * WIDTH + 5, count]
    for start, end in pairwise(cuts):
        part = record(size, end - start, start)
        for all_rows, some_rows in zip(whole, part, strict=True):
            assert np.array_equal(all_rows[start:end], some_rows)


def test_every_playout_that_was_started_is_recorded() -> None:
    """No row of a batch is left out, whatever its size beside the number of lanes."""
    for count in (1, WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH):
        assert record(3, count).lengths.min() >= 2


def test_numbers_beyond_an_even_share_are_drawn_again() -> None:
    """Of 2**32 random numbers exactly 2**32 mod n are refused for n points: the rest share evenly."""

    @compiled
    def again(state: Any, scratch: Any) -> None:
        suspect = lockstep.less(load(state, 0), load(state, 1))
        store(state, 2, lockstep._drawn_again(load(state, 0), load(state, 1), suspect, scratch))

    for draws in range(1, 83):
        excess = 2**32 % draws
        for start in range(0, draws, WIDTH):
            low = np.arange(start, start + WIDTH, dtype=np.uint32)
            state = np.stack([low, np.full(WIDTH, draws, np.uint32), low])
            again(state, np.zeros((lockstep.SCRATCH, WIDTH), np.uint32))
            refused = [bool(x) for x in state[2]]
            assert refused == [int(x) < excess for x in low]


PROGRAM = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_lockstep import digest_of, record
from reference_engine.lanes import WIDTH
print(WIDTH, *(digest_of(record(size, 300)) for size in (3, 9)))
"""
MACHINES = {
    "8 lanes": {"REFBOT_LANES": "8"},
    "64 lanes": {"REFBOT_LANES": "64"},
    "a plain x86-64 without a cache": {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "REFBOT_LANES": "4",
        "XDG_CACHE_HOME": "/proc/none",
        "TMPDIR": "/proc/none",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_lanes_and_machine_change_nothing(machine: str) -> None:
    """The same playouts come out with other numbers of lanes, and on a processor without wide vectors."""
    environment = {**os.environ, **MACHINES[machine]}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    lanes, *digests = done.stdout.split()

    assert lanes == MACHINES[machine]["REFBOT_LANES"]
    assert digests == [digest_of(record(size, 300)) for size in (3, 9)]


def test_most_deviations_are_known() -> None:
    """All but a dozen run in lock step: not those that need lists, histories, counts or a table of eyes."""
    unknown = {d.name for d in CATALOGUE} - {d.name for d in KNOWN}

    assert unknown == {
        "board-scan",
        "list-scan",
        "last-never-drawn",
        "contact-bias",
        "ko-outlives-turn",
        "ko-survives-pass",
        "superko-in-playouts",
        "eye-edge-never",
        "eye-corner-never",
        "eye-black-only",
        "eye-opponent-only",
        "amaf-every-play",
        "amaf-weighted",
        "eight-bit-modulo",
    }
