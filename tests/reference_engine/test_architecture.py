"""What the engine may import, and when."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reference_engine

MODULES = sorted(Path(str(reference_engine.__file__)).parent.rglob("*.py"))
COMPILED = {
    "compiled.py",
    "rules.py",
    "streams.py",
    "lanes.py",
    "bitboard.py",
    "lockstep.py",
    "instructions.py",
    "shapes.py",
    "chain_board.py",
    "chain_count.py",
    "chain_kernel.py",
    "tally.py",
    "selection.py",
    "decay_count.py",
    "gobble_kernel.py",
}
"""The kernels and what they are made of: these alone may import Numba, two of them LLVM."""


def imported_by(module: Path) -> set[str]:
    """Return the full names of all modules a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=name, level=level):
                assert level == 0, f"relative import in {module.name}"
                names.add(str(name))
    return names


def packages(module: Path) -> set[str]:
    """Return the top-level packages a file imports."""
    return {name.split(".")[0] for name in imported_by(module)}


def test_there_are_modules() -> None:
    """The engine's source is found, the kernel modules among it."""
    assert {module.name for module in MODULES} >= COMPILED


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_engine_knows_nothing_of_the_harness(module: Path) -> None:
    """No module of the engine imports the harness, or more than NumPy, Numba and LLVM."""
    assert packages(module) <= {"reference_engine", "numpy", "numba", "llvmlite"} | sys.stdlib_module_names


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_numba_is_fenced(module: Path) -> None:
    """Numba is imported by the kernel modules only."""
    assert "numba" not in packages(module) or module.name in COMPILED
    assert "llvmlite" not in packages(module) or module.name in {"lanes.py", "instructions.py"}


@pytest.mark.parametrize("name", ["board", "playout", "reading", "game", "vocabulary"])
def test_the_oracle_is_independent(name: str) -> None:
    """The oracle imports no compiled module and no NumPy, so that it cannot share their mistakes."""
    module = next(module for module in MODULES if module.stem == name)
    assert packages(module).isdisjoint({"numpy", "numba"})
    kernels = {f"reference_engine.{Path(name).stem}" for name in COMPILED} | {"reference_engine.playouts"}
    assert imported_by(module).isdisjoint(kernels)


@pytest.mark.parametrize("name", ["server", "search", "deviations", "playout"])
def test_importing_is_cheap(name: str) -> None:
    """Importing a module that speaks or describes loads neither Numba nor NumPy."""
    script = f"import sys, reference_engine.{name}; print({{'numba', 'numpy'}} & set(sys.modules))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "set()"
