"""The certificate of a session: made when the first item needs it, once for all workers."""

from collections.abc import Iterable
from contextlib import chdir
from functools import partial
from pathlib import Path

import msgspec

from harness.bots.bot import Bot
from harness.cases.suite import Suite
from harness.errors import EvidenceError
from harness.judging.verdict import Verdict
from harness.plugin.bot_options import BotOptions
from harness.plugin.outcome import Outcomes, Ran
from harness.plugin.parts import MAIN, PlannedRun, share_out
from harness.plugin.shared import once
from harness.records.evidence import FILE_NAME, read_evidence


class SessionCertificate:
    """The runs of a session, none of them made before it is asked for."""

    def __init__(
        self, suite: Suite, bot_options: BotOptions, bot: Bot, known: dict[str, str], shared: Path, kept: Path
    ) -> None:
        """Prepare it.

        Args:
            suite: what is asked.
            bot_options: the options.
            bot: whom it is asked of.
            known: reasons of known failures, by id.
            shared: a folder that all workers see.
            kept: the folder of the run, which need not be there yet.
        """
        self.suite = suite
        self.bot = bot
        self.known = known
        self.kept = kept
        self._bot_options = bot_options
        self._shared = shared
        self._parts: tuple[PlannedRun, ...] = ()
        self._runs: dict[str, Ran] = {}
        self.select(suite.cases)

    def select(self, cases: Iterable[str]) -> None:
        """Ask these cases and no others."""
        self._parts = share_out(self.suite, cases, self.known)
        self._runs.clear()

    @property
    def is_whole(self) -> bool:
        """Whether every case is asked."""
        return sum(len(part.cases) for part in self._parts) == len(self.suite.cases)

    def of_case(self, name: str) -> Outcomes:
        """Return the outcomes of the run that asks a case, made now if it was not.

        Raises:
            RefbotError: it cannot be made.
        """
        return self._outcomes([part for part in self._parts if name in part.cases])

    def of_all(self) -> Outcomes:
        """Return the outcomes of all runs, made now if they were not.

        Raises:
            RefbotError: one of them cannot be made.
        """
        return self._outcomes(self._parts)

    def folder_of(self, part: str) -> Path:
        """Return the folder a run is kept in."""
        return self.kept if part == MAIN else self.kept / part

    def _outcomes(self, parts: Iterable[PlannedRun]) -> Outcomes:
        for part in parts:
            if part.name not in self._runs:
                work = partial(self._make, part)
                folder = once(self._shared / part.name, work, self._bot_options.wait_s)
                self._runs[part.name] = _read(folder, part)
        return Outcomes(self.suite, self.known, self._runs)

    def _make(self, part: PlannedRun) -> Path:
        """Make one run in a folder of its own."""
        from harness.cli.certify import CertifyRequest, certify  # noqa: PLC0415 - loads what only a run needs

        folder = self.folder_of(part.name)
        number = 1
        while (folder / FILE_NAME).exists():
            # Begun by a worker that was killed.
            number += 1
            folder = self.folder_of(part.name).with_name(f"{self.folder_of(part.name).name}-{number}")
        bot_options = self._bot_options
        wanted = CertifyRequest(
            command="certify",
            bot=bot_options.bot,
            level=bot_options.level,
            playouts=bot_options.playouts,
            bots=bot_options.bots,
            out=folder,
            cases=[] if len(part.cases) == len(self.suite.cases) else list(part.cases),
            time_scale=bot_options.time_scale,
            wrap=None,
        )
        with chdir(bot_options.base):
            return certify(wanted, lambda _: None, quiet=True).folder


def _read(folder: Path, part: PlannedRun) -> Ran:
    """Read what a run left.

    Raises:
        EvidenceError: it is damaged, or gone.
    """
    from harness.runs.record import VERDICT_NAME  # noqa: PLC0415 - loads what only a run needs

    path = folder / VERDICT_NAME
    try:
        verdict = msgspec.json.decode(path.read_bytes(), type=Verdict)
    except (OSError, msgspec.DecodeError) as error:
        raise EvidenceError(f"{path}: {error}") from error
    return Ran(verdict, read_evidence(folder), part.cases)
