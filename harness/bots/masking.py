"""Hides the values of a bot's environment, which may be secrets, in everything that the bot prints.

It is done where replies come in, so that no file and no stream gets them.  A value is found as it is, in
base64, hexadecimal or percent encoding, in either case and backwards, and any part of these of eight
characters.  Words of the protocol and figures are left as they are: they are what a bot is judged by.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import quote as percent_encoded

from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.transport import ProcessEnd

HIDDEN: Final = "[hidden]"
"""Printed in place of a value of the bot's environment."""
PART: Final = 8
"""Length of the parts of a value that are hidden wherever they stand."""
LEAST: Final = 4
"""Characters of the shortest value that is hidden; ``1`` is everywhere."""

_FIGURES: Final = re.compile(r"[=?]?[-+.,%eE\d\s]*", re.ASCII)
"""A reply that is a number, or several."""
_PROTOCOL: Final = (
    "protocol_version\nname\nversion\nknown_command\nlist_commands\nquit\nboardsize\nclear_board\nkomi\nplay\n"
    "genmove\nundo\nref-nodes\nref-score\nref-playouts\nfixed_handicap\nplace_free_handicap\nset_free_handicap\n"
    "time_settings\ntime_left\nfinal_score\nfinal_status_list\nloadsgf\nreg_genmove\nshowboard\nresign\ntrue\nfalse\n"
    "black\nwhite\npass\nalive\ndead\nseki\nkgs-time_settings\nkgs-genmove_cleanup\n"
    "unknown command\nsyntax error\nillegal move\nunacceptable size\ninvalid move\ncannot undo\n"
)


class Mask:
    """Hides the values of one environment."""

    def __init__(self, values: tuple[str, ...]) -> None:
        """Prepare to hide values; those that cannot be are in ``open_values``."""
        self._parts = frozenset(part for value in values for part in _parts(value))
        whole = sorted({value for value in values if _is_hidden_whole(value)}, key=len, reverse=True)
        self._whole = re.compile("|".join(map(re.escape, whole))) if whole else None

    @staticmethod
    def of(env: Mapping[str, str]) -> "Mask | None":
        """Return a mask for the values of an environment; None if there is nothing to hide."""
        return _mask(tuple(sorted(env.values()))) if env else None

    def hide(self, text: str) -> str:
        """Return a text without the values."""
        if _FIGURES.fullmatch(text):
            return text
        if self._whole is not None:
            text = self._whole.sub(HIDDEN, text)
        folded, parts = _folded(text), self._parts
        found = [start for start in range(len(folded) - PART + 1) if folded[start : start + PART] in parts]
        for start, end in reversed(_joined(found)):
            text = f"{text[:start]}{HIDDEN}{text[end:]}"
        return text

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return an exchange without the values in the bot's words."""
        raw = exchange.raw
        if (shown := self.hide(raw)) == raw and not exchange.notes:
            return exchange
        notes = tuple(map(self.hide, exchange.notes))
        text = exchange.text if shown == raw else self.hide(exchange.text)
        return Exchange(exchange.sent, shown, exchange.success, text, notes, exchange.elapsed_s)

    def failure(self, failure: Failure) -> Failure:
        """Return a failure without the values in the bot's words."""
        return Failure(
            failure.word,
            failure.bot,
            failure.command,
            failure.limit,
            failure.limit_s,
            failure.elapsed_s,
            failure.status,
            failure.signal,
            self.hide(failure.stderr_tail),
            self.hide(failure.detail),
            failure.again,
        )

    def end(self, end: ProcessEnd) -> ProcessEnd:
        """Return an end without the values in the bot's last words."""
        tail, last = self.hide(end.stderr_tail), self.hide(end.last_output.decode("utf-8", "replace"))
        return ProcessEnd(end.status, end.signal, tail, end.orphans, end.forced, last.encode(), end.excess)


def open_names(env: Mapping[str, str]) -> list[str]:
    """Return the names of the variables whose values are not hidden, or not everywhere."""
    return sorted(name for name, value in env.items() if value and not _is_hidden(value))


def _is_hidden(value: str) -> bool:
    """Whether a value is hidden wherever it stands; figures are not where a reply holds nothing else."""
    return not _FIGURES.fullmatch(value) and (_is_hidden_whole(value) or any(_parts_of(value.lower())))


def _is_hidden_whole(value: str) -> bool:
    """Whether a value is hidden although it is too short to have parts: no number, and no word of GTP."""
    return LEAST <= len(value) < PART and not _FIGURES.fullmatch(value) and value.lower() not in _PROTOCOL


def _parts(value: str) -> Iterator[str]:
    """Yield the parts of all forms of a value."""
    data = value.encode("utf-8", "surrogateescape")
    if len(data) < LEAST or (len(value) < PART and not _is_hidden_whole(value)):
        return
    text = data.decode("utf-8", "backslashreplace")
    escaped = text.encode("unicode_escape").decode()
    forms = {text, text[::-1], escaped, data.hex(), percent_encoded(data, safe="")}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            # What stands before a value moves the borders of its characters; those at both ends are shared.
            encoded = encode(b"\0" * shift + data).decode().rstrip("=")
            forms.add(encoded[shift and shift + 1 : len(encoded) - bool((shift + len(data)) % 3)])
    for form in forms:
        yield from _parts_of(_folded(form))


def _parts_of(form: str) -> Iterator[str]:
    for start in range(len(form) - PART + 1):
        part = form[start : start + PART]
        # A run of one and the same character is common in any output, and tells nothing.
        if part not in _PROTOCOL and len(set(part)) > 1:
            yield part


def _folded(text: str) -> str:
    folded = text.lower()
    return folded if len(folded) == len(text) else text


def _joined(starts: list[int]) -> list[tuple[int, int]]:
    """Return the stretches that parts cover together."""
    spans: list[tuple[int, int]] = []
    for start in starts:
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], start + PART
        else:
            spans.append((start, start + PART))
    return spans


@lru_cache(maxsize=64)
def _mask(values: tuple[str, ...]) -> Mask:
    return Mask(values)
