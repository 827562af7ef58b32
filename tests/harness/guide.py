"""Reads docs/write-a-bot.md as a reader does: puts its pieces into one file, and runs its commands.

A fence ``python step N`` is a piece of mybot.py; a fence ``console`` holds commands behind ``$``, each with
lines of its output.  ``...`` stands for any number of lines, and at the end of a line for the rest of it.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "write-a-bot.md"
LAST = "if __name__"
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """Code to be put into the bot."""

    code: str


@dataclass(frozen=True)
class Command:
    """A command and what the page says that it prints."""

    line: str
    shown: list[str] = field(default_factory=list)


def read_page(text: str) -> Iterator[Piece | Command]:
    """Yield the pieces and commands of a page in their order."""
    for kind, about, body in _FENCE.findall(text):
        if kind == "python":
            assert re.fullmatch(r" step \d+", about), f"a piece of code without its step: {about!r}"
            yield Piece(body)
        elif kind == "console":
            for talk in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, *shown = talk.rstrip("\n").split("\n")
                yield Command(line, shown)


def put_in(source: str, piece: str) -> str:
    """Return the program with a piece put in, by the three rules of the page."""
    if not source.strip():
        return piece
    new = {name: code for name, code in _parts(piece) if name}
    old = [name for name, _ in _parts(source)]
    parts = [(name, new.get(name, code)) for name, code in _parts(source)]
    imports = [part for part in _parts(piece) if part[0].startswith("import ") and part[0] not in old]
    others = [part for part in _parts(piece) if part[0] not in old and part not in imports]
    after_imports = max(place for place, (name, _) in enumerate(parts) if name.startswith("import ")) + 1
    end = next(place for place, (_, code) in enumerate(parts) if code.startswith(LAST))
    parts = [*parts[:after_imports], *imports, *parts[after_imports:end], *others, *parts[end:]]
    return "\n\n".join(code for _, code in parts) + "\n"


def _parts(source: str) -> list[tuple[str, str]]:
    """Return the statements of a program, comments before them left out, by what each one defines."""
    lines = source.split("\n")
    found = []
    for node in ast.parse(source).body:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(d.lineno for d in decorators)])
        found.append((_name(node), "\n".join(lines[first - 1 : node.end_lineno])))
    return found


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ast.unparse(node) if isinstance(node, ast.Import) else f"<{ast.unparse(node)}>"


def missing(shown: list[str], output: str) -> str:
    """Return the first line shown that the output does not have in its place, or nothing."""
    lines = iter([_words(line) for line in output.split("\n")])
    for line in shown:
        if line.strip() in ("...", ""):
            continue
        words = _words(line)
        is_start = words.endswith(" ...")
        if not any(there.startswith(words[:-4]) if is_start else there == words for there in lines):
            return line
    return ""


def _words(line: str) -> str:
    """Return a line's words: no frames, and all figures of chance (a point, a comma, an exponent) alike.

    An empty program may end before it is sent anything, or after: the sentence says which, and no page can.
    """
    bare = re.sub("[\u2500-\u257f]", " ", line).replace(" before the command was sent", "")
    return " ".join(re.sub(r"-?\d[\d,]*[.,]\d+|10\^-?\d+", "#", bare).split())
