"""Answers of a bot: moves, node counts and scores, parsed from raw replies.

The harness's own reading of GTP, shared with no engine.  Values that cannot be right by their form
alone become findings here; what they mean is judged elsewhere.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import ceil, floor

from harness.bots.wire import Reply, ReplyReader
from harness.judging.finding import Finding
from harness.word import Word

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
"""A number with a decimal comma: nothing else has one comma and no dot."""
_SINGLE = Decimal("1e-7")
"""Bound of the error of a score computed in single precision, with room."""
_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class GenmoveStatistics:
    """The private commands' answers after one genmove, in the units of the reference tables."""

    nodes: int | None
    wins: tuple[int, int] | None
    """Least and greatest number of half wins that the printed score leaves possible."""


_SHORT = 64
"""Replies up to this many characters are cached: a run, its verdict and its page all read them."""


def parse_reply(raw: str) -> Reply | None:
    """Read a recorded reply; None if it is not a reply."""
    return _parse_short(raw) if len(raw) <= _SHORT else _parse(raw)


def _parse(raw: str) -> Reply | None:
    reader = ReplyReader()
    reader.feed(raw.encode("utf-8", "surrogateescape"))
    reply = reader.next() or reader.take_open_reply()
    return reply if isinstance(reply, Reply) else None


_parse_short = lru_cache(maxsize=65536)(_parse)


@lru_cache(maxsize=4096)
def parse_answer(text: str, size: int) -> tuple[int, int] | str | None:
    """Read the result of genmove: a point, ``pass``, ``resign``, or None for anything else."""
    word = text.strip().upper() if text.isascii() else ""
    if word in ("PASS", "RESIGN"):
        return word.lower()
    column = _LETTERS.find(word[:1]) if word else -1
    digits = word[1:]
    if not 0 <= column < size or not (digits.isascii() and digits.isdigit() and len(digits) < 4):
        return None
    row = int(digits) - 1
    return (row, column) if 0 <= row < size else None


def parse_nodes(case: str, text: str) -> int | Finding:
    """Read ref-nodes: an unsigned integer."""
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    return Finding("N1", case, Word.FAIL, "ref-nodes answers a whole number", text, of_form=True)


def parse_score(text: str) -> Decimal | None:
    """Read a number; return None if the text is not one.

    It may have a decimal dot or comma, be in exponent form, or be per cent with its sign.  All of these can
    be read without guessing.  A bare 42.1 cannot: it may be per cent, or a wrong score.
    """
    bare = text.strip()
    is_percent = bare.endswith("%")
    bare = bare.removesuffix("%").rstrip() if is_percent else bare
    if _COMMA.fullmatch(bare):
        bare = bare.replace(",", ".")
    if not _DECIMAL.fullmatch(bare):
        return None
    return Decimal(bare).scaleb(-2) if is_percent else Decimal(bare)


def precision(text: str) -> tuple[int, int]:
    """Return how many decimals and how many significant digits a printed number shows."""
    if (score := parse_score(text)) is None:
        return 0, 0
    digits = score.as_tuple()
    exponent = digits.exponent if isinstance(digits.exponent, int) else 0
    return max(0, -exponent), len(digits.digits)


_OF_DRAWS = ("G11", "N2", "R5")
"""Requirements of which one is broken if playouts are drawn that cannot be: komi is left out, say."""


def parse_wins(
    case: str, text: str, playouts: int, *, draws: bool, digits: tuple[int, int]
) -> tuple[int, int] | Finding:
    """Read ref-score as a range of half wins.

    The specification sets no number of digits, so every count is possible whose fraction some rounding
    or cutting could print like this: the printed value plus or minus one in its last place, or one in ten
    million, since digits beyond single precision need not mean anything.

    Args:
        case: the case's id, for findings.
        text: what was printed.
        playouts: playouts the score is over.
        draws: whether komi lets a playout be drawn; if not, half wins come in pairs.
        digits: most decimals and most significant digits this bot has printed, so that a short ``0.5`` of a
            bot that leaves zeros out is not taken for a coarse one.
    """
    score = parse_score(text)
    if score is None:
        return Finding("N2", case, Word.FAIL, "ref-score answers a decimal fraction", text, of_form=True)
    if not 0 <= score <= 1:
        return Finding("N2", case, Word.FAIL, "ref-score lies between 0 and 1", text, of_form=True)
    # A bot prints a fixed number of decimals or of significant digits: the coarser of the two applies.
    decimals, significant = digits
    step = max(
        Decimal(1).scaleb(-min(max(decimals, precision(text)[0]), 15)),
        Decimal(1).scaleb(score.adjusted() + 1 - max(significant, 1)) if score else Decimal(0),
        _SINGLE,
    )
    unit = 1 if draws else 2
    least = ceil((score - step) * 2 * playouts / unit) * unit
    greatest = floor((score + step) * 2 * playouts / unit) * unit
    if least > greatest:
        wins = "half wins" if draws else "wins"
        halves = ceil((score - step) * 2 * playouts)
        if not draws and halves <= (score + step) * 2 * playouts:
            expected = f"ref-score is a number of wins out of {playouts} playouts, none of them drawn"
            observed = f"{text}, {halves / 2:g} wins"
            return Finding("R5", case, Word.FAIL, expected, observed, quantity="count", candidates=_OF_DRAWS)
        expected = f"ref-score is a number of {wins} out of the {playouts} playouts declared"
        observed = f"{text}, {float(score) * playouts:.4f} wins"
        return Finding("N4", case, Word.FAIL, expected, observed, quantity="count")
    return max(least, 0), min(greatest, 2 * playouts)
