"""The user's cache: results of long computations, saved so that a killed computation can be resumed.

A saved value is one file with the value and its digest.  A file is replaced as a whole and forced to the
disk, so that it holds either a complete value or nothing.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from harness.records.draft import replace_file

_T = TypeVar("_T")
Say = Callable[[str], None]
"""A function that prints a line for the user."""


class _Kept(msgspec.Struct, frozen=True):
    digest: str
    value: msgspec.Raw


def samples_folder() -> Path:
    """Return the folder where samples are saved between runs; it need not exist."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "refbot" / "samples"


def recall(path: Path, kind: type[_T], say: Say) -> _T | None:
    """Return a saved value, or None if there is none; a damaged file is set aside."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        if hashlib.sha256(kept.value).hexdigest() == kept.digest:
            return msgspec.json.decode(kept.value, type=kind)
    except FileNotFoundError:
        return None
    except OSError as error:
        say(f"{path} cannot be read ({error.strerror}); starting anew")
        return None
    except msgspec.DecodeError:
        pass
    set_aside(path, say)
    return None


def set_aside(path: Path, say: Say) -> None:
    """Rename a damaged file, so that it is not used and can still be inspected."""
    aside = path.with_suffix(".damaged")
    try:
        path.replace(aside)
    except OSError as error:
        say(f"{path} is damaged and cannot be set aside ({error.strerror}); starting anew")
    else:
        say(f"{path} is damaged; it is now {aside.name}, and the sample starts anew")


def retain(path: Path, value: object) -> None:
    """Save a value under a path, in place of an earlier one.

    Raises:
        OSError: the value could not be written to the disk; the earlier value is still there.
    """
    body = msgspec.json.encode(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(_Kept(hashlib.sha256(body).hexdigest(), msgspec.Raw(body))))
