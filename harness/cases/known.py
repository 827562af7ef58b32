"""Known failures: what a bot's author knows to be wrong and, for a reason, leaves so for now."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from harness.errors import UsageError
from harness.regular_file import MEBIBYTE, read_file
from harness.suggest import closest


class KnownFailure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement or a case that is known to fail."""

    id: str
    reason: str


class _KnownFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    failure: list[KnownFailure] = []


def read_known(path: Path, names: Iterable[str]) -> dict[str, str]:
    """Read a file of known failures (TOML): ``[[failure]]`` tables with ``id`` and ``reason``.

    Args:
        path: the file.
        names: ids of every requirement and case there is.

    Returns:
        Reasons by id.

    Raises:
        UsageError: it cannot be read, names nothing that is known, names it twice, or gives no reason.
    """
    try:
        file = msgspec.toml.decode(read_file(path, MEBIBYTE), type=_KnownFile)
    except OSError as error:
        raise UsageError(f"cannot read known failures {path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: {error}") from None
    ids, reasons = list(names), {}
    for entry in file.failure:
        if entry.id not in ids:
            raise UsageError(f"{path}: no requirement or case {entry.id!r}{closest(entry.id, ids)}")
        if entry.id in reasons:
            raise UsageError(f"{path}: {entry.id!r} stands there twice")
        if not entry.reason.strip():
            raise UsageError(f"{path}: {entry.id!r} has no reason; say why it is left as it is")
        reasons[entry.id] = entry.reason
    return reasons
