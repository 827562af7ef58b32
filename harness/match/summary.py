"""The summary of a match: the document that ``--json`` prints and match.json holds."""

from collections import Counter
from collections.abc import Iterator
from math import log, log10

import msgspec

from harness.match.pairing import ColourScore, Count
from harness.match.record import Entrant, MatchHeader, Question, Termination, sizes_of
from harness.match.schedule import TournamentFormat
from harness.match.scores import NOT_ASKED, ScoreDifference, differences
from harness.match.tally import GameOutcome, MatchTally, decision_rule
from harness.match.terms import Ending, Terms
from harness.report.secrets import Secrets
from harness.statistics.even import Even, interval
from harness.statistics.ratings import rate
from harness.statistics.sprt import Sprt
from harness.statistics.wilson import wilson
from harness.word import Word

CONFIDENCE = 0.95


class Disputed(msgspec.Struct, frozen=True):
    """A score of a bot that differs from the referee's."""

    game: int
    bot: str
    said: str
    """The bot's answer to final_score."""
    counted: str
    """The result, in the form of SGF's property RE."""
    difference: ScoreDifference


class ScoresSummary(msgspec.Struct, frozen=True):
    """The scores that one bot of a pairing gave for its games, compared with the referee's."""

    bot: str
    asked: int = 0
    """Number of scored games after which the bot answered final_score."""
    winner: int = 0
    """Number of games for which the bot named another winner than the referee."""
    margin: int = 0
    """Number of games for which the bot named the same winner, but another margin."""
    unreadable: int = 0
    """Number of games for which the bot's answer was not a score."""


class ColourSummary(msgspec.Struct, frozen=True):
    """Games of the first bot with one colour."""

    won: int
    drawn: int
    lost: int


class PairingSummary(msgspec.Struct, frozen=True):
    """The games between two bots, as results of the first."""

    first: str
    second: str
    games: int
    """Number of games with a result."""
    points: float
    share: float | None
    """Points per game."""
    wilson: tuple[float, float]
    """95 % interval of the share, for a number of games that was fixed beforehand.  It covers two intervals:
    that of all games, and that of the games that repeat no earlier one.  So does the next."""
    anytime: tuple[float, float]
    """95 % confidence sequence of the share, from complete pairs: it holds at any time of stopping."""
    black: ColourSummary
    white: ColourSummary
    pairs: list[int]
    """Numbers of pairs of games that gave the first bot 0, 1/2, 1, 3/2 and 2 points."""
    new_pairs: list[int]
    """The same, of the pairs in which no game repeats an earlier one."""
    hows: dict[str, int]
    """Number of games by how they ended."""
    not_counted: int
    """Number of void and unfinished games."""
    duplicates: int
    """Number of games that repeat an earlier one."""
    is_lopsided: bool
    """Whether more than half of the games were duplicates."""
    mean_moves: float | None
    ending: Ending = Ending.TROMP_TAYLOR
    """The way in which games that ended by two passes are scored."""
    scores: list[ScoresSummary] = []
    """The scores of the bots that were asked, compared with the referee's."""
    both_differ: int = 0
    """Number of games in which both bots named another winner than the referee."""


class RatingSummary(msgspec.Struct, frozen=True):
    """One bot's strength, relative to the mean of all."""

    bot: str
    elo: float
    error: float
    """One standard error."""


class CountAnswer(msgspec.Struct, frozen=True):
    """The answer that some of the games give by themselves."""

    word: Word
    evidence: tuple[float, float]
    """With EVEN: log10 of the evidence for PASS and for FAIL.  With SPRT: the log-likelihood ratio, twice."""


class MatchAnswer(msgspec.Struct, frozen=True):
    """The question of the match, and the answer."""

    terms: Question
    word: Word
    """The answer of all games and of the new games, if these are the same; otherwise INCONCLUSIVE."""
    every: CountAnswer
    """The answer of all games."""
    new: CountAnswer
    """The answer of the games that repeat no earlier one."""
    bounds: tuple[float, float]
    """The bounds that the evidence must reach."""
    decided_at: int | None
    """The number of the game after which no other game can change the word."""


class Spoiled(msgspec.Struct, frozen=True):
    """A game without a result."""

    game: int
    how: str
    bot: str
    word: str
    detail: str


class Summary(msgspec.Struct, frozen=True):
    """The summary of a whole match."""

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
    """The advantage of Black in Elo, komi included."""
    test: MatchAnswer | None
    spoiled: list[Spoiled]
    elapsed_s: float
    word: Word
    """The answer to the question.  Without a question: PASS, or the reason why the match was given up."""
    sizes: list[int] = []
    """The board sizes, in ascending order."""
    disputed: list[Disputed] = []
    """First those with another winner, then those with another margin; each in the order of the games."""


def summarize(header: MatchHeader, tally: MatchTally, elapsed_s: float, broken: Word | None) -> Summary:
    """Return the summary of a match, without the values of any bot's environment.

    Args:
        header: the header of the match.
        tally: the tally of all its games.
        elapsed_s: seconds that this session took.
        broken: the reason why the match was given up, if a bot could not be run.
    """
    names = [entrant.name for entrant in header.entrants]
    spoiled = [
        Spoiled(
            game.seating.number,
            game.result.how,
            names[game.culprit] if game.culprit is not None else "",
            game.result.word or "",
            game.result.detail,
        )
        for game in tally.outcomes
        if not game.counts
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
        meetings=[_summarize_pairing(place, header, tally) for place in range(len(tally.pairings))],
        ratings=[RatingSummary(name, round(elo, 1), round(error, 1)) for name, elo, error in rated],
        black_elo=round(ratings.black, 1) if ratings else None,
        test=_answer_question(tally),
        spoiled=spoiled,
        elapsed_s=round(elapsed_s, 3),
        word=broken or tally.word or Word.PASS,
        sizes=sizes_of(header),
        disputed=sorted(_disputed(names, tally), key=lambda one: list(ScoreDifference).index(one.difference)),
    )
    return secrets_of(header).hide_in(summary)


def secrets_of(header: MatchHeader) -> Secrets:
    """Return the values of the bots' environments.  Only match.jsonl holds them, to start the bots again."""
    return Secrets.of_settings(*(entrant.settings for entrant in header.entrants))


def _disputed(names: list[str], tally: MatchTally) -> Iterator[Disputed]:
    for game in tally.outcomes:
        for colour, claimed, kind in differences(game.claimed_scores, game.result):
            bot = names[game.seating.places[colour]]
            yield Disputed(game.seating.number, bot, claimed, game.result.sgf, kind)


def _compare_scores(names: list[str], games: list[GameOutcome]) -> Iterator[ScoresSummary]:
    """Yield a summary of the scores of each bot of a pairing that was asked for them."""
    asked: Counter[int] = Counter()
    kinds: dict[int, Counter[ScoreDifference]] = {}
    for game in games:
        if game.result.how is not Termination.SCORE:
            continue
        places = game.seating.places
        for colour, claimed in zip("BW", game.claimed_scores, strict=True):
            asked[places[colour]] += claimed != NOT_ASKED
        for colour, _, kind in differences(game.claimed_scores, game.result):
            kinds.setdefault(places[colour], Counter())[kind] += 1
    for place in sorted(place for place, number in asked.items() if number):
        found = kinds.get(place, Counter())
        # The order of the members of ScoreDifference is that of the fields.
        yield ScoresSummary(names[place], asked[place], *(found[kind] for kind in ScoreDifference))


def _count_both_differ(games: list[GameOutcome]) -> int:
    kinds = ([kind for _, _, kind in differences(game.claimed_scores, game.result)] for game in games)
    return sum(found == [ScoreDifference.WINNER] * 2 for found in kinds)


def _summarize_pairing(place: int, header: MatchHeader, tally: MatchTally) -> PairingSummary:
    one, entrants = tally.pairings[place], header.entrants
    names = [entrant.name for entrant in entrants]
    games = [outcome for outcome in tally.outcomes if outcome.seating.pairing == place]
    counts = (one.every, one.new)
    return PairingSummary(
        first=names[one.first],
        second=names[one.second],
        games=one.games,
        points=one.points,
        share=round(one.points / one.games, 6) if one.games else None,
        wilson=_span(*(wilson(count.points, count.games, CONFIDENCE) for count in counts)),
        anytime=_span(*(interval(count.pairs, 1 - CONFIDENCE) for count in counts)),
        black=_summarize_colour(one.every.black),
        white=_summarize_colour(one.every.white),
        pairs=one.every.pairs,
        new_pairs=one.new.pairs,
        hows=dict(one.hows),
        not_counted=one.not_counted,
        duplicates=one.duplicates,
        is_lopsided=one.is_lopsided,
        mean_moves=round(one.moves / one.games, 2) if one.games else None,
        ending=header.terms.ending_of(entrants[one.first].commands, entrants[one.second].commands),
        scores=list(_compare_scores(names, games)),
        both_differ=_count_both_differ(games),
    )


def _span(*intervals: tuple[float, float]) -> tuple[float, float]:
    """Return the smallest interval that covers all of these."""
    lows, highs = zip(*intervals, strict=True)
    return round(min(lows), 6), round(max(highs), 6)


def _summarize_colour(score: ColourScore) -> ColourSummary:
    return ColourSummary(score.won, score.drawn, score.lost)


def _answer_question(tally: MatchTally) -> MatchAnswer | None:
    if tally.word is None:
        return None
    test, one = tally.test, tally.pairings[0]
    rule = decision_rule(test)
    bounds = rule.bounds if isinstance(rule, Sprt) else (-log10(test.beta), -log10(test.alpha))
    every, new = _answer_of(rule, one.every), _answer_of(rule, one.new)
    return MatchAnswer(test, tally.word, every, new, bounds, tally.decided_at)


def _answer_of(rule: Even | Sprt, count: Count) -> CountAnswer:
    if isinstance(rule, Sprt):
        evidence = (rule.log_ratio(count.pairs),) * 2
    else:
        evidence = (rule.log_e_pass(count.pairs) / log(10), rule.log_e_fail(count.pairs) / log(10))
    return CountAnswer(count.word, (round(evidence[0], 4), round(evidence[1], 4)))
