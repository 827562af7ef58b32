"""Rounds of a measured speed, with programs that only say how long they took."""

import msgspec
import pytest

from harness.bots.bot import parse_bot
from harness.bots.exchange import Exchange
from harness.bots.failure import Failure
from harness.bots.process_tree import Usage
from harness.bots.transport import ProcessEnd
from harness.comparison.rates import CPU, calm, logs_of, rates_of
from harness.comparison.slower import compare_speeds
from harness.errors import RefbotError
from harness.records.evidence import Evidence
from harness.runs.speed import LEAST_ROUNDS, Timing, time_rounds
from harness.selftest.repeats import Machine, simulated_rounds
from harness.word import Word

BOT = parse_bot("./bot {playouts}", None, None, 1.0)


class Program:
    """Answers at once, and says it took ``each_s`` a playout; refuses or dies on cue."""

    def __init__(
        self, name: str, each_s: float, log: list[str], refuses: str = "", dies_after: int = 9999
    ) -> None:
        self.name, self.each_s, self.log = name, each_s, log
        self.refuses, self.left, self.used_s = refuses, dies_after, 0.0

    def ask(self, line: str, *, playouts: int = 0, id: int | None = None) -> Exchange | Failure:  # noqa: A002, ARG002
        """Answer one line."""
        self.left -= 1
        if self.left < 0:
            return Failure(Word.CRASH, self.name, line, "genmove", 1.0, 0.0, 1, None, "", "it died", "")
        if line.startswith("genmove"):
            self.log.append(self.name)
            self.used_s += self.each_s * playouts
        success = not (self.refuses and line.startswith(self.refuses))
        text = str(111 * playouts)
        return Exchange(line, f"= {text}\n\n", success, text, (), self.each_s * playouts)

    def close(self) -> tuple[None, ProcessEnd]:
        """Leave."""
        return None, ProcessEnd(0, None, "", orphans=False, forced=None)

    def usage(self) -> Usage:
        """Say what was used."""
        return Usage(self.used_s, 5_000_000)


def timing(log: list[str], *, refuses: str = "", dies_after: int = 9999, engine_dies: int = 9999) -> Timing:
    """Return a timing of programs of which the bot is half as fast as the engine."""

    def start(bot: object, playouts: int, seed: int) -> Program:  # noqa: ARG001
        if getattr(bot, "name", "") == "refbot-engine":
            return Program("engine", 1e-4, log, dies_after=engine_dies)
        return Program("bot", 2e-4, log, refuses, dies_after)

    return Timing(rounds=LEAST_ROUNDS, start=start, playouts=1000, clock=lambda: 0.0)


def test_rounds_hold_what_programs_did() -> None:
    """Genmoves, playouts, moves, seconds, processor time and memory of both stand in every round."""
    rounds = list(time_rounds(BOT, timing([])))
    rates = rates_of(rounds)

    assert len(rounds) == LEAST_ROUNDS
    assert rates is not None
    assert (rates.playouts_per_s, rates.moves_per_s) == pytest.approx((5000, 555_000))
    assert rates.wall is not None
    assert rates.cpu is not None
    assert (rates.wall.value, rates.cpu.value) == pytest.approx((0.5, 0.5))
    assert (rates.peak_bytes, rates.cores) == (5_000_000, pytest.approx(1.0))


def test_turns_are_balanced() -> None:
    """In one round the bot begins and ends, in the next the engine; each has four turns."""
    log: list[str] = []
    firsts = [r.first for r in time_rounds(BOT, timing(log))]
    turns = "".join(name[0] for place, name in enumerate(log) if place == 0 or log[place - 1] != name)

    assert firsts == ["bot", "engine"] * (LEAST_ROUNDS // 2)
    # Warming up, then ABBAABBA, where turns of one program that touch look like one.
    assert turns.startswith("be" + "bebeb" + "eb" + "ebebe")


def test_a_bot_that_dies_ends_the_rounds() -> None:
    """The round in which it died says so, and says nothing of its speed."""
    *_, last = rounds = list(time_rounds(BOT, timing([], dies_after=12)))

    assert len(rounds) == 1
    assert last.broken is not None
    assert last.broken.word == "CRASH"
    assert rates_of(rounds) is None


def test_a_bot_that_refuses_the_size_is_refused() -> None:
    """Its answer to boardsize is the reason."""
    (only,) = time_rounds(BOT, timing([], refuses="boardsize"))

    assert only.broken is not None
    assert only.broken.word == "REFUSED"
    assert "boardsize 9" in only.broken.sentence


def test_a_dying_engine_is_our_fault() -> None:
    """It is no observation of the bot."""
    with pytest.raises(RefbotError, match="embedded engine"):
        list(time_rounds(BOT, timing([], engine_dies=12)))


def test_busy_rounds_are_set_aside(evidence: Evidence) -> None:
    """Where the engine had half a core, nothing is said of the speed, however different it seems."""
    then, now = (
        simulated_rounds(Machine(share=0.99), 1),
        simulated_rounds(Machine(share=0.4, share_sd=0.05), 2, 1.5),
    )

    found, _ = compare_speeds(with_rounds(evidence, then), with_rounds(evidence, now), 0.05)

    assert len(calm(now, CPU)) == 0
    assert {change.word for change in found} == {"not judged"}


def test_fifteen_per_cent_are_found_and_nothing_is_not(evidence: Evidence) -> None:
    """Ten repeats on a machine with some noise: every slowdown is named, no unchanged bot is."""
    slow, quiet = 0, 0
    for number in range(10):
        machine = Machine(share=0.97)
        then, same, later = (
            with_rounds(evidence, simulated_rounds(machine, 3 * number + place, slower))
            for place, slower in enumerate((1.0, 1.0, 1.15))
        )
        slow += "slower" in {c.word for c in compare_speeds(then, later, 0.05)[0]}
        quiet += "slower" not in {c.word for c in compare_speeds(then, same, 0.05)[0]}

    assert (slow >= 9, quiet) == (True, 10)


def test_what_cannot_be_compared_is_said(evidence: Evidence) -> None:
    """No rounds then, none now, another question, another engine: each has its sentence."""
    rounds = list(time_rounds(BOT, timing([])))
    other = [msgspec.structs.replace(r, size=19) for r in rounds]
    header = msgspec.structs.replace(evidence.header, engine="another")

    def notes(then: Evidence, now: Evidence) -> str:
        return compare_speeds(then, now, 0.05)[1][0]

    full = with_rounds(evidence, rounds)
    assert "baseline has no record" in notes(evidence, full)
    assert "not measured in this run" in notes(full, evidence)
    assert "19x19" in notes(full, with_rounds(evidence, other))
    assert "engine is another" in notes(msgspec.structs.replace(full, header=header), full)
    assert logs_of(rounds, CPU) == pytest.approx([-0.693147] * LEAST_ROUNDS)


def with_rounds(evidence: Evidence, rounds: list) -> Evidence:  # type: ignore[type-arg]
    """Return evidence with other rounds."""
    return msgspec.structs.replace(evidence, rounds=rounds)


@pytest.fixture(name="evidence")
def _evidence() -> Evidence:
    from tiny_run import header

    from harness.cases.suite import load_suite

    return Evidence(header(load_suite(), cases=[]), [], None)
