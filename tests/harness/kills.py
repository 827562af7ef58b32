"""Certificates killed by SIGKILL at random moments and resumed, by the real command, and what came of it."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from certificates import shipped

from harness.bots.processes import seed_of
from harness.document import document_bytes
from harness.records.evidence import FILE_NAME, Evidence, Unit, read_evidence, read_part
from harness.runs.record import VERDICT_NAME, judged

ROOT = Path(__file__).parents[2]
DEADLINE_S = 120.0
GONE_S = 10.0
"""Within which the bots of a killed run must be gone; the watchdog gives them two seconds."""


@dataclass(frozen=True)
class Kill:
    """Where one kill struck."""

    units: int
    """Whole lines of units at that moment."""
    torn: bool
    was_asking: bool
    """Whether a bot's process was there, so that a unit may have been under way."""


@dataclass(frozen=True)
class Survivor:
    """A certificate that was killed, perhaps more than once, and came to its end."""

    kills: tuple[Kill, ...]
    evidence: Evidence
    word: str
    requirements: dict[str, str]


def survive(bot: str, level: str, folder: Path, dice: random.Random, kills: int, most: int) -> Survivor:
    """Run a certificate, kill it, resume it, and so on; then hold what it left to the rules.

    Args:
        bot: the command, see ``bot_for``.
        level: the level.
        folder: of the run.
        dice: says when to kill.
        kills: how often, at most: a run may end before.
        most: about how many units an undisturbed run has.
    """
    done: list[Kill] = []
    first = [bot, "--level", level, "--out", str(folder)]
    arguments = first
    while len(done) < kills:
        begun = _units(folder)
        target = dice.randint(begun, max(begun, most)) if done else dice.randint(0, most)
        process = _start(arguments)
        if not _wait_for(process, folder, target, dice.uniform(0.0, 0.02)):
            break
        asking = bool(bots_of(folder))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert gone(folder), "a bot outlived the harness"
        path = folder / FILE_NAME
        data = path.read_bytes() if path.exists() else b""
        done.append(Kill(max(0, data.count(b"\n") - 1), not data.endswith(b"\n"), asking))
        # Killed before its first line it has nothing to go on with.
        arguments = ["--resume", str(folder), "--trust"] if b"\n" in data else first
        if arguments is first:
            path.unlink(missing_ok=True)
    final = subprocess.run(
        [
            sys.executable,
            "-m",
            "harness",
            "certify",
            "-q",
            *(arguments if done else ["--resume", str(folder), "--trust"]),
        ],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
        cwd=ROOT,
    )
    assert final.returncode in (0, 1, 3), final.stderr
    assert gone(folder)
    evidence = read_evidence(folder)
    check_answers(folder)
    check_processes(folder)
    suite, tables = shipped()
    verdict = judged(suite, evidence, tables)
    assert (folder / VERDICT_NAME).read_bytes() == document_bytes(verdict)
    words = {requirement.id: requirement.verdict for requirement in verdict.requirements}
    return Survivor(tuple(done), evidence, verdict.verdict, words)


def _without_ids(replies: str) -> str:
    """Return replies as they would be to commands without ids, which are sent ahead with some."""
    return re.sub(r"(?m)^([=?])[0-9]+", r"\1", replies)


def check_answers(folder: Path) -> None:
    """Every exchange of every process is there once, in its order.

    The same bot with the same seed, asked what is recorded of a process, answers what is recorded, to the
    last byte.
    """
    processes: dict[int, list[Unit]] = {}
    for unit in read_evidence(folder).units:
        processes.setdefault(unit.process, []).append(unit)
    for number, units in processes.items():
        exchanges = [exchange for unit in units for exchange in unit.exchanges]
        # The handshake is no genmove, and is recorded without playouts.
        arguments = ["--playouts", str(units[0].playouts or 1), "--seed", str(seed_of(number))]
        again = subprocess.run(
            [ROOT / "examples" / "refbot-c", *arguments],
            input="".join(f"{sent}\n" for sent, _ in exchanges),
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        recorded = "".join(raw for _, raw in exchanges)
        assert _without_ids(again.stdout) == _without_ids(recorded), f"process {number}"


def parts_of(folder: Path) -> list[list[Unit]]:
    """Return the units of each part of a run, as the lines between the resumes."""
    parts: list[list[Unit]] = [[]]
    units = iter(read_part(folder).evidence.units)
    for line in (folder / FILE_NAME).read_bytes().splitlines():
        kind = json.loads(line)["type"]
        if kind == "resumed":
            parts.append([])
        elif kind == "unit":
            parts[-1].append(next(units))
    return parts


def check_processes(folder: Path) -> None:
    """No number of a process, and so no seed, comes back in a later part."""
    used: set[int] = set()
    for part in parts_of(folder):
        numbers = {unit.process for unit in part}
        assert not numbers & used
        used |= numbers


def bots_of(folder: Path) -> list[int]:
    """Return the processes of a run's bot, see ``bot_for``."""
    mark, found = f"mark-{folder.name}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(mark):
                found.append(int(entry.name))
    return found


def gone(folder: Path) -> bool:
    """Wait for every bot of a run to be gone; False if one stays."""
    deadline = time.monotonic() + GONE_S
    while bots_of(folder):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _start(arguments: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "harness", "certify", "-q", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    )


def _units(folder: Path) -> int:
    path = folder / FILE_NAME
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


def _wait_for(process: "subprocess.Popen[bytes]", folder: Path, units: int, delay_s: float) -> bool:
    """Wait until a run has so many units, and a moment more; False if it ended before."""
    deadline = time.monotonic() + DEADLINE_S
    while process.poll() is None:
        assert time.monotonic() < deadline
        if _units(folder) >= units and (units or bots_of(folder)):
            time.sleep(delay_s)
            return process.poll() is None
        time.sleep(0.002)
    return False


def summary(survivors: list[Survivor], seconds: float) -> str:
    """Return what came, in a few lines."""
    kills = [kill for survivor in survivors for kill in survivor.kills]
    warm = sum(u.case == "warm-up" for s in survivors for u in s.evidence.units)
    return (
        f"{len(kills)} kills of {len(survivors)} certificates in {seconds:.0f} s; "
        f"words {dict(Counter(s.word for s in survivors))}; "
        f"{sum(k.was_asking for k in kills)} struck while a bot was there, "
        f"{sum(k.torn for k in kills)} left half a line, "
        f"{sum(k.units == 0 for k in kills)} before the first unit; units at the kill: "
        f"{[sum(lo <= k.units < lo + 100 for k in kills) for lo in range(0, 1000, 100)]} by hundreds; "
        f"{sum(len(s.kills) > 1 for s in survivors)} certificates killed more than once; {warm} warm-ups"
    )


def main() -> None:
    """Run from the command line: ``kills.py FOLDER FIRST-SEED CERTIFICATES``."""
    base, seed, number = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    began, survivors = time.monotonic(), []
    for n in range(seed, seed + number):
        folder = base / f"k{n}"
        dice = random.Random(n)  # noqa: S311 - moments, not secrets
        survivors.append(survive(bot_for(folder), "standard", folder, dice, dice.choice((2, 3, 4)), 600))
        print(n, survivors[-1].word, survivors[-1].kills, flush=True)
    print(summary(survivors, time.monotonic() - began))


def bot_for(folder: Path) -> str:
    """Return the C example, with a seed for each process, by a name that is found among the processes."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    program = folder.with_name(f"mark-{folder.name}")
    shutil.copy(ROOT / "examples" / "refbot-c", program)
    return f"refbot-c={program} --playouts {{playouts}} --seed {{seed}}"


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
