"""Bots that refuse a required command every time: such a bot cannot be judged."""

import re
from collections.abc import Iterable, Mapping

from harness.bots.wire import quote
from harness.judging.run_assessment import REFUSES
from harness.records.evidence import Unit

_NEVER_FAILS = re.compile(r"(?:[0-9]+ )?(clear_board|genmove (?:b|w|black|white))", re.IGNORECASE)
"""Commands that no GTP engine may refuse if they are well formed."""

_OF_BOT = REFUSES.rpartition(" ")[0]
"""Prefixes of skip reasons that concern the bot."""


def refusal_of_all(units: Iterable[Unit], skipped: Mapping[str, str]) -> str:
    """Return in one sentence what a bot refused every time; empty if it obeyed even once.

    Args:
        units: all that was asked.
        skipped: why cases were not judged, if none of them could be.
    """
    refused: dict[str, list[str]] = {}
    for unit in units:
        for sent, raw in unit.exchanges:
            if match := _NEVER_FAILS.fullmatch(sent.strip()):
                refused.setdefault(match[1].split()[0], []).append(raw)
    for name, replies in sorted(refused.items()):
        if all(raw.startswith("?") for raw in replies):
            return f"it answers every {name!r} with an error: {quote(replies[0])}"
    # Other reasons concern the suite: the case is asked of no bot of this kind.
    of_bot = [reason for reason in skipped.values() if reason.startswith(_OF_BOT)]
    is_all = all(reason.startswith(REFUSES) for reason in of_bot)
    return of_bot[0] if of_bot and is_all else ""
