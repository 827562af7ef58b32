"""The standings of a match: the bots by rating, and the share each won against every other one."""

from dataclasses import dataclass
from math import inf

from harness.match.summary import RatingSummary, Summary


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's place among all."""

    bot: str
    rating: RatingSummary | None
    """None if no game with a result was played."""
    shares: tuple[float | None, ...]
    """Shares of the points against each bot, in the order of the standings; None without games."""


def standings(summary: Summary) -> list[Standing]:
    """Return all bots, the strongest first, those without a rating last."""
    ratings = {one.bot: one for one in summary.ratings}
    names = [bot.name for bot in summary.bots]
    names.sort(key=lambda name: -ratings[name].elo if name in ratings else inf)
    shares = {(one.first, one.second): one.share for one in summary.meetings if one.share is not None}
    shares |= {(second, first): 1 - share for (first, second), share in shares.items()}
    return [
        Standing(name, ratings.get(name), tuple(shares.get((name, other)) for other in names))
        for name in names
    ]
