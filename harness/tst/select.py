"""The selection of files and tests: the arguments of ``refbot tst``.

An argument is a file, a file with tests (``suite:6,13-15``), or ``@list``, a file of such arguments.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import NothingRunError, UsageError
from harness.regular_file import MEBIBYTE, read_file
from harness.tst.file import TstFile, parse_tst

SUFFIX = ".tst"

_RANGES = re.compile(r"(.+):([0-9][0-9,-]*)", re.DOTALL)
_PART = re.compile(r"([0-9]{1,10})(?:-([0-9]{1,10}))?")


@dataclass(frozen=True, slots=True)
class TstSelection:
    """One file, and the tests of it that are asked for."""

    file: TstFile
    numbers: frozenset[int] | None = None
    """The numbers of the tests; None for all."""

    def has(self, number: int) -> bool:
        """Whether a test is asked for."""
        return self.numbers is None or number in self.numbers

    @property
    def count(self) -> int:
        """Number of tests that are asked for."""
        return sum(self.has(line.number) for line in self.file.tests if line.number is not None)


def select(arguments: Sequence[str]) -> list[TstSelection]:
    """Read every file that the arguments name, in order; a file named twice has the tests of both.

    Raises:
        UsageError: a file cannot be read, or an argument cannot be understood.
        NothingRunError: a file has none of the numbers asked for.
    """
    wanted: dict[Path, list[str]] = {}
    for path, ranges in _expand(arguments, Path(), ()):
        wanted.setdefault(path, []).append(ranges)
    return [_selection(path, ranges) for path, ranges in wanted.items()]


def _expand(arguments: Sequence[str], folder: Path, inside: tuple[Path, ...]) -> Iterator[tuple[Path, str]]:
    """Yield files and ranges; names in a list are relative to its folder, or to the working directory."""
    for argument in arguments:
        if not argument.startswith("@"):
            yield _file(argument, folder)
            continue
        path = _find(argument[1:], folder)
        if path is None or not path.is_file():
            raise UsageError(f"{argument}: no such list of regression files")
        if path.resolve() in inside:
            raise UsageError(f"{path}: the list names itself, directly or through another list")
        lines = (line.strip() for line in _read(path).decode("utf-8", "surrogateescape").splitlines())
        names = [line for line in lines if line and not line.startswith("#")]
        yield from _expand(names, path.parent, (*inside, path.resolve()))


def _file(argument: str, folder: Path) -> tuple[Path, str]:
    if path := _find(argument, folder):
        if path.is_dir():
            raise UsageError(
                f"{argument} is a folder; name its files, such as {argument.rstrip('/')}/*{SUFFIX}"
            )
        return path, ""
    split = _RANGES.fullmatch(argument)
    name, ranges = (split[1], split[2]) if split else (argument, "")
    path = (_find(name, folder) if split else None) or _find(name + SUFFIX, folder)
    if path is None:
        raise UsageError(
            f"{argument!r}: no such regression file; a test is named as in suite{SUFFIX}:6,13-15"
        )
    return path, ranges


def _find(name: str, folder: Path) -> Path | None:
    for path in (folder / name, Path(name)):
        try:
            if name and path.exists():
                return path
        except (OSError, ValueError):
            continue
    return None


def _read(path: Path) -> bytes:
    try:
        return read_file(path, 16 * MEBIBYTE)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def _selection(path: Path, ranges: list[str]) -> TstSelection:
    file = parse_tst(path, _read(path))
    known = {line.number for line in file.tests if line.number is not None}
    if "" in ranges:
        return TstSelection(file)
    chosen: set[int] = set()
    for part in ",".join(ranges).split(","):
        span = _PART.fullmatch(part)
        if span is None:
            raise UsageError(f"{path}: {part!r} is not a test or a range of tests, such as 6 or 13-15")
        first, last = int(span[1]), int(span[2] or span[1])
        found = {number for number in known if first <= number <= last}
        if not found:
            has = f"{min(known)} to {max(known)}" if known else "none"
            raise NothingRunError(f"{path} has no test {part}; it has {has}")
        chosen |= found
    return TstSelection(file, frozenset(chosen))
