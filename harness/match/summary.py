"""The results of a match, as the document that ``--json`` prints and match.json holds."""

from collections import Counter
from collections.abc import Iterator
from math import log, log10

import msgspec

from harness.match.pairing import ColourScore, Count
from harness.match.record import Ask, Entrant, MatchHeader, Question, Termination, sizes_of
from harness.match.schedule import TournamentFormat
from harness.match.scores import NOT_ASKED, ScoreDifference, differences
from harness.match.tally import GameOutcome, MatchTally
from harness.match.terms import Ending, Terms
from harness.report.secrets import Secrets
from harness.statistics.even import Even, interval
from harness.statistics.ratings import rate
from harness.statistics.sprt import Sprt
from harness.statistics.wilson import wilson
from harness.word import Word

CONFIDENCE = 0.95


class Disputed(msgspec.Struct, frozen=True):
    """A score that a bot says, and that the referee does not count."""

    game: int
    bot: str
    said: str
    counted: str
    """The result, as SGF has it."""
    difference: ScoreDifference


class ScoresSummary(msgspec.Struct, frozen=True):
    """What one bot said of the scores of the games between two."""

    bot: str
    asked: int = 0
    """Scored games after which it answered final_score."""
    winner: int = 0
    """How often it named another winner than the referee."""
    margin: int = 0
    """How often the same winner, but another margin."""
    unreadable: int = 0


class ColourSummary(msgspec.Struct, frozen=True):
    """Games of the first bot with one colour."""

    won: int
    drawn: int
    lost: int


class PairingSummary(msgspec.Struct, frozen=True):
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
    ending: Ending = Ending.TROMP_TAYLOR
    """How their games come to a score."""
    scores: list[ScoresSummary] = []
    """What the bots that were asked said of the score."""
    both_differ: int = 0
    """Games in which both named the same other winner than the referee."""


class RatingSummary(msgspec.Struct, frozen=True):
    """One bot's strength, against the mean of all."""

    bot: str
    elo: float
    error: float
    """One standard error."""


class CountAnswer(msgspec.Struct, frozen=True):
    """What some of the games answer by themselves."""

    word: Word
    evidence: tuple[float, float]
    """With EVEN: log10 of the evidence for PASS and for FAIL.  With SPRT: the log-likelihood ratio, twice."""


class MatchAnswer(msgspec.Struct, frozen=True):
    """The question asked of the results, and the answer."""

    terms: Question
    word: Word
    """That of every game and of the new ones, if it is the same; otherwise INCONCLUSIVE."""
    every: CountAnswer
    new: CountAnswer
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
    form: TournamentFormat
    games: int
    """Planned number of games of each pairing."""
    played: int
    bots: list[Entrant]
    meetings: list[PairingSummary]
    ratings: list[RatingSummary]
    black_elo: float | None
    """What it is worth to be Black, komi included."""
    test: MatchAnswer | None
    spoiled: list[Spoiled]
    elapsed_s: float
    word: Word
    """The answer to the question asked; without one, PASS, or why the match could not be played."""
    sizes: list[int] = []
    """Sizes of the boards, ascending."""
    disputed: list[Disputed] = []
    """Other winners first, then other margins; each in the order of the games."""


def summarize(header: MatchHeader, tally: MatchTally, elapsed_s: float, broken: Word | None) -> Summary:
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
        meetings=[_pairing(place, header, tally) for place in range(len(tally.pairings))],
        ratings=[RatingSummary(name, round(elo, 1), round(error, 1)) for name, elo, error in rated],
        black_elo=round(ratings.black, 1) if ratings else None,
        test=_test(tally),
        spoiled=spoiled,
        elapsed_s=round(elapsed_s, 3),
        word=broken or tally.word or Word.PASS,
        sizes=sizes_of(header),
        disputed=sorted(_disputed(names, tally), key=lambda one: list(ScoreDifference).index(one.difference)),
    )
    return secrets_of(header).hide_in(summary)


def secrets_of(header: MatchHeader) -> Secrets:
    """Return the values of the bots' environments, which only match.jsonl holds, to start them again."""
    return Secrets.of_settings(*(entrant.settings for entrant in header.entrants))


def _disputed(names: list[str], tally: MatchTally) -> Iterator[Disputed]:
    for one in tally.outcomes:
        places = {"B": one.seating.black, "W": one.seating.white}
        for colour, said, differs in differences(one.says, one.result):
            yield Disputed(one.seating.number, names[places[colour]], said, one.result.sgf, differs)


def _scores(names: list[str], games: list[GameOutcome]) -> Iterator[ScoresSummary]:
    """Yield what each bot of a pairing said, if it was asked."""
    asked: Counter[int] = Counter()
    found: dict[int, Counter[ScoreDifference]] = {}
    for one in games:
        if one.result.how is not Termination.SCORE:
            continue
        places = {"B": one.seating.black, "W": one.seating.white}
        asked.update(
            place for place, said in zip(places.values(), one.says, strict=True) if said != NOT_ASKED
        )
        for colour, _, differs in differences(one.says, one.result):
            found.setdefault(places[colour], Counter())[differs] += 1
    for place in sorted(asked):
        kinds = found.get(place, Counter())
        counts = (
            kinds[kind]
            for kind in (ScoreDifference.WINNER, ScoreDifference.MARGIN, ScoreDifference.UNREADABLE)
        )
        yield ScoresSummary(names[place], asked[place], *counts)


def _both_differ(games: list[GameOutcome]) -> int:
    kinds = ([differs for _, _, differs in differences(one.says, one.result)] for one in games)
    return sum(found == [ScoreDifference.WINNER] * 2 for found in kinds)


def _pairing(place: int, header: MatchHeader, tally: MatchTally) -> PairingSummary:
    one, entrants = tally.pairings[place], header.entrants
    names = [entrant.name for entrant in entrants]
    games = [outcome for outcome in tally.outcomes if outcome.seating.pairing == place]
    every, new = one.every, one.new
    return PairingSummary(
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
        ending=header.terms.ending_of(entrants[one.first].commands, entrants[one.second].commands),
        scores=list(_scores(names, games)),
        both_differ=_both_differ(games),
    )


def _around(*intervals: tuple[float, float]) -> tuple[float, float]:
    """Return the interval that holds all of these."""
    lows, highs = zip(*intervals, strict=True)
    return round(min(lows), 6), round(max(highs), 6)


def _colour(one: ColourScore) -> ColourSummary:
    return ColourSummary(one.won, one.drawn, one.lost)


def _test(tally: MatchTally) -> MatchAnswer | None:
    if tally.word is None:
        return None
    test, one = tally.test, tally.pairings[0]
    bounds = (
        (-log10(test.beta), -log10(test.alpha))
        if test.kind is Ask.EVEN
        else Sprt(*test.elo, test.alpha, test.beta).bounds
    )
    return MatchAnswer(
        test, tally.word, _said(test, one.every), _said(test, one.new), bounds, tally.decided_at
    )


def _said(test: Question, count: Count) -> CountAnswer:
    if test.kind is Ask.EVEN:
        even = Even(test.margin, test.alpha, test.beta)
        found = (even.log_e_pass(count.pairs) / log(10), even.log_e_fail(count.pairs) / log(10))
    else:
        found = (Sprt(*test.elo, test.alpha, test.beta).log_ratio(count.pairs),) * 2
    return CountAnswer(count.word, (round(found[0], 4), round(found[1], 4)))
