"""Exact cases as regression files, so that other tools can ask them.

A case becomes the lines that set its position up, and numbered tests with patterns.  Cases that no pattern
can express are left out: statistical cases, whole games, answers compared with earlier ones (docs/tst.md).
Patterns have no nested brackets, and alternatives are in parentheses, so that every tool reads them alike.
"""

import textwrap
from collections.abc import Iterator, Sequence

from harness.cases.case import Case, Forced, MoveChoice, Step
from harness.cases.suite import Suite
from harness.judging.referee import fault_in
from reference_engine.vocabulary import format_vertex

_MOST_ANSWERS = 30
"""Greatest number of allowed moves that a pattern lists; otherwise it lists the forbidden moves."""
_SILENT = frozenset({"boardsize", "clear_board", "komi", "play", "undo", "quit"})
"""Commands whose result is empty, by the GTP specification."""
_DIGIT = "(0|1|2|3|4|5|6|7|8|9)"
_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_EXPONENT = r"((e|E)(\+|-)?0+)?"
_SCORES = {
    0.0: rf"(\+|-)?(0+(\.0*)?|\.0+){_EXPONENT}",
    0.5: rf"\+?0*\.50*{_EXPONENT}",
    1.0: rf"\+?0*1(\.0*)?{_EXPONENT}",
}
_ANY_NUMBER = rf"(\+|-)?({_DIGIT}+(\.{_DIGIT}*)?|\.{_DIGIT}+)((e|E)(\+|-)?{_DIGIT}+)?"
REFUSED = "[]*"
"""Pattern of an error: it is marked as a known failure, and only a success with an empty result passes."""
_HEAD = """\
{title}

Written by `refbot list --tst`; the cases are the source, changes here are lost.
Every answer here is the only one, or one of all, that the rules allow:
    refbot tst --strict {name} --bot './mybot --playouts {{playouts}}'
A command that the bot must refuse is marked as known to fail, so an unexpected pass is a mistake, too."""


def tst_files(suite: Suite) -> dict[str, str]:
    """Return the files by name: one for each area, number of playouts, and command that a bot may lack."""
    groups: dict[tuple[str, int, str], list[Case]] = {}
    for area, case in _by_area(suite):
        if _is_expressible(case):
            groups.setdefault((area, case.file.playouts, _separate_part(case)), []).append(case)
    files = {}
    for (area, playouts, separate), cases in groups.items():
        number = f"{playouts}-playout{'s' if playouts != 1 else ''}"
        name = "-".join(filter(None, [area, number, separate])) + ".tst"
        files[name] = _file(name, f"refbot: {area}, {number.replace('-', ' ')} a genmove", playouts, cases)
    return files


def _by_area(suite: Suite) -> Iterator[tuple[str, Case]]:
    for path in sorted((suite.folder / "cases").glob("*/*.toml")):
        yield path.parent.name, suite.cases[path.stem]


def _is_expressible(case: Case) -> bool:
    if case.is_script:
        return any(step.expect != "silence" for step in case.steps)
    return isinstance(case.question, Forced | MoveChoice)


def _separate_part(case: Case) -> str:
    """Return why a case has a separate file (a command that a bot may lack, or that ends it), or empty."""
    if not case.is_script:
        return ""
    if any("quit" in step.send.split() for step in case.steps):
        return case.id
    return next((step.optional for step in case.steps if step.optional), "")


def _file(name: str, title: str, playouts: int, cases: Sequence[Case]) -> str:
    numbers = _Numbers()
    lines = [f"# {line}".rstrip() for line in _HEAD.format(title=title, name=name).splitlines()]
    lines += ["#", f"# playouts: {playouts}"]
    for case in cases:
        about = f"{case.id} ({case.requirement}): {' '.join(case.file.about.split())}"
        lines += ["", *(f"# {line}" for line in textwrap.wrap(about, 108))]
        for _ in range(1 if case.is_script else case.file.genmoves):
            lines += case.commands()
            lines += _script(case, numbers) if case.is_script else _genmove(case, numbers)
    return "\n".join(lines) + "\n"


class _Numbers:
    """Gives tests their numbers: a step's own id if it is free, otherwise the next multiple of ten."""

    def __init__(self) -> None:
        self._next = 0
        self._taken: set[int] = set()

    def give(self, own: int | None = None) -> int:
        if own is None or own in self._taken or (own > 0 and own % 10 == 0):
            self._next += 10
            own = self._next
        self._taken.add(own)
        return own


def _genmove(case: Case, numbers: _Numbers) -> Iterator[str]:
    yield from _test(numbers.give(), f"genmove {case.colour}", _answers(case))
    question = case.question
    if not isinstance(question, Forced):
        return
    sums = [question.nodes] + ([question.lenient_nodes] if question.lenient_nodes is not None else [])
    yield from _test(numbers.give(), "ref-nodes", _either([str(n * case.file.playouts) for n in sums]))
    scores = [score for score in (question.score, question.lenient_score) if score is not None]
    if question.score is not None:
        yield from _test(numbers.give(), "ref-score", _either([_SCORES[score] for score in scores]))


def _answers(case: Case) -> str:
    """Return the pattern of the moves that a genmove may answer."""
    size, question = case.file.size, case.question
    every = [format_vertex((row, column)) for row in range(size) for column in range(size)]
    legal = [vertex for vertex in [*every, "pass"] if fault_in(case.game, case.colour, vertex) is None]
    if isinstance(question, Forced):
        wanted = question.answers or legal
    elif isinstance(question, MoveChoice):
        wanted = question.allowed or [vertex for vertex in legal if vertex not in question.forbidden]
        if len(wanted) > _MOST_ANSWERS:
            return "!" + _either([_vertex(vertex) for vertex in question.forbidden])
    return _either([_vertex(vertex) for vertex in wanted])


def _script(case: Case, numbers: _Numbers) -> Iterator[str]:
    for step in case.steps:
        words = step.send.split(" ", 1)
        if step.expect == "silence":
            yield step.send
        elif words[0].isdigit() and len(words) == 2:
            yield from _test(numbers.give(int(words[0])), words[1], _reply(step, words[1], case.file.size))
        elif step.expect == "ok" and words[0].split("\t")[0] in _SILENT:
            # GNU Go's script loses a test if the bot answers "=10" without a space after it.  The refusal
            # of a command that is not a test is an error here and for gogui-regress.
            yield step.send
        else:
            yield from _test(numbers.give(), step.send, _reply(step, step.send, case.file.size))


def _reply(step: Step, command: str, size: int) -> str | None:
    """Return the pattern of a step's answers; None for an error."""
    if step.expect == "vertex" and len(step.contains) == 1:
        return _vertex(step.contains[0])
    match step.expect:
        case "error":
            return None
        case "integer":
            return f"{_DIGIT}+"
        case "number":
            return _ANY_NUMBER
        case "vertex":
            letters = "|".join(_LETTERS[:size] + _LETTERS[:size].lower())
            rows = "|".join(str(row) for row in range(1, size + 1))
            return f"(({letters})({rows})|pass|PASS|Pass)"
        case "true" | "false" | "2":
            return step.expect
    return "" if command.split(maxsplit=1)[0] in _SILENT else ".*"


def _test(number: int, command: str, pattern: str | None) -> Iterator[str]:
    yield f"{number} {command}"
    yield f"#? {REFUSED if pattern is None else f'[{pattern}]'}"


def _vertex(text: str) -> str:
    """Return the pattern of a vertex in upper or lower case."""
    if text.upper() == "PASS":
        return "(pass|PASS|Pass)"
    return f"({text[0].upper()}|{text[0].lower()}){text[1:]}"


def _either(patterns: Sequence[str]) -> str:
    return patterns[0] if len(patterns) == 1 else f"({'|'.join(patterns)})"
