"""A run cut anywhere and resumed: it goes on where it stood, and comes to the same end."""

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from certificates import shipped

from harness.bots.bot import Bot, parse_bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess, starter
from harness.bots.processes import Process, Starter
from harness.cases.case import Fresh
from harness.errors import EvidenceError, UsageError
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import FILE_NAME, Broken, Evidence, Unit, encoder, read_evidence, read_part
from harness.records.ledger import HANDSHAKE, WARM_UP
from harness.runs.progress import Progress, Unwatched
from harness.runs.run import INTERRUPTED, Run
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

MORE = (1, 2, 20, 150, 250, 300, 400)
PLACES = [60, -1, *(pytest.param(place, marks=pytest.mark.slow) for place in MORE)]
"""Units after which a run is cut; the last is in the diagnosis."""


def certify(folder: Path, start: Starter, level: str = "standard", observer: Any = None) -> Evidence:
    """Certify a bot in this process; go on with what is in the folder, if there is anything."""
    suite, tables = shipped()
    part = read_part(folder) if (folder / FILE_NAME).exists() else None
    bot = parse_bot(None, None, None, 1.0)
    return Run(bot, suite, tables, level, folder, [], start, part).go(observer or Unwatched())


@lru_cache(maxsize=4)
def undisturbed(deviation: str, level: str) -> tuple[Evidence, Path]:
    """Return a whole run, and a folder that holds it."""
    folder = Path(tempfile.mkdtemp(prefix="refbot-"))
    return certify(folder, rules(deviation), level), folder


def rules(deviation: str) -> Starter:
    """Start the engine with a deviation, or with none."""
    return starter(BY_NAME[deviation].spec if deviation else SPEC)


def cut(source: Path, folder: Path, units: int, rest: bytes = b"") -> Path:
    """Copy the beginning of a run, as a kill after so many units would leave it."""
    folder.mkdir(exist_ok=True)
    lines = (source / FILE_NAME).read_bytes().splitlines(keepends=True)
    (folder / FILE_NAME).write_bytes(b"".join(lines[: units + 1]) + rest)
    return folder


def verdict(evidence: Evidence) -> Verdict:
    """Judge a run by the shipped suite."""
    return judge(*shipped(), evidence)


def words(evidence: Evidence) -> dict[str, str]:
    """Return the words of a run, by requirement."""
    document = verdict(evidence)
    return {"": document.verdict} | {r.id: r.verdict for r in document.requirements}


def planned(evidence: Evidence) -> list[str]:
    """Return the cases asked by the plan, in order."""
    return [unit.case for unit in evidence.units if unit.case not in (HANDSHAKE, WARM_UP)]


@pytest.mark.parametrize("place", PLACES)
def test_cumulative_counts_are_still_named(tmp_path: Path, place: int) -> None:
    """What a bot carries from one question to the next shows after a kill as before: a new process is brought
    to where the killed one was, or its first answers would look right and speak against the right name.
    """
    whole, source = undisturbed("nodes-cumulative", "standard")
    folder = cut(source, tmp_path, place % len(whole.units))

    evidence = certify(folder, rules("nodes-cumulative"))

    assert words(whole)[""] == words(evidence)[""] == "FAIL"
    assert verdict(whole).broken == verdict(evidence).broken == "N3"
    assert planned(whole) == planned(evidence)
    assert evidence == read_evidence(folder)
    assert (len(evidence.resumed), evidence.units[: place % len(whole.units)]) == (
        1,
        whole.units[: place % len(whole.units)],
    )


def test_the_document_is_the_same(tmp_path: Path) -> None:
    """A bot that draws the same numbers for every genmove has the same document, killed twice or never, but
    for times and the digest of the evidence.
    """
    whole, source = undisturbed("fixed-seed-genmove", "smoke")
    folder = cut(source, tmp_path, 30)
    bot = rules("fixed-seed-genmove")
    with pytest.raises(_KilledError):
        certify(folder, bot, "smoke", _Killer(120))

    again = certify(folder, bot, "smoke")

    assert len(again.resumed) == 2
    assert plain(verdict(whole)) == plain(verdict(again))


def plain(document: Verdict) -> dict[str, Any]:
    """Return a document without times and digests of the evidence."""
    return msgspec.structs.asdict(msgspec.structs.replace(document, elapsed_s=0.0, evidence="", frame=""))


class _KilledError(BaseException):
    """Stands for a kill: nothing catches it."""


class _Killer:
    """An observer that ends a run in the middle."""

    def __init__(self, genmoves: int, error: type[BaseException] = _KilledError) -> None:
        self._genmoves = genmoves
        self._error = error

    def see(self, progress: Progress) -> None:
        """Strike."""
        if progress.genmoves == self._genmoves:
            raise self._error


def test_no_seed_is_used_twice(tmp_path: Path) -> None:
    """No process of a run that is killed again and again, X1 included, has the seed of an earlier one."""
    used: dict[int, list[int]] = {}

    def start(_bot: Bot, playouts: int, seed: int) -> Process | Failure:
        used.setdefault(seed, []).append(playouts)
        return InProcess(playouts, seed, SPEC)

    whole, _ = undisturbed("", "smoke")
    for genmoves in (110, 119):
        with pytest.raises(_KilledError):
            certify(tmp_path, start, "smoke", _Killer(genmoves))
    evidence = certify(tmp_path, start, "smoke")

    assert [len(playouts) for playouts in used.values()] == [1] * len(used)
    assert len(evidence.resumed) == 2
    assert set(planned(whole)) == set(planned(evidence))
    assert words(evidence)["X1"] == "PASS"


def test_a_process_of_x1_cut_short_is_replaced_by_a_whole_one(tmp_path: Path) -> None:
    """Where independence is the question, two processes answer in full; what a third had said counts too."""
    whole, source = undisturbed("", "smoke")
    suite, _ = shipped()
    name = next(case.id for case in suite.cases.values() if isinstance(case.question, Fresh))
    times = suite.cases[name].file.genmoves
    first = next(place for place, unit in enumerate(whole.units) if unit.case == name)
    folder = cut(source, tmp_path, first + times + 3)  # the second process has answered three times

    evidence = certify(folder, rules(""), "smoke")

    processes = [unit.process for unit in evidence.units if unit.case == name]
    assert [processes.count(number) for number in sorted(set(processes))] == [times, 3, times]


def nobody_starts(_bot: Bot, _playouts: int, _seed: int) -> Process:
    """Fail the test: nothing is left to be asked."""
    pytest.fail("a bot was started")


def test_killed_before_the_footer(tmp_path: Path) -> None:
    """A run that had asked everything gets its footer without another question."""
    whole, source = undisturbed("", "smoke")
    folder = cut(source, tmp_path, len(whole.units), b'{"type":"footer","uni')

    evidence = certify(folder, nobody_starts, "smoke")

    assert (whole.units, evidence.footer and evidence.footer.reason) == (
        evidence.units,
        whole.footer and whole.footer.reason,
    )
    assert (folder / FILE_NAME).read_bytes().count(b'"footer"') == 1


@pytest.mark.parametrize("case", [HANDSHAKE, WARM_UP, ""])
def test_killed_after_the_bot_had_stopped(tmp_path: Path, case: str) -> None:
    """A bot that had stopped answering is not asked again: that was its answer."""
    whole, source = undisturbed("", "smoke")
    units = 0 if case == HANDSHAKE else 50
    lost = whole.units[units]
    broken = Unit(case or lost.case, lost.process, 0, [], 0.0, [], Broken("CRASH", "it died"))
    folder = cut(source, tmp_path, units, encoder.encode(broken) + b"\n")

    evidence = certify(folder, nobody_starts, "smoke")

    assert (len(evidence.units), verdict(evidence).verdict) == (units + 1, "CRASH")


def test_interrupted(tmp_path: Path) -> None:
    """A run that was interrupted goes on like one that was killed; its footer makes room, time adds up."""
    with pytest.raises(KeyboardInterrupt):
        certify(tmp_path, rules(""), "smoke", _Killer(100, KeyboardInterrupt))
    before = read_evidence(tmp_path)
    assert before.footer is not None
    assert before.footer.reason == INTERRUPTED

    evidence = certify(tmp_path, rules(""), "smoke")

    assert before.footer.elapsed_s == evidence.resumed[0].elapsed_s
    assert evidence.footer is not None
    assert evidence.footer.elapsed_s > before.footer.elapsed_s
    assert (tmp_path / FILE_NAME).read_bytes().count(b'"footer"') == 1
    assert before.units == evidence.units[: len(before.units)]


def test_another_plan(tmp_path: Path) -> None:
    """Evidence that this plan would not have asked for is not gone on with, and stays as it is."""
    _, source = undisturbed("", "smoke")
    lines = (source / FILE_NAME).read_bytes().splitlines(keepends=True)
    lines[40:80] = lines[60:80] + lines[40:60]
    (tmp_path / FILE_NAME).write_bytes(b"".join(lines[:100]))
    before = (tmp_path / FILE_NAME).read_bytes()

    with pytest.raises(EvidenceError, match="would have asked"):
        certify(tmp_path, nobody_starts, "smoke")

    assert before == (tmp_path / FILE_NAME).read_bytes()


@pytest.mark.parametrize("command", ["name", "version", "list_commands"])
def test_another_bot_at_the_door(tmp_path: Path, command: str) -> None:
    """A bot that answers otherwise than before who it is, is refused; the evidence stays as it is."""
    _, source = undisturbed("", "smoke")
    folder = cut(source, tmp_path, 50)
    before = (folder / FILE_NAME).read_bytes()

    class Other(InProcess):
        def ask(self, line: str, *, playouts: int = 0) -> Exchange | Failure:
            found = super().ask(line, playouts=playouts)
            assert isinstance(found, Exchange)
            return msgspec.structs.replace(found, text="another") if line == command else found

    with pytest.raises(UsageError, match=f"answered {command} with"):
        certify(folder, lambda _bot, playouts, seed: Other(playouts, seed), "smoke")

    assert before == (folder / FILE_NAME).read_bytes()
