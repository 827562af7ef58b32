"""What a bot was seen to do, as plain values: a row a genmove, for tables of any kind.

Reads replies as ``answers`` does; judges nothing, so that what cannot be read is simply absent.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Final

import msgspec

from harness.bots.limits import command_name
from harness.cases.suite import Suite
from harness.judging.answers import parse_nodes, parse_reply
from harness.records.evidence import Evidence, Unit

_PRIVATE: Final = ("ref-nodes", "ref-score", "ref-playouts")
_LONGEST: Final = 400
"""Characters of a number that are read."""


class Observation(msgspec.Struct, frozen=True):
    """One genmove with the figures given after it; or a unit without any genmove."""

    bot: str
    case: str
    requirement: str
    """Requirement of the case; empty if the unit is of no case (the handshake)."""
    unit: int
    """Number of the unit in the evidence, from 1."""
    process: int
    genmove: int
    """Number of the genmove in its unit, from 1; 0 where it has none."""
    playouts: int
    """Asked for."""
    colour: str
    move: str
    """As answered, in upper case; empty where nothing came."""
    nodes: int | None
    """The first answer to ref-nodes after the genmove; None where none could be read."""
    score: float | None
    """Likewise to ref-score."""
    said_playouts: int | None
    """Likewise to ref-playouts."""
    seconds: float
    """Seconds of the whole unit, in the row of its first genmove; 0 in the others, so that they add up."""
    exchanges: int
    """Number of exchanges of the whole unit, counted the same way."""
    broken: str
    """The word for a unit that broke off; otherwise empty."""
    notes: str


def observations(suite: Suite, evidence: Evidence) -> Iterator[Observation]:
    """Yield the rows of a run in the order of its evidence."""
    bot = evidence.header.bot.name
    for number, unit in enumerate(evidence.units, start=1):
        case = suite.every_case.get(unit.case)
        requirement = case.requirement if case else ""
        for place, genmove in enumerate(_genmoves(unit) or [{}]):
            yield Observation(
                bot=bot,
                case=unit.case,
                requirement=requirement,
                unit=number,
                process=unit.process,
                genmove=place + 1 if genmove else 0,
                playouts=unit.playouts,
                colour=genmove.get("colour", ""),
                move=genmove.get("genmove", "").upper(),
                nodes=_whole(genmove.get("ref-nodes", "")),
                score=_fraction(genmove.get("ref-score", "")),
                said_playouts=_whole(genmove.get("ref-playouts", "")),
                seconds=0.0 if place else unit.seconds,
                exchanges=0 if place else len(unit.exchanges),
                broken=unit.broken.word if unit.broken else "",
                notes="" if place else "; ".join(unit.notes),
            )


def _genmoves(unit: Unit) -> list[dict[str, str]]:
    """Return the answers of each genmove and of the private commands after it, by the command."""
    found: list[dict[str, str]] = []
    for sent, raw in unit.exchanges:
        name = command_name(sent)
        if name != "genmove" and not (found and name in _PRIVATE):
            continue
        reply = parse_reply(raw)
        text = reply.text.strip() if reply is not None and reply.success else ""
        if name == "genmove":
            asked = sent.lower().partition("genmove")[2].split()
            found.append({"colour": asked[0][0] if asked and asked[0][0] in "bw" else "", name: text})
        else:
            found[-1].setdefault(name, text)
    return found


def _whole(text: str) -> int | None:
    number = parse_nodes("", text)
    return number if isinstance(number, int) else None


def _fraction(text: str) -> float | None:
    try:
        number = float(Decimal(text[:_LONGEST]))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
