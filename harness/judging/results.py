"""Further conditions on the results of script steps, and remarks on replies that break nothing.  Pure."""

import re
from collections.abc import Iterator
from itertools import pairwise

from harness.bots.wire import printable
from harness.cases.case import Case, Step
from harness.judging.answers import parse_answer, parse_reply
from harness.records.evidence import Unit


def unlike(step: Step, sent: str, text: str, size: int) -> str:
    """Return what was expected if the result of a success is something else; empty if it is right.

    Args:
        step: of the script.
        sent: the line that was sent.
        text: the result.
        size: lines of the board.
    """
    if step.matches and not re.fullmatch(step.matches, text):
        return f"{sent!r} answers what fits {step.matches}"
    if step.points is not None:
        listed, wanted = _words(text), sorted(step.points)
        if listed != wanted:
            return f"{sent!r} lists {' '.join(wanted) or 'no vertex'}"
    if step.vertices is not None:
        least, most = step.vertices
        listed = _words(text)
        if not least <= len(listed) <= most:
            return f"{sent!r} lists {least} to {most} vertices"
        if any(not isinstance(parse_answer(word, size), tuple) for word in listed):
            return f"{sent!r} lists vertices of the board"
        if any(first == second for first, second in pairwise(listed)):
            return f"{sent!r} lists no vertex twice"
    return ""


def rests_on_a_pass(step: Step, results: dict[int, str]) -> bool:
    """Whether a line names an earlier answer that was no point, so that nothing follows from its reply."""
    named = [int(number) for number in re.findall(r"<(\d+)>", step.send)]
    return any(results.get(number, "").lower() in ("pass", "resign", "") for number in named)


def declined(case: Case, unit: Unit) -> str:
    """Return which line of a script a bot refused that the text lets it refuse, or nothing."""
    for step, sent, raw in _answered(case, unit):
        if step.may_fail and raw[:1] == "?":
            return f"the bot refuses {sent!r}, as the text lets it"
    return ""


def _answered(case: Case, unit: Unit) -> Iterator[tuple[Step, str, str]]:
    """Yield the steps of a script that were answered, with the lines sent and the replies."""
    steps = case.steps
    asked = [step for step in steps if step.expect != "silence"]
    for step, (sent, raw) in zip(asked, unit.exchanges[len(case.commands()) :], strict=False):
        yield step, sent, raw


def remarks(case: Case, unit: Unit) -> Iterator[str]:
    """Yield what the replies of a script tell about the bot that breaks no clause."""
    for step, sent, raw in _answered(case, unit):
        reply = parse_reply(raw)
        if reply is None:
            return
        if step.tells is not None:
            yield step.tells[0] if reply.success else step.tells[1]
        if step.words and not reply.success and step.words not in reply.text.lower():
            came = printable(reply.text.strip(), 60) or "nothing"
            yield f"{sent!r} is refused with {came!r}; the text's words are {step.words!r}"


def _words(text: str) -> list[str]:
    return sorted(word.upper() for word in text.split())
