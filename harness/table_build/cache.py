"""The user's cache: what took long to compute, kept so that a killed computation goes on where it was.

A kept value is one file: a digest and the value it is the digest of.  Files are replaced whole and
brought to the disk before they count, so that a value is there as it was given, or not at all.
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
"""Tells the user one line."""


class _Kept(msgspec.Struct, frozen=True):
    digest: str
    value: msgspec.Raw


def samples_folder() -> Path:
    """Return where samples are kept between runs; it need not exist."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "refbot" / "samples"


def recall(path: Path, kind: type[_T], say: Say) -> _T | None:
    """Return a kept value, or None if there is none; a damaged file is set aside."""
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
    """Rename a file that is not what it should be, so that it can be looked at and is not used."""
    aside = path.with_suffix(".damaged")
    try:
        path.replace(aside)
    except OSError as error:
        say(f"{path} is damaged and cannot be set aside ({error.strerror}); starting anew")
    else:
        say(f"{path} is damaged; it is now {aside.name}, and the sample starts anew")


def retain(path: Path, value: object) -> None:
    """Keep a value under a path, in place of any before.

    Raises:
        OSError: it could not be brought to the disk; what was kept before is still there.
    """
    body = msgspec.json.encode(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(_Kept(hashlib.sha256(body).hexdigest(), msgspec.Raw(body))))
