"""Explanations and lists of requirements, cases and deviations, for the commands ``explain`` and ``list``."""

import re
from textwrap import shorten

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.cases.case import Case, Dialogue, Forced, Script, Step
from harness.cases.checklist import CheckStep
from harness.cases.reflection import original_of
from harness.cases.suite import Suite
from harness.errors import UsageError
from harness.render.glossary import GLOSSARY
from harness.render.specification import render_clause
from harness.render.terminal import draw_case
from harness.suggest import closest
from reference_engine.deviations import BY_NAME, CATALOGUE

_SHORTEST = 2
"""Least number of letters of a word that is searched for in clauses and names."""
_RELATED = 4
_KINDS = {
    "forced": "every playout takes one course",
    "choice": "the move answered",
    "sample": "length and win fraction",
    "choices": "distribution of chosen moves",
    "complete": "a whole game",
    "fresh": "repeated genmoves",
    "dialogue": "random commands",
    "bounds": "figures that playouts can have",
    "steps": "a script of commands",
}


def kind_of(case: Case) -> str:
    """Return the kind of question of a case, in a few words."""
    return next(words for name, words in _KINDS.items() if getattr(case.file, name))


def render_explanation(suite: Suite, name: str) -> RenderableType:
    """Return the page of a requirement, a case, a deviation or a word of a verdict.

    Raises:
        UsageError: nothing has that name; the message suggests similar names.
    """
    if original_of(name.lower()) != name.lower():
        suite = suite.for_level("full")  # which asks every reflection of a case
    known = {key.lower(): key for key in (*suite.requirements, *suite.every_case, *BY_NAME, *GLOSSARY)}
    clauses = {key: step for step in suite.checklist for key in (step.id, step.name)}
    if (step := clauses.get(name.lower())) is not None and name.lower() not in known:
        return _clause(suite, step)
    asked = " ".join(name.lower().replace("_", " ").split())
    key = known.get(asked) or known.get(asked.replace(" ", "-")) or known.get(asked.replace("-", " "))
    if key is None:
        raise UsageError(
            f"nothing is called {name!r}{_related(suite, name) or closest(name, known.values())}"
        )
    if key in GLOSSARY:
        return Text(f"{key}\n\n{GLOSSARY[key]}")
    if key in suite.requirements:
        return render_clause(suite, key)
    return _case(suite.every_case[key]) if key in suite.every_case else _deviation(suite, key)


def _expected(step: Step) -> str:
    """Return the replies that a line of a script allows, and how the line is sent."""
    notes = {
        "sent ahead": step.ahead,
        "goes on until the next line": step.goes_on > 0,
        "or refused": step.may_fail,
    }
    return ", ".join([step.expect, *(note for note, holds in notes.items() if holds)])


def _clause(suite: Suite, step: CheckStep) -> RenderableType:
    place = step.section_of_text
    where = f"GTP 2, draft 2, section {place}" if place[:1].isdigit() else place
    lines = [f"{step.id} {step.name}: {step.title}", "", step.clause, "", f"({where})", ""]
    for name in step.all_cases if step.steps else []:
        case = suite.every_case[name]
        lines += [f"> {line}" for line in case.commands()]
        lines += [f"> {line.send}   ({_expected(line)})" for line in case.file.steps]
    if step.cases:
        lines.append(f"cases: {', '.join(step.cases)}")
    if step.presupposes:
        lines.append(f"presupposes: {', '.join(step.presupposes)}")
    return Text("\n".join(lines))


def _related(suite: Suite, name: str) -> str:
    """Return the clauses and terms whose text has a word, and the mistakes and cases whose names have it."""
    if len(name) < _SHORTEST:
        return ""
    whole = re.compile(rf"\b{re.escape(name.lower())}s?\b")
    clauses = [key for key, r in suite.requirements.items() if whole.search(r.clause.lower())]
    terms = [key for key, text in GLOSSARY.items() if whole.search(key.lower()) or whole.search(text.lower())]
    names = [key for key in (*BY_NAME, *suite.cases) if whole.search(key.replace("-", " "))]
    found = [*clauses[:_RELATED], *names[:_RELATED], *terms[: _RELATED if not clauses + names else 1]]
    return f"; it is mentioned in {', '.join(map(repr, found))}" if found else ""


def _case(case: Case) -> RenderableType:
    lines = [
        f"{case.id}  ({case.requirement}: {kind_of(case)})",
        "",
        case.file.about.strip(),
        "",
        draw_case(case),
        "",
    ]
    question = case.question
    if isinstance(question, Forced):
        score = "" if question.score is None else f", ref-score {question.score:g}"
        lines.append(f"every playout is {question.nodes} moves long{score}")
    if isinstance(question, Script):
        lines += [f"> {step.send}   ({_expected(step)})" for step in question.steps]
    elif isinstance(question, Dialogue):
        sizes = ", ".join(f"{size}x{size}" for size in question.sizes)
        lines.append(f"{question.commands} random commands, on {sizes}")
    else:
        lines += ["as GTP:", *(f"> {line}" for line in case.commands()), f"> genmove {case.colour}"]
    return Text("\n".join(lines))


def _deviation(suite: Suite, name: str) -> RenderableType:
    d = BY_NAME[name]
    lines = [
        f"{name}  breaks {d.requirement}: {suite.requirements[d.requirement].clause.strip()}",
        "",
        f"the bot {d.about}" if not d.about.startswith("the bot") else d.about,
    ]
    if d.seen:
        lines += ["", f"seen in  {d.seen}"]
    if d.tolerated:
        lines += ["", "the text leaves room for this: NON-STRICT, not FAIL"]
    lines += ["", f"try it   refbot certify 'refbot engine --playouts {{playouts}} --deviation {name}'"]
    return Text("\n".join(lines))


def render_list(suite: Suite, what: str) -> RenderableType:
    """Return the list of cases, requirements or deviations.

    Raises:
        UsageError: ``what`` is none of these.
    """
    if what == "cases":
        longest = max(len(name) for name in suite.cases)
        table = _table(("", 3), ("case", longest), ("board", 5), ("about", 20))
        for c in sorted(suite.cases.values(), key=lambda c: (_order(c.requirement), c.id)):
            table.add_row(
                c.requirement,
                c.id,
                f"{c.file.size}x{c.file.size}",
                escape(shorten(c.file.about, 90, placeholder=" ...")),
            )
    elif what == "requirements":
        table = _table(("", 3), ("clause", 40))
        for key, r in suite.requirements.items():
            table.add_row(key, escape(r.clause.strip()))
        table.columns[1].no_wrap = False
    elif what == "deviations":
        longest = max(len(d.name) for d in CATALOGUE)
        table = _table(("", 3), ("deviation", longest), ("what the bot does", 30))
        for d in CATALOGUE:
            seen = f" ({d.seen})" if d.seen else ""
            table.add_row(d.requirement, d.name, escape(d.about + seen))
        table.columns[2].no_wrap = False
    else:
        known = ("cases", "requirements", "deviations")
        raise UsageError(f"no list {what!r}{closest(what, known)}; there are {', '.join(known)}")
    return table


def _table(*columns: tuple[str, int]) -> Table:
    """Return a plain table of columns with their least widths; a last column that is too wide is cut."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name, width in columns:
        table.add_column(name, no_wrap=True, min_width=width, overflow="ellipsis")
    return table


def _order(requirement: str) -> tuple[int, int]:
    return "RNXG".index(requirement[0]), int(requirement[1:])
