"""Pieces of GitHub-flavoured Markdown in which text of strangers stays text.

What a bot said stands in code spans and code blocks only: there no Markdown, HTML, mention, reference or link
means anything.  Our own text is escaped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from harness.bots.wire import PRINTABLE_CHARS, printable

_MEANING = re.compile(r"([\\`*_\[\]<>|&~#@])")
_BAR = "\N{BOX DRAWINGS LIGHT VERTICAL}"
"""Shown for the one sign that ends a table's cell even inside a code span."""


def code(text: str, limit: int = PRINTABLE_CHARS) -> str:
    """Return anybody's text as a code span, safe in a sentence and in a table."""
    shown = printable(text, limit).replace("|", _BAR)
    if not shown.strip():
        return "(nothing)"
    fence = "`" * (_longest_run(shown) + 1)
    room = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{room}{shown}{room}{fence}"


def block(lines: Iterable[str], language: str = "text", limit: int = PRINTABLE_CHARS) -> str:
    """Return anybody's lines as a code block."""
    shown = "\n".join(printable(line, limit) for line in lines)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}{language}\n{shown}\n{fence}\n"


def plain(text: str) -> str:
    """Return our own text so that no sign in it has a meaning."""
    return _MEANING.sub(r"\\\1", " ".join(text.split()))


def details(summary: str, body: str) -> str:
    """Return something folded up; ``summary`` is our own text."""
    return f"<details><summary>{summary}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def pipe_table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; its cells are Markdown already."""
    yield f"| {' | '.join(names)} |"
    yield f"|{'|'.join(' --- ' for _ in names)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)
