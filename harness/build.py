"""Makes the reference tables with the embedded engine: slow, seeded, file by file.

A file that is up to date is left alone, so that a killed build goes on where it was.
"""

import hashlib
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from math import exp, log
from pathlib import Path

import msgspec
import numpy as np

from harness.case import Case, Fresh, Moves
from harness.driver import ask_case
from harness.evalues import Categories, Histogram, best_tilt
from harness.exact import read_unit, score_digits
from harness.inprocess import InProcess
from harness.predict import predicts_choices, predicts_sums
from harness.suite import Suite, load_suite
from harness.tables import (
    EXACT_FILE,
    PASS_BOUND,
    Bet,
    ChoiceTable,
    ExactTable,
    SampleTable,
    Shift,
    Tables,
    histogram_of,
    root_digest,
)
from harness.weigh import Asked, findings_of
from harness.word import Word
from reference_engine import playouts
from reference_engine.deviations import BY_NAME, CATALOGUE
from reference_engine.digest import source_digest
from reference_engine.game import Game
from reference_engine.kernel import doubled_result
from reference_engine.search import root_candidates
from reference_engine.spec import SPEC, ScoreView, Spec
from reference_engine.vocabulary import Colour

SEED = 20081013
TILT_LIMITS = np.array([15.0, 30.0])
"""Largest tilts tried, per move and per win: beyond them the unseen mass of any table decides."""
SHOWS = 0.01
"""Nats per playout from which on a deviation is said to show in a case."""

_WARM_UP = ("boardsize 4", "clear_board", "komi 1", "genmove white")
"""Asked before an exact case, for in a run another case always came before it."""
_NATS_WANTED = 7.0
"""Evidence the exact cases of a deviation should give together; ln(1/beta) is 6.9."""
_CHUNK = 50_000
Progress = Callable[[str], None]


def root_of(case: Case) -> playouts.Root:
    """Return where a case's playouts start."""
    return playouts.Root(case.game.position, case.colour, len(case.plays), float(case.file.komi))


def sample_counts(case: Case, spec: Spec, count: int, seed: int) -> list[tuple[int, int, int]]:
    """Run playouts from a case's position and count (length, twice the result)."""
    root = root_of(case)

    def part(first: int) -> playouts.Tallies:
        histogram = playouts.histogram_for(case.file.size)
        playouts.run(root, min(_CHUNK, count - first), seed, first, spec=spec, histogram=histogram)
        return histogram

    total = playouts.histogram_for(case.file.size)
    with ThreadPoolExecutor() as pool:
        for histogram in pool.map(part, range(0, count, _CHUNK)):
            total += histogram
    area = case.file.size**2
    found: dict[tuple[int, int], int] = {}
    codes = playouts.codes_of(spec)
    for length, place in zip(*np.nonzero(total), strict=True):
        result = int(doubled_result(int(place) - area, float(root.komi), int(root.colour), codes))
        if spec.score_view is ScoreView.BLACK and root.colour is Colour.WHITE:
            result = 2 - result
        key = (int(length), result)
        found[key] = found.get(key, 0) + int(total[length, place])
    return [(length, result, n) for (length, result), n in sorted(found.items())]


def build_sample(case: Case, size: int, deviation_size: int, progress: Progress) -> SampleTable:
    """Make the table of a sample case, with the bets for and against every deviation."""
    progress(f"{case.id}: {size:,} playouts")
    seed = SEED + zlib.crc32(case.id.encode())
    counts = sample_counts(case, SPEC, size, seed)
    null = histogram_of(case, counts)
    shifts = {}
    for deviation in CATALOGUE:
        if isinstance(case.question, Fresh) or not predicts_sums(deviation.name):
            continue
        rows = sample_counts(case, deviation.spec, deviation_size, seed + 1)
        shifts[deviation.name] = _shift(null, histogram_of(case, rows))
    return SampleTable(case.id, root_digest(case), source_digest(), seed, size, counts, shifts)


def _shift(null: Histogram, other: Histogram) -> Shift:
    difference = other.mean - null.mean
    floor = np.diag([1e-4, 1e-6])
    distance = float(np.sqrt(difference @ np.linalg.solve(null.covariance + floor, difference)))
    convict = best_tilt(null, other.mean, TILT_LIMITS)
    exclude = best_tilt(other, null.mean, TILT_LIMITS)
    (a, b), (_, d) = other.covariance
    return Shift(
        playouts=int(other.total),
        mean=[float(x) for x in other.mean],
        covariance=[float(a), float(b), float(d)],
        distance=round(distance, 4),
        convict=Bet(list(convict.tilt), convict.log_mgf, convict.rate) if convict.rate > 0 else None,
        exclude=Bet(list(exclude.tilt), exclude.log_mgf, exclude.rate) if exclude.rate > 0 else None,
    )


def choice_counts(case: Case, spec: Spec, genmoves: int, seed: int) -> dict[str, int]:
    """Repeat a case's genmove and count the move with twice the playouts won."""
    game = Game.new(case.file.size, komi=case.file.komi, spec=spec)
    for colour, move in case.plays:
        game = game.after(colour, move)
    candidates = root_candidates(game, case.colour)
    root = root_of(case)

    def part(first: int) -> dict[tuple[str, int], int]:
        count = min(_CHUNK, genmoves - first)
        return playouts.choice_counts(root, case.file.playouts, count, seed, first, candidates, spec)

    found: dict[str, int] = {}
    with ThreadPoolExecutor() as pool:
        for counts in pool.map(part, range(0, genmoves, _CHUNK)):
            for (vertex, wins), n in counts.items():
                name = f"{vertex.upper()} {wins}"
                found[name] = found.get(name, 0) + n
    return dict(sorted(found.items()))


def build_choice(case: Case, size: int, deviation_size: int, progress: Progress) -> ChoiceTable:
    """Make the table of a chosen-move case."""
    progress(f"{case.id}: {size:,} genmoves")
    seed = SEED + zlib.crc32(case.id.encode())
    counts = choice_counts(case, SPEC, size, seed)
    null = Categories(counts)
    others = {}
    for deviation in CATALOGUE:
        if not predicts_choices(deviation.name):
            continue
        found = choice_counts(case, deviation.spec, deviation_size, seed + 1)
        if null.rate_of(Categories(found), len(counts)) > SHOWS:
            others[deviation.name] = found
    return ChoiceTable(
        case.id, root_digest(case), source_digest(), seed, case.file.playouts, size, counts, others
    )


def exact_digest(suite: Suite) -> str:
    """Return a digest of all cases that are judged without tables."""
    digest = hashlib.sha256()
    for path in sorted((suite.folder / "cases").glob("*/*.toml")):
        if not suite.cases[path.stem].is_statistical:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def build_exact(suite: Suite, runs: int, progress: Progress) -> ExactTable:
    """Let an engine with each deviation answer every exact case, and count how often it passes."""
    cases = [c for c in suite.cases.values() if not c.is_statistical]
    passes: dict[str, dict[str, tuple[int, int]]] = {case.id: {} for case in cases}
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(_fare, suite.folder, deviation.name, runs) for deviation in CATALOGUE]
        for deviation, job in zip(CATALOGUE, jobs, strict=True):
            found = job.result()
            never = sum(passed == 0 for passed, _ in found.values())
            progress(f"exact cases under {deviation.name}: {never} of {len(cases)} never passed")
            for name, counts in found.items():
                passes[name][deviation.name] = counts
    return ExactTable(source_digest(), exact_digest(suite), passes)


def _fare(folder: Path, name: str, runs: int) -> dict[str, tuple[int, int]]:
    """Return passes and runs of one deviation in every exact case.

    How surely a pass excludes a deviation rests on how often it was seen to fail.  So the cases it never
    passed are asked again, as often as it takes for up to three of them together to exclude it; unless the
    statistical cases do that.
    """
    suite, deviation = load_suite(folder), BY_NAME[name]
    tables = Tables(folder / "tables")
    found, killers = {}, []
    for case in suite.cases.values():
        if case.is_statistical:
            continue
        passed = _passes(case, tables, deviation.spec, runs, 0)
        found[case.id] = (passed, runs)
        if passed == 0:
            killers.append(case)
    killers = sorted(killers, key=lambda c: (not isinstance(c.question, tuple), c.file.playouts))[:3]
    if _is_excluded_by_statistics(suite, tables, name):
        return found
    while killers and _nats(found) < _NATS_WANTED:
        # A case that fails a deviation only now and then drops out; the others then need more runs.
        target = int(PASS_BOUND * exp(_NATS_WANTED / len(killers))) + 1
        for case in list(killers):
            passed, runs = found[case.id]
            more = max(1, target - runs)
            found[case.id] = (passed + _passes(case, tables, deviation.spec, more, runs), runs + more)
            if found[case.id][0]:
                killers.remove(case)
                break
    return found


def _nats(found: dict[str, tuple[int, int]]) -> float:
    """Return what passing every exact case says against a deviation."""
    return sum(log(max(1.0, runs / PASS_BOUND)) for passed, runs in found.values() if passed == 0)


def _is_excluded_by_statistics(suite: Suite, tables: Tables, name: str) -> bool:
    """Whether some statistical case excludes a deviation at a reasonable price."""
    for case in suite.cases.values():
        if case.file.sample is not None:
            shift = tables.sample(case).shifts.get(name)
            if shift is not None and shift.exclude is not None and shift.exclude.rate > SHOWS:
                return True
        elif case.file.choices is not None:
            rival = tables.rivals(case).get(name)
            if rival is not None and rival.exclude_rate > SHOWS:
                return True
    return False


def _passes(case: Case, tables: Tables, spec: Spec, runs: int, first: int) -> int:
    """Return in how many of ``runs`` independent runs an engine with these rules passes a case."""
    return sum(
        not any(f.word is Word.FAIL for f in findings_of(case, _asked(case, spec, run), tables))
        for run in range(first, first + runs)
    )


def _asked(case: Case, spec: Spec, run: int) -> list[Asked]:
    """Ask a case as a run would: once, or in two processes where independence is the question."""
    is_fresh = isinstance(case.question, Fresh)
    asked = []
    for process in range(2 if is_fresh else 1):
        bot = InProcess(case.file.playouts, 2 * (SEED + run) + process, spec)
        if not is_fresh:
            for line in _WARM_UP:
                bot.ask(line)
        for _ in range(case.file.genmoves if is_fresh else 1):
            unit = ask_case(bot, case, case.file.playouts, process, lambda _: True)
            reading = read_unit(case, unit, score_digits([unit]))
            asked.append(Asked(reading, process, case.file.playouts))
    return asked


def build(suite: Suite, sizes: "Sizes", progress: Progress, only: list[str]) -> None:
    """Make every table that is missing or was made from something else."""
    folder = suite.folder / "tables"
    folder.mkdir(exist_ok=True)
    for case in suite.cases.values():
        if not case.needs_table or (only and case.id not in only):
            continue
        path = folder / f"{case.id}.json"
        if not only and _is_current(path, root_digest(case)):
            continue
        if isinstance(case.question, Moves):
            _write(path, build_choice(case, sizes.genmoves, sizes.genmoves // 10, progress))
        else:
            is_large = case.file.size >= 9 and not isinstance(case.question, Fresh)
            size = sizes.large if is_large else sizes.small
            _write(path, build_sample(case, size, sizes.deviation, progress))
    path = folder / EXACT_FILE
    if (not only and not _is_current(path, exact_digest(suite))) or "exact" in only:
        _write(path, build_exact(suite, sizes.runs, progress))


class Sizes(msgspec.Struct, frozen=True):
    """How large the tables are made."""

    large: int = 12_000_000
    """Playouts of a 9x9 table."""
    small: int = 1_000_000
    """Playouts of a table of a smaller board."""
    deviation: int = 60_000
    """Playouts of each deviation, in every table."""
    genmoves: int = 100_000
    """Genmoves of a chosen-move table; a tenth of it for each deviation."""
    runs: int = 5
    """Runs of each exact case under each deviation."""


def _is_current(path: Path, digest: str) -> bool:
    if not path.exists():
        return False
    facts = msgspec.json.decode(path.read_bytes())
    return facts.get("engine") == source_digest() and digest in (facts.get("root"), facts.get("suite"))


def _write(path: Path, table: msgspec.Struct) -> None:
    draft = path.with_suffix(".tmp")
    draft.write_bytes(msgspec.json.encode(table) + b"\n")
    draft.replace(path)
