"""Evidence files: what is written is read back, and whatever is wrong with one is named by its line."""

import os
from pathlib import Path

import pytest

from harness.errors import EvidenceError, UsageError
from harness.records.evidence import (
    FILE_NAME,
    SCHEMA,
    BotRef,
    Broken,
    Evidence,
    Footer,
    Header,
    Round,
    SpeedTurn,
    SuiteRef,
    Unit,
    read_evidence,
    read_part,
)
from harness.records.journal import Journal

HEADER = Header(
    schema=SCHEMA,
    command="certify",
    refbot="0.1.0",
    engine="e" * 16,
    suite=SuiteRef("1", "d" * 16),
    level="smoke",
    bot=BotRef("mybot", "./mybot 'a b' {playouts}", "My Bot", "1.0", "", ["name", "genmove"], 100),
    started="2026-01-01T00:00:00+00:00",
    host="Linux x86_64",
    cases=["one", "two"],
)
ODD = (
    "= a\\xff\\x00 backslashes \\\\ and \\n\n\n",
    "= \"quotes\" and 'quotes'\n\n",
    "= 碁 ☖ é \U0001f600 \u2028\u2029\n\n",
    "?7 unknown\tcommand\r\n\r\n",
    "=\n# no comment\n{}[]\n\n",
    "",
)
UNITS = [
    Unit("one", 1, 8, [(f"line {i}", raw) for i, raw in enumerate(ODD)], 0.25),
    Unit("two", 2, 100, [], 0.0, ["a note"], Broken("CRASH", "mybot: it died", "last\nwords\n")),
]


def write(path: Path, units: list[Unit] = UNITS) -> Path:
    """Write a whole file."""
    with Journal(path, HEADER) as writer:
        for unit in units:
            writer.add(unit)
        writer.finish("complete", 1.23456)
    return path


def complaint(path: Path) -> str:
    """Return what reading says, and make sure it changes nothing."""
    before = path.read_bytes()
    with pytest.raises(EvidenceError) as error:
        read_evidence(path)
    assert before == path.read_bytes()
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.status == 5
    return str(error.value)


def test_round_trip(tmp_path: Path) -> None:
    """What was written is read, to the last odd character of a reply."""
    evidence = read_evidence(write(tmp_path / FILE_NAME))
    assert Evidence(HEADER, UNITS, Footer(2, 1.235, "complete")) == evidence


def test_folder_of_a_run(tmp_path: Path) -> None:
    """The folder of a run stands for the evidence file in it."""
    path = write(tmp_path / FILE_NAME)
    assert read_evidence(path) == read_evidence(tmp_path)


def test_reading_changes_nothing(tmp_path: Path) -> None:
    """Reading leaves every byte as it was."""
    path = write(tmp_path / FILE_NAME)
    before = path.read_bytes()
    read_evidence(path)
    assert before == path.read_bytes()


def test_same_units_same_bytes(tmp_path: Path) -> None:
    """The same run written twice gives the same bytes, one line for each value."""
    first, second = write(tmp_path / "a"), write(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().count(b"\n") == 4


def test_every_unit_is_on_disk_at_once(tmp_path: Path) -> None:
    """A unit can be read by others as soon as it was added, so that a killed run keeps it."""
    path = tmp_path / FILE_NAME
    with Journal(path, HEADER) as writer:
        for lines, unit in enumerate(UNITS, start=2):
            writer.add(unit)
            assert path.read_bytes().count(b"\n") == lines
    assert "no footer after line 3" in complaint(path)


def test_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    """A second run into the same file is refused, and the first stays as it was."""
    path = write(tmp_path / FILE_NAME)
    before = path.read_bytes()
    with pytest.raises(EvidenceError, match="cannot write evidence"):
        Journal(path, HEADER)
    assert before == path.read_bytes()


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    """A file that cannot be made is one line with its name."""
    with pytest.raises(EvidenceError, match="No such file"):
        Journal(tmp_path / "none" / FILE_NAME, HEADER)


def test_full_disk(tmp_path: Path) -> None:
    """A disk that is full is one line that says the evidence so far is kept."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with Journal(tmp_path / FILE_NAME, HEADER) as writer, full.open("wb", buffering=0) as disk:
        os.dup2(disk.fileno(), writer._lines._fd)
        with pytest.raises(EvidenceError, match="what was written so far is kept"):
            writer.add(UNITS[0])


@pytest.mark.parametrize("line", [1, 2, 3, 4])
@pytest.mark.parametrize("keep", [1, 10, -2, -1])
def test_cut_in_the_middle_of_a_line(tmp_path: Path, line: int, keep: int) -> None:
    """A file cut anywhere in a line names that line and counts the whole ones before it."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: line - 1]) + lines[line - 1][:keep])
    said = complaint(path)
    assert f"line {line} is cut off" in said
    assert f"the {line - 1} lines before it are complete" in said


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_no_footer(tmp_path: Path, lines: int) -> None:
    """A file that ends between two lines names the last one and the missing footer."""
    path = write(tmp_path / FILE_NAME)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    assert f"no footer after line {lines}" in complaint(path)


@pytest.mark.parametrize("lost", [1, 2])
def test_lost_unit(tmp_path: Path, lost: int) -> None:
    """A line taken out is missed by the footer, which is named."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().splitlines(keepends=True)
    del lines[lost]
    path.write_bytes(b"".join(lines))
    said = complaint(path)
    assert "line 3 (the footer) counts 2 units" in said
    assert "there are 1 before it" in said


def test_line_added(tmp_path: Path) -> None:
    """A line put in is too many for the footer."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], *lines[1:]]))
    assert "line 5 (the footer) counts 2 units" in complaint(path)


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage",
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"type":"unit"}',
        b'{"type":"verdict","case":"one"}',
        b'{"type":"unit","case":5,"process":1,"playouts":8,"exchanges":[],"seconds":0}',
        b'{"type":"unit","case":"one","process":1,"playouts":8,"exchanges":[["a"]],"seconds":0}',
        b'\xff\xfe{"type":"unit"}',
        b'{"type":"unit","case":"\xff","process":1,"playouts":8,"exchanges":[],"seconds":0}',
    ],
)
@pytest.mark.parametrize("line", [1, 2, 4])
def test_garbage_names_its_line(tmp_path: Path, garbage: bytes, line: int) -> None:
    """Whatever is no line of evidence is named by its number."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = garbage
    path.write_bytes(b"\n".join(lines))
    assert f"line {line}" in complaint(path)


def test_no_header(tmp_path: Path) -> None:
    """A file that begins with a unit names line 1."""
    path = write(tmp_path / FILE_NAME)
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    assert "line 1 is not a header" in complaint(path)


def test_empty_file(tmp_path: Path) -> None:
    """An empty file has no header."""
    path = tmp_path / FILE_NAME
    path.write_bytes(b"")
    assert "line 1" in complaint(path)


def test_only_newlines(tmp_path: Path) -> None:
    """A file of empty lines is wrong from line 1."""
    path = tmp_path / FILE_NAME
    path.write_bytes(b"\n\n\n")
    assert "line 1" in complaint(path)


def test_lines_after_the_footer(tmp_path: Path) -> None:
    """A footer is the last line; one more unit behind it is an error."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[1]]))
    complaint(path)


def test_two_runs_in_one_file(tmp_path: Path) -> None:
    """Two files put together are an error, even where the last footer's count agrees with the lines."""
    path = write(tmp_path / FILE_NAME)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[0], *lines[1:2], lines[3]]))
    said = complaint(path)
    assert "line 2" in said


def test_missing_file(tmp_path: Path) -> None:
    """A file or folder that is not there is one line with its name."""
    with pytest.raises(UsageError, match=r"there is no run .*nothing\.jsonl"):
        read_evidence(tmp_path / "nothing.jsonl")
    with pytest.raises(EvidenceError, match=r"cannot read evidence .*No such file"):
        read_evidence(tmp_path)


def test_file_of_another_schema(tmp_path: Path) -> None:
    """A file of a schema this installation does not know is not read as if it did."""
    path = write(tmp_path / FILE_NAME)
    path.write_bytes(path.read_bytes().replace(b'"schema":1', b'"schema":999'))
    assert "schema" in complaint(path)


def test_rounds_are_read_back_and_count_in_the_digest(tmp_path: Path) -> None:
    """A measured speed stands beside the units, is no unit, and cannot be changed unseen."""
    turn = SpeedTurn(8, 8000, None, 0.25, 0.24, 1 << 20)
    rounds = [Round(1, 9, "bot", turn, turn), Round(2, 9, "engine", turn, turn, Broken("CRASH", "it died"))]
    path = tmp_path / FILE_NAME
    with Journal(path, HEADER) as writer:
        for line in (*UNITS, *rounds):
            writer.add(line)
        footer = writer.finish("decided", 1.5)

    read = read_evidence(path)

    assert (read.rounds, footer.units) == (rounds, len(UNITS))
    assert read_part(path).evidence.rounds == rounds
    assert read.digest != Evidence(read.header, read.units, read.footer).digest


def test_evidence_without_rounds_has_the_digest_it_had() -> None:
    """Old files verify as before."""
    assert Evidence(HEADER, UNITS, None).digest == "2dd99160c93cb574"
