"""The rules of docs/architecture.md, held by reading imports."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted([*(ROOT / "harness").rglob("*.py"), *(ROOT / "reference_engine").rglob("*.py")])
BESIDE = sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
"""Tests and benchmarks."""

FENCES = {
    "numba": {"reference_engine"},
    "numpy": {
        "harness.judging.simulation",
        "reference_engine",
        "harness.statistics.evalues",
        "harness.judging.detectable",
        "harness.judging.draw_bets",
        "harness.judging.fresh",
        "harness.judging.sums",
        "harness.judging.certificate_e_value",
        "harness.runs.forecast",
        "harness.statistics.betting",
        "harness.statistics.variation",
        "harness.tables.tables",
        "harness.table_build.sampling",
        "harness.table_build.audit",
        "harness.table_build.build",
        "harness.statistics.batches",
        "harness.statistics.ratios",
        "harness.judging.likelihood",
        "harness.judging.diagnosis",
        "harness.statistics.ratings",
        "harness.selftest.repeats",
    },
    "scipy": {
        "harness.judging.simulation",
        "harness.judging.detectable",
        "harness.runs.forecast",
        "harness.statistics.evalues",
        "harness.table_build.audit",
        "harness.statistics.batches",
        "harness.statistics.two_runs",
        "harness.statistics.ratios",
        "harness.judging.likelihood",
        "harness.judging.diagnosis",
        "harness.selftest.kill_matrix",
        "harness.statistics.ratings",
        "harness.statistics.sprt",
    },
    "jinja2": {"harness.render"},
    "matplotlib": {"harness.render"},
    "pandas": {"harness.render"},
    "pexpect": {"harness.bots.pipe"},
    "sgfmill": {"harness.cases.sgf", "harness.match.sgf"},
    "pytest": {"harness.plugin"},
    "rich": {"harness.render", "harness.cli"},
    "typer": {"harness.cli"},
    "distributed": {"harness.runs.executors"},
    "multiprocessing": {"harness.runs.executors"},
    "subprocess": {"harness.bots.pipe", "harness.bots.watchdog"},
}


def imports_of(path: Path) -> Iterator[str]:
    """Yield the full names of every module a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(path: Path) -> str:
    """Return a file's dotted module name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_libraries_stay_behind_their_fences(path: Path) -> None:
    """A library is imported only by the modules named for it."""
    for imported in imports_of(path):
        allowed = FENCES.get(imported.split(".")[0])
        if allowed is not None:
            assert any(name_of(path).startswith(prefix) for prefix in allowed), imported


def test_the_engine_knows_nothing_of_the_harness() -> None:
    """No module of reference_engine imports from harness."""
    found = [
        (name_of(path), imported)
        for path in MODULES
        if name_of(path).startswith("reference_engine")
        for imported in imports_of(path)
        if imported.split(".")[0] == "harness"
    ]

    assert found == []


def test_the_harness_does_not_read_gtp_with_the_engines_eyes() -> None:
    """No module that parses a bot's replies imports the engine's server or its vertex parser."""
    bots = [f"bots/{name}.py" for name in ("wire", "session", "driver")]
    judging = [f"judging/{name}.py" for name in ("answers", "exact", "referee")]
    match = [f"match/{name}.py" for name in ("board", "ending", "game", "player")]
    for name in bots + judging + match:
        imported = set(imports_of(ROOT / "harness" / name))
        assert "reference_engine.server" not in imported
        assert "reference_engine.vocabulary.parse_vertex" not in imported


ROOMS = (
    "cases",
    "statistics",
    "records",
    "bots",
    "tables",
    "judging",
    "report",
    "comparison",
    "runs",
    "table_build",
    "selftest",
    "tst",
    "match",
    "render",
    "cli",
    "plugin",
)
"""In their order: a room imports from those before it.  Errors and words stand in the hall, for all."""


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_entered_in_one_direction(room: str) -> None:
    """No package of the harness imports from one that comes after it."""
    later = {f"harness.{name}" for name in ROOMS[ROOMS.index(room) + 1 :]}
    found = [
        (name_of(path), imported)
        for path in (ROOT / "harness" / room).rglob("*.py")
        for imported in imports_of(path)
        if ".".join(imported.split(".")[:2]) in later
    ]

    assert found == []


def test_every_room_has_its_place() -> None:
    """No package of the harness stands outside the order."""
    assert {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")} == set(ROOMS)


def test_documents_have_one_writer() -> None:
    """No other module lays JSON out for people and programs, so none can forget to round it."""
    writers = [name_of(path) for path in MODULES if "json.format(" in path.read_text("utf-8")]

    assert writers == ["harness.document"]


def test_no_module_is_longer_than_500_lines() -> None:
    """Modules, those of tests and benchmarks too, stay short enough to be read in one sitting."""
    sizes = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in (*MODULES, *BESIDE)}
    long = [name for name, size in sizes.items() if size > 500]

    assert long == []


def test_no_two_test_files_have_one_name() -> None:
    """The test folders are no packages, so pytest would refuse the second file of a name."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))

    assert [name for name, count in names.items() if count > 1] == []


TWICE = {
    "Game": "reference_engine.spec.Game is the clause of a game's end; its source is in the tables' digest",
}
"""Class names that stand twice, and why."""


def test_no_class_name_stands_twice() -> None:
    """One name stands for one thing in the harness and in the engine."""
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )

    assert {name for name, count in names.items() if count > 1} == set(TWICE)


PAGES = sorted({*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")} - {ROOT / "CHANGELOG.md"})
"""Pages about what is there now."""
DOTTED = re.compile(r"(?<![\w/.])(?:harness|reference_engine)(?:[./][a-z_0-9]+)+")
IN_ROOM = re.compile(rf"`({'|'.join(ROOMS)})\.([a-z_0-9]+)")
BUILT = ("harness/_fixtures", "harness/_bots")
"""Folders that only a wheel has."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_docs_name_modules_that_exist(page: Path) -> None:
    """Every module or file of the two packages that a page names is there."""
    text = page.read_text("utf-8")
    named = {found for found in DOTTED.findall(text) if not found.startswith(BUILT)}
    if page.name == "architecture.md":
        # Elsewhere such a name is a file's, such as match.json.
        named |= {f"harness.{room}.{module}" for room, module in IN_ROOM.findall(text)}

    assert sorted(name for name in named if not exists(name)) == []


def exists(name: str) -> bool:
    """Whether a path, or a dotted name of a module or of something in a module, is there."""
    if "/" in name:
        return (ROOT / name).exists() or (ROOT / f"{name}.py").exists()
    *parents, last = name.split(".")
    folder = ROOT.joinpath(*parents)
    module = folder.with_suffix(".py")
    inside = module.read_text("utf-8") if module.exists() else ""
    return (folder / last).exists() or (folder / f"{last}.py").exists() or last in inside
