"""Exact checks of scripts: what is wrong in the replies to lines that a case file gives one by one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from harness.bots.wire import Reply
from harness.cases.case import Case, Step, said
from harness.errors import EvidenceError
from harness.judging.answers import parse_answer, parse_reply, parse_score, parse_wins, precision
from harness.judging.finding import Finding, Quantity
from harness.judging.results import rests_on_a_pass, unlike
from harness.number import whole_number
from harness.records.evidence import Unit
from harness.word import Word

LINGERS = "did not leave after quit"
"""Prefix of the note of a unit whose bot had to be killed after quit."""
ORPHANS = "left processes of its group behind after quit"
"""Note of a unit whose bot ended while processes that it had started were still running."""

_ADMINISTRATIVE = ("protocol_version", "name", "version", "list_commands", "known_command")
"""Required commands that set nothing up."""
_OF_LINES = ("G3", "G4")
"""Requirements about the reading of lines: a refused line breaks them, whatever its command."""
_OF_SCORE = ("N2", "R5")
"""Requirements that may be broken, too, if a score is wrong that the rules force."""
_MANY_WORDS = 12
"""Longer replies (in words) are not quoted; the missing words are named instead."""
_PLAIN: Mapping[str, Callable[[str], bool]] = {
    "ok": lambda _: True,
    "integer": lambda text: text.isascii() and text.isdigit(),
    "number": lambda text: parse_score(text) is not None,
}


def check_script(case: Case, unit: Unit) -> Iterator[Finding]:
    """Yield the first wrong reply to a script, if there is one.

    Raises:
        EvidenceError: the unit was asked something else than the case asks.
    """
    steps = case.steps
    if any(note.startswith(LINGERS) for note in unit.notes):
        yield Finding(case.requirement, case.id, Word.FAIL, "the bot leaves after quit", unit.notes[-1])
    asked = [step for step in steps if step.expect != "silence"]
    numbers = [i for i, step in enumerate(steps) if step.expect != "silence"]
    before = len(case.commands())
    script = unit.exchanges[before:]
    results: dict[int, str] = {}
    for place, (number, step, (sent, raw)) in enumerate(zip(numbers, asked, script, strict=False), before):
        wanted = said(step.send, results)
        if (line := sent.split("\n")[-1]) != wanted:
            raise asked_otherwise(case, line, wanted)
        reply = parse_reply(raw)
        shown = raw.strip() or "an empty reply"
        if reply is None:
            expected = f"{sent!r} is answered with = or ?"
            yield Finding(case.requirement, case.id, Word.FAIL, expected, shown, exchange=place)
            return
        results[number] = reply.text.strip()
        is_open = case.ends_open and step is asked[-1] and reply.success
        if _is_whole(raw) == is_open:
            expected = f"the reply to {sent!r} " + ("goes on" if is_open else "ends with an empty line")
            yield Finding(case.requirement, case.id, Word.FAIL, expected, repr(raw), exchange=place)
            return
        figure = results[number]
        if wrong := _wrong_figure(case, number, sent, figure, unit.playouts):
            yield replace(wrong, exchange=place)
            return
        if step.may_fail and not reply.success:
            return
        if expected := _unexpected(step, sent, reply, results, case.file.size):
            words = figure.upper().split()
            if len(words) > _MANY_WORDS and step.contains:
                missing = [word for word in step.contains if word.upper() not in words]
                shown = f"{len(words)} words without {' and '.join(missing)}" if missing else shown
            # If the reply is a well-formed move, but not the right one, the command itself worked.
            is_move = step.contains and step.expect == "vertex" and _fits(step, figure)
            quantity = "choice" if is_move else _quantity_of(step, sent, figure, results)
            requirement = _of_step(case, step, sent, reply)
            is_play = requirement == "G6" and not reply.success and sent.startswith("play ")
            yield Finding(
                requirement,
                case.id,
                Word.FAIL,
                expected,
                shown,
                quantity=quantity,
                exchange=place,
                refused=sent if is_play else "",
            )
            return


def _unexpected(step: Step, sent: str, reply: Reply, results: dict[int, str], size: int) -> str:
    """Return what was expected instead of a wrong reply; empty if the reply is right."""
    if rests_on_a_pass(step, results):
        return ""
    text = reply.text.strip()
    expected = _disagreement(step, sent, reply.success, reply.id, text, results)
    return expected or (unlike(step, sent, text, size) if reply.success else "")


def asked_otherwise(case: Case, sent: str, line: str) -> EvidenceError:
    """Return the error for evidence of another suite, which cannot be judged by this one."""
    return EvidenceError(
        f"the evidence of {case.id} is of another suite: {sent!r} was sent for {line!r}; "
        "judge it by the refbot that made it, or run the bot again"
    )


def _of_step(case: Case, step: Step, sent: str, reply: Reply) -> str:
    """Return the requirement that a wrong reply to a step breaks."""
    if case.file.is_of_check:
        return case.requirement  # each clause has a script of its own
    if reply.id != _id_of(step):
        return "G2"  # whatever the command is about, its id belongs in the reply
    if reply.success:
        is_vertex = step.expect not in ("vertex", "move") or _fits(step, reply.text.strip())
        return case.requirement if is_vertex else "G5"
    return case.requirement if step.expect == "error" else _of_refused(case, sent)


def _of_refused(case: Case, sent: str) -> str:
    """Return the requirement that is broken if a line of a script is refused.

    It is that of the case, unless the line is plain and its command has to succeed in any case.
    """
    words = [word for word in sent.split(" ") if not word.isdecimal()]
    name, arguments = words[0], words[1:]
    if case.requirement in _OF_LINES or not sent.isprintable() or "#" in sent:
        return case.requirement
    if name == "genmove" and arguments in (["black"], ["white"]) and case.requirement != "G8":
        return "R1"
    return "G1" if name in _ADMINISTRATIVE else case.requirement


def _wrong_figure(case: Case, number: int, sent: str, text: str, playouts: int) -> Finding | None:
    """Return what is wrong with a length or a score, if the rules force another one."""
    step, requirement = case.steps[number], case.requirement
    if step.nodes is not None and _fits(step, text) and text != str(step.nodes * playouts):
        expected = f"{sent!r} answers {step.nodes * playouts}: every playout is {step.nodes} moves long"
        return Finding(requirement, case.id, Word.FAIL, expected, text, quantity="nodes")
    if step.score is None:
        return None
    shown = parse_wins(case.id, text, playouts, draws=True, digits=precision(text))
    if isinstance(shown, Finding) or shown[0] <= 2 * playouts * step.score <= shown[1]:
        return None
    expected = f"{sent!r} answers {step.score:g}: every playout ends alike"
    # If an earlier score of this script was right, a command between the two is the cause.
    was_right = any(other.score is not None for other in case.steps[:number])
    several = () if was_right else tuple(sorted({requirement, *_OF_SCORE}))
    return Finding(requirement, case.id, Word.FAIL, expected, text, quantity="score", candidates=several)


def _quantity_of(step: Step, sent: str, text: str, results: dict[int, str]) -> Quantity:
    """Return what is wrong in a reply: a figure that no genmove before had is not one of those.

    A length may be that of two genmoves together.
    """
    if step.same_as is None or sent not in ("ref-nodes", "ref-score"):
        return "reply"
    earlier = list(results.values())[:-1]
    if sent == "ref-score":
        return "reply" if text in earlier else "score"
    lengths = [length for value in earlier if (length := whole_number(value)) is not None]
    known = {None, 0, *lengths, *(one + other for one in lengths for other in lengths)}
    return "reply" if whole_number(text) in known else "nodes"


def _is_whole(raw: str) -> bool:
    """Whether a reply ends with its empty line; only the end of the output can have kept it back."""
    return raw.replace("\r", "").endswith("\n\n")


def _disagreement(
    step: Step, sent: str, success: bool, number: int | None, text: str, results: dict[int, str]
) -> str:
    """Return what was expected if the reply is something else; empty if it is right."""
    if number != (wanted := _id_of(step)):
        return f"the reply to {sent!r} carries {'no id' if wanted is None else f'the id {wanted}'}"
    if step.expect == "either":
        return ""
    if step.expect == "error":
        return "" if not success else f"{sent!r} is an error"
    if not success:
        return f"{sent!r} succeeds"
    if not _fits(step, text):
        article = "a " if step.expect in ("integer", "number", "vertex", "move") else ""
        return f"{sent!r} answers {article}{step.expect}"
    words = text.upper().split()
    missing = [word for word in step.contains if word.upper() not in words]
    if missing:
        return f"the answer to {sent!r} holds {', '.join(missing)}"
    return _disagreement_with_earlier(step, sent, text, results)


def _id_of(step: Step) -> int | None:
    """Return the id of the command that a step sends, if it has one."""
    first = step.send.split()[:1]
    return whole_number(first[0]) if first else None


def _fits(step: Step, text: str) -> bool:
    """Whether a result has the form a step expects."""
    if step.expect in _PLAIN:
        return _PLAIN[step.expect](text)
    if step.expect in ("vertex", "move"):
        return parse_answer(text, 25) is not None
    return text.lower() == step.expect


def _disagreement_with_earlier(step: Step, sent: str, text: str, results: dict[int, str]) -> str:
    """Return what was expected if the result contradicts earlier ones; empty if it does not."""
    if step.same_as is not None and results.get(step.same_as) != text:
        return f"{sent!r} answers the same as before, {results.get(step.same_as)!r}"
    may_repeat = step.expect == "move" and text.upper() in ("PASS", "RESIGN")
    if step.differs_from is not None and results.get(step.differs_from) == text and not may_repeat:
        return f"{sent!r} answers something else than {text!r}"
    if step.listed_by is not None:
        is_listed = step.send.split()[-1] in results.get(step.listed_by, "").split()
        if text.lower() != str(is_listed).lower():
            return f"{sent!r} answers {str(is_listed).lower()}, as list_commands has it"
    return ""
