"""A pytest session with a bot: collects its certificate and regression files, for all workers together."""

import re
import tempfile
from collections.abc import Generator, Sequence
from contextlib import chdir
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from harness.bots.bot import Bot, parse_bot
from harness.cases.known import read_known
from harness.cases.suite import Suite, load_suite
from harness.errors import RefbotError, UsageError
from harness.plugin.bot_options import BotOptions, read_bot_options
from harness.plugin.certificate import SessionCertificate
from harness.plugin.items import ROOT, VERDICT, WHOLE, CaseItem, CertificateNode, RequirementItem, WholeItem
from harness.plugin.tst import TstItem, TstNode, TstResources
from harness.suggest import closest
from harness.tst.select import SUFFIX


def join(config: pytest.Config) -> None:
    """Register the hooks of a session with a bot.

    Raises:
        pytest.UsageError: an option is wrong.
    """
    try:
        config.pluginmanager.register(BotSession(config), "refbot-session")
    except RefbotError as error:
        raise pytest.UsageError(f"refbot: {error}") from None


class BotSession:
    """The hooks of a session with a bot."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._bot_options: BotOptions = read_bot_options(config)
        with chdir(self._bot_options.base):
            self._bot: Bot = parse_bot(
                self._bot_options.bot,
                self._bot_options.playouts,
                self._bot_options.bots,
                self._bot_options.time_scale,
            )
        self._suite: Suite = load_suite()
        names = [*self._suite.requirements, *self._suite.every_case]
        self._known = read_known(self._bot_options.known, names) if self._bot_options.known else {}
        self._chosen, self._others = self._split(config.args)
        self._notes: list[str] = []

    def _split(self, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
        """Separate the names of certificate nodes from the paths that pytest collects.

        If no path is named, everything is collected, including the certificate.
        """
        ours, others = [], []
        for argument in arguments:
            head, _, rest = argument.partition("::")
            path = self._config.invocation_params.dir / head
            if Path(head).name == ROOT and not path.exists():
                ours.append(self._full_name(rest))
            else:
                others.append(argument)
        is_named = self._config.args_source is pytest.Config.ArgsSource.ARGS
        root = self._config.rootpath
        if not is_named or any((self._config.invocation_params.dir / a).resolve() == root for a in others):
            ours.append(ROOT)
        return ours, others

    def _full_name(self, rest: str) -> str:
        """Return the full name of a node of the certificate.

        Raises:
            UsageError: there is no such node.
        """
        names = rest.split("::") if rest else []
        requirements = self._suite.requirements
        known = [WHOLE, *requirements]
        if names and names[0] not in known:
            raise UsageError(f"{ROOT}::{rest}: no requirement {names[0]!r}{closest(names[0], known)}")
        if len(names) > 1:
            cases = [c.id for c in self._suite.cases.values() if c.requirement == names[0]]
            if names[0] == WHOLE or names[1] not in [VERDICT, *cases] or len(names) > 2:
                raise UsageError(f"{ROOT}::{rest}: no case {names[1]!r}{closest(names[1], cases)}")
        return "::".join([ROOT, *names])

    @cached_property
    def _folders(self) -> tuple[Path, Path]:
        """The folder that all workers see, and the folder of the run."""
        if (given := getattr(self._config, "workerinput", {}).get("refbot_folders")) is not None:
            return Path(given[0]), Path(given[1])
        factory = getattr(self._config, "_tmp_path_factory", None)
        shared = Path(factory.mktemp(ROOT)) if factory else Path(tempfile.mkdtemp(prefix="refbot-pytest-"))
        if self._bot_options.out is None:
            return shared, shared / "run"
        from harness.runs.record import name_of_run  # noqa: PLC0415 - loads what only a run needs

        return shared, self._bot_options.out.absolute() / name_of_run("pytest", self._bot.name)

    @cached_property
    def _certificate(self) -> SessionCertificate:
        shared, kept = self._folders
        suite = self._suite.for_bot(self._bot.fixed_playouts)
        return SessionCertificate(suite, self._bot_options, self._bot, self._known, shared, kept)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist the folders that all workers share."""
        node.workerinput["refbot_folders"] = [str(folder) for folder in self._folders]

    def pytest_report_header(self) -> str:
        """Return a line with the bot, the level and the known failures; or why nothing is collected."""
        left = "" if self._chosen else f"; certificate not collected: paths are named, but not {ROOT!r}"
        number = len(self._known)
        known = f", {number} known failure{'s' if number > 1 else ''}" if number else ""
        return f"refbot: {self._bot.name}, level {self._bot_options.level}{known}{left}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Leave the arguments that are paths to pytest."""
        self._config.args = self._others

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the certificate after everything else that the session collects."""
        report = yield
        if isinstance(collector, pytest.Session) and self._chosen and report.passed:
            node = CertificateNode.from_parent(
                collector,
                name=ROOT,
                nodeid=ROOT,
                certificate=self._certificate,
                bot_options=self._bot_options,
                chosen=self._chosen,
            )
            report.result = [*report.result, node]
        return report

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect regression files."""
        if file_path.suffix != SUFFIX:
            return None
        resources = TstResources(self._bot, self._bot_options, self._folders[0])
        node: TstNode = TstNode.from_parent(parent, path=file_path, resources=resources)
        return node

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Select the cases that are left after deselection; deselect verdicts that need other cases too."""
        yield
        for item in items:
            if isinstance(item, TstItem) and item.line.number is not None:
                item.parent.wanted.add(item.line.number)
        cases = [item.case.id for item in items if isinstance(item, CaseItem)]
        verdicts = [item for item in items if isinstance(item, RequirementItem | WholeItem)]
        if not cases and not verdicts:
            return
        if not cases:
            # Only verdicts were asked for, and they depend on all cases.
            cases = list(self._certificate.suite.cases)
        self._certificate.select(cases)
        if not self._certificate.is_whole and verdicts:
            items[:] = [item for item in items if item not in verdicts]
            config.hook.pytest_deselected(items=verdicts)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the outcome of the whole, and the place of the evidence."""
        reports = [
            r for kind in terminalreporter.stats.values() for r in kind if isinstance(r, pytest.TestReport)
        ]
        ours = [r for r in reports if re.match(rf"{ROOT}::", r.nodeid)]
        if not ours:
            return
        terminalreporter.section("refbot")
        whole = {
            name: value for r in ours if r.nodeid == f"{ROOT}::{WHOLE}" for name, value in r.user_properties
        }
        if whole:
            terminalreporter.line(
                f"{whole.get('refbot_verdict', '')}  {self._bot.name}: {whole.get('refbot_reason', '')}"
            )
        else:
            terminalreporter.line(f"{self._bot.name}: only some cases were asked; this is not a certificate")
        kept = next(
            (value for r in ours for name, value in r.user_properties if name == "refbot_evidence"), ""
        )
        if kept:
            terminalreporter.line(f"evidence and transcripts in {kept}")
