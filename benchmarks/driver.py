"""Round trips of the driver beside a bare pipe loop, interleaved in one run; and its share of a run's time.

    make bench            or: python benchmarks/driver.py [--rounds 41] [--core 1]

The bot is a C program that answers at once (``quick_bot.c``).  Every round times each way of asking once, in
turn, and ratios are taken within a round.  Two rates are shown: by the clock, and by the processor time that
harness and bot spend together, which other programs on the machine disturb far less.  ``--core`` puts all
of it on one core.  Then a bot that thinks one millisecond at every genmove is asked whole cases.  At last
the C example is certified, which is what an author waits for.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from harness.bots import pipe
from harness.bots.bot import Bot
from harness.bots.driver import ask_case
from harness.bots.limits import Limits
from harness.bots.session import Session
from harness.cases.suite import load_suite
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from harness.tables.tables import Tables

SOURCE = Path(__file__).parent / "quick_bot.c"
EXAMPLE = Path(__file__).parent.parent / "examples" / "refbot.c"
COMMANDS = 1500
"""Commands of one timing."""
TOGETHER = 15
"""Commands sent ahead together, as many as a case has."""
LINE = "play black A1"
THINK_S = 0.001


class Clock:
    """The time, and the processor time of this process and some others."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids

    def __call__(self) -> tuple[float, float]:
        """Return both, in seconds."""
        # Linux: the id of another process's processor clock.
        others = sum(time.clock_gettime((~pid << 3) | 2) for pid in self._pids)
        return time.perf_counter(), time.process_time() + others


def bare_loop(process: "subprocess.Popen[bytes]") -> Callable[[], None]:
    """Return the least a program can do: write a line, read until an empty one."""
    assert process.stdin
    assert process.stdout
    into, out = process.stdin.fileno(), process.stdout.fileno()
    data = LINE.encode() + b"\n"

    def loop() -> None:
        for _ in range(COMMANDS):
            os.write(into, data)
            came = os.read(out, 65536)
            while not came.endswith(b"\n\n"):
                came += os.read(out, 65536)

    return loop


def transport_loop(transport: pipe.PipeTransport) -> Callable[[], None]:
    """Return the same through the transport, with a deadline each."""
    data = LINE.encode() + b"\n"

    def loop() -> None:
        for _ in range(COMMANDS):
            deadline = time.monotonic() + 10
            transport.send(data, deadline)
            transport.receive(deadline)

    return loop


def start(program: Path, think_s: float = 0) -> Session:
    """Start the bot with a session."""
    session = Session.start("quick", [str(program), str(think_s * 1e6)], Limits())
    assert isinstance(session, Session)
    return session


def pid_of(session: Session) -> int:
    """Return a session's process id."""
    transport = session._transport  # noqa: SLF001 - only a benchmark asks
    assert isinstance(transport, pipe.PipeTransport)
    return transport.pid


def summary(ratios: list[float]) -> str:
    """Return a median with the middle half."""
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:5.2f} [{low:.2f} to {high:.2f}]"


def round_trips(program: Path, rounds: int) -> None:
    """Print the rates of every way of asking beside the bare loop's."""
    bare = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    transport = pipe.start([str(program)])
    assert isinstance(transport, pipe.PipeTransport)
    one, many = start(program), start(program)
    ways: dict[str, Callable[[], object]] = {
        "bare pipe loop": bare_loop(bare),
        "transport alone": transport_loop(transport),
        "Session.ask": lambda: [one.ask(LINE) for _ in range(COMMANDS)],
        f"Session.ask_all, {TOGETHER}": lambda: [
            many.ask_all([LINE] * TOGETHER) for _ in range(COMMANDS // TOGETHER)
        ],
    }
    clock = Clock([bare.pid, transport.pid, pid_of(one), pid_of(many)])
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            wall, cpu = clock()
            way()
            wall_end, cpu_end = clock()
            rates[name].append((COMMANDS / (wall_end - wall), COMMANDS / (cpu_end - cpu)))
    for session in (one, many):
        session.close()
    transport.close(1)
    bare.communicate(b"quit\n")
    print(
        f"{rounds} rounds of {COMMANDS} commands    commands/s     beside the bare loop by the clock; by CPU"
    )
    first = rates["bare pipe loop"]
    for name, found in rates.items():
        ratios = [[a[i] / b[i] for a, b in zip(found, first, strict=True)] for i in (0, 1)]
        median = statistics.median(wall for wall, _ in found)
        print(f"  {name:26}{median:16,.0f}        {summary(ratios[0])};  {summary(ratios[1])}")


def share(program: Path, rounds: int) -> None:
    """Print what driving a bot of one millisecond a genmove costs."""
    suite = load_suite()
    cases = [case for case in suite.cases.values() if case.is_statistical]
    shortest = min(cases, key=lambda case: len(case.commands()))
    print(
        "\na bot of 1 ms a genmove: the harness's processor time as a part of that and the thinking; and what"
    )
    print("of the time by the clock was not thinking, the bot's own handling of commands included")
    for what, asked in (("an opening position", [shortest] * len(cases)), ("every statistical case", cases)):
        session = start(program, THINK_S)
        parts, rest = [], []
        for _ in range(rounds):
            own, wall = time.process_time(), time.perf_counter()
            for case in asked:
                ask_case(session, case, 8, 1, lambda name: name != "ref-playouts")
            own = (time.process_time() - own) / len(asked)
            wall = (time.perf_counter() - wall) / len(asked)
            parts.append(100 * own / (own + THINK_S))
            rest.append(100 * (wall - THINK_S) / wall)
        session.close()
        lines = statistics.mean(len(case.commands()) + 3 for case in asked)
        print(f"  {what:24}{lines:4.0f} commands a genmove    {summary(parts)} %;  {summary(rest)} %")


def certificate(program: Path) -> None:
    """Print how long a whole certificate takes, and what of that its parts are."""
    suite = load_suite()
    tables = Tables(suite.folder / "tables")
    own, wall, theirs = time.process_time(), time.perf_counter(), children_s()
    with tempfile.TemporaryDirectory() as folder:
        bot = Bot("example", f"{program} --playouts {{playouts}}")
        evidence = Run(bot, suite, tables, "standard", Path(folder), []).go(Unwatched())
    own, wall = time.process_time() - own, time.perf_counter() - wall
    asking = sum(unit.seconds for unit in evidence.units)
    print(
        f"\na certificate of the C example, {len(evidence.units)} units: {wall:.2f} s by the clock, of which"
    )
    print(
        f"asking took {asking:.2f} s; processor time: bot {children_s() - theirs:.2f} s, harness {own:.2f} s"
    )


def children_s() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--core", type=int)
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    print(f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "quick_bot"
        subprocess.run(["cc", "-O2", "-std=c99", "-o", program, SOURCE], check=True)
        round_trips(program, options.rounds)
        share(program, options.rounds)
        example = Path(folder) / "refbot-c"
        subprocess.run(["cc", "-O3", "-std=c99", "-o", example, EXAMPLE, "-lm"], check=True)
        certificate(example)


if __name__ == "__main__":
    main()
