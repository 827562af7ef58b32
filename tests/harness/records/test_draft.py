"""A file is replaced whole, or not at all."""

import os
from pathlib import Path

import pytest

from harness.records.draft import replace_file


def test_files_reach_the_disk_before_they_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft is synchronised before it takes the name, and the folder after."""
    order = list[str]()
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("sync"), sync(fd))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (order.append("replace"), replace(self, to))[1])
    replace_file(tmp_path / "file", b"x")
    assert order == ["sync", "replace", "sync"]


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk refuses, the old file stays, and no draft is left behind."""
    replace_file(tmp_path / "file", b"old")

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        replace_file(tmp_path / "file", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]
