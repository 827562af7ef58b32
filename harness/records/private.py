"""The values of the bots' environments, in a file that only its owner can read.

``--resume`` starts the bots with them; no other file of a run holds them.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from harness.errors import EvidenceError
from harness.regular_file import MEBIBYTE, read_file

PRIVATE_NAME: Final = "environment.json"


def write_environments(folder: Path, environments: Sequence[Mapping[str, str]]) -> None:
    """Write the environments of a run's bots, in the order of the bots; no file if all are empty.

    Raises:
        EvidenceError: the file cannot be written, or exists already.
    """
    if not any(environments):
        return
    path = folder / PRIVATE_NAME
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(environments))
    except OSError as error:
        raise EvidenceError(f"cannot write {path}: {error.strerror}") from error


def read_environments(folder: Path) -> list[dict[str, str]]:
    """Return the environments of a run's bots; an empty list if no file was written.

    Raises:
        EvidenceError: the file cannot be read.
    """
    path = folder / PRIVATE_NAME
    try:
        return msgspec.json.decode(read_file(path, MEBIBYTE), type=list[dict[str, str]])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EvidenceError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
