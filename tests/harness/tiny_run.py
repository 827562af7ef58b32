"""Runs of a tiny suite without a run: units asked in this process, a header around them, their verdict."""

import msgspec
from tiny_suite import COMMANDS, ask_all

from harness.cases.suite import Suite
from harness.judging.judge import judge
from harness.judging.verdict import Verdict
from harness.records.evidence import BotRef, Evidence, Footer, Header, SuiteRef, Unit
from harness.tables.tables import Tables
from reference_engine.spec import Spec

GENMOVES = {"sample": 40, "moves": 60}
SHOWN = (
    "one-pass-ends",
    "three-passes-end",
    "cap-from-playout",
    "half-the-playouts",
    "nodes-cumulative",
    "fixed-seed-genmove",
    "playouts-twice",
    "unknown-accepted",
    "undo-keeps-stone",
)
"""The catalogue of these tests: building tables for the whole one takes minutes."""


def ask(suite: Suite, spec: Spec, seed: int) -> list[Unit]:
    """Ask the engine, in this process, every case that a standard certificate asks."""
    units = []
    for place, case in enumerate(suite.for_level("standard").cases.values()):
        units += ask_all(case, spec, 1000 * seed + place, GENMOVES.get(case.id, 1))
    return units


def header(suite: Suite, level: str = "standard", cases: list[str] | None = None, **bot: object) -> Header:
    """Return the header of a run of every case."""
    values = {"commands": COMMANDS, "fixed_playouts": None} | bot
    return Header(
        schema=1,
        command="certify",
        refbot="0",
        engine="e",
        suite=SuiteRef("1", suite.digest),
        level=level,
        bot=msgspec.convert({"name": "bot", "command": "./bot", **values}, BotRef),
        started="2026-01-01T00:00:00+00:00",
        host="test",
        cases=sorted(suite.for_level(level).cases) if cases is None else cases,
    )


def judged(
    suite: Suite,
    units: list[Unit],
    level: str = "standard",
    cases: list[str] | None = None,
    **bot: object,
) -> Verdict:
    """Judge units."""
    evidence = Evidence(header(suite, level, cases, **bot), units, Footer(len(units), 1.0, "complete"))
    return judge(suite, Tables(suite.folder / "tables"), evidence)
