"""refbot struck by SIGTERM, SIGHUP, SIGINT or SIGKILL at random moments, with bots that leave daemons behind.

    python tests/harness/strikes.py FOLDER FIRST-SEED STRIKES

After every strike nothing of the bots may be left, no process in any session and no folder; the record can be
read, and goes on where it stood: no unit and no game is lost or there twice.
"""

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from harness.errors import UsageError
from harness.match.record import read_match
from harness.records.evidence import Unit, read_part

ROOT = Path(__file__).parents[2]
KINDS = ("certify", "spread", "compare", "match")
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)
SECRET = "to-be-kept-7731"  # noqa: S105 - of nothing
GONE_S = 15.0
"""Within which all must be gone: the watchdog gives two seconds, and a machine may be busy."""
DEADLINE_S = 120.0


def daemon_bot(folder: Path) -> Path:
    """Write settings of two bots that start daemons in sessions of their own, and work in own folders."""
    program = folder / "bot.sh"
    mark = f"987.{folder.name[1:]}"
    program.write_text(
        "#!/bin/sh\n"
        f"setsid sleep {mark} >/dev/null 2>&1 </dev/null &\n"
        f"(setsid sh -c 'trap \"\" TERM HUP; sleep {mark}' >/dev/null 2>&1 </dev/null &)\n"
        f'exec {shlex.quote(str(ROOT / "examples" / "refbot-c"))} --playouts "$1" --seed "$2"\n'
    )
    program.chmod(0o755)
    settings = folder / "bots.toml"
    entry = f'command = "{program} {{playouts}} {{seed}}"\nown_folder = true\nenv = {{T = "{SECRET}"}}\n'
    settings.write_text(f"[one]\n{entry}[two]\n{entry}")
    return settings


def strike(folder: Path, seed: int) -> str:
    """Start one command, strike it, hold what it left to the rules, and go on; return what was done.

    Raises:
        AssertionError: something was lost, or is left.
    """
    dice = random.Random(seed)  # noqa: S311 - moments, not secrets
    kind, number = KINDS[seed % len(KINDS)], dice.choice(SIGNALS)
    base = folder / f"s{seed}"
    temporary = base / "tmp"
    temporary.mkdir(parents=True)
    settings, out = daemon_bot(base), base / "out"
    arguments, again = _commands(kind, settings, out)
    before = _strike(arguments, temporary, number, dice.uniform(0.5, 8.0))
    left = _left(base, temporary)
    assert not left, f"{kind}, {number.name}: {left}"
    kept = _record(kind, out)
    if again and kept and seed % 8 < len(KINDS):
        _strike(again, temporary, number, dice.uniform(2.0, 6.0))
        left = _left(base, temporary)
        assert not left, f"{kind}, resumed, {number.name}: {left}"
        later = _record(kind, out)
        assert later[: len(kept)] == kept, f"{kind}, {number.name}: of {len(kept)} records some are lost"
    told = [p for p in out.rglob("*") if p.is_file() and SECRET.encode() in p.read_bytes()]
    assert all(path.name == "environment.json" and path.stat().st_mode & 0o77 == 0 for path in told), told
    return f"{kind} {number.name} {before}"


def _commands(kind: str, settings: Path, out: Path) -> tuple[list[str], list[str]]:
    bots = ["--bots", str(settings)]
    place = ["--out", str(out), "-q"]
    resume = ["--resume", str(out), "--trust", "-q"]
    match kind:
        case "certify":
            return ["certify", "one", *bots, *place], ["certify", *resume]
        case "spread":
            return ["certify", "one", *bots, *place, "--jobs", "2"], ["certify", *resume]
        case "compare":
            pair = ["compare", "one", "two", *bots, "--level", "smoke", "-q"]
            return [*pair, "--out", str(out)], [*pair, "--resume", str(out)]
    match_ = ["match", "one", "two", *bots, "--size", "5", "--playouts", "8", "--games", "400", "--no-sgf"]
    return [*match_, *place], ["match", *resume]


def _heed() -> None:
    """Take notice of signals again that a shell in the background, or nohup, has made us ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _strike(arguments: list[str], temporary: Path, number: signal.Signals, after_s: float) -> str:
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_heed,  # noqa: PLW1509
    )
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    said = process.communicate(timeout=DEADLINE_S)[1].decode()
    assert "Traceback" not in said, said
    return f"status {process.returncode}"


def _left(base: Path, temporary: Path) -> list[str]:
    """Return what is left of the bots, once it had time to go."""
    mark = f"987.{base.name[1:]}".encode()
    deadline = time.monotonic() + GONE_S
    while True:
        found = [path.name for path in temporary.iterdir() if path.name.startswith("refbot-")]
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark in words[1:3] or bytes(base / "bot.sh") in words:
                found.append(b" ".join(words).decode())
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def _record(kind: str, out: Path) -> list[object]:
    """Return the units or games that were recorded."""
    if kind == "match":
        games: list[object] = []
        try:
            read_match(out, lambda _, game: games.append((game.number, game.moves)))
        except UsageError:
            return []
        return games
    folder = out / "one" if kind == "compare" else out
    if not (folder / "evidence.jsonl").exists() or b"\n" not in (folder / "evidence.jsonl").read_bytes():
        return []
    units: list[Unit] = read_part(folder).evidence.units
    return [(unit.case, unit.process, unit.exchanges) for unit in units]


def main() -> None:
    """Run from the command line."""
    folder, first, strikes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    began, done = time.monotonic(), Counter[str]()
    for seed in range(first, first + strikes):
        done[strike(folder, seed)] += 1
        print(f"{seed}: {sum(done.values())} strikes in {time.monotonic() - began:.0f} s", flush=True)
    print(dict(done))


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    main()
