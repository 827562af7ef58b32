"""Tiny suites for tests: a few requirements, cases and small tables, written into a folder of the test's."""

import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from harness.bots.driver import ask_case
from harness.bots.inprocess import InProcess
from harness.cases.case import Case, CaseFile, Fresh
from harness.cases.suite import Suite, load_suite
from harness.judging.case_assessment import AskedUnit, findings_of
from harness.judging.exact import read_unit, score_digits
from harness.records.evidence import Unit
from harness.table_build.build import build
from harness.table_build.sampler import Sampler
from harness.tables.sizes import Sizes
from harness.tables.tables import ExactTable, Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME, Deviation
from reference_engine.spec import Spec

REQUIREMENTS = (
    *(f"R{i}" for i in range(1, 13)),
    *(f"N{i}" for i in range(1, 5)),
    "X1",
    *(f"G{i}" for i in range(1, 14)),
)
COMMANDS = ["ref-nodes", "ref-score", "ref-playouts", "undo", "genmove"]

EYE = '''
requirement = "R4"
about = "Only eyes are left: Black passes, White too, and a playout is two passes."
size = 4
setup = """
. X O O
X X O .
. X O O
X X O .
"""
[forced]
nodes = 2
score = 0.0
answers = ["pass"]
'''
KO = '''
requirement = "R11"
about = "The retake on B1 would bring the position back: Black must pass."
size = 5
setup = """
O . O X .
. O O X X
O O X X X
O O X X X
O X . X .
"""
moves = "W C1"
position = """
O . O X .
. O O X X
O O X X X
O O X X X
O . O X .
"""
[choice]
allowed = ["pass"]
'''
SAMPLE = """
requirement = "R2"
about = "Length and win fraction on the empty 3x3 board."
size = 3
playouts = 50
[sample]
length = 6.0
score = 0.4
"""
MOVES = """
requirement = "R7"
about = "The move chosen on the empty 3x3 board."
size = 3
playouts = 4
[choices]
tolerance = 0.8
"""
GAME = """
requirement = "R1"
about = "A whole game."
size = 3
playouts = 2
[complete]
limit = 200
"""
FRESH = """
requirement = "X1"
about = "Genmoves are independent draws."
size = 5
playouts = 100
genmoves = 8
[fresh]
"""
SCRIPT = """
requirement = "G4"
about = "An unknown command is an error."
size = 3
playouts = 1
[[steps]]
send = "no-such-command"
expect = "error"
"""
UNDO = """
requirement = "G12"
about = "Undo takes a stone back."
size = 3
playouts = 1
[[steps]]
send = "play black A1"
[[steps]]
send = "undo"
optional = "undo"
[[steps]]
send = "play white A1"
"""
START = """
[[clause]]
id = "1/start"
name = "start"
title = "the start"
clause = "It starts."
requirement = "G2"
looks_at = "start"
"""
SIZES = Sizes(position=160_000, opening=60_000, deviation=4_000, rivals=4_000, states=0, runs=1)
"""Tables that are made in seconds, none of them exact."""
CASES = {
    "eye": EYE,
    "ko": KO,
    "sample": SAMPLE,
    "moves": MOVES,
    "game": GAME,
    "fresh": FRESH,
    "script": SCRIPT,
    "undo": UNDO,
}


def write_suite(folder: Path, cases: dict[str, str], steps: list[str] | None = None) -> Path:
    """Write requirements and cases, each case in the area ``area``, and a check of some; of all scripts."""
    (folder / "cases" / "area").mkdir(parents=True)
    (folder / "requirements.toml").write_text(
        "".join(f'[{r}]\nclause = "Clause {r}."\nsource = "test"\nreading = "plain"\n' for r in REQUIREMENTS)
    )
    for name, text in cases.items():
        (folder / "cases" / "area" / f"{name}.toml").write_text(text)
    steps = [name for name, text in cases.items() if "[[steps]]" in text] if steps is None else steps
    (folder / "check").mkdir()
    clauses = [
        f'[[clause]]\nid = "1/{number}"\nname = "{name}-clause"\ntitle = "step {name}"\nclause = "Clause."\n'
        f'requirement = "G1"\ncases = ["{name}"]\n'
        for number, name in enumerate(steps)
    ]
    head = 'name = "all"\ntitle = "All"\n'
    (folder / "check" / "all.toml").write_text(head + START + "".join(clauses))
    return folder


def make_suite(folder: Path, cases: dict[str, str], deviations: Iterable[Deviation]) -> Suite:
    """Write a suite with small tables, and load it."""
    suite = load_suite(write_suite(folder, cases))
    build(suite, SIZES, Sampler(), [case.id for case in suite.cases.values() if case.needs_table])
    write_table(folder, "exact", exact_table(suite, list(deviations)))
    return load_suite(folder)


def limit_catalogue(patch: pytest.MonkeyPatch, names: Iterable[str]) -> None:
    """Let the harness know only a few deviations, wherever it looks."""
    few = tuple(BY_NAME[name] for name in names)
    for name, module in list(sys.modules.items()):
        if name.startswith("harness.") and hasattr(module, "CATALOGUE"):
            patch.setattr(module, "CATALOGUE", few)


def write_table(folder: Path, name: str, table: msgspec.Struct) -> None:
    """Write one table into a suite's folder."""
    (folder / "tables" / f"{name}.json").write_bytes(msgspec.json.encode(table))


def exact_table(suite: Suite, deviations: list[Deviation]) -> ExactTable:
    """Return how often each deviation passes each exact case in two runs."""
    tables = Tables(suite.folder / "tables")
    passes: dict[str, dict[str, tuple[int, int]]] = {}
    for case in suite.cases.values():
        if not case.is_statistical:
            passes[case.id] = {}
            for deviation in deviations:
                passed = sum(not fails(case, tables, deviation.spec, 50 + seed) for seed in range(2))
                # Counted as a hundred runs each, since the engine's exact answers hardly vary.
                passes[case.id][deviation.name] = (100 * passed, 200)
    return ExactTable("engine", "suite", passes)


def fails(case: Case, tables: Tables, spec: Spec, seed: int) -> bool:
    """Whether an engine with some rules fails an exact case."""
    units = ask_all(case, spec, seed, 1)
    digits = score_digits(units)
    asked = [AskedUnit(read_unit(case, u, digits), u.process, u.playouts) for u in units]
    return any(finding.word is Word.FAIL for finding in findings_of(case, asked, tables))


def ask_all(case: Case, spec: Spec, seed: int, times: int) -> list[Unit]:
    """Ask a case of the engine in this process, of two processes where that is the question."""
    is_fresh, units = isinstance(case.question, Fresh), []
    for process in range(2 if is_fresh else 1):
        bot = InProcess(case.file.playouts, 2 * seed + process, spec)
        units += [
            ask_case(bot, case, case.file.playouts, process + 1, COMMANDS.__contains__)
            for _ in range(case.file.genmoves if is_fresh else times)
        ]
    return units


def case_of(text: str, name: str = "case") -> Case:
    """Read one case from the text of its file."""
    return Case(name, msgspec.toml.decode(text, type=CaseFile))
