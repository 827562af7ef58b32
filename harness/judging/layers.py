"""Assigns failed checks to requirements; leaves unjudged what depends on something more basic that failed.

Each check concerns one quantity: a reply, an answer of genmove, a figure that the rules force, means, or
chosen moves.  Quantities depend on each other; ``Layer`` lists them, the most basic first.  If a check fails,
checks of the layers that depend on it would fail anyway, so they are not judged.  A case file can name other
cases that it depends on (``presupposes``).

Some rules combine several checks:

- genmove plays a forbidden point, or leaves out a playable one.  If the playouts are right, the choice of the
  move is wrong (R8, R10).  If they are wrong as well, the rule on points is (R4, R10 or R2).
- only lengths are wrong.  Then the playouts are right, and their moves are counted wrongly (N1).  If they are
  wrong only where the limit ends a playout, or only where passes do, the end of playouts is wrong (R3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain
from typing import Final

from harness.cases.case import Case, Complete, Dialogue, Forced, Moves, Sample, Script
from harness.cases.reflection import original_of
from harness.cases.suite import Suite
from harness.judging.case_assessment import CaseAssessment
from harness.judging.finding import INDIRECT, Finding, Quantity
from harness.judging.patterns import OF_PASS, End, is_pass_with_points_left, patterns_of
from harness.judging.referee import PASSED
from harness.judging.run_assessment import RunAssessment
from harness.tables.tables import Tables
from harness.word import Word
from reference_engine.deviations import BY_NAME


class Layer(IntEnum):
    """What a check is about, the most basic first."""

    FRAMING = 0
    """Lines and replies as such."""
    BOARD = 1
    """Scripts on which every set-up stands."""
    SETUP = 2
    """Set-ups of positions."""
    COMMANDS = 3
    """Scripts about other commands."""
    ANSWERS = 4
    """Answers of genmove that no position allows, whatever the playouts are like."""
    RECORD = 5
    """Which genmove the figures belong to."""
    REPORT = 6
    """How playouts are counted."""
    POINTS = 7
    """Points that playouts and genmove treat wrongly alike."""
    ENDS = 8
    """Where playouts end."""
    DRAWS = 9
    """Which points a playout may draw."""
    COLOUR = 10
    """Whose move it is."""
    GAME = 11
    """Scripts about genmove in a game."""
    SCORE = 12
    INDEPENDENCE = 13
    SUMS = 14
    """Means over playouts."""
    CHOICE = 15
    """Answers of genmove where only some are right."""
    MOVES = 16
    """Distributions of chosen moves."""


_BOARDS: Final = frozenset({Layer.BOARD, Layer.SETUP})
_PLAYOUTS: Final = frozenset({Layer.RECORD, Layer.REPORT, Layer.POINTS, Layer.ENDS, Layer.DRAWS})


def _beneath(layer: Layer) -> frozenset[Layer]:
    """Return the layers that a layer depends on."""
    if layer <= Layer.BOARD:
        return frozenset()
    if layer in (Layer.SETUP, Layer.COMMANDS):
        return frozenset({Layer.BOARD})
    if layer is Layer.ANSWERS:
        return _BOARDS
    if layer is Layer.INDEPENDENCE:
        return _BOARDS | _PLAYOUTS
    if layer in (Layer.COLOUR, Layer.GAME):
        return _BOARDS | _PLAYOUTS | {Layer.ANSWERS}
    apart = {Layer.COMMANDS, Layer.ANSWERS, Layer.GAME}
    return frozenset(Layer(number) for number in range(Layer.BOARD, layer)) - apart


_OF_NODES: Final = {"R2": Layer.DRAWS, "R4": Layer.DRAWS, "R10": Layer.DRAWS, "R3": Layer.ENDS}
_OF_SCORE: Final = frozenset({"R5", "N2", "G11"})
_OF_CHOICE: Final = frozenset({"R6", "R7", "R8", "R11", "R12"})
_OF_MOVES: Final = frozenset({"R6", "R7", "R12"})
_OF_GAME: Final = ("G6", "G7", "R10")
"""Requirements of which one is broken if genmove commits suicide in whole games, but playouts do not."""
_OF_SUMS: Final = frozenset({"R2", "R9"})
"""Requirements of which one is broken if means are off: of moves that are drawn, or of random numbers."""
_OF_OCCUPIED: Final = ("G5", "G6", "G7", "R1")
"""Requirements of which one is broken if genmove answers an occupied point: the vertex may be written
wrongly, or the bot's board may be another one."""
_OF_FRAMING: Final = frozenset({"G1", "G2", "G3", "G4", "G13"})


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that failed.

    Attributes:
        requirement: the one it counts against; empty if the wrong quantity is not what the check tests.
        case: its case.
        quantity: what was wrong.
        layer: that of the quantity.
        label: the requirement that the counter-example names, or the case.
        finding: the counter-example, of an exact check.
    """

    requirement: str
    case: str
    quantity: Quantity
    layer: Layer
    label: str
    finding: Finding | None = None


@dataclass(frozen=True)
class Assignment:
    """How the failed checks were assigned.

    Attributes:
        judged: failures that depend on no other one, the most basic first.
        unjudged: the other failures, each with the judged one that it depends on.
        candidates: requirements of which at least one is broken, if the checks cannot tell which.
    """

    judged: tuple[FailedCheck, ...] = ()
    unjudged: tuple[tuple[FailedCheck, FailedCheck], ...] = ()
    candidates: tuple[str, ...] = ()

    def of(self, requirement: str) -> list[FailedCheck]:
        """Return the judged failures of a requirement."""
        return [failure for failure in self.judged if failure.requirement == requirement]

    def base_of(self, case: str) -> FailedCheck | None:
        """Return the failure because of which a case's own failure is not judged, if there is one."""
        return next((base for failure, base in self.unjudged if failure.case == case), None)

    @property
    def first(self) -> FailedCheck | None:
        """The most basic failure."""
        return next(iter(self.judged), None)

    @property
    def is_of_form(self) -> bool:
        """Whether the most basic failure is a badly formed reply, which no known deviation gives."""
        return self.first is not None and self.first.finding is not None and self.first.finding.of_form


NOTHING_TOLD: Final = Assignment()


def assign(assessment: RunAssessment, suite: Suite, tables: Tables) -> Assignment:
    """Return the failed checks of a run, assigned to requirements."""
    found = _Failures(assessment)
    failures = sorted(dict.fromkeys(found), key=_place)
    cases = {failure.case: failure for failure in reversed(failures)}
    judged: list[FailedCheck] = []
    bases: dict[FailedCheck, FailedCheck] = {}
    for failure in failures:
        presupposed = (cases[n] for n in suite.cases[failure.case].file.presupposes if n in cases)
        named = [b for b in presupposed if failure.quantity != "nodes" or b.layer < Layer.SCORE]
        base = next(chain((f for f in judged if _stands_on(failure, f)), named), None)
        if base is None:
            judged.append(failure)
        else:
            bases[failure] = base
    bases |= dict.fromkeys(found.of_dialogues, judged[0]) if judged else {}
    unjudged = [(failure, _root(base, bases)) for failure, base in bases.items()]
    return _told_apart(judged, unjudged, assessment, tables)


def _root(base: FailedCheck, bases: Mapping[FailedCheck, FailedCheck]) -> FailedCheck:
    """Return the judged failure at the bottom."""
    while base in bases:
        base = bases[base]
    return base


def _place(failure: FailedCheck) -> tuple[int, int, int, str, str]:
    observed = failure.finding.observed if failure.finding else ""
    # What names a requirement comes first, then what names several.
    names = 0 if failure.requirement else 1 if failure.finding and failure.finding.candidates else 2
    if _is_impossible_answer(failure):
        names = -2 if failure.label == "G5" else -1
    return failure.layer, names, len(observed), failure.case, observed


def _stands_on(failure: FailedCheck, base: FailedCheck) -> bool:
    """Whether a failure depends on another one."""
    if failure.case == base.case and failure.layer is Layer.CHOICE and base.layer is Layer.ANSWERS:
        return True  # the same answer, seen twice
    if _is_impossible_answer(base):
        # Where the bot's board is another one, or its vertices are, it seems to break other rules as well.
        if failure.quantity in ("answer", "choice"):
            return not _is_impossible_answer(failure) or (base.label == "G5" and failure.label == "R1")
        return base.label == "R1" and failure.layer > Layer.ANSWERS
    if base.requirement == "G11" and failure.layer >= Layer.SCORE:
        return failure.layer is not Layer.INDEPENDENCE
    return base.layer in _beneath(failure.layer)


def _is_impossible_answer(failure: FailedCheck) -> bool:
    """Whether genmove answered an occupied point, or no point of the board."""
    return failure.quantity == "answer" and failure.finding is not None and failure.finding.of_form


class _Failures:
    """Yields every failed check with its requirement and its layer."""

    def __init__(self, assessment: RunAssessment) -> None:
        every = [
            (assessed.case, finding)
            for assessed in assessment.cases.values()
            for finding in assessed.findings
            if finding.word is Word.FAIL
        ]
        self._found = [pair for pair in every if not isinstance(pair[0].question, Dialogue)]
        in_dialogues = [_failure_in_dialogue(*pair) for pair in every if pair not in self._found]
        # Only one dialogue is judged: that which leaves the fewest requirements open, and of these the
        # shortest.  If other exact cases failed, it is judged only if it names the rule and they do not.
        in_dialogues.sort(key=_place_of_dialogue)
        self._in_dialogues = in_dialogues[:1]
        if self._found and not _tells(in_dialogues, self._found):
            self._in_dialogues = []
        self.of_dialogues = in_dialogues[len(self._in_dialogues) :]
        """Failures of dialogues that are not judged."""
        convicting = [w for w in assessment.cases.values() if assessment.convicts(w)]
        self._sums = [w for w in convicting if isinstance(w.case.question, Sample)]
        self._moves = [w for w in convicting if isinstance(w.case.question, Moves)]
        wrong = {finding.quantity for _, finding in self._found}
        self._are_playouts_off = bool(self._sums) or not wrong.isdisjoint({"nodes", "score"})
        self._lengths_off = {case.id for case, finding in self._found if finding.quantity == "nodes"}
        forced = [
            w.case for w in assessment.cases.values() if isinstance(w.case.question, Forced) and w.genmoves
        ]
        off = {case.requirement for case in forced if case.id in self._lengths_off}
        self._in_part = {original_of(case.id) for case in forced if case.id not in self._lengths_off}
        """Forced cases of which a reflection, or the case itself, has its right length."""
        self._kept_rules = {case.requirement for case in forced} - off
        answers = [finding for _, finding in self._found if finding.quantity == "answer"]
        self._left_out = {f.point for f in answers if f.point and f.observed.startswith(PASSED)}
        self._are_scores_off = "score" in wrong
        self._is_colour_off = any(
            case.requirement == "G8" and finding.quantity in ("answer", "choice", "nodes")
            for case, finding in self._found
        )
        self._are_only_lengths_off = (
            self._are_playouts_off
            and not self._moves
            and not any(_is_off(w, "score") for w in self._sums)
            and wrong.isdisjoint({"score", "answer", "choice"})
        )
        self._patterns = patterns_of(list(assessment.cases.values()))

    def __iter__(self) -> Iterator[FailedCheck]:
        for case, finding in self._found:
            requirement, layer = self._assign(case, finding)
            several = self._candidates(case, finding)
            shown = replace(finding, candidates=several) if several else finding
            named = "" if several else requirement
            yield FailedCheck(named, case.id, finding.quantity, layer, finding.requirement, shown)
        yield from self._in_dialogues
        for assessed in self._sums:
            label = assessed.case.requirement
            named = "" if label in _OF_SUMS else label
            yield FailedCheck(named, assessed.case.id, "sums", Layer.SUMS, label)
        for assessed in self._moves:
            label = assessed.case.requirement
            yield FailedCheck(label, assessed.case.id, "moves", Layer.MOVES, label)

    def _candidates(self, case: Case, finding: Finding) -> tuple[str, ...]:
        """Return the requirements of which one is broken, where only all findings together show this."""
        if isinstance(case.question, Complete) and finding.requirement == "R10" and "R10" in self._kept_rules:
            return _OF_GAME  # only after many moves: the bot's board may be another one
        if finding.requirement == "R1" and finding.of_form:
            return _OF_OCCUPIED
        if is_pass_with_points_left(finding):
            return () if self._is_fault_of_playouts(finding) else OF_PASS
        return self._patterns.candidates(
            finding, are_only_lengths_off=self._are_only_lengths_off, are_lengths_off=bool(self._lengths_off)
        )

    def _assign(self, case: Case, finding: Finding) -> tuple[str, Layer]:
        """Return the requirement that a finding counts against, and its layer."""
        requirement = finding.requirement
        if self._is_colour_off and case.plays and case.plays[-1][0] is case.colour:
            return "G8", Layer.COLOUR  # the side to move was not the one whose turn it would have been
        match finding.quantity:
            case "reply":
                return requirement, _layer_of_reply(case, requirement)
            case "answer":
                return self._assign_answer(case, finding)
            case "nodes":
                return self._assign_nodes(case, finding)
            case "count":
                return self._assign_count(finding)
            case "score":
                is_named = requirement in _OF_SCORE and not finding.candidates
                return (requirement if is_named else ""), Layer.SCORE
            case "runs":
                return requirement, Layer.INDEPENDENCE
        if requirement == "G8":
            return requirement, Layer.COLOUR
        is_own = requirement in _OF_CHOICE or not isinstance(case.question, Forced | Script)
        return requirement if is_own else "", Layer.CHOICE

    def _assign_answer(self, case: Case, finding: Finding) -> tuple[str, Layer]:
        requirement = finding.requirement
        if self._patterns.is_without_playouts(case.file.playouts):
            return "", Layer.CHOICE
        if not self._is_fault_of_playouts(finding):
            return requirement, Layer.ANSWERS
        if case.requirement == "R3" and case.id in self._lengths_off:
            return "R3", Layer.ENDS  # data are missing, since the playouts ended elsewhere
        if case.id in self._lengths_off or not self._lengths_off:
            return finding.point, Layer.POINTS
        return requirement, Layer.ANSWERS if requirement == "R10" else Layer.CHOICE

    def _is_fault_of_playouts(self, finding: Finding) -> bool:
        """Whether playouts may treat a point as wrongly as an answer does."""
        if not finding.point or not self._are_playouts_off or self._are_only_lengths_off:
            return False
        return bool(self._lengths_off) or not self._is_kept_in_playouts(finding)

    def _is_kept_in_playouts(self, finding: Finding) -> bool:
        """Whether playouts must be right where an answer is wrong, given that no forced length is."""
        if finding.observed.startswith(PASSED):
            # No single rule of playouts leaves out usual points as well as captures and eyes.
            return "R2" in self._left_out and len(self._left_out) > 1
        return finding.point in self._kept_rules

    def _assign_count(self, finding: Finding) -> tuple[str, Layer]:
        if finding.candidates:
            return "", Layer.SCORE
        if self._patterns.is_number_off:
            return "N4", Layer.REPORT
        return "" if self._are_scores_off or self._lengths_off else "N2", Layer.SCORE

    def _assign_nodes(self, case: Case, finding: Finding) -> tuple[str, Layer]:
        requirement = finding.requirement
        if self._patterns.is_number_off:
            return "N4", Layer.REPORT
        if self._patterns.wrong_end is End.LIMIT:
            return "R3", Layer.ENDS
        if self._candidates(case, finding):
            return "", Layer.ENDS
        if self._are_only_lengths_off and self._patterns.is_of_count:
            return "N1", Layer.REPORT
        if case.id in self._patterns.beyond_limit:
            return "R3", Layer.ENDS  # whatever the playouts draw, the limit ends them
        if finding.candidates:
            return "", Layer.DRAWS  # a finite length names its requirement better, and comes first
        if requirement == "G8":
            return requirement, Layer.COLOUR
        # If one case alone has a wrong length, or only some of its reflections, any rule can be the cause.
        is_alone = len({original_of(name) for name in self._lengths_off}) == 1
        in_part = original_of(case.id) in self._in_part
        named = requirement if requirement in _OF_NODES and not (is_alone or in_part) else ""
        return named, _OF_NODES.get(requirement, Layer.DRAWS)


def _tells(in_dialogues: Sequence[FailedCheck], found: Sequence[tuple[Case, Finding]]) -> bool:
    """Whether the first dialogue names a requirement by an answer, and elsewhere only figures are wrong."""
    is_open = all(finding.quantity in INDIRECT for _, finding in found)
    return is_open and any(f.requirement and f.quantity not in INDIRECT for f in in_dialogues[:1])


def _place_of_dialogue(failure: FailedCheck) -> tuple[int, int]:
    """Return how many requirements a failed dialogue leaves open, and how long it was, in exchanges."""
    finding = failure.finding
    return (0, 0) if finding is None else (len(finding.candidates), finding.exchange or 0)


def _failure_in_dialogue(case: Case, finding: Finding) -> FailedCheck:
    layers = {
        "answer": Layer.ANSWERS,
        "nodes": Layer.ENDS,
        "moves": Layer.DRAWS,
        "score": Layer.SCORE,
        "count": Layer.SCORE,
        "choice": Layer.CHOICE,
    }
    layer = layers.get(finding.quantity, Layer.COMMANDS)
    named = "" if finding.candidates else finding.requirement
    return FailedCheck(named, case.id, finding.quantity, layer, finding.requirement, finding)


def _layer_of_reply(case: Case, requirement: str) -> Layer:
    if requirement == "N3":
        return Layer.RECORD
    if not case.is_script:
        if requirement == "R1":
            return Layer.ANSWERS  # genmove needs the set-up
        return Layer.SETUP if requirement[0] == "G" else Layer.COMMANDS
    if case.file.foundation:
        return Layer.BOARD
    # The second word too, for an id may stand before a command.
    sent = {word for step in case.steps for word in step.send.split()[:2]}
    if "genmove" in sent:
        return Layer.GAME
    return Layer.COMMANDS if "play" in sent or requirement not in _OF_FRAMING else Layer.FRAMING


def _is_off(assessed: CaseAssessment, quantity: str) -> bool:
    """Whether the interval of a mean excludes the reference."""
    return any(e.quantity == quantity and abs(e.value - e.reference) > e.radius for e in assessed.estimates)


def _told_apart(
    judged: list[FailedCheck],
    unjudged: list[tuple[FailedCheck, FailedCheck]],
    assessment: RunAssessment,
    tables: Tables,
) -> Assignment:
    """Give failed means and distributions of moves the list of all requirements that can be the cause."""
    cases = [assessment.cases[f.case] for f in judged if _is_open(f)]
    if not judged and assessment.differs:
        # No check convicts by itself, but all of them together do: the one that says most.
        cases = [max(assessment.cases.values(), key=lambda w: w.most_log_e)]
    if not cases:
        in_dialogue = next((f.finding.candidates for f in judged if f.finding is not None), ())
        return Assignment(tuple(judged), tuple(unjudged), in_dialogue)
    candidates = frozenset().union(*(_behind(assessed.case, tables) for assessed in cases))
    named = min(candidates) if len(candidates) == 1 else ""
    kept = tuple(replace(f, requirement=named) if _is_open(f) else f for f in judged)
    return Assignment(kept, tuple(unjudged), () if named and judged else tuple(sorted(candidates)))


def _is_open(failure: FailedCheck) -> bool:
    """Whether a statistical check failed that concerns several requirements."""
    return failure.layer is Layer.MOVES or (failure.layer is Layer.SUMS and not failure.requirement)


def _behind(case: Case, tables: Tables) -> frozenset[str]:
    """Return the requirements that may be broken if a statistical case fails and all more basic is right.

    A distribution of moves depends on how playouts are credited (R6), how rates are compared (R7), how moves
    without data are treated (R12), and on any other rule of choosing whose known mistakes show in the case.
    """
    if not isinstance(case.question, Moves):
        return _OF_SUMS if case.requirement in _OF_SUMS else frozenset({case.requirement})
    shown = {BY_NAME[name].requirement for name, r in tables.rivals(case).items() if r.convict_rate > 0}
    return frozenset(shown & _OF_CHOICE | {case.requirement} | _OF_MOVES)
