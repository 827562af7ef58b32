"""Tiny suites for tests: a few requirements, cases and small tables, written into a folder of the test's."""

from pathlib import Path

import msgspec

from harness.build import Sizes, build
from harness.case import Case, CaseFile
from harness.suite import Suite, load_suite

REQUIREMENTS = (
    *(f"R{i}" for i in range(1, 13)),
    *(f"N{i}" for i in range(1, 5)),
    "X1",
    *(f"G{i}" for i in range(1, 14)),
)
SMALL = Sizes(large=20_000, small=60_000, deviation=4_000, genmoves=40_000, runs=2)

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
length = 3.0
score = 0.2
"""
MOVES = """
requirement = "R7"
about = "The move chosen on the empty 3x3 board."
size = 3
playouts = 4
[choices]
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


def write_suite(folder: Path, cases: dict[str, str]) -> Path:
    """Write requirements and cases, each case in the area ``area``."""
    (folder / "cases" / "area").mkdir(parents=True)
    (folder / "requirements.toml").write_text(
        "".join(f'[{r}]\nclause = "Clause {r}."\nsource = "test"\nreading = "plain"\n' for r in REQUIREMENTS)
    )
    for name, text in cases.items():
        (folder / "cases" / "area" / f"{name}.toml").write_text(text)
    return folder


def make_suite(folder: Path, cases: dict[str, str], sizes: Sizes = SMALL) -> Suite:
    """Write a suite with its tables, and load it."""
    suite = load_suite(write_suite(folder, cases))
    build(suite, sizes, lambda _: None, [])
    return load_suite(folder)


def case_of(text: str, name: str = "case") -> Case:
    """Read one case from the text of its file."""
    return Case(name, msgspec.toml.decode(text, type=CaseFile))
