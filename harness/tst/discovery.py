"""Regression files of the dialogues that ``refbot explore`` found, so that any tool can repeat them."""

import re

from harness.judging.answers import parse_reply
from harness.runs.explore import Discovery, lines_of
from harness.tst.export import REFUSED

_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")


def tst_of(found: Discovery, playouts: int | None) -> str:
    """Return a file that passes once the bot no longer makes the mistake.

    Args:
        found: the finding, with its shortest dialogue.
        playouts: the playouts of each genmove, for the file's head; None if the engine has no such number.
    """
    *before, last = lines_of(found.unit)
    head = [] if playouts is None else [f"# playouts: {playouts}"]
    if found.finding is None:
        assert found.broken is not None  # noqa: S101 - one of the two is there
        about, pattern = found.broken.sentence, "[.*]"
    else:
        about = (
            f"{found.finding.requirement}: expected {found.finding.expected}; got {found.finding.observed}"
        )
        pattern = _pattern(found)
    lines = ["# Written by `refbot explore`.", f"# {' '.join(about.split())}", *head, *before]
    return "\n".join([*lines, f"10 {last}", f"#? {pattern}"]) + "\n"


def _pattern(found: Discovery) -> str:
    assert found.finding is not None  # noqa: S101 - the caller has looked
    if found.finding.observed == "it was accepted":
        return REFUSED
    if found.finding.observed == "it was refused":
        return "[]"
    reply = parse_reply(found.unit.exchanges[-1][1])
    answer = reply.text.strip() if reply is not None else ""
    return f"[!{_SPECIAL.sub(lambda sign: chr(92) + sign[0], answer)}]"
