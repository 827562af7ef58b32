"""The proof that whatever a bot does has its word: every fault bot is asked by the real driver.

What must come of each stands in a table beside the bots; nothing here decides it.
"""

import base64
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from harness.bots.bot import Bot, LimitSettings
from harness.bots.confinement import Confinement
from harness.bots.limits import Limits, command_name
from harness.bots.masking import PART
from harness.cases.suite import Suite
from harness.errors import FixtureError
from harness.judging.verdict import RequirementVerdict, Verdict
from harness.runs.executors import THREADS, team
from harness.runs.progress import Progress
from harness.runs.record import judged, write_verdict
from harness.runs.run import Run
from harness.shipped import shipped_folder
from harness.tables.tables import Tables
from harness.word import Word


class FaultBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault bot, and what must come of it."""

    word: Word
    about: str
    """What the bot does."""
    requirement: str = ""
    """Which alone must be called FAIL."""
    at: list[str] = []
    """Commands, at one of which it must stop answering."""
    cases: list[str] = []
    """What is asked; all steps of `check` where there are none."""
    limits: LimitSettings = LimitSettings()
    memory_mb: int | None = None
    cpu_s: int | None = None
    open_files: int | None = None
    processes: int = 500
    total_mb: int | None = None
    file_mb: int | None = None
    own_folder: bool = False
    env: dict[str, str] = {}
    """Environment of the bot; none of its values may be found in what the run leaves."""


class FaultTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All fault bots, by name."""

    limits: LimitSettings
    """Limits of every bot whose own entry says nothing else."""
    faults: dict[str, FaultBot]


@dataclass(frozen=True, slots=True)
class FaultOutcome:
    """What came of one fault bot."""

    name: str
    expected: str
    """The word, and the requirement where it is FAIL."""
    found: str
    cause: str
    """One line."""
    again: str
    """The line of shell that shows it again; empty where the bot answered to the end."""
    elapsed_s: float
    is_right: bool
    told: tuple[str, ...] = ()
    """Files of the run in which a value of the bot's environment was found, whole or in part."""


def bots_folder() -> Path:
    """Return the folder the fault bots are in."""
    return shipped_folder("_bots", "tests/bots")


def load_faults() -> FaultTable:
    """Read what must come of each fault bot.

    Raises:
        FixtureError: the table is missing or broken.
    """
    path = bots_folder() / "faults.toml"
    try:
        return msgspec.toml.decode(path.read_bytes(), type=FaultTable)
    except (OSError, msgspec.DecodeError) as error:
        raise FixtureError(f"{path}: {error}") from error


def try_faults(
    suite: Suite,
    table: FaultTable,
    names: Iterable[str],
    jobs: int,
    scale: float = 1.0,
    see: Callable[[FaultOutcome], None] = lambda _: None,
) -> list[FaultOutcome]:
    """Ask fault bots, some at a time, and return what came of each, in the order of the names.

    Args:
        suite: what they are asked from.
        table: what must come of them.
        names: which of them.
        jobs: how many at a time.
        scale: factor on every time limit.
        see: told of each in its turn.
    """
    tables = Tables(suite.folder / "tables")
    outcomes = []
    with team(THREADS, jobs) as workers:
        for outcome in workers.executor.map(partial(_try, suite, tables, table, scale=scale), names):
            see(outcome)
            outcomes.append(outcome)
    return outcomes


def make_bot(table: FaultTable, name: str, scale: float = 1.0) -> Bot:
    """Return a fault bot as a bot to be certified."""
    fault = table.faults[name]
    program = shlex.join([sys.executable, "-IS", str(bots_folder() / "fault_bot.py"), name])
    given = {
        key: value
        for limits in (table.limits, fault.limits)
        for key, value in msgspec.structs.asdict(limits).items()
        if value is not None
    }
    return Bot(
        name,
        f"{program} --playouts {{playouts}}",
        limits=replace(Limits(), **given).scaled(scale),
        env=dict(fault.env),
        confinement=Confinement(
            fault.memory_mb,
            fault.cpu_s,
            fault.open_files,
            fault.processes,
            fault.total_mb,
            fault.file_mb,
            own_folder=fault.own_folder,
        ),
    )


class _Deaf:
    def see(self, progress: Progress) -> None:
        """Take no note."""


def _try(suite: Suite, tables: Tables, table: FaultTable, name: str, *, scale: float) -> FaultOutcome:
    fault = table.faults[name]
    started = time.monotonic()
    with TemporaryDirectory(prefix="refbot-") as folder:
        level = "smoke" if fault.cases else "check"
        bot = make_bot(table, name, scale)
        evidence = Run(bot, suite, tables, level, Path(folder), fault.cases).go(_Deaf())
        verdict = judged(suite, evidence, tables)
        write_verdict(Path(folder), verdict, evidence)
        told = tuple(_telling(Path(folder), fault.env.values()))
    failed = [r.id for r in _failed(verdict)]
    broken = next((unit.broken for unit in evidence.units if unit.broken is not None), None)
    expected, found = f"{fault.word} {fault.requirement}".strip(), " ".join([verdict.verdict, *failed])
    is_right = found == expected
    if fault.at:
        is_right = is_right and broken is not None and command_name(broken.command) in fault.at
    return FaultOutcome(
        name,
        expected,
        found,
        re.sub(rf"^{name}: ", "", _cause(verdict)),
        broken.again if broken else "",
        round(time.monotonic() - started, 3),
        is_right,
        told,
    )


def _telling(folder: Path, values: Iterable[str]) -> Iterator[str]:
    """Yield the files that hold a value, or a part of eight characters, as it is, backwards or in base64."""
    coded = [
        base64.b64encode(b"\0" * shift + v.encode()).decode()[4:-4] for v in values for shift in range(3)
    ]
    forms = [form.lower() for value in values for form in (value, value[::-1])] + [c.lower() for c in coded]
    parts = {form[start : start + PART] for form in forms for start in range(len(form) - PART + 1)}
    for path in sorted(folder.iterdir()):
        text = path.read_bytes().decode("latin-1").lower()
        if any(part in text for part in parts):
            yield path.name


def _cause(verdict: Verdict) -> str:
    """Return why, as briefly as the verdict says it: of a FAIL the finding, not the diagnosis."""
    reasons = [r.reason for r in _failed(verdict)]
    return reasons[0] if reasons else verdict.reason


def _failed(verdict: Verdict) -> list[RequirementVerdict]:
    """Return what was called FAIL, if that is what became of the bot."""
    return [r for r in verdict.requirements if Word.FAIL == r.verdict == verdict.verdict]
