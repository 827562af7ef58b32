"""How fast a bot is, beside the embedded engine in the same run: from the rounds of its evidence.

Two ratios, because each sees what the other cannot: by the clock, what people wait for, waiting included;
by processor time, what the machine had to do, which other programs on it hardly disturb.
"""

from collections.abc import Callable, Sequence
from math import log
from statistics import median
from typing import Final

import msgspec

from harness.records.evidence import Round, SpeedTurn
from harness.statistics.ratios import METHOD, RatioInterval, ratio_of

CONFIDENCE: Final = 0.98
"""Confidence level of every interval of a speed."""
WALL, CPU = "wall", "cpu"
MEASURES: Final = (CPU, WALL)
CALM: Final = {CPU: 0.7, WALL: 0.9}
"""The share of its waiting time that the engine, which is one thread, must have had a processor in a round
that is to say something: on a busy machine it waits, and by and by even its processor time grows, since
others use the caches."""
LEAST_CALM: Final = 6
"""Rounds that there must be of them."""


class Ratio(msgspec.Struct, frozen=True):
    """The bot's speed as a multiple of the engine's."""

    value: float
    low: float
    high: float
    confidence: float
    method: str
    rounds: int
    """That it rests on."""
    is_calm: bool
    """Whether those were calm; a busy machine's say little."""


class Rates(msgspec.Struct, frozen=True):
    """What the rounds of one run say."""

    size: int
    playouts: int
    """Playouts of each genmove."""
    rounds: int
    """That came to their end."""
    playouts_per_s: float
    """Medians of the rounds; a number of this machine in this hour, and no verdict."""
    moves_per_s: float | None
    """Moves of playouts a second, as ref-nodes counts them."""
    engine_playouts_per_s: float
    engine_moves_per_s: float | None
    wall: Ratio | None
    """By the clock; None with too few rounds."""
    cpu: Ratio | None
    """By processor time; None where the system does not tell it."""
    cores: float | None
    """Processors the bot kept busy."""
    engine_cores: float | None
    peak_bytes: int | None
    engine_peak_bytes: int | None
    broken: str = ""
    """Why the bot did not come to the end, if it did not."""


def rates_of(rounds: Sequence[Round]) -> Rates | None:
    """Return the speed that was measured; None where it was not."""
    whole = [r for r in rounds if r.broken is None and r.bot.genmoves and r.engine.genmoves]
    broken = next((r.broken.sentence for r in rounds if r.broken is not None), "")
    if not whole:
        return None
    cores, engine_cores = _cores([r.bot for r in whole]), _cores([r.engine for r in whole])
    return Rates(
        size=whole[0].size,
        playouts=playouts_of(whole),
        rounds=len(whole),
        playouts_per_s=median(r.bot.playouts / r.bot.seconds for r in whole),
        moves_per_s=_moves([r.bot for r in whole]),
        engine_playouts_per_s=median(r.engine.playouts / r.engine.seconds for r in whole),
        engine_moves_per_s=_moves([r.engine for r in whole]),
        wall=_ratio(whole, WALL),
        cpu=_ratio(whole, CPU),
        cores=cores,
        engine_cores=engine_cores,
        peak_bytes=max((r.bot.peak_bytes for r in whole if r.bot.peak_bytes is not None), default=None),
        engine_peak_bytes=max(
            (r.engine.peak_bytes for r in whole if r.engine.peak_bytes is not None), default=None
        ),
        broken=broken,
    )


def playouts_of(rounds: Sequence[Round]) -> int:
    """Return the playouts of each genmove of rounds, 0 if there are none."""
    turns = [r.bot for r in rounds if r.bot.genmoves]
    return turns[0].playouts // turns[0].genmoves if turns else 0


def calm(rounds: Sequence[Round], measure: str) -> list[Round]:
    """Return the rounds in which little else ran; all of them where nobody can tell."""
    return [
        r
        for r in rounds
        if r.engine.cpu_s is None or (r.engine.seconds and r.engine.cpu_s / r.engine.seconds >= CALM[measure])
    ]


def logs_of(rounds: Sequence[Round], measure: str) -> list[float]:
    """Return the natural log of each round's ratio, by the clock or by processor time."""
    cost: Callable[[SpeedTurn], float | None] = (
        (lambda t: t.seconds) if measure == WALL else (lambda t: t.cpu_s)
    )
    found = []
    for r in rounds:
        bot_s, engine_s = cost(r.bot), cost(r.engine)
        if r.broken is None and bot_s and engine_s:
            found.append(log(r.bot.playouts / bot_s * engine_s / r.engine.playouts))
    return found


def _moves(turns: Sequence[SpeedTurn]) -> float | None:
    speeds = [t.nodes / t.seconds for t in turns if t.nodes is not None]
    return median(speeds) if len(speeds) == len(turns) else None


def _cores(turns: Sequence[SpeedTurn]) -> float | None:
    shares = [t.cpu_s / t.seconds for t in turns if t.cpu_s is not None]
    return median(shares) if shares else None


def _ratio(rounds: Sequence[Round], measure: str) -> Ratio | None:
    """Return a ratio by the calm rounds if there are enough of them, or else by all."""
    chosen = calm(rounds, measure)
    is_calm = len(chosen) >= LEAST_CALM
    logs = logs_of(chosen if is_calm else rounds, measure)
    return ratio_from(ratio_of(logs, CONFIDENCE), len(logs), is_calm=is_calm)


def ratio_from(interval: RatioInterval | None, rounds: int, *, is_calm: bool) -> Ratio | None:
    """Return an interval as data."""
    if interval is None:
        return None
    return Ratio(interval.value, interval.low, interval.high, CONFIDENCE, METHOD, rounds, is_calm)
