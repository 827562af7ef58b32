"""Pieces of GitHub-flavoured Markdown in which text of a bot cannot act as markup.

Text of a bot stands only in code spans and code blocks, where Markdown, HTML, mentions, references and links
have no effect.  Our own text is escaped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from harness.bots.wire import PRINTABLE_CHARS, printable

_MEANING = re.compile(r"([\\`*_\[\]<>|&~#@])")
_BAR = "\N{BOX DRAWINGS LIGHT VERTICAL}"
"""Shown in place of ``|``, which ends a table cell even inside a code span."""


def code(text: str, limit: int = PRINTABLE_CHARS) -> str:
    """Return any text as a code span that is safe in a sentence and in a table."""
    shown = printable(text, limit).replace("|", _BAR)
    if not shown.strip():
        return "(nothing)"
    fence = "`" * (_longest_run(shown) + 1)
    room = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{room}{shown}{room}{fence}"


def block(lines: Iterable[str], language: str = "text", limit: int = PRINTABLE_CHARS) -> str:
    """Return any lines as a code block."""
    shown = "\n".join(printable(line, limit) for line in lines)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}{language}\n{shown}\n{fence}\n"


def plain(text: str) -> str:
    """Return our own text with all Markdown characters escaped."""
    return _MEANING.sub(r"\\\1", " ".join(text.split()))


def details(summary: str, body: str) -> str:
    """Return a folded section; ``summary`` is our own text."""
    return f"<details><summary>{summary}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def pipe_table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table whose cells are Markdown already."""
    yield f"| {' | '.join(names)} |"
    yield f"|{'|'.join(' --- ' for _ in names)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
