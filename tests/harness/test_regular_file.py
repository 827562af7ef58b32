"""Files that strangers wrote are read only if they are regular and not too large."""

import hashlib
import os
import threading
from pathlib import Path

import pytest

from harness.regular_file import MEBIBYTE, digest_of_files, read_file


def test_a_file_is_read(tmp_path: Path) -> None:
    """Up to the bound, and not beyond it."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * MEBIBYTE)

    assert read_file(path, MEBIBYTE) == b"x" * MEBIBYTE
    path.write_bytes(b"x" * (MEBIBYTE + 1))
    with pytest.raises(OSError, match="larger than 1 MiB"):
        read_file(path, MEBIBYTE)


@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "loop", "missing"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    """Nobody waits for a FIFO, and no device is read to its end."""
    path = Path("/dev/zero") if kind == "device" else tmp_path / kind
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    raised: list[OSError] = []

    def read() -> None:
        try:
            read_file(path, MEBIBYTE)
        except OSError as error:
            raised.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(20)

    assert raised
    assert raised[0].strerror


def test_a_digest_is_of_all_files_together(tmp_path: Path) -> None:
    """In their order, as if they were one."""
    (tmp_path / "a").write_bytes(b"a" * (2 * MEBIBYTE + 3))
    (tmp_path / "b").write_bytes(b"b")

    whole = hashlib.sha256(b"a" * (2 * MEBIBYTE + 3) + b"b").hexdigest()

    assert digest_of_files([tmp_path / "a", tmp_path / "b"]) == whole
