"""The last line of a command: the word, the bot, the reason and the page."""

from textwrap import shorten
from typing import Final

_GAP: Final = "  "
_DOTS: Final = " ..."


def answer_line(word: str, who: str, what: str, page: str, width: int | None) -> str:
    """Return the line, no wider than a terminal if the word, the name and the page leave room for it.

    Args:
        word: the word that the command ended with.
        who: the bot or the bots; may be empty.
        what: the reason.
        page: a file or a folder; it is never shortened, because readers open it.
        width: columns of the terminal; None for lines of any length.
    """
    lead = f"{word}{_GAP}{who}: " if who else f"{word}{_GAP}"
    what = " ".join(what.split()).removeprefix(f"{who}: ")
    if width is not None:
        room = width - len(lead) - len(page) - len(_GAP)
        what = shorten(what, room, placeholder=_DOTS) if room > len(_DOTS) else ""
    return f"{lead}{what}".rstrip(" :") + (f"{_GAP}{page}" if page else "")
