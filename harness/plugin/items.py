"""The certificate as pytest nodes: requirements, their cases, and the whole.

refbot::R4::no-retake-of-a-ko    one case
refbot::R4::verdict              the requirement, by the evidence of all cases
refbot::certificate              the whole
"""
# ruff: noqa: PLC0415 - imports that only a run needs wait for a run, so that collecting is quick

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness.bots.wire import printable
from harness.cases.case import Case
from harness.errors import RefbotError
from harness.judging.verdict import Check  # noqa: TC001 - pytest may look at annotations
from harness.plugin.bot_options import BotOptions
from harness.plugin.certificate import SessionCertificate
from harness.plugin.outcome import ItemOutcome, Outcomes, SessionRun
from harness.plugin.parts import MAIN
from harness.plugin.reproduction import reproduction_lines
from harness.report.excerpt import Excerpt, excerpt_of
from harness.word import UNJUDGED, Word

ROOT = "refbot"
VERDICT, WHOLE = "verdict", "certificate"


class _ItemFailure(pytest.fail.Exception):  # type: ignore[name-defined, misc]
    """A failure whose text is complete; no traceback of ours is shown with it."""

    def __init__(self, text: str) -> None:
        super().__init__(text, pytrace=False)


class NotConforming(_ItemFailure):
    """The bot failed this item."""

    __module__ = "builtins"  # so that pytest prints its name without the module, as it does for its own


class CannotTell(_ItemFailure):
    """The evidence neither shows conformance nor refutes it."""

    __module__ = "builtins"


class NotJudged(_ItemFailure):
    """The bot could not be run or judged, or the harness itself failed."""

    __module__ = "builtins"


class NonStrictWarning(pytest.PytestWarning):
    """The bot differs from the reference inside the tolerance, or in a reading that the text leaves open."""

    __module__ = "builtins"


class CertificateNode(pytest.Collector):
    """The root of the certificate's nodes."""

    def __init__(
        self,
        *,
        certificate: SessionCertificate,
        bot_options: BotOptions,
        chosen: Sequence[str],
        **values: Any,
    ) -> None:
        super().__init__(**values)
        self.certificate = certificate
        self.bot_options = bot_options
        self._chosen = chosen

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """Yield the requirements, then the whole; if nodes were named, only those."""
        for name in self.certificate.suite.requirements:
            if any(_is_related(f"{ROOT}::{name}", prefix) for prefix in self._chosen):
                yield RequirementNode.from_parent(self, name=name, chosen=self._chosen)
        if any(_is_related(f"{ROOT}::{WHOLE}", prefix) for prefix in self._chosen):
            yield WholeItem.from_parent(self, name=WHOLE)


def _is_related(one: str, other: str) -> bool:
    """Whether one node is the other, or contains it or is contained in it."""
    return f"{one}::".startswith(f"{other}::") or f"{other}::".startswith(f"{one}::")


class RequirementNode(pytest.Collector):
    """One requirement with its cases."""

    parent: CertificateNode

    def __init__(self, *, chosen: Sequence[str], **values: Any) -> None:
        super().__init__(**values)
        self._chosen = chosen

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the cases, then the requirement's own verdict; if nodes were named, only those."""
        suite = self.parent.certificate.suite
        names = [case.id for case in suite.cases.values() if case.requirement == self.name]
        for name in names:
            if any(_is_related(f"{self.nodeid}::{name}", prefix) for prefix in self._chosen):
                yield CaseItem.from_parent(self, name=name, case=suite.cases[name])
        if any(_is_related(f"{self.nodeid}::{VERDICT}", prefix) for prefix in self._chosen):
            yield RequirementItem.from_parent(self, name=VERDICT)


class _JudgedItem(pytest.Item):
    """An item whose result is an outcome of the certificate."""

    _outcome: ItemOutcome

    def __init__(
        self, *, certificate: SessionCertificate, bot_options: BotOptions, mark: str, **values: Any
    ) -> None:
        super().__init__(**values)
        self._certificate = certificate
        self._bot_options = bot_options
        self.add_marker(ROOT)
        self.add_marker(mark)
        if self.config.pluginmanager.hasplugin("timeout"):
            # The first item waits for the whole certificate, and the bot has time limits of its own.
            self.add_marker(pytest.mark.timeout(0))

    def _expect_failure(self, name: str) -> None:
        """Mark the item as a strict xfail if an entry of the known failures names it."""
        if reason := self._certificate.known.get(name):
            file = self._bot_options.known.name if self._bot_options.known else ""
            mark = pytest.mark.xfail(reason=f"{file}: {reason}", strict=True, raises=NotConforming)
            self.add_marker(mark)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location and the name of the item for reports."""
        return self.config.rootpath / ROOT, 0, self.nodeid.removeprefix(f"{ROOT}::")

    def setup(self) -> None:
        """Judge the item; if the bot could not be judged, this is an error and not a failure."""
        try:
            self._outcome = self._judge()
        except RefbotError as error:
            raise NotJudged(str(error)) from None
        outcome = self._outcome
        self._note("verdict", outcome.word)
        if outcome.word in UNJUDGED or outcome.word is Word.ERROR:
            raise NotJudged(f"{outcome.word}: {printable(outcome.reason, 600)}\n\n{self._details()}")

    def runtest(self) -> None:
        """Report the outcome.

        Raises:
            NotConforming: the bot failed the item.
            CannotTell: the evidence decides nothing.
        """
        outcome = self._outcome
        reason = printable(outcome.reason, 600)
        if outcome.must_fail and outcome.word in {Word.PASS, Word.NON_STRICT}:
            file = self._bot_options.known.name if self._bot_options.known else "the known failures"
            pytest.fail(f"it no longer fails: remove the entry {self.name!r} from {file}", pytrace=False)
        if outcome.known:
            self._note("known", printable(outcome.known))
        match outcome.word:
            case Word.NOT_APPLICABLE:
                pytest.skip(f"not applicable: {reason}")
            case Word.FAIL:
                if outcome.known and not outcome.must_fail:
                    pytest.xfail(f"{outcome.known}: {reason}")
                raise NotConforming(f"{reason}\n\n{self._details()}")
            case Word.NON_STRICT if self._bot_options.strict:
                raise NotConforming(f"NON-STRICT: {reason}\n\n{self._details()}")
            case Word.NON_STRICT:
                with warnings.catch_warnings():
                    # --bot-strict decides whether this passes, and not a project's filter of warnings.
                    warnings.simplefilter("always", NonStrictWarning)
                    self.warn(NonStrictWarning(f"{self.nodeid}: NON-STRICT: {reason}"))
            case Word.INCONCLUSIVE:
                self._report_undecided(outcome, reason)

    def _report_undecided(self, outcome: ItemOutcome, reason: str) -> NoReturn:
        if outcome.ended_by:
            pytest.skip(f"undecided, because of {outcome.ended_by}: {reason}")
        if self._bot_options.allow_inconclusive:
            pytest.skip(f"cannot tell: {reason}")
        raise CannotTell(f"{outcome.word}: {reason}\n\n{self._details()}")

    def _judge(self) -> ItemOutcome:
        raise NotImplementedError

    def _details(self) -> str:
        """Return the text that a failure shows after its first line."""
        raise NotImplementedError

    def _note(self, name: str, value: object) -> None:
        self.user_properties.append((f"{ROOT}_{name}", str(value)))


class CaseItem(_JudgedItem):
    """One case."""

    parent: RequirementNode

    def __init__(self, *, parent: RequirementNode, case: Case, **values: Any) -> None:
        root = parent.parent
        mark = "refbot_statistical" if case.is_statistical else "refbot_exact"
        super().__init__(
            parent=parent, certificate=root.certificate, bot_options=root.bot_options, mark=mark, **values
        )
        self.case = case
        self._run: SessionRun
        self._place: Excerpt | None = None
        self._check: Check
        self._again: list[str] = []
        self._expect_failure(case.id)

    def _judge(self) -> ItemOutcome:
        outcomes = self._certificate.of_case(self.case.id)
        _, self._run = outcomes.run_of(self.case.id)
        self._check = self._run.checks[self.case.id]
        self._place = excerpt_of(self.case, self._check, self._run.evidence)
        outcome = outcomes.case(self.case.id)
        self._add_properties(outcome)
        return outcome

    def _add_properties(self, outcome: ItemOutcome) -> None:
        """Add properties for reports to the item, and the transcript if it did not pass."""
        from harness.render.plain import format_estimate, render_transcript

        check = self._check
        self._note("requirement", self.case.requirement)
        self._note("case", self.case.id)
        for name, value in (("expected", check.expected), ("observed", check.observed)):
            if value:
                self._note(name, printable(value, 600))
        for estimate in check.estimates:
            self._note("measured", format_estimate(estimate))
        self._note("evidence", self._certificate.kept)
        if outcome.word in {Word.PASS, Word.NOT_APPLICABLE}:
            return
        self._again = list(
            reproduction_lines(self._bot_options, self._certificate.bot, self.case.id, self._place)
        )
        self._note("again", self._again[0])
        if self._place is not None:
            self.add_report_section("call", "refbot transcript", render_transcript(self._place))

    def _details(self) -> str:
        from harness.render.plain import render_case, render_last_words

        lines = [f"again     {line}" for line in self._again]
        if self._outcome.word in UNJUDGED and self._run.broken is not None:
            lines = [*render_last_words(self._run.broken), *lines]
        if self._place is None:
            # The case was not asked; the failures of the others explain why.
            return "\n".join(lines)
        shown = render_case(self._check, self.case, self._certificate.suite, self._place)
        return "\n".join([shown, *lines, f"in full   refbot explain {self.case.id}"])


class RequirementItem(_JudgedItem):
    """One requirement, by the evidence of all cases."""

    parent: RequirementNode

    def __init__(self, *, parent: RequirementNode, **values: Any) -> None:
        root = parent.parent
        super().__init__(
            parent=parent,
            certificate=root.certificate,
            bot_options=root.bot_options,
            mark="refbot_verdict",
            **values,
        )
        self._outcomes: Outcomes
        self._expect_failure(parent.name)

    def _judge(self) -> ItemOutcome:
        self._outcomes = self._certificate.of_all()
        self._note("requirement", self.parent.name)
        self._note("evidence", self._certificate.kept)
        return self._outcomes.requirement(self.parent.name)

    def _details(self) -> str:
        from harness.render.plain import render_requirement

        name = self.parent.name
        runs = list(self._outcomes.runs.values())
        failed = [c for run in runs for c in run.requirements[name].checks if c.verdict == Word.FAIL]
        convicts = next((run for run in runs if run.requirements[name].verdict == Word.FAIL), runs[0])
        text = render_requirement(name, self._certificate.suite, failed, convicts.verdict)
        return f"{text}\nin full   refbot explain {name}"


class WholeItem(_JudgedItem):
    """The whole certificate."""

    parent: CertificateNode

    def __init__(self, *, parent: CertificateNode, **values: Any) -> None:
        super().__init__(
            parent=parent,
            certificate=parent.certificate,
            bot_options=parent.bot_options,
            mark="refbot_verdict",
            **values,
        )
        self._outcomes: Outcomes

    def _judge(self) -> ItemOutcome:
        self._outcomes = self._certificate.of_all()
        outcome = self._outcomes.certificate()
        known = f"; {outcome.known}" if outcome.known else ""
        self._note("reason", printable(outcome.reason, 600) + known)
        self._note("evidence", self._certificate.kept)
        return outcome

    def _details(self) -> str:
        from harness.render.plain import render_last_words, render_whole

        runs = self._outcomes.runs
        run = runs[MAIN] if MAIN in runs else next(iter(runs.values()))
        last_words = render_last_words(run.broken) if run.broken is not None else []
        return "\n".join([*last_words, render_whole(run.verdict), f"in full   {self._certificate.kept}"])
