"""Exact checks: questions to which a conforming bot has one answer, and answers that prove a mistake.

Each function takes a case and one unit of evidence and returns findings; none at all is a pass.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.bots.wait import OUTSIDE, SURPLUS
from harness.bots.wire import Reply
from harness.cases.case import Case, Complete, Dialogue, Forced, MoveChoice
from harness.judging.answers import (
    GenmoveStatistics,
    parse_answer,
    parse_nodes,
    parse_reply,
    parse_wins,
    precision,
)
from harness.judging.dialogue import findings_in
from harness.judging.finding import Finding
from harness.judging.referee import OCCUPIED, Fault, fault_in, moves_left
from harness.judging.script import asked_otherwise, check_script
from harness.records.evidence import UNDO, Unit
from harness.word import Word
from reference_engine.playout import move_cap
from reference_engine.vocabulary import PASS

_OF_SET_UP = {"clear_board": "G9", "komi": "G11", "play": "G6", UNDO: "G12"}
"""Requirements that the commands of a set-up succeed."""
_OF_QUESTION = {"genmove": "R1", "ref-nodes": "N1", "ref-score": "N2", "ref-playouts": "N4"}
"""Requirements that the commands of a question succeed."""
_ENDLESS = ("R2", "R3", "R4", "R10")
"""Requirements of which one is broken if playouts of a finished position run up to the limit: they do not end
after two passes, or play a point that the rules forbid, again and again."""
_OF_TOO_SHORT = ("N1", "R3")
"""Requirements of which one is broken if playouts are shorter than the rules allow: passes, for example, are
not counted, or playouts end too early."""
_OF_NONE = ("N1", "N4", "R3")
"""The same if no move is reported: perhaps no playout was run."""
_UNASKED = ((SURPLUS, Word.FAIL), (OUTSIDE, Word.NON_STRICT))
"""How notes begin about what came unasked, and what it is worth.  A second response breaks the rule of one to
each command; of other lines the text says only that the engine never speaks first, and the responses are told
from them."""


@dataclass(frozen=True, slots=True)
class UnitReading:
    """The interpretation of one unit."""

    move: str
    """genmove's answer in upper case, empty where there was none."""
    statistics: GenmoveStatistics
    findings: tuple[Finding, ...]


def read_unit(case: Case, unit: Unit, digits: tuple[int, int]) -> UnitReading:
    """Interpret a unit and make every exact check its case asks for, what came unasked included.

    ``digits`` is how finely the bot prints its scores, see ``parse_wins``.
    """
    reading = read_answers(case, unit, digits)
    if (first := next(unasked(case, unit), None)) is None:
        return reading
    word, noise = first
    expected = "nothing but one reply to each command"
    finding = Finding("G2", case.id, word, expected, noise, of_form=word is Word.FAIL)
    return replace(reading, findings=(*reading.findings, finding))


def read_answers(case: Case, unit: Unit, digits: tuple[int, int]) -> UnitReading:
    """Interpret a unit by its answers alone, see ``read_unit``.

    Raises:
        EvidenceError: the unit was asked something else than the case asks.
    """
    if isinstance(case.question, Dialogue):
        return UnitReading("", GenmoveStatistics(None, None), findings_in(case.id, unit, digits))
    for (sent, _), line in zip(unit.exchanges, _set_up_of(case, unit), strict=False):
        if sent != line:
            raise asked_otherwise(case, sent, line)
    if case.is_script:
        return UnitReading("", GenmoveStatistics(None, None), tuple(check_script(case, unit)))
    if isinstance(case.question, Complete):
        return UnitReading("", GenmoveStatistics(None, None), tuple(_check_game(case, unit)))
    return _check_genmove(case, unit, digits)


def _set_up_of(case: Case, unit: Unit) -> list[str]:
    """Return the lines that set a unit's position up."""
    return [UNDO] if unit.is_repeated and case.is_statistical else case.commands()


def unasked(case: Case | None, unit: Unit) -> Iterator[tuple[Word, str]]:
    """Yield the first note of each kind about what a bot wrote that no command asked for, and its word.

    An engine never speaks first, and only in replies.  ``case`` is the unit's, None for a handshake.
    """
    if not unit.notes or (case is not None and case.expects_silence):
        return  # a case about a line without an answer judges such answers itself
    for begin, word in _UNASKED:
        if noise := next((note for note in unit.notes if note.startswith(begin)), None):
            yield word, noise


def _check_genmove(case: Case, unit: Unit, digits: tuple[int, int]) -> UnitReading:
    findings = list(_check_set_up(case, unit))
    if unit.is_repeated and findings:
        # The bot is in another position: what follows says nothing about this one.
        return UnitReading("", GenmoveStatistics(None, None), tuple(findings))
    replies = list(_replies(case, unit))
    if replies and not replies[0][2].success:
        replies = replies[:1]  # without a genmove there are no figures
    findings += [
        Finding(_OF_QUESTION[name], case.id, Word.FAIL, f"{name} succeeds", raw.strip() or "nothing")
        for name, raw, reply in replies
        if not reply.success
    ]
    move, texts = "", {name: reply.text.strip() if reply.success else None for name, _, reply in replies}
    if "genmove" in texts and texts["genmove"] is None:
        # The figures belong to another genmove.
        return UnitReading("", GenmoveStatistics(None, None), tuple(findings))
    if (answer := texts.get("genmove")) is not None:
        move = answer.upper()
        if fault := _fault_in(case, answer):
            illegal = _illegal(case, "genmove answers a move the rules allow", fault)
            findings.append(illegal)
            move = "" if illegal.of_form else move
    statistics, misread = _statistics(case, unit, texts, digits)
    findings += misread
    if isinstance(case.question, Forced):
        findings += _check_forced(case, case.question, unit, move, statistics)
    elif isinstance(case.question, MoveChoice) and move:
        findings += _check_choice(case, case.question, move)
    return UnitReading(move, statistics, tuple(findings))


def _replies(case: Case, unit: Unit) -> Iterator[tuple[str, str, Reply]]:
    """Yield the commands of the question, with their replies as they came and as they were read."""
    for sent, raw in unit.exchanges[len(_set_up_of(case, unit)) :]:
        name = sent.split()[0]
        if name in _OF_QUESTION and (reply := parse_reply(raw)) is not None:
            yield name, raw, reply


@lru_cache(maxsize=4096)
def _fault_in(case: Case, answer: str) -> Fault | None:
    """Return the rule that an answer breaks in a case's position; few answers come, again and again."""
    return fault_in(case.game, case.colour, answer)


def _illegal(case: Case, expected: str, fault: Fault) -> Finding:
    # No known deviation answers something other than a vertex, or a point with a stone on it.
    of_form = fault.requirement == "G5" or fault.text.endswith(OCCUPIED)
    return Finding(
        fault.requirement,
        case.id,
        Word.FAIL,
        expected,
        fault.text,
        of_form=of_form,
        quantity="answer",
        point=fault.point,
    )


def _check_set_up(case: Case, unit: Unit) -> Iterator[Finding]:
    is_first = True
    for place, (sent, raw) in enumerate(unit.exchanges):
        if raw[:1] == "?" and (name := sent.split()[0]) in ("clear_board", "komi", "play", UNDO):
            # A bot that refuses a pass did not understand the word.
            is_word = name == "play" and sent.lower().endswith(" pass")
            requirement = "G5" if is_word else _OF_SET_UP[name]
            refused = sent if requirement == "G6" else ""
            expected = f"the legal {sent!r} succeeds"
            shown = raw.strip()
            # A play is refused in another position than that of the case.  Later ones may be refused because
            # the first one's stone is missing, so they need no record of their own.
            sent_before = tuple(unit.exchanges[: place + 1]) if name == "play" and is_first else ()
            is_first = is_first and name != "play"
            yield Finding(
                requirement,
                case.id,
                Word.FAIL,
                expected,
                shown,
                exchange=place,
                dialogue=sent_before,
                refused=refused,
            )


def _statistics(
    case: Case, unit: Unit, texts: dict[str, str | None], digits: tuple[int, int]
) -> tuple[GenmoveStatistics, list[Finding]]:
    findings: list[Finding] = []
    nodes, wins = None, None
    if (text := texts.get("ref-nodes")) is not None:
        parsed = parse_nodes(case.id, text)
        if isinstance(parsed, Finding):
            findings.append(parsed)
        else:
            nodes = parsed
            findings += _check_bounds(case, unit, nodes)
    if (text := texts.get("ref-score")) is not None:
        draws = float(case.file.komi).is_integer()
        range_or_finding = parse_wins(case.id, text, unit.playouts, draws=draws, digits=digits)
        if isinstance(range_or_finding, Finding):
            findings.append(range_or_finding)
        else:
            wins = range_or_finding
    text = texts.get("ref-playouts")
    if text is not None and text != str(unit.playouts):
        expected = f"ref-playouts answers the {unit.playouts} playouts declared"
        findings.append(Finding("N4", case.id, Word.FAIL, expected, text))
    return GenmoveStatistics(nodes, wins), findings


def _check_bounds(case: Case, unit: Unit, nodes: int) -> Iterator[Finding]:
    left = moves_left(case.file.size, len(case.plays))
    least, most = min(2, left) * unit.playouts, left * unit.playouts
    if nodes < least:
        expected = f"at least {least} moves in all {unit.playouts} playouts, passes counted"
        behind = _OF_NONE if nodes == 0 else _OF_TOO_SHORT
        yield Finding("N1", case.id, Word.FAIL, expected, str(nodes), quantity="nodes", candidates=behind)
    elif nodes > most and not isinstance(case.question, Forced):
        word = Word.NON_STRICT if nodes <= move_cap(case.file.size) * unit.playouts else Word.FAIL
        expected = f"at most {most} moves in {unit.playouts} playouts, by the cap of 3*N*N"
        yield Finding("R3", case.id, word, expected, str(nodes), quantity="nodes")


def _check_forced(
    case: Case, forced: Forced, unit: Unit, move: str, statistics: GenmoveStatistics
) -> Iterator[Finding]:
    n = unit.playouts
    runs_on = forced.cut_by_cap and statistics.nodes is not None and statistics.nodes > forced.nodes * n
    if runs_on and statistics.nodes is not None:
        expected = f"ref-nodes {forced.nodes * n}: the cap of 3*N*N, game moves counted, ends every playout"
        times = statistics.nodes / forced.nodes
        shown = str(statistics.nodes)
        yield Finding("R3", case.id, Word.NON_STRICT, expected, shown, quantity="nodes", times=times)
    elif statistics.nodes is not None and statistics.nodes != forced.nodes * n:
        lenient = forced.lenient_nodes is not None and statistics.nodes == forced.lenient_nodes * n
        word = Word.NON_STRICT if lenient else Word.FAIL
        expected = f"ref-nodes {forced.nodes * n}: every one of {n} playouts is {forced.nodes} moves long"
        times, length = statistics.nodes / forced.nodes, statistics.nodes / n
        is_endless = length == move_cap(case.file.size) - len(case.plays)
        shown = f"{statistics.nodes}{_implied(length, is_endless=is_endless)}"
        several = _ENDLESS if is_endless and case.requirement in _ENDLESS else ()
        yield Finding(
            case.requirement,
            case.id,
            word,
            expected,
            shown,
            quantity="nodes",
            times=times,
            candidates=several,
        )
    if statistics.wins is not None and forced.score is not None and not runs_on:
        least, greatest = statistics.wins
        if not least <= 2 * n * forced.score <= greatest:
            lenient = forced.lenient_score is not None and least <= 2 * n * forced.lenient_score <= greatest
            word = Word.NON_STRICT if lenient else Word.FAIL
            expected = f"ref-score {forced.score:g}: every playout ends alike"
            observed = f"{least / (2 * n):.6g}"
            yield Finding(case.requirement, case.id, word, expected, observed, quantity="score")
    if forced.answers and move and move not in {a.upper() for a in forced.answers}:
        expected = f"genmove answers {' or '.join(forced.answers)}"
        yield Finding(case.requirement, case.id, Word.FAIL, expected, _shown(move), quantity="choice")


def _implied(length: float, *, is_endless: bool) -> str:
    """Return what a length says of the playouts that the rules force to another one."""
    if is_endless:
        return f": {length:g} moves each, up to the limit; the playouts did not end"
    return f": {length:g} moves each" if length.is_integer() else ""


def _check_choice(case: Case, choice: MoveChoice, move: str) -> Iterator[Finding]:
    allowed, forbidden = {a.upper() for a in choice.allowed}, {f.upper() for f in choice.forbidden}
    if (allowed and move not in allowed) or move in forbidden:
        expected = " or ".join(choice.allowed) or "anything but " + ", ".join(choice.forbidden)
        said = f"genmove answers {expected}"
        yield Finding(case.requirement, case.id, Word.FAIL, said, _shown(move), quantity="choice")


def _shown(move: str) -> str:
    """Return a move as GTP writes it, so that a pass does not look like a verdict."""
    return move.lower() if move in ("PASS", "RESIGN") else move


def _check_game(case: Case, unit: Unit) -> Iterator[Finding]:
    assert isinstance(case.question, Complete)  # noqa: S101 - the caller chose by this type
    game, colour, passes = case.game, case.colour, 0
    for place, (sent, raw) in enumerate(unit.exchanges):
        if not sent.startswith("genmove"):
            continue
        reply = parse_reply(raw)
        if reply is None or not reply.success:
            yield Finding("R1", case.id, Word.FAIL, f"{sent!r} succeeds", raw.strip(), exchange=place)
            return
        if fault := fault_in(game, colour, reply.text):
            expected = f"move {len(game.moves) + 1} of the game is one the rules allow"
            yield replace(_illegal(case, expected, fault), exchange=place)
            return
        answer = parse_answer(reply.text, game.position.size)
        move = answer if isinstance(answer, tuple) else PASS
        passes = passes + 1 if move is PASS else 0
        game, colour = game.after(colour, move), colour.other
    if passes < 2 and unit.broken is None:
        expected = f"the game ends by two passes within {case.question.limit} moves"
        observed = f"{len(game.moves)} moves and no end"
        yield Finding("R1", case.id, Word.FAIL, expected, observed, quantity="choice")


def score_digits(units: list[Unit]) -> tuple[int, int]:
    """Return the most decimals and the most significant digits printed by any ref-score of the units."""
    shown = [
        precision(reply.text)
        for unit in units
        for sent, raw in unit.exchanges
        if sent == "ref-score" and (reply := parse_reply(raw)) is not None and reply.success
    ]
    return max((d for d, _ in shown), default=0), max((s for _, s in shown), default=0)
