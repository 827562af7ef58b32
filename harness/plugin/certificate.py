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
from harness.plugin.outcome import Outcomes, SessionRun
from harness.plugin.parts import MAIN, PlannedRun, plan_runs
from harness.plugin.shared import do_once
from harness.records.evidence import FILE_NAME, read_evidence


class SessionCertificate:
    """The runs of a session.  Each is made when it is first needed."""

    def __init__(
        self, suite: Suite, bot_options: BotOptions, bot: Bot, known: dict[str, str], shared: Path, kept: Path
    ) -> None:
        """Prepare the certificate.

        Args:
            suite: the suite to be asked.
            bot_options: the options.
            bot: the bot to be asked.
            known: the reasons of known failures, by id.
            shared: a folder that all workers can read and write.
            kept: the folder of the run; it need not exist yet.
        """
        self.suite = suite
        self.bot = bot
        self.known = known
        self.kept = kept
        self._bot_options = bot_options
        self._shared = shared
        self._parts: tuple[PlannedRun, ...] = ()
        self._runs: dict[str, SessionRun] = {}
        self.select(suite.cases)

    def select(self, cases: Iterable[str]) -> None:
        """Ask these cases and no others."""
        self._parts = plan_runs(self.suite, cases, self.known)
        self._runs.clear()

    @property
    def is_whole(self) -> bool:
        """Whether every case is asked."""
        return sum(len(part.cases) for part in self._parts) == len(self.suite.cases)

    def of_case(self, name: str) -> Outcomes:
        """Return the outcomes of the run that asks a case; the run is made if necessary.

        Raises:
            RefbotError: the run cannot be made.
        """
        return self._outcomes([part for part in self._parts if name in part.cases])

    def of_all(self) -> Outcomes:
        """Return the outcomes of all runs; they are made if necessary.

        Raises:
            RefbotError: a run cannot be made.
        """
        return self._outcomes(self._parts)

    def folder_of(self, part: str) -> Path:
        """Return the folder of a run."""
        return self.kept if part == MAIN else self.kept / part

    def _outcomes(self, parts: Iterable[PlannedRun]) -> Outcomes:
        for part in parts:
            if part.name not in self._runs:
                work = partial(self._make, part)
                folder = do_once(self._shared / part.name, work, self._bot_options.wait_s)
                self._runs[part.name] = _read(folder, part)
        return Outcomes(self.suite, self.known, self._runs)

    def _make(self, part: PlannedRun) -> Path:
        """Make one run in a folder of its own."""
        from harness.cli.certify import CertifyRequest, certify  # noqa: PLC0415 - loads what only a run needs

        folder = self.folder_of(part.name)
        number = 1
        while (folder / FILE_NAME).exists():
            # A worker that was killed has begun this run.
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


def _read(folder: Path, part: PlannedRun) -> SessionRun:
    """Read the results of a run.

    Raises:
        EvidenceError: they are damaged or missing.
    """
    from harness.runs.record import VERDICT_NAME  # noqa: PLC0415 - loads what only a run needs

    path = folder / VERDICT_NAME
    try:
        verdict = msgspec.json.decode(path.read_bytes(), type=Verdict)
    except (OSError, msgspec.DecodeError) as error:
        raise EvidenceError(f"{path}: {error}") from error
    return SessionRun(verdict, read_evidence(folder), part.cases)
