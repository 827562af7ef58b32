"""The clauses of GTP 2 on engines made for it: one that keeps them all, and for each one that breaks it."""

import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

from harness.bots.bot import parse_bot
from harness.bots.processes import start_session
from harness.cases.suite import load_suite
from harness.judging.checked import check_steps, kept_of, overall
from harness.judging.verdict import StepVerdict
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from harness.tables.tables import Tables
from harness.word import UNJUDGED, Word
from tests.harness.clause_bots import BOT, Sized, clause_starter, mistaken

SUITE = load_suite()
TABLES = Tables(SUITE.folder / "tables")
BROKEN: Final = sorted(tomllib.loads(BOT.with_name("clauses.toml").read_text()))
UNBREAKABLE: Final = {
    "1.3/1": "an engine that answers nothing is asked nothing else",
    "rules/5": "told, not judged",
    "rules/6": "told, not judged",
    "rules/7": "told, not judged",
    "rules/8": "told, not judged",
}
QUICK: Final = ("2.4/1", "3.4/1", "6.1/1", "6.3.2/1", "6.3.3/9", "4.1.1/1", "6.3.5/2", "analysis/3")
"""One clause of each kind, for every run of the tests; all of them are tried by the slow ones."""


def checked(folder: Path, clause: str = "", sizes: range | None = None) -> list[StepVerdict]:
    """Return the steps of a check of the engine that breaks a clause, or of the one that keeps all."""
    start = clause_starter(clause) if sizes is None else Sized(sizes).start
    bot = parse_bot("x", 8, None, 1.0)
    evidence = Run(bot, SUITE, TABLES, "check", folder, [], start).go(Unwatched())
    return check_steps(SUITE.for_level("check", evidence.header.bot.sizes), TABLES, evidence)


def caught(steps: list[StepVerdict]) -> list[str]:
    """Return the clauses that are broken."""
    return [step.clause for step in steps if step.verdict in (Word.FAIL, Word.NON_STRICT, *UNJUDGED)]


def test_every_clause_has_its_broken_engine() -> None:
    """Each clause that a GTP engine can break is broken by one; those of reference bots have deviations."""
    clauses = {clause.id for clause in SUITE.checklist if not clause.private}
    assert set(BROKEN) | set(UNBREAKABLE) == clauses
    assert not set(BROKEN) & set(UNBREAKABLE)


def test_whole_engine(tmp_path: Path) -> None:
    """The engine that keeps every clause passes with all of them asked."""
    steps = checked(tmp_path)
    assert overall(steps)[0] is Word.PASS
    assert kept_of(steps) == (len(list(SUITE.checklist)) - 3, len(steps) - 3)


@pytest.mark.parametrize("sizes", [range(19, 20), range(13, 14), range(5, 8)])
def test_engine_of_few_boards(tmp_path: Path, sizes: range) -> None:
    """An engine for other boards than 9x9 is judged like any other: what its boards do not serve is named."""
    steps = checked(tmp_path, sizes=sizes)
    assert overall(steps)[0] is Word.PASS
    assert kept_of(steps)[0] >= 80
    absent = [s for s in steps if s.verdict == Word.NOT_APPLICABLE and "reference" not in s.clause]
    assert all("it needs a board of" in step.reason for step in absent)


@pytest.mark.parametrize("clause", QUICK)
def test_mistake_is_caught_by_its_clause_alone(tmp_path: Path, clause: str) -> None:
    """A broken clause fails, and none of the others does; what stands on it is not judged."""
    assert caught(checked(tmp_path, clause)) == [clause]


@pytest.mark.slow
@pytest.mark.parametrize("clause", sorted({*BROKEN} - {*QUICK}))
def test_every_mistake_is_caught_by_its_clause_alone(tmp_path: Path, clause: str) -> None:
    """The kill matrix of clauses is a diagonal."""
    assert caught(checked(tmp_path, clause)) == [clause]


def test_reply_too_many_of_a_real_process(tmp_path: Path) -> None:
    """What answers a line that gets no response breaks that clause; no later reply is taken for another's."""
    bot = parse_bot(f"{sys.executable} {BOT} 2.4/1", 8, None, 1.0)
    names = ["carriage-returns", "comment-behind-a-command", "blank-lines", "ids", "play"]
    evidence = Run(bot, SUITE, TABLES, "check", tmp_path, names, start_session).go(Unwatched())
    steps = check_steps(SUITE.for_level("check", evidence.header.bot.sizes), TABLES, evidence)
    assert caught(steps) == ["2.4/1"]
    assert [step.name for step in steps if step.verdict == Word.PASS] == [n for n in names if n != names[0]]


ANALYSES: Final = {
    "prints garbage": ("analysis/1", {"line": "lz-.*", "edit": ["info", "thinking about"]}),
    "ends at once": ("analysis/1", {"line": "lz-.*", "say": "=\ninfo move A1 visits 1 winrate 5000\n\n"}),
    "never ends": ("analysis/3", {"line": ".*", "after": "lz-.*", "say": ""}),
    "swallows the command": ("analysis/4", {"line": ".+", "after": "lz-.*", "say": "\n", "does": True}),
    "ends without an empty line": ("analysis/4", {"line": ".+", "after": "lz-.*", "edit": ["^\n", ""]}),
}
"""What engines get wrong about an analysis as a whole, and the clause that catches it."""


@pytest.mark.parametrize("mistake", ANALYSES)
def test_analysis_that_does_not_end_well(tmp_path: Path, mistake: str) -> None:
    """A mistake of every analysis is charged once, to the clause that it is about."""
    clause, rule = ANALYSES[mistake]
    names = [step.name for step in SUITE.checklist if step.name.startswith("lz-analyze")]
    evidence = Run(parse_bot("x", 8, None, 1.0), SUITE, TABLES, "check", tmp_path, names, mistaken(rule)).go(
        Unwatched()
    )
    steps = check_steps(SUITE.for_level("check", evidence.header.bot.sizes), TABLES, evidence)
    assert caught(steps) == [clause]


def test_analysis_of_a_real_process(tmp_path: Path) -> None:
    """Lines come while nothing is sent; an empty line ends them, and so does a command, which is answered."""
    bot = parse_bot(f"{sys.executable} {BOT}", 8, None, 1.0)
    names = [step.name for step in SUITE.checklist if step.name.startswith("lz-analyze")]
    evidence = Run(bot, SUITE, TABLES, "check", tmp_path, names, start_session).go(Unwatched())
    steps = check_steps(SUITE.for_level("check", evidence.header.bot.sizes), TABLES, evidence)
    assert [step.name for step in steps if step.verdict == Word.PASS] == names
    assert all(
        raw.count("info") >= 2 for unit in evidence.units for sent, raw in unit.exchanges if "lz" in sent
    )
