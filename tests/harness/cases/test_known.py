"""Files of known failures."""

from pathlib import Path

import pytest

from harness.cases.known import read_known
from harness.errors import UsageError

NAMES = ("R4", "R10", "ko-is-forbidden")


def written(folder: Path, text: str) -> Path:
    """Return a file with this text."""
    path = folder / "known.toml"
    path.write_text(text, "utf-8")
    return path


def test_reasons_by_id(tmp_path: Path) -> None:
    """Entries are read, in their order."""
    path = written(
        tmp_path, '[[failure]]\nid = "R10"\nreason = "next week"\n[[failure]]\nid = "R4"\nreason = "x"\n'
    )

    assert list(read_known(path, NAMES).items()) == [("R10", "next week"), ("R4", "x")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[failure]]\nid = "R44"\nreason = "x"', "did you mean 'R4'"),
        ('[[failure]]\nid = "R4"\nreason = " "', "has no reason"),
        ('[[failure]]\nid = "R4"\nreason = "x"\n[[failure]]\nid = "R4"\nreason = "y"', "twice"),
        ('[[failure]]\nid = "R4"\nreason = "x"\ncause = "x"', "cause"),
        ("[[failure", "known.toml"),
    ],
)
def test_bad_files_are_told_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    """Every mistake has its sentence, with the file's name."""
    with pytest.raises(UsageError, match=says) as caught:
        read_known(written(tmp_path, text), NAMES)

    assert "known.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    """So has a missing file."""
    with pytest.raises(UsageError, match="cannot read known failures"):
        read_known(Path("missing.toml"), NAMES)
