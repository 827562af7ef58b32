"""The user's cache: values come back as they were kept, or not at all, with one line about damage."""

import os
from pathlib import Path

import pytest

from harness.table_build.cache import recall, retain, samples_folder
from harness.table_build.sampling import Chosen

STATE = Chosen("chains", 7, 100, {"A1 3": 40, "PASS 0": 60})


def kept(folder: Path) -> Path:
    """Keep the state."""
    path = folder / "deep" / "state.json"
    retain(path, STATE)
    return path


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    """A kept value comes back whole, and nothing else is left in the folder."""
    path, said = kept(tmp_path), list[str]()
    assert recall(path, Chosen, said.append) == STATE
    assert recall(path.with_name("other.json"), Chosen, said.append) is None
    assert [p.name for p in path.parent.iterdir()] == ["state.json"]
    assert said == []


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "another type", "text"])
def test_damage_is_one_line_and_a_new_start(tmp_path: Path, damage: str) -> None:
    """A file that is cut, empty, altered in one digit, or something else, is set aside with one line."""
    path, said = kept(tmp_path), list[str]()
    data = path.read_bytes()
    if damage == "another type":
        retain(path, {"a": 1})
    else:
        changed = {"cut": data[:-20], "empty": b"", "text": b"hello", "flipped": data.replace(b"40", b"41")}
        path.write_bytes(changed[damage])
    assert recall(path, Chosen, said.append) is None
    assert len(said) == 1
    assert said[0].startswith(f"{path} is damaged")
    assert [p.name for p in path.parent.iterdir()] == ["state.damaged"]
    assert recall(path, Chosen, said.append) is None
    assert len(said) == 1


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses, the old value stays, and no draft is left behind."""
    path, said = kept(tmp_path), list[str]()

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        retain(path, Chosen("chains", 7, 200, {}))
    assert recall(path, Chosen, said.append) == STATE
    assert [p.name for p in path.parent.iterdir()] == ["state.json"]


def test_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The cache is where the desktop's convention puts it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert samples_folder() == tmp_path / "refbot" / "samples"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert samples_folder() == Path("/home/somebody/.cache/refbot/samples")
