"""Real certificates, really killed: each resumed to the verdict it would have had, nothing counted twice."""

import random
import time
from pathlib import Path

import pytest
from kills import ROOT, Survivor, bot_for, summary, survive
from strikes import strike

pytestmark = pytest.mark.skipif(
    not (ROOT / "examples" / "refbot-c").exists(),
    reason="examples/refbot-c is not built; run `make examples`",
)
UNITS = 600
"""About as many as a certificate of the C example has at level standard."""


def tried(base: Path, seed: int, kills: int) -> Survivor:
    """Kill one certificate so often, and hold it to the rules of all."""
    folder = base / f"k{seed}"
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    survivor = survive(bot_for(folder), "standard", folder, dice, kills, UNITS)
    assert (survivor.word, set(survivor.requirements.values())) == ("PASS", {"PASS"})
    return survivor


@pytest.mark.slow
def test_a_certificate_killed_three_times(tmp_path: Path) -> None:
    """A bot that conforms passes after three kills, every unit counted once, no process left behind."""
    assert tried(tmp_path, 7, 3).kills


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_a_strike_leaves_nothing(tmp_path: Path, seed: int) -> None:
    """A spread run and a match, struck once: no daemon, no folder, no secret, and nothing lost."""
    assert strike(tmp_path, seed)


@pytest.mark.long
def test_two_hundred_strikes(tmp_path: Path) -> None:
    """Two hundred signals of four kinds, to four commands, with bots that leave daemons behind."""
    for seed in range(200):
        strike(tmp_path, seed)


@pytest.mark.long
def test_two_hundred_kills(tmp_path: Path) -> None:
    """Two hundred kills, one to four of each certificate, change no word."""
    began, survivors, seed = time.monotonic(), list[Survivor](), 0
    while sum(len(s.kills) for s in survivors) < 200:
        seed += 1
        survivors.append(tried(tmp_path, seed, 1 + seed % 4))
    print(summary(survivors, time.monotonic() - began))
