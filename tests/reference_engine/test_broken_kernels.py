"""Kernels with one fault put in on purpose: the replay proof finds every one.

A fault is an exact piece of a module's source and a wrong one in its place.  The package is copied, broken,
compiled in a process of its own, and proved like the real one: the proof must refute it.  The untouched copy
must be proved, or a refutation would say nothing.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import reference_engine

HERE = Path(__file__).parent
PACKAGE = Path(str(reference_engine.__file__)).parent
PLAN = {2: (12, 40), 3: (36, 40), 4: (24, 40), 5: (18, 40), 7: (6, 40), 9: (6, 40)}
LINES = {2: (12, 3), 3: (150, 3), 4: (100, 2)}
"""What each broken kernel is given to replay and to draw: less than the real ones have to pass."""

PROGRAM = """
import sys
import reference_engine
from draws import prove_draws
from replay import prove_kernel
from reference_engine.playouts import Kernel
from reference_engine.spec import SPEC

assert reference_engine.__file__.startswith(sys.argv[1])
print(prove_kernel(Kernel(sys.argv[2]), SPEC, PLAN))
print(prove_draws(Kernel(sys.argv[2]), SPEC, LINES))
""".replace("PLAN", str(PLAN)).replace("LINES", str(LINES))


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong piece of source."""

    kernel: str
    module: str
    right: str
    wrong: str

    def put_into(self, package: Path) -> None:
        """Break a copy of the package; the right piece must be in the module exactly once."""
        path = package / f"{self.module}.py"
        source = path.read_text("utf-8")
        assert source.count(self.right) == 1, f"{self.module}: {self.right!r}"
        path.write_text(source.replace(self.right, self.wrong), "utf-8")


def _lockstep(right: str, wrong: str, module: str = "lockstep") -> Fault:
    return Fault("lockstep", module, right, wrong)


def _chains(right: str, wrong: str, module: str = "chain_kernel") -> Fault:
    return Fault("chains", module, right, wrong)


LOCKSTEP = {
    # What is broken in the playable rule.
    "corner eyes as tolerant as those in the centre": _lockstep("(_above(corner,", "(_above(centre,"),
    "edge eyes as tolerant as those in the centre": _lockstep("(_above(edge,", "(_above(centre,"),
    "centre eyes as strict as those on the edge": _lockstep("(_above(centre,", "(_above(edge,"),
    "one diagonal looked at twice, another never": _lockstep(
        "up(west), up(east), down(west), down(east)", "up(west), up(east), down(west), down(west)"
    ),
    "an empty neighbour is no harm to an eye": _lockstep("around(empty | foe) | bad", "around(foe) | bad"),
    "ko bans are not obeyed": _lockstep("candidates = candidates & ~ko", "candidates = candidates & ~tried"),
    "ko bans are never lifted": _lockstep("ko = (ko & ~done) | ", "ko = ko | "),
    "a ban of the game binds both colours": _lockstep(
        "if ko_point >= 0 and ko_colour == to_move and", "if ko_point >= 0 and"
    ),
    "a stone beside its own takes a ko": _lockstep("near & (own | empty)", "near & empty"),
    "what captures may be suicide": _lockstep(
        "doubtful = ~(breathes | takes | passing | again)", "doubtful = ~(breathes | passing | again)"
    ),
    "suicide of several stones": _lockstep("goals = own & around(free)", "goals = own & around(empty)"),
    "suicide of one stone": _lockstep("goals = own & around(free)", "goals = move | (own & around(free))"),
    "suicides are left out for the rest of the playout": _lockstep(
        "(move & spread(suicide))) & ~done", "(move & spread(suicide)))"
    ),
    "the move itself is a liberty of what it takes": _lockstep(
        "alive = foe & around(free)", "alive = foe & around(empty)"
    ),
    "chains are followed two steps only": _lockstep(
        "            waiting = has_points(target & ~alive)\n            if not moved:",
        "            waiting = has_points(target & ~alive)\n            if moved | ~moved:",
    ),
    "rows of different words are not neighbours": _lockstep(
        "(b << PITCH) | (a >> 20)", "(b << PITCH)", "bitboard"
    ),
    # What is broken in the draws, the course and the records.
    "the last of several candidates is never drawn": _lockstep(
        "index = high_product(random, draws)", "index = high_product(random, draws - splat(1))"
    ),
    "the cap is one move late": _lockstep("splat(cap)", "splat(cap + uint32(1))"),
    "a stone does not break a run of passes": _lockstep(
        "choose(placed, zero, trailing + (passing & 1))", "trailing + (passing & 1)"
    ),
    "captures stay on the board": _lockstep(
        "mine, theirs = own | stone, foe & ~dead", "mine, theirs = own | stone, foe"
    ),
    "regions are not followed": _lockstep("return _grown(beside, empty)", "return beside"),
    "the opponent's plays are forgotten": _lockstep("played = played | stone", "played = played | data"),
}
CHAINS = {
    # What is broken in the playable rule.
    "corner eyes as tolerant as those in the centre": _chains(
        "*[spec.eye_corner] * 3", "*[spec.eye_centre] * 3", "shapes"
    ),
    "edge eyes as tolerant as those in the centre": _chains(
        "[spec.eye_centre, spec.eye_edge,", "[spec.eye_centre, spec.eye_centre,", "shapes"
    ),
    "centre eyes as strict as those on the edge": _chains(
        "[spec.eye_centre, spec.eye_edge,", "[spec.eye_edge, spec.eye_edge,", "shapes"
    ),
    "the end of the board counts against an eye": _chains("else other & ~own", "else other", "shapes"),
    "three own neighbours make an eye": _chains("(beside == 15)", "(_POPULATION[beside] >= 3)", "shapes"),
    "a diagonal is taken for another": _chains(
        "U(1 << 3 | 1 << 16 + 11", "U(1 << 2 | 1 << 16 + 11", "chain_board"
    ),
    "ko bans are not obeyed": _chains("== ZERO and contact.cell != ko", "== ZERO"),
    "ko bans are never lifted by a stone": _chains("return ZERO, ban[1], ban[2]", "return ban"),
    "ko bans bind both colours": _chains("ko = ban[0] if ban[1] == colour and", "ko = ban[0] if"),
    "any capture of one stone bans its point": _chains("(is_alone or ko == _KO_ANY)", "ko == ko"),
    "what captures may be suicide": _chains("lives |= contact.foe & contact.last", "lives |= ZERO"),
    "suicide of several stones": _chains("lives = contact.own & ~contact.last", "lives = contact.own"),
    "suicide of one stone": _chains("lives |= contact.foe & contact.last", "lives |= contact.foe"),
    "the last liberty is found by the mean of the liberties": _chains(
        "1 | cell << _CELLS | cell * cell << _SQUARES", "1 | cell << _CELLS", "chain_board"
    ),
    # What is broken in the draws, the course and the records.
    "a draw that cannot be played is a pass": _chains(
        "        left -= ONE\n        b[EMPTY + i]", "        left = ZERO\n        b[EMPTY + i]"
    ),
    "the last entry is never drawn": _chains(
        "product = (bits >> U(32)) * n\n    if", "product = (bits >> U(32)) * (n - ONE)\n    if"
    ),
    "the cap is one move late": _chains("if length >= cap:", "if length > cap:"),
    "a stone does not break a run of passes": _chains("trailing = 0\n                cell", "cell"),
    "captured stones are counted": _chains("(1 + int64(taken))", "1"),
    "regions are not followed": _chains("and scoring != _NEIGHBOURS:", "and scoring < 0:", "chain_count"),
    "the last to play on a point has the credit": _chains(
        "mark = colour if mark == ZERO else mark", "mark = colour + ZERO"
    ),
}
FAULTS = {f"{fault.kernel}: {name}": fault for name, fault in (*LOCKSTEP.items(), *CHAINS.items())}
TEN = {
    "lockstep: corner eyes as tolerant as those in the centre",
    "lockstep: an empty neighbour is no harm to an eye",
    "lockstep: ko bans are not obeyed",
    "lockstep: what captures may be suicide",
    "lockstep: suicide of several stones",
    "chains: three own neighbours make an eye",
    "chains: a diagonal is taken for another",
    "chains: ko bans are never lifted by a stone",
    "chains: suicide of one stone",
    "chains: the last liberty is found by the mean of the liberties",
}
"""Faults of the playable rule tried with the slow tests; all are tried by `make proofs`."""
assert set(FAULTS) >= TEN


def proof(folder: Path, kernel: str, fault: Fault | None) -> subprocess.CompletedProcess[str]:
    """Prove a copy of the engine, broken or not, in a process of its own."""
    package = folder / PACKAGE.name
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    if fault is not None:
        fault.put_into(package)
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder}{os.pathsep}{HERE}",
        "NUMBA_CACHE_DIR": str(folder / "compiled"),
        "NUMBA_OPT": "1",  # compiling is most of the time
    }
    command = [sys.executable, "-c", PROGRAM, str(folder), kernel]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["lockstep", "chains"])
def test_an_untouched_copy_is_proved(tmp_path: Path, kernel: str) -> None:
    """Without a fault the same proof holds; false failure 1 in 10**6."""
    done = proof(tmp_path, kernel, None)
    assert done.returncode == 0, done.stderr
    assert "'playouts': " in done.stdout


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in TEN else pytest.mark.long) for n in FAULTS]
)
def test_a_broken_kernel_is_refuted(tmp_path: Path, name: str) -> None:
    """A kernel with one fault is refuted, by a playout or by lines never drawn; chance never fails it."""
    done = proof(tmp_path, FAULTS[name].kernel, FAULTS[name])
    assert done.returncode == 1, done.stdout
    assert re.search(r"^(replay\.Refuted|draws\.Misfit)Error: ", done.stderr, re.MULTILINE), done.stderr
    print(done.stderr[done.stderr.rindex("Error: ") :])


def test_faults_are_put_where_they_belong(tmp_path: Path) -> None:
    """The piece that a fault replaces is in its module exactly once, and another one comes in its place."""
    for fault in FAULTS.values():
        path = tmp_path / f"{fault.module}.py"
        shutil.copy(PACKAGE / path.name, path)
        fault.put_into(tmp_path)
        assert path.read_text("utf-8") != (PACKAGE / path.name).read_text("utf-8")
