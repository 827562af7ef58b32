"""Certificates of bots made to measure what a verdict claims: orders, and what came of them.

An order is a small value that any process can carry out by itself; the same order always comes out the same.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import cycle, islice
from math import log
from typing import Protocol, TypeVar

from certificates import shipped
from choosers import CHOOSERS, Displaced, MoreOfTheSecond
from offsets import Offset
from printers import PRINTED
from unlisted import Conforming, printing, starter

from harness.bots.bot import parse_bot
from harness.bots.driver import ask_case
from harness.bots.failure import Failure
from harness.bots.processes import Starter
from harness.cases.level import ALPHA, LEVELS
from harness.cases.suite import Suite
from harness.judging.case_assessment import AskedUnit, assess_case
from harness.judging.certificate_e_value import log_evidence
from harness.judging.detectable import detectable_of
from harness.judging.exact import read_unit, score_digits
from harness.judging.judge import judge
from harness.judging.run_assessment import RunAssessor
from harness.judging.verdict import Check, Detectable, Verdict
from harness.runs.run import Extras
from harness.selftest.trial import simulate
from harness.tables.tables import Tables
from harness.word import Word

_T = TypeVar("_T")
_APART = 10**9 + 7
"""Between the seeds of two bots."""


class Bot(Protocol):
    """A bot that can be sent to another process, by what it is called."""

    @property
    def about(self) -> str:
        """The bot in words."""

    def starter(self, suite: Suite, tables: Tables) -> Starter:
        """Return a way of starting its "processes"."""


@dataclass(frozen=True, slots=True)
class Printer:
    """The engine, with ref-score printed in another form."""

    form: str
    """One of ``PRINTED``."""

    @property
    def about(self) -> str:
        """The bot in words."""
        return f"innocent, ref-score printed: {self.form}"

    def starter(self, suite: Suite, tables: Tables) -> Starter:  # noqa: ARG002 - as every bot
        """Return a way of starting its "processes"."""
        return starter(Conforming, printing(PRINTED[self.form]))


@dataclass(frozen=True, slots=True)
class Chooser:
    """A bot that chooses its moves wrongly."""

    name: str
    """One of ``CHOOSERS``."""

    @property
    def about(self) -> str:
        """The bot in words."""
        return self.name

    def starter(self, suite: Suite, tables: Tables) -> Starter:  # noqa: ARG002 - as every bot
        """Return a way of starting its "processes"."""
        return starter(CHOOSERS[self.name])


@dataclass(frozen=True, slots=True)
class Innocent:
    """The engine's genmove taken apart, each step right."""

    @property
    def about(self) -> str:
        """The bot in words."""
        return "conforming"

    def starter(self, suite: Suite, tables: Tables) -> Starter:  # noqa: ARG002 - as every bot
        """Return a way of starting its "processes"."""
        return starter(Conforming)


@dataclass(frozen=True, slots=True)
class Order:
    """One certificate, to be made."""

    row: str
    """Of the table in which it is counted."""
    bot: Bot
    level: str
    seed: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What came of a certificate's statement that it would have convicted a bot so far off."""

    found: Detectable
    seed: int
    """Of the certificate."""
    is_convicted: bool
    """Whether a bot that is off by exactly as much was convicted, by as many genmoves."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an order."""

    order: Order
    word: str
    reason: str
    case_word: str
    """Of the one case in which the bot is off; empty where there is none."""
    is_inside: bool
    """Whether the interval of the mean that is off lay inside its tolerance at the end."""
    log10_e: float
    playouts: int
    cpu_s: float

    @property
    def is_passed(self) -> bool:
        """Whether it was said that the bot conforms, within every tolerance."""
        return self.word in (Word.PASS, Word.NON_STRICT)

    @property
    def is_seen(self) -> bool:
        """Whether it was said that the bot is another than the reference, if only inside the tolerances."""
        return self.word in (Word.FAIL, Word.NON_STRICT)


def claims(level: str, seed: int, times: int) -> list[Claim]:
    """Make a conforming certificate, and try each of its statements of what it would have convicted.

    The units of the one case are asked again, of a bot that is off there; all others stay as they are.

    Args:
        level: of the certificate.
        seed: of the certificate.
        times: how often each statement is tried.
    """
    suite, tables = shipped()
    evidence = simulate(suite, tables, level, seed, Innocent().starter(suite, tables), Extras())
    assessor = RunAssessor(suite, tables, evidence.header)
    for unit in evidence.units:
        assessor.add(unit)
    assessment, cases = assessor.assessment(), list(suite.cases.values())
    asked = Counter(unit.case for unit in evidence.units)
    made = []
    for found in detectable_of(assessment.cases, cases, tables):
        if found.shift is None:
            continue
        others = [w for name, w in assessment.cases.items() if name != found.case]
        case, start = suite.cases[found.case], bot_of(found).starter(suite, tables)
        for k in range(times):
            bot = start(parse_bot(None, None, None, 1.0), case.file.playouts, _APART * (seed * times + k))
            assert not isinstance(bot, Failure)
            units = [ask_case(bot, case, case.file.playouts, 1, _knows_all) for _ in range(asked[case.id])]
            digits = score_digits(units)
            read = [AskedUnit(read_unit(case, unit, digits), 1, unit.playouts) for unit in units]
            log_e = log_evidence([*others, assess_case(case, read, tables, LEVELS[level])], cases)
            made.append(Claim(found, seed, log_e >= -log(ALPHA)))
    return made


def bot_of(found: Detectable) -> Bot:
    """Return a bot that is off by exactly as much as a certificate says it would have convicted."""
    assert found.shift is not None
    if found.quantity == "chosen moves":
        return MoreOfTheSecond(found.case, found.shift)
    return Offset(found.case, found.quantity, found.shift, "tilt")


def _knows_all(_name: str) -> bool:
    return True


def ask(order: Order) -> Outcome:
    """Make a certificate in this process."""
    suite, tables = shipped()
    began = time.process_time()
    start = order.bot.starter(suite, tables)
    verdict = judge(suite, tables, simulate(suite, tables, order.level, order.seed, start, Extras()))
    cpu_s = time.process_time() - began
    check = _check_of(order.bot, verdict)
    quantity = order.bot.quantity if isinstance(order.bot, Offset) else ""
    return Outcome(
        order,
        verdict.verdict,
        verdict.reason,
        check.verdict if check else "",
        check is not None and any(e.is_inside for e in check.estimates if e.quantity == quantity),
        verdict.log10_e,
        verdict.playouts,
        cpu_s,
    )


def _check_of(bot: Bot, verdict: Verdict) -> Check | None:
    """Return the check of the one case in which a bot is off, if it was asked."""
    if not isinstance(bot, Offset | Displaced):
        return None
    checks = (check for requirement in verdict.requirements for check in requirement.checks)
    return next((check for check in checks if check.case == bot.case), None)


def ask_all(orders: Sequence[Order], executor: Executor, see: Callable[[int, int], None]) -> list[Outcome]:
    """Make certificates, several at a time; outcomes come in the order of the orders.

    Args:
        orders: what to make.
        executor: makes them.
        see: told how many of how many are done.
    """
    waiting = [executor.submit(ask, order) for order in orders]
    found = []
    for done, job in enumerate(waiting, start=1):
        found.append(job.result())
        see(done, len(orders))
    return found


def some(what: Sequence[_T], wanted: int, seed: int) -> list[_T]:
    """Return so many of some things in an order drawn by a seed; none comes again before all have come."""
    order = list(what)
    random.Random(seed).shuffle(order)  # noqa: S311 - a simulation
    return list(islice(cycle(order), wanted))


def numbered(rows: Sequence[tuple[str, Sequence[Bot]]], times: int, level: str, seed: int) -> list[Order]:
    """Return so many orders for each row, its bots by turns; every order has a seed of its own."""
    orders = [(row, bot) for row, bots in rows for bot in some(bots, times, seed)]
    return [Order(row, bot, level, number) for number, (row, bot) in enumerate(orders, start=seed)]
