"""Replacement of whole files: a draft beside the file is renamed when it is complete."""

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write a whole file, or leave it as it was, whenever the machine stops.

    Raises:
        OSError: the file could not be written.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
