"""What a match came to, as the document that ``--json`` prints and match.json holds."""

from math import log, log10

import msgspec

from harness.match.meeting import Colour, Count, Meeting
from harness.match.record import Ask, Entrant, MatchHeader, Question
from harness.match.schedule import Format
from harness.match.tally import Tally
from harness.match.terms import Terms
from harness.showing.secrets import Secrets
from harness.statistics.even import Even, interval
from harness.statistics.ratings import rate
from harness.statistics.sprt import Sprt
from harness.statistics.wilson import wilson
from harness.word import Word

CONFIDENCE = 0.95


class ColourSummary(msgspec.Struct, frozen=True):
    """Games of the first bot with one colour."""

    won: int
    drawn: int
    lost: int


class MeetingSummary(msgspec.Struct, frozen=True):
    """The games between two bots, seen by the first."""

    first: str
    second: str
    games: int
    """That count."""
    points: float
    share: float | None
    """Points by game."""
    wilson: tuple[float, float]
    """95 % interval of the share, for a number of games that was fixed beforehand; like the next one, from
    the lower bound to the upper of two: of every game, and of the games that repeat none before."""
    anytime: tuple[float, float]
    """95 % interval that holds however often one has looked; from whole pairs."""
    black: ColourSummary
    white: ColourSummary
    pairs: list[int]
    """Pairs that were worth 0, 1/2, 1, 3/2 and 2 points."""
    new_pairs: list[int]
    """Those of them in which neither game repeats an earlier one."""
    hows: dict[str, int]
    not_counted: int
    duplicates: int
    """Games that repeat an earlier one."""
    is_lopsided: bool
    """Whether more than half of the games were duplicates."""
    mean_moves: float | None


class RatingSummary(msgspec.Struct, frozen=True):
    """One bot's strength, against the mean of all."""

    bot: str
    elo: float
    error: float
    """One standard error."""


class Said(msgspec.Struct, frozen=True):
    """What some of the games answer by themselves."""

    word: Word
    evidence: tuple[float, float]
    """Of EVEN: log10 of the evidence for PASS and for FAIL.  Of SPRT: the log-likelihood ratio, twice."""


class Answer(msgspec.Struct, frozen=True):
    """The question asked of the results, and the answer."""

    terms: Question
    word: Word
    """That of every game and of the new ones, if it is the same; otherwise INCONCLUSIVE."""
    every: Said
    new: Said
    """By the games that repeat none before."""
    bounds: tuple[float, float]
    """Which the evidence must reach."""
    decided_at: int | None
    """The number of the game after which no other could change the word."""


class Spoiled(msgspec.Struct, frozen=True):
    """A game that is no result."""

    game: int
    how: str
    bot: str
    word: str
    detail: str


class Summary(msgspec.Struct, frozen=True):
    """A whole match."""

    schema: int
    refbot: str
    terms: Terms
    form: Format
    games: int
    """Of each meeting, as planned."""
    played: int
    bots: list[Entrant]
    meetings: list[MeetingSummary]
    ratings: list[RatingSummary]
    black_elo: float | None
    """What it is worth to be Black, komi included."""
    test: Answer | None
    spoiled: list[Spoiled]
    elapsed_s: float
    word: Word
    """The answer to the question asked; without one, PASS, or why the match could not be played."""


def summarize(header: MatchHeader, tally: Tally, elapsed_s: float, broken: Word | None) -> Summary:
    """Return what a match came to, without the values of any bot's environment.

    Args:
        header: of the match.
        tally: of all its games.
        elapsed_s: seconds it took this time.
        broken: why it was given up, if a bot could not be run.
    """
    names = [entrant.name for entrant in header.entrants]
    spoiled = [
        Spoiled(
            one.seating.number,
            one.result.how,
            names[one.culprit] if one.culprit is not None else "",
            one.result.word or "",
            one.result.detail,
        )
        for one in tally.outcomes
        if not one.counts
    ]
    scores = tally.scores()
    ratings = rate(scores, len(names)) if scores else None
    rated = zip(names, ratings.elo, ratings.error, strict=True) if ratings else ()
    summary = Summary(
        schema=header.schema,
        refbot=header.refbot,
        terms=header.terms,
        form=header.form,
        games=tally.schedule.games,
        played=tally.played,
        bots=header.entrants,
        meetings=[_meeting(one, names) for one in tally.meetings],
        ratings=[RatingSummary(name, round(elo, 1), round(error, 1)) for name, elo, error in rated],
        black_elo=round(ratings.black, 1) if ratings else None,
        test=_test(tally),
        spoiled=spoiled,
        elapsed_s=round(elapsed_s, 3),
        word=broken or tally.word or Word.PASS,
    )
    return secrets_of(header).hide_in(summary)


def secrets_of(header: MatchHeader) -> Secrets:
    """Return the values of the bots' environments, which only match.jsonl holds, to start them again."""
    return Secrets.of_settings(*(entrant.settings for entrant in header.entrants))


def _meeting(one: Meeting, names: list[str]) -> MeetingSummary:
    every, new = one.every, one.new
    return MeetingSummary(
        first=names[one.first],
        second=names[one.second],
        games=one.games,
        points=one.points,
        share=round(one.points / one.games, 6) if one.games else None,
        wilson=_around(*(wilson(count.points, count.games, CONFIDENCE) for count in (every, new))),
        anytime=_around(*(interval(count.pairs, 1 - CONFIDENCE) for count in (every, new))),
        black=_colour(every.black),
        white=_colour(every.white),
        pairs=every.pairs,
        new_pairs=new.pairs,
        hows=dict(one.hows),
        not_counted=one.not_counted,
        duplicates=one.duplicates,
        is_lopsided=one.is_lopsided,
        mean_moves=round(one.moves / one.games, 2) if one.games else None,
    )


def _around(*intervals: tuple[float, float]) -> tuple[float, float]:
    """Return the interval that holds all of these."""
    lows, highs = zip(*intervals, strict=True)
    return round(min(lows), 6), round(max(highs), 6)


def _colour(one: Colour) -> ColourSummary:
    return ColourSummary(one.won, one.drawn, one.lost)


def _test(tally: Tally) -> Answer | None:
    if tally.word is None:
        return None
    test, one = tally.test, tally.meetings[0]
    bounds = (
        (-log10(test.beta), -log10(test.alpha))
        if test.kind is Ask.EVEN
        else Sprt(*test.elo, test.alpha, test.beta).bounds
    )
    return Answer(test, tally.word, _said(test, one.every), _said(test, one.new), bounds, tally.decided_at)


def _said(test: Question, count: Count) -> Said:
    if test.kind is Ask.EVEN:
        even = Even(test.margin, test.alpha, test.beta)
        found = (even.log_e_pass(count.pairs) / log(10), even.log_e_fail(count.pairs) / log(10))
    else:
        found = (Sprt(*test.elo, test.alpha, test.beta).log_ratio(count.pairs),) * 2
    return Said(count.word, (round(found[0], 4), round(found[1], 4)))
