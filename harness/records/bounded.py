"""The limit on the replies that a run records, since a bot may write more than a disk holds.

Ordinary replies are short and are recorded whole.  Longer replies share one budget for the whole run.  When
it is used up, only the beginning of a long reply is recorded, with the length and a digest of the whole.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

from harness.records.evidence import Unit

SHORT_CHARS: Final = 128
"""Number of characters recorded of every reply."""
LIST_CHARS: Final = 8_192
"""Number of characters recorded of every list of commands."""
STORE_CHARS: Final = 2 << 20
"""Number of further characters recorded of all replies of a run together."""


def head_of(raw: bytes, most: int) -> tuple[str, str]:
    """Return the beginning of a long reply, ended like a reply, and a note about the whole."""
    digest = hashlib.sha256(raw).hexdigest()
    note = f"a reply of {len(raw):,} bytes, of which {most:,} are kept; SHA-256 of all: {digest}"
    return raw[:most].decode("utf-8", "backslashreplace").rstrip("\n") + "\n\n", note


class Bounded:
    """Shortens the replies in the units of one run."""

    def __init__(self, recorded: Iterable[Unit] = ()) -> None:
        """Begin with the full budget, less the part that recorded units have used."""
        self._left = STORE_CHARS
        for unit in recorded:
            self._left -= sum(max(0, len(raw) - SHORT_CHARS) for _, raw in unit.exchanges)

    def cut(self, unit: Unit) -> Unit:
        """Return a unit with its replies shortened."""
        if all(len(raw) <= SHORT_CHARS for _, raw in unit.exchanges):
            return unit
        exchanges, notes = [], list(unit.notes)
        for sent, raw in unit.exchanges:
            kept = raw
            # A list of commands is rare, and it is needed to its end.
            short = LIST_CHARS if "list_commands" in sent else SHORT_CHARS
            if len(raw) > short + max(0, self._left):
                kept, note = head_of(raw.encode("utf-8", "backslashreplace"), short)
                notes.append(note)
            self._left -= max(0, len(kept) - SHORT_CHARS)
            exchanges.append((sent, kept))
        return msgspec.structs.replace(unit, exchanges=exchanges, notes=notes)
