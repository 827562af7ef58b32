"""Runs to be reported, made without a run: the shipped suite, and evidence of whatever a bot may say."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from certificates import shipped
from tiny_suite import COMMANDS, ask_all

from harness.bots.bot import parse_bot
from harness.bots.inprocess import starter
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import BotRef, Broken, Evidence, Footer, Header, SuiteRef, Unit
from harness.report.judged_run import JudgedRun, judged_run_of
from harness.runs.progress import Unwatched
from harness.runs.run import Run
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

HOSTILE = "\x1b[31m<b>&]]>\x00\ud800\ufffe|`*_[x](http://evil)@who #1 www.evil.com\u202e\r\n=1+1"
"""Something of everything that could mean more than itself somewhere."""


def header(name: str = "bot", level: str = "smoke", **values: object) -> Header:
    """Return a header of a run of a few exact cases."""
    suite, _ = shipped()
    bot = {"commands": COMMANDS, "fixed_playouts": None, "command": "./bot {playouts}"} | values
    settings = bot.pop("settings", {})
    return Header(
        schema=1,
        command="check" if level == "check" else "certify",
        refbot="0",
        engine="e",
        suite=SuiteRef("1", suite.digest, suite.tables_digest),
        level=level,
        bot=msgspec.convert({"name": name, **bot}, BotRef),
        started="2026-01-01T00:00:00+00:00",
        host="test",
        cases=sorted(suite.for_level("check").cases) if level == "check" else exact_cases(),
        settings=settings,  # type: ignore[arg-type]
    )


@lru_cache(maxsize=1)
def exact_cases() -> list[str]:
    """Return a script, two forced positions and a choice, by their ids."""
    suite, _ = shipped()
    scripts = [c.id for c in suite.cases.values() if c.is_script]
    forced = [c.id for c in suite.cases.values() if c.file.forced]
    choices = [c.id for c in suite.cases.values() if c.file.choice]
    return sorted([scripts[0], *forced[:2], choices[0]])


def units(answer: str | None = None, note: str = "") -> list[Unit]:
    """Return what the engine answers; every reply that says more than "=" says ``answer`` instead."""
    suite, _ = shipped()
    asked = [unit for name in exact_cases() for unit in ask_all(suite.cases[name], SPEC, 1, 1)]
    if answer is None:
        return asked
    said = answer.encode("utf-8", "backslashreplace").decode()
    return [
        msgspec.structs.replace(
            unit,
            exchanges=[
                (sent, raw if raw.strip() == "=" else f"= {said}\n\n") for sent, raw in unit.exchanges
            ],
            notes=[note.encode("utf-8", "backslashreplace").decode()] if note else [],
        )
        for unit in asked
    ]


def broken(sentence: str, stderr: str = "") -> Unit:
    """Return a unit in which the bot crashed."""
    sentence, stderr = (t.encode("utf-8", "backslashreplace").decode() for t in (sentence, stderr))
    why = Broken("CRASH", sentence, stderr, "genmove black", again=f"sh {stderr}")
    name = exact_cases()[0]
    return Unit(name, 2, 8, [(shipped()[0].cases[name].commands()[0], "=\n\n")], 0.5, broken=why)


def judged_run(asked: list[Unit], head: Header | None = None) -> JudgedRun:
    """Judge units as a run."""
    suite, tables = shipped()
    evidence = Evidence(head or header(), asked, Footer(len(asked), 1.0, "complete"))
    return judged_run_of(suite, tables, evidence, judge(suite, tables, evidence))


def saying(text: str) -> JudgedRun:
    """Return a run of a bot that says one thing wherever it can say anything."""
    plain = text.encode("utf-8", "backslashreplace").decode()
    head = header(plain, command=f"./{plain}", gtp_name=plain, version=plain, files={plain: "0"})
    return judged_run([*units(text, note=text), broken(plain, plain)], head)


@lru_cache
def certified(deviation: str = "", level: str = "smoke") -> tuple[JudgedRun, Evidence, Verdict]:
    """Return a run of the engine, in this process: its judged_run, its evidence and its verdict.

    A check is whole; of a certificate only what is asked about eyes, and one sample.
    """
    suite, tables = shipped()
    only = [c.id for c in suite.cases.values() if c.requirement == "R4"] + ["ko-ban-lasts-one-turn"]
    start = starter(BY_NAME[deviation].spec if deviation else SPEC)
    with TemporaryDirectory() as folder:
        run = Run(
            parse_bot(None, None, None, 1.0),
            suite,
            tables,
            level,
            Path(folder),
            [] if level == "check" else only,
            start,
        )
        evidence = run.go(Unwatched())
    verdict = judge(suite, tables, evidence)
    return judged_run_of(suite, tables, evidence, verdict), evidence, verdict


def word_of(judged_run: JudgedRun, word: str) -> JudgedRun:
    """Return an judged_run with another word for the whole."""
    verdict = msgspec.structs.replace(judged_run.verdict, verdict=word)
    return replace(judged_run, verdict=verdict)
