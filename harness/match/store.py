"""The folder of a match: its record, a file for every game, tables for other tools, and the summary."""

import re
import time
from pathlib import Path
from typing import Final, Self

from harness.document import document_bytes
from harness.errors import EvidenceError, UsageError
from harness.match.dat import dat_table
from harness.match.record import FILE_NAME, Continued, GameRecord, MatchHeader, MatchPart
from harness.match.sgf import game_sgf
from harness.match.summary import Summary, secrets_of
from harness.match.tally import MatchTally
from harness.records.draft import replace_file
from harness.records.lines import Lines

GAMES_NAME: Final = "games"
SUMMARY_NAME: Final = "match.json"
SYNC_S: Final = 1.0
"""Seconds between two synchronizations of the record with the disk."""


class Store:
    """The files of a match in progress.  Only ``keep_sgf`` may be called by several threads at a time."""

    def __init__(self, folder: Path, header: MatchHeader, part: MatchPart | None = None) -> None:
        """Begin the record of a match, or go on with the part that is in the folder.

        Raises:
            EvidenceError: the folder cannot be written to.
        """
        self._folder, self._header = folder, header
        how = f"`refbot match --resume {folder}` goes on with it"
        self._lines = Lines(folder / FILE_NAME, how, is_new=part is None)
        self._synced_s = time.monotonic()
        if part is None:
            self._lines.append(header, sync=True)
        else:
            self._lines.cut(part.kept_bytes)

    def go_on(self, line: Continued) -> None:
        """Record that the match is resumed.

        Raises:
            EvidenceError: the record cannot be written.
        """
        self._lines.append(line, sync=True)

    def add(self, game: GameRecord) -> None:
        """Record a game.

        Raises:
            EvidenceError: the record cannot be written.
        """
        now = time.monotonic()
        is_due = now - self._synced_s >= SYNC_S
        self._lines.append(game, sync=is_due)
        if is_due:
            self._synced_s = now

    def keep_sgf(self, game: GameRecord) -> None:
        """Write the SGF file of a game, if the match has SGF files.

        Raises:
            EvidenceError: the file cannot be written.
        """
        if self._header.makes_sgf:
            _write_sgf(self._folder, self._header, game)

    def finish(self, tally: MatchTally, summary: Summary) -> None:
        """Write the tables of all pairings and the summary.

        Raises:
            EvidenceError: they cannot be written.
        """
        header = secrets_of(self._header).hide_in(self._header)
        try:
            for place, pairing in enumerate(tally.pairings):
                first, second = header.entrants[pairing.first], header.entrants[pairing.second]
                games = [game for game in tally.outcomes if game.seating.pairing == place]
                table = dat_table(header, first, second, games, tally.duplicate_of)
                name = f"{_plain(first.name)}-{_plain(second.name)}.dat"
                replace_file(self._folder / name, table.encode("utf-8", "backslashreplace"))
            replace_file(self._folder / SUMMARY_NAME, document_bytes(summary))
        except OSError as error:
            raise EvidenceError(
                f"cannot write to {self._folder}: {error.strerror}; the games are recorded, and "
                f"`refbot match --resume {self._folder}` makes the other files from them"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()


def keep_missing_sgf(folder: Path, header: MatchHeader, game: GameRecord) -> None:
    """Write the SGF file of a recorded game if it is missing: after a kill, or because it was removed.

    Raises:
        EvidenceError: the file cannot be written.
    """
    if header.makes_sgf and not _sgf_path(folder, game).exists():
        _write_sgf(folder, header, game)


def match_folder(out: Path) -> Path:
    """Make sure that a folder can take a new match.

    Raises:
        UsageError: it already holds a match.
    """
    if (out / FILE_NAME).exists():
        raise UsageError(f"{out} already holds a match; give another --out, or resume that match by --resume")
    return out


def _sgf_path(folder: Path, game: GameRecord) -> Path:
    return folder / GAMES_NAME / f"{game.number:06d}.sgf"


def _write_sgf(folder: Path, header: MatchHeader, game: GameRecord) -> None:
    path = _sgf_path(folder, game)
    try:
        path.parent.mkdir(exist_ok=True)
        secrets = secrets_of(header)
        path.write_bytes(game_sgf(secrets.hide_in(game), secrets.hide_in(header)))
    except OSError as error:
        raise EvidenceError(f"cannot write {path}: {error.strerror}") from error


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)[:60]
