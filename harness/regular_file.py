"""Reads files that strangers wrote: regular files of bounded size, and nothing else.

A FIFO would be waited for without end, and a device read without end.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

MEBIBYTE: Final = 1 << 20


def read_file(path: Path, most: int) -> bytes:
    """Return what a file holds.

    Args:
        path: of the file.
        most: bytes that are read at most.

    Raises:
        OSError: it cannot be read, is no regular file, or is larger; ``strerror`` says which.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // MEBIBYTE} MiB, which are read at most")
    return data


def digest_of_files(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of files one after another, 64 hexadecimal digits, without holding them in memory.

    Raises:
        OSError: one cannot be read, or is no regular file.
    """
    digest = hashlib.sha256()
    for path in paths:
        with open_file(path) as file:
            while piece := file.read(MEBIBYTE):
                digest.update(piece)
    return digest.hexdigest()


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    # Without O_NONBLOCK, to open a FIFO is to wait for somebody who writes into it.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "it is no regular file")
    return os.fdopen(number, "rb")
