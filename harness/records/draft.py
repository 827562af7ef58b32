"""A file written beside the one it is to be, which it takes the place of when it is whole."""

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole, or leave it as it was, whenever the machine stops.

    Raises:
        OSError: it could not be written.
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
