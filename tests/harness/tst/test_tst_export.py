"""The exact cases as regression files: the committed files are the generated ones, and they judge right."""

from pathlib import Path

import pytest

from harness.bots.bot import Bot
from harness.bots.inprocess import starter
from harness.cases.suite import fixtures_folder, load_suite
from harness.tst.export import tst_files
from harness.tst.file import parse_tst
from harness.tst.result import FileResult, TstOutcome, judge, judge_as_awk, status_of
from harness.tst.run import Judge, Runner
from harness.tst.select import TstSelection
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC, Spec

FOLDER = fixtures_folder() / "tst"
FILES = sorted(FOLDER.glob("*.tst"))


def ran(path: Path, spec: Spec = SPEC, by: Judge = judge) -> FileResult:
    """Run a committed file with the engine in this process."""
    selection = TstSelection(parse_tst(path, path.read_bytes()))
    return Runner(Bot("engine", "engine {playouts}"), by, start=starter(spec)).run(selection)


def test_the_committed_files_are_the_generated_ones() -> None:
    """`make tst-files` writes them anew after a change of the cases."""
    wanted = tst_files(load_suite())

    assert sorted(wanted) == [path.name for path in FILES]
    assert wanted == {path.name: path.read_bytes().decode() for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_passes_them_all(path: Path) -> None:
    """Here, with --strict, and as GNU Go's script judges, which sees no ``=6`` without a space."""
    ours, awk = ran(path), ran(path, by=judge_as_awk)

    assert status_of([ours], strict=True) == 0
    seen = [test for test in awk.tests if test.outcome is not TstOutcome.NOT_RUN]
    assert all(test.command.split()[0] in ("komi", "play", "quit") for test in awk.tests if test not in seen)
    assert {test.number: test.outcome for test in seen}.items() <= {
        test.number: test.outcome for test in ours.tests
    }.items()
    assert {test.outcome for test in ours.tests} <= {TstOutcome.PASSED, TstOutcome.KNOWN_FAILURE}
    assert ours.notes == []


@pytest.mark.parametrize(
    ("area", "deviation"),
    [
        ("eyes", "eye-edge-as-centre"),
        ("ko", "no-ko"),
        ("superko", "no-superko"),
        ("score", "stones-only"),
        ("commands", "nodes-without-passes"),
        ("playout", "suicide-several"),
        ("choice", "passes-back"),
        ("protocol", "stones-kept"),
        ("protocol", "any-size"),
        ("protocol", "comments-kept"),
        ("protocol", "undo-keeps-stone"),
        ("commands", "colour-ignored"),
    ],
)
def test_a_mistake_fails_the_files_of_its_area(area: str, deviation: str) -> None:
    """What the cases show, the files show."""
    results = [ran(path, BY_NAME[deviation].spec) for path in FILES if path.name.startswith(area)]

    assert results
    assert status_of(results, strict=True) in (1, 4)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_tool_reads_them_alike(path: Path) -> None:
    """No bracket inside a pattern, no number twice, nothing between a test and its expectation."""
    file = parse_tst(path, path.read_bytes())
    text = path.read_text().splitlines()

    assert len({line.number for line in file.tests}) == len(file.tests) > 0
    for line in file.tests:
        assert line.expectation is not None
        assert "[" not in line.expectation.pattern
        assert "]" not in line.expectation.pattern
        assert text[line.place].startswith("#? [")


def test_every_exact_case_is_in_one_of_them() -> None:
    """All but statistical cases, whole games, repeated genmoves and dialogues."""
    suite = load_suite()
    written = "".join(path.read_text() for path in FILES)
    missing = {name for name in suite.cases if f"\n# {name} (" not in written}

    assert missing == {
        name
        for name, case in suite.cases.items()
        if case.is_statistical or any((case.file.complete, case.file.fresh, case.file.dialogue))
    }
