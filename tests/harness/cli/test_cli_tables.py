"""`refbot tables`: lists, shows, checks and samples, by the real command; killed, it goes on where it was."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pexpect
import pytest
from doctored import doctored
from tiny_suite import EYE, FRESH, MOVES, SAMPLE, SIZES, write_suite, write_table

from harness.cases.start import start_of
from harness.cases.suite import fixtures_folder, load_suite
from harness.table_build.build import build
from harness.table_build.cache import recall
from harness.table_build.sampler import Sampler
from harness.tables.reference import Reference, Sampled
from harness.tables.staleness import cases_digest
from harness.tables.tables import ExactTable, SampleTable, Tables
from reference_engine.compiled import _FOLDER
from reference_engine.deviations import BY_NAME
from reference_engine.digest import source_digest

ROOT = Path(__file__).parents[3]
CASES = {"sample": SAMPLE, "moves": MOVES, "fresh": FRESH, "eye": EYE}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set up a checkout of this code with a tiny suite and its tables."""
    house = tmp_path_factory.mktemp("house")
    for package in ("harness", "reference_engine"):
        (house / package).symlink_to(ROOT / package)
    suite = load_suite(write_suite(house / "fixtures", CASES))
    (house / "fixtures" / "published.toml").write_bytes((fixtures_folder() / "published.toml").read_bytes())
    build(suite, SIZES, Sampler(threads=2), ["sample", "moves", "fresh"])
    rates = {name: dict.fromkeys(BY_NAME, (0, 5)) for name in ("eye", "fresh")}
    write_table(suite.folder, "exact", ExactTable(source_digest(), cases_digest(suite), rates))
    return house


Done = subprocess.CompletedProcess[str]


def environment(house: Path, cache: Path) -> dict[str, str]:
    """Return an environment with a cache of its own; what is compiled is taken from the user's."""
    return os.environ | {
        "PYTHONPATH": str(house),
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_CACHE_HOME": str(cache),
        "NUMBA_CACHE_DIR": str(_FOLDER),
        "TERM": "xterm-256color",
    }


def refbot(house: Path, folder: Path, *arguments: str) -> Done:
    """Run the real command in a folder of the test's, which holds its cache too."""
    return subprocess.run(
        [sys.executable, "-m", "harness", "tables", *arguments],
        cwd=folder,
        env=environment(house, folder / "cache"),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_list(house: Path, tmp_path: Path) -> None:
    """The list names every case with a table, its position, size, kernel, figures and state."""
    done = refbot(house, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[0]: line for line in done.stdout.splitlines()[1:]}
    assert set(lines) == {"sample", "moves", "fresh", "(exact"}
    assert all(line.rstrip().endswith("current") for line in lines.values())
    assert re.search(r"3x3-empty-black-\w{8} +60,000 +lockstep +\d\d\.\d{4} \+- 0\.0", lines["sample"])
    assert "40,000 x 4" in lines["moves"]
    assert "\u2026" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_table_about_sums(house: Path, tmp_path: Path) -> None:
    """A case's page has size, seed, kernel, engine, moments, quantiles, the ladder of komis and two maps."""
    done = refbot(house, tmp_path, "sample")
    assert (done.returncode, done.stderr) == (0, "")
    suite = load_suite(house / "fixtures")
    sampled = Tables(suite.folder / "tables").reference(suite.cases["sample"]).sampled
    page = " ".join(done.stdout.split())
    for expected in (
        f"60,000 playouts, kernel lockstep, seed {sampled.seed}",
        f"engine {source_digest()}, current",
        "skewness",
        "99.9%:",
        "margin Black by",
        "<- this komi",
        "first to play",
        "of these, won by black at komi 0.5, in percent",
        "owner at the end",
    ):
        assert expected in page
    assert "one-pass-ends" in page.partition("deviations that show: ")[2]
    komis = [line.split()[0] for line in done.stdout.splitlines() if " +- 0.00" in line and line[0] == " "]
    assert komis == ["0", "0.5", "5.5", "6", "6.5", "7", "7.5"]
    assert f"{sampled.visits[4] / 60_000:.2f}" in done.stdout
    assert "agreement" not in done.stdout


def test_a_table_of_chosen_moves(house: Path, tmp_path: Path) -> None:
    """A chosen-move case's page has its moves, how often each was chosen, and what shows."""
    done = refbot(house, tmp_path, "moves")
    assert (done.returncode, done.stderr) == (0, "")
    assert "40,000 genmoves of 4 playouts" in done.stdout
    assert len(re.findall(r"^[ABC][123] +0\.\d{6} \+- ", done.stdout, re.MULTILINE)) == 9
    assert "ties-in-order" in done.stdout


@pytest.mark.slow
def test_a_case_without_a_table(house: Path, tmp_path: Path) -> None:
    """Of a case that needs no table the position is played out, here exactly: two passes."""
    done = refbot(house, tmp_path, "eye")
    assert done.returncode == 0
    assert "exact" in done.stdout
    assert "2.00000 +- 0.00000 moves" in done.stdout


def test_any_position(house: Path, tmp_path: Path) -> None:
    """Any position on any board has a reference, made once: the second time it comes from the cache."""
    arguments = ("--size", "13", "--komi", "5.5", "--moves", "D4 K10 pass", "--playouts", "2_000")
    first = refbot(house, tmp_path, *arguments)
    assert first.returncode == 0
    assert "13x13, 2 stones, white to move after 3 moves" in first.stdout
    assert "2,000 playouts, kernel chains" in first.stdout
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.json")}
    again = refbot(house, tmp_path, *arguments)
    assert (again.stdout, again.stderr) == (first.stdout, "")
    assert kept == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.json")}
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[13]KM[5.5];B[dj];W[jd];B[])")
    same = refbot(house, tmp_path, "--sgf", str(record), "--playouts", "2e3")
    assert same.stdout == first.stdout


def test_published_figures(house: Path, tmp_path: Path) -> None:
    """From the empty 9x9 board the published figures are met, each within 5 standard errors (error 1e-5)."""
    done = refbot(house, tmp_path, "--size", "9", "--playouts", "2e5", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line for line in done.stdout.splitlines() if "Don Dailey" in line or "earlier" in line]
    assert len(rows) == 19
    assert max(abs(float(row.split()[-1])) for row in rows if "longest" not in row) < 5


def test_sample_beside_the_packaged_table(house: Path, tmp_path: Path) -> None:
    """A case sampled again is compared with its packaged table: independent, and within 5 standard errors."""
    done = refbot(house, tmp_path, "fresh", "--playouts", "50000")
    assert done.returncode == 0
    rows = [line for line in done.stdout.splitlines() if "the packaged table" in line]
    assert len(rows) == 7
    zs = [abs(float(row.split()[-1])) for row in rows]
    assert 0 < max(zs) < 5


def test_check(house: Path, tmp_path: Path) -> None:
    """Right tables are agreed with, p-values printed, status 0; one case can be checked alone."""
    done = refbot(house, tmp_path, "--check", "--playouts", "1e5")
    assert done.returncode == 0, done.stdout
    assert "DISAGREES" not in done.stdout
    assert "3 agree, 0 disagree; 0 faults of the files" in done.stdout
    assert re.search(r"3x3-empty-black-\w+ +chains anew +100,000 +\d+ +[\d.e-]+ +[+-]", done.stdout)
    alone = refbot(house, tmp_path, "--check", "moves", "--playouts", "1e5")
    assert (alone.returncode, alone.stdout.count(" agrees")) == (0, 1)


def test_check_of_a_doctored_table(house: Path, tmp_path: Path) -> None:
    """A table with 1% of its mass moved by two moves fails, with status 5, though every digest fits."""
    suite = load_suite(house / "fixtures")
    folder = suite.folder / "tables"
    path, case = folder / "positions" / f"{start_of(suite.cases['sample']).name}.json", folder / "sample.json"
    before = {file: file.read_bytes() for file in (path, case)}
    wrong = doctored(msgspec.json.decode(before[path], type=Reference))
    table = msgspec.json.decode(before[case], type=SampleTable)
    path.write_bytes(msgspec.json.encode(wrong))
    case.write_bytes(msgspec.json.encode(msgspec.structs.replace(table, reference=wrong.digest)))
    try:
        done = refbot(house, tmp_path, "--check", "--playouts", "2e5")
    finally:
        for file, data in before.items():
            file.write_bytes(data)
    assert done.returncode == 5
    assert done.stdout.count("DISAGREES") == 1
    assert re.search(rf"{path.stem} .*DISAGREES", done.stdout)
    assert "other reference" not in done.stdout


@pytest.mark.parametrize("fault", ["engine", "broken", "missing"])
def test_check_of_what_is_not_current(house: Path, tmp_path: Path, fault: str) -> None:
    """A table of another engine, a broken and a missing one are listed as that, and fail a check."""
    path = house / "fixtures" / "tables" / "moves.json"
    before = path.read_bytes()
    try:
        if fault == "missing":
            path.unlink()
        else:
            path.write_bytes(before.replace(source_digest().encode(), b"0123") if fault == "engine" else b"{")
        listed = refbot(house, tmp_path)
        assert listed.returncode == 0
        state = "other engine" if fault == "engine" else fault
        assert re.search(rf"moves .*{state}", listed.stdout)
        done = refbot(house, tmp_path, "--check", "moves", "--playouts", "1e4")
        assert done.returncode == 5
        assert f"moves: {state}" in done.stdout
        assert "Traceback" not in done.stderr
    finally:
        path.write_bytes(before)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["sampel"], "did you mean 'sample'?"),
        (["sample", "--playouts", "1.5"], "--playouts '1.5'"),
        (["sample", "--playouts", "lots"], "--playouts 'lots'"),
        (["--playouts", "1e6"], "--playouts goes with"),
        (["--rebuild", "--playouts", "1e6"], "--playouts goes with"),
        (["--check", "--rebuild"], "choose one"),
        (["sample", "--size", "9"], "takes no case"),
        (["sample", "--rebuild"], "takes no case"),
        (["--check", "eye"], "has no table"),
        (["--size", "99"], "--size '99'"),
        (["--size", "9", "--moves", "Z3"], "Z3"),
        (["--komi", "3"], "which board"),
        (["--sgf", "none.sgf"], "none.sgf"),
        (["--only", "eye"], "no table of its own"),
        (["--only", "sampel"], "did you mean 'sample'?"),
    ],
)
def test_bad_input(house: Path, tmp_path: Path, arguments: list[str], expected: str) -> None:
    """Bad input is one line and status 2, and makes nothing."""
    done = refbot(house, tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert expected in done.stderr
    assert list(tmp_path.rglob("*.json")) == []


KILLED = ("--size", "2", "--playouts", "3e7")


@pytest.fixture(scope="module")
def uninterrupted(house: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """Return what the command prints and keeps when nobody interrupts it."""
    folder = tmp_path_factory.mktemp("whole")
    done = refbot(house, folder, *KILLED, "--threads", "1")
    assert done.returncode == 0, done.stderr
    return done.stdout, state_of(folder).read_bytes()


def state_of(folder: Path) -> Path:
    """Return the one state file in a folder's cache."""
    (path,) = states_in(folder / "cache" / "refbot" / "samples")
    return path


def states_in(samples: Path) -> list[Path]:
    """Return the files of samples among what is kept."""
    return [path for path in samples.glob("*.json") if not path.name.startswith("exact-")]


def test_kill_and_resume(house: Path, tmp_path: Path, uninterrupted: tuple[str, bytes]) -> None:
    """Killed with SIGKILL again and again, and resumed with other numbers of threads, the command prints and
    keeps the same as if nothing had happened, bit for bit.
    """
    samples, kept = tmp_path / "cache" / "refbot" / "samples", 0
    for threads in ("1", "2", "3"):
        with subprocess.Popen(
            [sys.executable, "-m", "harness", "tables", *KILLED, "--threads", threads, "--quiet"],
            cwd=tmp_path,
            env=environment(house, tmp_path / "cache"),
            stdout=subprocess.DEVNULL,
        ) as process:
            limit = time.monotonic() + 120
            while time.monotonic() < limit and process.poll() is None:
                now = [draws(path) for path in states_in(samples)]
                if now and now[0] > kept:
                    kept = now[0]
                    break
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
    assert draws(state_of(tmp_path)) > 0
    assert draws(state_of(tmp_path)) % 4_000_000 in (0, 2_000_000)
    done = refbot(house, tmp_path, *KILLED, "--threads", "2")
    assert done.returncode == 0, done.stderr
    assert uninterrupted == (done.stdout, state_of(tmp_path).read_bytes())


def draws(path: Path) -> int:
    """Return how many playouts a state holds."""
    state = recall(path, Sampled, pytest.fail)
    return state.playouts if state else 0


def test_a_damaged_state(house: Path, tmp_path: Path, uninterrupted: tuple[str, bytes]) -> None:
    """A damaged state is one line on standard error, and the sample is made anew, to the same bytes."""
    refbot(house, tmp_path, *KILLED)
    path = state_of(tmp_path)
    path.write_bytes(path.read_bytes()[:-30])
    done = refbot(house, tmp_path, *KILLED, "--quiet")
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert "is damaged" in done.stderr
    assert uninterrupted == (done.stdout, path.read_bytes())


@pytest.mark.parametrize("is_plain", [False, True])
def test_progress_on_a_terminal(house: Path, tmp_path: Path, is_plain: bool) -> None:
    """What takes more than a moment shows on a terminal how far it is; with NO_COLOR without colours."""
    variables = environment(house, tmp_path / "cache") | ({"NO_COLOR": "1"} if is_plain else {})
    variables = {k: v for k, v in variables.items() if k != "NO_COLOR" or is_plain}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "harness", "tables", "--size", "9", "--playouts", "1e9", "--threads", "1"],
        cwd=str(tmp_path),
        env=variables,
        timeout=120,
        dimensions=(24, 150),
    )
    child.expect(rb"position asked for: [\d,]+ of 1,000,000,000 playouts, [\d,]+/s")
    shown = child.before + child.after
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert b"the same command goes on" in child.before
    assert is_plain == (not re.findall(rb"\x1b\[(?:\d+;)*(?:3[0-8]|9[0-7])(?:;\d+)*m", shown + child.before))


def test_a_case_of_the_users(tmp_path: Path) -> None:
    """A case without packaged tables is certified by a reference made once, before the bot is started, and
    verified to the same verdict, here from the cache.
    """
    for package in ("harness", "reference_engine"):
        (tmp_path / package).symlink_to(ROOT / package)
    suite = write_suite(tmp_path / "fixtures", {"mine": SAMPLE.replace("size = 3", "size = 2")})
    write_table_of_no_exact_case(suite)

    def run(*arguments: str) -> Done:
        return subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            cwd=tmp_path,
            env=environment(tmp_path, tmp_path / "cache"),
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )

    done = run("certify", "--case", "mine", "--level", "smoke", "--out", "run")
    assert done.returncode == 3, done.stderr
    announced = [line for line in done.stderr.splitlines() if "no table is packaged" in line]
    assert len(announced) == 1
    assert "2x2, empty, black to move after 0 moves" in announced[0]
    verified = run("verify", "run")
    assert verified.returncode == 3
    assert "the same document" in verified.stderr
    assert "no table is packaged" not in verified.stderr


def write_table_of_no_exact_case(folder: Path) -> None:
    """Write the table that every suite has."""
    (folder / "tables").mkdir()
    write_table(folder, "exact", ExactTable(source_digest(), "", {}))


@pytest.mark.slow
def test_check_of_the_shipped_tables(tmp_path: Path) -> None:
    """The shipped tables agree with a million playouts each by the other kernel (error 1e-6)."""
    done = refbot(ROOT, tmp_path, "--check")
    assert done.returncode == 0, done.stdout
