"""A build from nothing: every table, the same however it was made; what is current stays as it is."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tiny_suite import CASES, SIZES, limit_catalogue, write_suite

from harness.cases.start import start_of
from harness.cases.suite import Suite, load_suite
from harness.errors import UsageError
from harness.table_build.build import build
from harness.table_build.inventory import inventory
from harness.table_build.sampler import Sampler
from harness.tables.reference import Reference
from harness.tables.sizes import LEAST, RATIO, Sizes
from harness.tables.tables import ChoiceTable, SampleTable, Tables

NAMES = ["sample", "moves", "fresh"]
FEW = ("one-pass-ends", "cap-from-playout", "komi-ignored", "no-cap", "ties-in-order")


@pytest.fixture(scope="module", autouse=True)
def _few() -> Iterator[None]:
    """Build with a few deviations, for each takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        limit_catalogue(patch, FEW)
        yield


def files(suite: Suite) -> dict[str, bytes]:
    """Return every table file."""
    folder = suite.folder / "tables"
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*.json"))}


def made(folder: Path, threads: int, cases: list[str] = NAMES) -> Suite:
    """Write a suite and build its tables."""
    suite = load_suite(write_suite(folder, {name: CASES[name] for name in cases}))
    build(suite, SIZES, Sampler(threads=threads, folder=folder / "cache"), cases)
    return suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Return a suite with tables."""
    return made(tmp_path_factory.mktemp("suite") / "s", 2)


def test_what_is_built(suite: Suite) -> None:
    """Every case gets its files, current and as large as asked for; nothing is left in the cache."""
    starts = [start_of(suite.cases[name]).name for name in ("sample", "fresh")]
    assert set(files(suite)) == {"sample.json", "moves.json", *(f"positions/{name}.json" for name in starts)}
    entries = {entry.case: entry for entry in inventory(suite)}
    assert all(entries[name].is_current for name in NAMES)
    assert not entries["(exact cases)"].is_current
    assert {path.name[:6] for path in (suite.folder / "cache").iterdir()} == {"exact-"}
    tables = Tables(suite.folder / "tables")
    assert tables.reference(suite.cases["sample"]).sampled.playouts == SIZES.opening
    moves = tables.choice(suite.cases["moves"])
    assert (moves.genmoves, sum(moves.counts.values())) == (SIZES.position // 4,) * 2
    shifts = tables.sample(suite.cases["sample"]).shifts
    assert set(shifts) == {"one-pass-ends", "cap-from-playout", "komi-ignored", "no-cap"}
    assert shifts["one-pass-ends"].distance > shifts["cap-from-playout"].distance
    assert shifts["one-pass-ends"].convict is not None
    assert set(moves.deviations) == {"ties-in-order"}


def test_the_same_with_other_threads(suite: Suite, tmp_path: Path) -> None:
    """Built again elsewhere with another number of threads, every file is the same, byte for byte."""
    assert files(suite) == files(made(tmp_path / "s", 3))


def test_what_is_current_is_left_alone(suite: Suite) -> None:
    """A second build makes nothing, and says nothing; a smaller one neither."""
    before, said = files(suite), list[str]()
    for sizes in (SIZES, msgspec.structs.replace(SIZES, position=10_000, deviation=1_000)):
        only_statistical = msgspec.structs.replace(sizes, runs=1)
        _build_statistical(suite, only_statistical, said)
    assert (before, said) == (files(suite), [])


def _build_statistical(suite: Suite, sizes: Sizes, said: list[str]) -> None:
    """Build without the table of exact cases, of which this suite has only one that takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.table_build.build._Builder._exact", lambda _: None)
        build(suite, sizes, Sampler(note=said.append, threads=2), [])


@pytest.mark.parametrize("cause", ["engine", "komi", "size", "garbage", "missing"])
def test_what_is_not_current_is_made_anew(tmp_path: Path, cause: str) -> None:
    """Another engine, another komi, a larger size, a broken and a missing file are noticed, and put right."""
    suite = made(tmp_path / "s", 2, ["sample"])
    before, path = files(suite), suite.folder / "tables" / "sample.json"
    position = next((suite.folder / "tables" / "positions").iterdir())
    sizes = SIZES
    if cause == "engine":
        table = msgspec.json.decode(position.read_bytes(), type=Reference)
        position.write_bytes(msgspec.json.encode(msgspec.structs.replace(table, engine="another")))
    elif cause == "komi":
        case = suite.folder / "cases" / "area" / "sample.toml"
        case.write_text(case.read_text("utf-8") + "", "utf-8")
        case.write_text("komi = 2.5\n" + case.read_text("utf-8"), "utf-8")
        suite = load_suite(suite.folder)
    elif cause == "size":
        sizes = msgspec.structs.replace(SIZES, opening=70_000)
    elif cause == "garbage":
        path.write_text("{")
    else:
        position.unlink()
    state = next(inventory(suite, "sample")).state
    assert (state == "current") == (cause == "size")
    said = list[str]()
    _build_statistical(suite, sizes, said)
    assert next(inventory(suite, "sample")).is_current
    assert said
    assert (files(suite) == before) == (cause in ("engine", "garbage", "missing"))


def test_files_that_no_case_reads_are_removed(tmp_path: Path) -> None:
    """Tables of cases that are gone go too; what else lies there stays."""
    suite = made(tmp_path / "s", 2, ["sample", "fresh"])
    folder = suite.folder / "tables"
    (folder / "notes.txt").write_text("mine")
    (suite.folder / "cases" / "area" / "fresh.toml").unlink()
    (folder / "long-ago.json").write_text("{}")
    said = list[str]()
    _build_statistical(load_suite(suite.folder), SIZES, said)
    assert len([line for line in said if "removed" in line]) == 2
    assert len(files(suite)) == 2
    assert (folder / "notes.txt").exists()


def test_only(suite: Suite) -> None:
    """A case named is built even if current, to the same bytes; one without a table is refused."""
    before, said = files(suite), list[str]()
    build(suite, SIZES, Sampler(note=said.append), ["moves"])
    assert len(said) == 1
    assert before == files(suite)
    with pytest.raises(UsageError, match="did you mean 'moves'"):
        build(suite, SIZES, Sampler(), ["move"])
    tiny = load_suite(write_suite(suite.folder.parent / "other", {"eye": CASES["eye"]}))
    with pytest.raises(UsageError, match="no table of its own"):
        build(tiny, SIZES, Sampler(), ["eye"])


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Where tables cannot be written the build ends with one line."""
    suite = load_suite(write_suite(tmp_path / "s", {"sample": CASES["sample"]}))
    (suite.folder / "tables").write_text("in the way")
    with pytest.raises(UsageError, match="cannot write"):
        build(suite, SIZES, Sampler(), [])


def test_an_interrupted_build_goes_on(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped within a reference, a build goes on with the next block and comes out the same."""
    monkeypatch.setattr("harness.table_build.sampling.block_of", lambda _: 20_000)
    cache, done = tmp_path / "cache", list[int]()

    def stop(progress: object) -> None:
        done.append(progress.done)  # type: ignore[attr-defined]
        if progress.done == 50_000:  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    other = load_suite(write_suite(tmp_path / "s", {name: CASES[name] for name in NAMES}))
    with pytest.raises(KeyboardInterrupt):
        build(other, SIZES, Sampler(stop, threads=2, folder=cache), NAMES)
    assert files(other) == {}
    assert done[-1] == 50_000
    done.clear()
    build(other, SIZES, Sampler(lambda p: done.append(p.done), threads=2, folder=cache), NAMES)
    assert min(done[:3]) > 40_000
    assert files(suite) == files(other)


def test_sizes_follow_from_the_levels() -> None:
    """Every table is at least a hundred times as large as the largest sample of it, openings larger."""
    sizes = Sizes()
    assert RATIO >= 100
    assert min(sizes.position, sizes.opening) >= LEAST
    assert sizes.opening >= 10**8


def test_tables_say_what_they_were_made_from(suite: Suite) -> None:
    """The table of a case points at its position's reference, as it is."""
    folder = suite.folder / "tables"
    table = msgspec.json.decode((folder / "sample.json").read_bytes(), type=SampleTable)
    path = folder / "positions" / f"{table.position}.json"
    assert msgspec.json.decode(path.read_bytes(), type=Reference).digest == table.reference
    chosen = msgspec.json.decode((folder / "moves.json").read_bytes(), type=ChoiceTable)
    assert (chosen.kernel, chosen.playouts) == ("lockstep", 4)
