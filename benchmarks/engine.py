"""Playouts a second of the engine's kernels beside the C example, interleaved in one run.

    make bench            or: python benchmarks/engine.py [--rounds 9] [--sizes 9,13,19]

Every round times each program once, in turn, from the empty board with tallies; a ratio is taken within
a round, so that a machine that speeds up and slows down disturbs both sides alike.  Shown are the median
ratio and the range of the middle half of the rounds, and how long compiling and importing take.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from reference_engine.board import Position
from reference_engine.lanes import WIDTH
from reference_engine.playouts import Kernel, Root, kernel_for, run
from reference_engine.vocabulary import Colour

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "refbot.c"
SECONDS = 0.4
"""Length of one timing, about."""


class CExample:
    """The C reference bot as a GTP process, compiled for this machine."""

    def __init__(self, folder: Path, size: int, playouts: int) -> None:
        program = folder / "refbot-c"
        if not program.exists():
            flags = ["-O3", "-march=native", "-std=c99"]
            subprocess.run(["cc", *flags, "-o", program, EXAMPLE, "-lm"], check=True)
        self._process = subprocess.Popen(
            [program, "--playouts", str(playouts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._playouts = playouts
        self._ask(f"boardsize {size}")

    def _ask(self, command: str) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        while self._process.stdout.readline().strip():
            pass

    def __call__(self) -> int:
        """Think once about the empty board; return the playouts made."""
        self._ask("clear_board")
        self._ask("genmove b")
        return self._playouts

    def close(self) -> None:
        """End the process."""
        self._ask("quit")
        self._process.wait()


def rate_of(work: Callable[[], int]) -> float:
    """Return playouts a second of one timing."""
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)


def kernel_work(size: int, kernel: Kernel, playouts: int) -> Callable[[], int]:
    """Return one thread's work for a kernel."""
    root = Root(Position(size), Colour.BLACK, komi=7.5)
    numbers = iter(range(0, 2**62, playouts))
    return lambda: run(root, playouts, 20081013, next(numbers), kernel=kernel).playouts


def both_cores(size: int, kernel: Kernel, playouts: int, threads: int) -> Callable[[], int]:
    """Return the same work for several threads at once."""
    pool = ThreadPoolExecutor(threads)
    works = [kernel_work(size, kernel, playouts) for _ in range(threads)]
    return lambda: sum(pool.map(lambda work: work(), works))


def summary(ratios: list[float]) -> str:
    """Return a median with the middle half."""
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:6.2f}  [{low:.2f} to {high:.2f}]"


def benchmark(size: int, rounds: int, folder: Path) -> None:
    """Print the table of one board size."""
    kernels = [Kernel.CHAINS]
    if kernel_for(size) is Kernel.LOCKSTEP:
        kernels.insert(0, Kernel.LOCKSTEP)
    quick = kernel_work(size, kernels[0], 2000)
    quick()
    guess = rate_of(quick) * SECONDS
    example = CExample(folder, size, max(100, int(guess / 5 if len(kernels) > 1 else guess)))
    programs: dict[str, Callable[[], int]] = {"examples/refbot.c": example}
    for kernel in kernels:
        work = kernel_work(size, kernel, 1000)
        work()
        programs[kernel] = kernel_work(size, kernel, max(100, int(rate_of(work) * SECONDS)))
    threads = os.cpu_count() or 1
    programs[f"{kernels[0]}, {threads} threads"] = both_cores(size, kernels[0], int(guess), threads)
    rates: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, work in programs.items():
            rates[name].append(rate_of(work))
    example.close()
    print(f"\n{size}x{size}, {rounds} rounds      playouts/s (median)    beside the C example")
    for name, found in rates.items():
        ratios = [a / b for a, b in zip(found, rates["examples/refbot.c"], strict=True)]
        print(f"  {name:24}{statistics.median(found):16,.0f}    {summary(ratios)}")
    last, one = list(rates)[-1], str(kernels[0])
    ratios = [a / b for a, b in zip(rates[last], rates[one], strict=True)]
    print(f"  {threads} threads beside one:                    {summary(ratios)}")


_TIMED = """
import sys, time
start = time.perf_counter()
{code}
print(time.perf_counter() - start)
"""
_PLAY = """
from reference_engine.board import Position
from reference_engine.playouts import Kernel, Root, run
from reference_engine.vocabulary import Colour
run(Root(Position({size}), Colour.BLACK), 1, 1, kernel=Kernel.{kernel})
"""


def seconds_of(code: str, cache: Path) -> float:
    """Return the seconds a piece of Python takes in a process of its own, with this cache folder."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-c", _TIMED.format(code=code)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return float(done.stdout.split()[-1])


def start_up(folder: Path) -> None:
    """Print compile and start-up times."""
    print("\nseconds, each in a process of its own       no cache    cached")
    cache = folder / "cache"
    for kernel in Kernel:
        shutil.rmtree(cache, ignore_errors=True)
        code = _PLAY.format(size=9, kernel=kernel.name)
        cold = seconds_of(code, cache)
        warm = statistics.median(seconds_of(code, cache) for _ in range(5))
        print(f"  first playout, {kernel:27}{cold:8.2f}  {warm:8.2f}")
    engine = statistics.median(seconds_of("import numba", cache) for _ in range(5))
    print(f"  import numba                                        {engine:8.2f}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", default="5,9,13,19")
    options = parser.parse_args()
    print(f"{WIDTH} lanes, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as name:
        for size in options.sizes.split(","):
            benchmark(int(size), options.rounds, Path(name))
        start_up(Path(name))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory of this process: {memory:,.0f} MB")


if __name__ == "__main__":
    main()
