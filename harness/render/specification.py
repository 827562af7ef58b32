"""The specification as a page of Markdown, and one clause of it for ``refbot explain``.

The prose is in ``templates/specification.md.j2``, with a block for each requirement.  Clauses, readings,
boards, cases, mistakes and figures come from the fixtures, so that the text and the checks cannot differ.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.markdown import Markdown

from harness.cases.case import Case, Forced
from harness.cases.suite import Suite
from harness.errors import FixtureError, UsageError
from harness.render.terminal import draw_case
from harness.tables.openings import Openings
from reference_engine.deviations import BY_NAME, CATALOGUE, UNTELLABLE
from reference_engine.server import draw

TEMPLATE = "specification.md.j2"


def render_specification(suite: Suite, openings: Openings) -> str:
    """Return the whole page.  Its links are relative to docs/."""
    context = _context(suite, is_linked=True) | {
        "openings": openings,
        "nine": next(board for board in openings.boards if board.size == 9),
        "deviations": BY_NAME,
        "untellable": UNTELLABLE,
    }
    return _environment().get_template(TEMPLATE).render(context).rstrip() + "\n"


def render_clause(suite: Suite, rule: str) -> Markdown:
    """Return the section of one requirement.

    Raises:
        UsageError: there is no requirement of that name.
    """
    if rule not in suite.requirements:
        raise UsageError(f"no requirement {rule!r}; there are {', '.join(suite.requirements)}")
    template = _environment().get_template(TEMPLATE)
    values = template.new_context(_context(suite, is_linked=False))
    block = template.blocks[rule]
    return Markdown("".join(block(values)), code_theme="ansi_dark", hyperlinks=False)


def _environment() -> Environment:
    # The page is Markdown and holds only our own fixtures: nothing in it may be escaped as HTML.
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=False,  # noqa: S701
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["verbatim"] = _verbatim
    return environment


def _verbatim(text: str) -> str:
    """Return a text with Markdown characters escaped, so that N*N is not read as emphasis."""
    return re.sub(r"([\\`*<\[|])", r"\\\1", " ".join(text.split()))


def _context(suite: Suite, *, is_linked: bool) -> dict[str, Any]:
    return {
        "suite": suite,
        "head": partial(_head, suite),
        "foot": partial(_foot, suite, is_linked=is_linked),
        "board": partial(_board, suite),
        "before": partial(_before, suite),
        "talk": partial(_talk, suite),
    }


def _head(suite: Suite, rule: str, title: str) -> str:
    """Return a requirement's heading, clause, source, reading and open questions."""
    r = suite.requirements[rule]
    parts = [f"### {rule}: {title}", f"> {_verbatim(r.clause)}"]
    parts += [f"*Source: {_verbatim(r.source)}.*", f"**Reading.** {_verbatim(r.reading)}"]
    for o in r.open:
        question, accepted, because = map(_verbatim, (o.question, o.accepted, o.because))
        parts.append(f"**Open:** {question} **Accepted:** {accepted} **Because:** {because}")
    return "\n\n".join(parts)


def _foot(suite: Suite, rule: str, *, is_linked: bool) -> str:
    """Return a requirement's cases and the mistakes that break it."""
    names = [
        f"[{case.id}](../fixtures/{_path(suite, case)})" if is_linked else f"`{case.id}`"
        for case in suite.every_case.values()
        if case.requirement == rule
    ]
    return "\n\n".join([f"**Its cases:** {', '.join(names) or 'none'}.", *_mistakes(rule)])


def _path(suite: Suite, case: Case) -> str:
    """Return the path of a case's file in the fixtures."""
    if case.file.is_of_check:
        files = sorted((suite.folder / "check").glob("*.toml"))
        found = next(path for path in files if f'\nname = "{case.id}"\n' in path.read_text("utf-8"))
        return found.relative_to(suite.folder).as_posix()
    kind = "check/cases/" if case.id in suite.check_cases else "compare/cases/"
    kind = "cases/*/" if case.id in suite.cases else kind
    return next(suite.folder.glob(f"{kind}{case.id}.toml")).relative_to(suite.folder).as_posix()


def _mistakes(rule: str) -> Iterator[str]:
    lines = []
    for d in CATALOGUE:
        if d.requirement == rule:
            seen = f" (seen in {_verbatim(d.seen)})" if d.seen else ""
            word = "; NON-STRICT" if d.tolerated else ""
            lines.append(f"- `{d.name}`: {_verbatim(d.about)}{seen}{word}")
    if lines:
        yield "**Known mistakes:**"
        yield "\n".join(lines)


def _drawing(text: str) -> str:
    return f"```text\n{text}\n```"


def _board(suite: Suite, name: str) -> str:
    """Return a case's position with its description."""
    if name not in suite.every_case:
        return f"(this suite has no case {name})"
    case = suite.every_case[name]
    answer = ""
    if isinstance(case.question, Forced):
        forced = case.question
        score = "" if forced.score is None else f", worth {forced.score:g} to the side to move"
        moves = "one move" if forced.nodes == 1 else f"{forced.nodes} moves"
        answer = f" Every playout is {moves} long{score}."
    return f"{_drawing(draw_case(case))}\n\n*`{name}`.* {_verbatim(case.file.about)}{answer}"


def _before(suite: Suite, name: str) -> str:
    """Return a case's position one move earlier."""
    if name not in suite.every_case:
        return f"(this suite has no case {name})"
    game = suite.every_case[name].game
    if game.previous is None:
        raise FixtureError(f"{TEMPLATE}: {name} starts on the empty board; nothing came before it")
    return _drawing(draw(game.previous.position, f"{game.moves[-1][0]} to move"))


def _talk(suite: Suite, name: str) -> str:
    """Return the dialogue of a case with a forced course, with its answers; most plays are left out."""
    if name not in suite.every_case:
        return f"(this suite has no case {name})"
    case = suite.every_case[name]
    if not isinstance(case.question, Forced) or case.question.score is None:
        raise FixtureError(f"{TEMPLATE}: {name} leaves its answers open; a dialogue needs a forced case")
    forced, lines = case.question, case.commands()
    asked = [(line, "") for line in (*lines[:4], "...", lines[-1])]
    asked += [
        (f"genmove {case.colour}", forced.answers[0]),
        ("ref-nodes", str(forced.nodes * case.file.playouts)),
        ("ref-score", f"{forced.score:g}"),
    ]
    shown = ("..." if line == "..." else f"{line}\n= {reply}".rstrip() for line, reply in asked)
    return _drawing("\n\n".join(shown))
