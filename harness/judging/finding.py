"""A finding: one counter-example, with the requirement it breaks."""

from dataclasses import dataclass
from typing import Final, Literal

from harness.word import Word

Quantity = Literal["reply", "answer", "choice", "nodes", "score", "count", "runs", "sums", "moves"]
"""What was wrong: a reply; an answer of genmove that no position allows, or one that is wrong in this one; a
figure; a score that is no fraction of the playouts declared; genmoves beside each other; or, of statistical
checks, means or chosen moves."""


INDIRECT: Final = frozenset[Quantity]({"nodes", "score"})
"""Lengths and scores of playouts.  If one of them is wrong, many rules can be the cause."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was expected of a bot at one place, and what it did instead."""

    requirement: str
    case: str
    word: Word
    """FAIL, or NON-STRICT if the text leaves room for what was observed."""
    expected: str
    observed: str
    of_form: bool = False
    """Whether no answer of this form can be right, so that no deviation explains it."""
    quantity: Quantity = "reply"
    point: str = ""
    """For an answer: the requirement whose rule on points it breaks, if the playouts break it too."""
    times: float | None = None
    """For a length that the rules force: the multiple of it that was shown, in playouts."""
    refused: str = ""
    """The legal play that was refused, as it was sent; empty if what is wrong is something else."""
    candidates: tuple[str, ...] = ()
    """Requirements of which at least one is broken, where the check cannot tell which; empty if it can."""
    dialogue: tuple[tuple[str, str], ...] = ()
    """Lines sent and raw replies up to the one in which it shows: of a dialogue of random commands, or of a
    set-up in which a play was refused."""
    exchange: int | None = None
    """Number, from 0, of the exchange of its unit in which it shows; None where it is no single one."""
