"""A match as text: the results, the answer to its question, the ratings; and its progress.

Names and details that came from bots are escaped.
"""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.bots.wire import printable
from harness.match.record import Ask
from harness.match.standings import standings
from harness.match.summary import ColourSummary, Disputed, MatchAnswer, PairingSummary, Spoiled, Summary
from harness.match.tally import MatchTally
from harness.match.terms import Ending
from harness.render.live import Live
from harness.render.terminal import safe, word
from harness.word import Word

_MOST_SPOILED = 5
_MOST_DISPUTED = 3


def render_match(summary: Summary, folder: str) -> RenderableType:
    """Return the results of a match."""
    parts: list[RenderableType] = [_head(summary)]
    if len(summary.bots) > 2:
        parts += [_standings(summary), _pairings(summary.meetings)]
    else:
        parts += [_pairing(one) for one in summary.meetings]
    if summary.test is not None:
        answer = escape(answer_words(summary.test, summary.meetings[0]))
        parts.append(Text.from_markup(f"{word(summary.test.word)}  {answer}\n"))
    if len(summary.bots) > 2:
        lines = [f"{safe(one.first, 60)} - {safe(one.second, 60)}: " for one in summary.meetings]
        for lead, one in zip(lines, summary.meetings, strict=True):
            parts += [Text.from_markup(f"final_score, {lead}{escape(line)}") for line in scores_of(one)]
    parts += _disputed(summary)
    parts += _spoiled(summary)
    if summary.test is None and summary.word is not Word.PASS:
        parts.append(Text.from_markup(f"{word(summary.word)}  the match was given up"))
    parts.append(
        Text.from_markup(f"match.html, match.json, games and tables in [bold]{safe(folder, 400)}[/]")
    )
    return Group(*parts)


def score_of(summary: Summary) -> tuple[str, str]:
    """Return the bots and the result, in a few words."""
    if len(summary.bots) > 2:
        best = standings(summary)[0]
        elo = "" if best.rating is None else f" ({best.rating.elo:+.0f} Elo)"
        return (
            f"{len(summary.bots)} bots",
            f"{printable(best.bot, 40)} is first{elo} after {summary.played} games",
        )
    one = summary.meetings[0]
    who = f"{printable(one.first, 40)} - {printable(one.second, 40)}"
    if not one.games:
        return who, "no game has a result"
    low, high = (100 * bound for bound in one.wilson)
    points = f"{printable(one.first, 40)} won {one.points:g} of {one.games} points"
    return who, f"{points}, {percent(one.share)} % (95 %: {low:.0f} to {high:.0f})"


def _head(summary: Summary) -> Text:
    played = f"{summary.played} game{'s' if summary.played != 1 else ''}"
    text = f"{played}, {summary.elapsed_s:.1f} s this time: {', '.join(terms_of(summary))}\n"
    return Text(text, style="bold")


def terms_of(summary: Summary) -> list[str]:
    """Return the terms of the games, in a few words."""
    terms = summary.terms
    sizes = summary.sizes or [terms.size]
    boards = " and ".join(f"{size}x{size}" for size in sizes)
    about = [boards, f"komi {terms.komi:g}", _ending(summary)]
    if terms.handicap:
        about.append(f"{terms.handicap} handicap stones")
    return [*about, terms.time.describe() if terms.time is not None else "no clock"]


def _ending(summary: Summary) -> str:
    found = {one.ending for one in summary.meetings}
    if len(found) == 1:
        return f"ending {summary.terms.describe_ending(found.pop())}"
    return "ending kgs where both bots can, otherwise tromp-taylor"


def _pairing(one: PairingSummary) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    share = "no result" if one.share is None else f"{100 * one.share:.1f} %"
    least, most = (100 * bound for bound in one.wilson)
    low, high = (100 * bound for bound in one.anytime)
    grid.add_row(
        f"[bold]{safe(one.first, 60)}[/] - [bold]{safe(one.second, 60)}[/]",
        f"[bold]{one.points:g} of {one.games}, {share}[/]",
    )
    if one.games:
        grid.add_row(
            "  95 % interval", f"{least:.1f} to {most:.1f} % (Wilson; the number of games fixed beforehand)"
        )
        grid.add_row("  at all times", f"{low:.1f} to {high:.1f} % (from {sum(one.pairs)} whole pairs)")
        grid.add_row("  as Black", _colour(one.black))
        grid.add_row("  as White", _colour(one.white))
        grid.add_row("  pairs worth 0, 1/2, 1, 3/2, 2", "  ".join(map(str, one.pairs)))
        grid.add_row("  moves a game", f"{one.mean_moves:g}" if one.mean_moves is not None else "-")
    grid.add_row("  ended by", ", ".join(_hows(one)) or "-")
    if one.duplicates:
        many = "; [yellow]more than half: these bots repeat themselves[/]" if one.is_lopsided else ""
        grid.add_row("  duplicates", f"{one.duplicates} games repeat an earlier one{many}")
    for line in scores_of(one):
        grid.add_row("  final_score", escape(line))
    if one.not_counted:
        grid.add_row("  no results", f"{one.not_counted} games void or unfinished")
    return Group(grid, "")


def _colour(one: ColourSummary) -> str:
    drawn = f", {one.drawn} drawn" if one.drawn else ""
    return f"{one.won} won{drawn}, {one.lost} lost"


def _standings(summary: Summary) -> RenderableType:
    """Return all bots, the strongest first, with the share that each won against each other bot."""
    ranks = standings(summary)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("bot", overflow="fold")
    for name in ("Elo", "+-", *(f"{place}" for place, _ in enumerate(ranks, 1))):
        table.add_column(name, justify="right", no_wrap=True)
    for place, one in enumerate(ranks):
        rating = ["-", "-"] if one.rating is None else [f"{one.rating.elo:+.0f}", f"{one.rating.error:.0f}"]
        won = ["[dim]x[/]" if other == place else percent(share) for other, share in enumerate(one.shares)]
        table.add_row(f"{place + 1}", f"[bold]{safe(one.bot, 60)}[/]", *rating, *won)
    black = "" if summary.black_elo is None else f"; Black is worth {summary.black_elo:+.0f} Elo at this komi"
    return Group(table, f"Elo: Bradley-Terry, one standard error; then % won against each{black}\n")


def _pairings(meetings: list[PairingSummary]) -> RenderableType:
    """Return a table with a row for each pairing."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", overflow="fold")
    table.add_column("points", justify="right")
    for name in ("%", "95 %", "Black", "White"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("ended by", overflow="fold")
    for one in meetings:
        least, most = (100 * bound for bound in one.wilson)
        table.add_row(
            f"{safe(one.first, 60)} - {safe(one.second, 60)}",
            f"{one.points:g} of {one.games}",
            percent(one.share),
            f"{least:.0f} to {most:.0f}" if one.games else "-",
            *(f"{c.won}-{c.drawn}-{c.lost}" for c in (one.black, one.white)),
            ", ".join(ends_of(one)),
        )
    return Group(table, "Black, White: won-drawn-lost by the first with that colour\n")


def ends_of(one: PairingSummary) -> list[str]:
    """Return how the games of two bots ended, and the number of those without a result."""
    repeated = [f"{one.duplicates} repeated"] if one.duplicates else []
    return [*_hows(one), *repeated, *([f"{one.not_counted} no result"] if one.not_counted else [])]


def _hows(one: PairingSummary) -> list[str]:
    return [f"{how} {n}" for how, n in sorted(one.hows.items())]


def percent(share: float | None) -> str:
    """Return a share of points in per cent."""
    return "-" if share is None else f"{100 * share:.1f}"


def answer_words(test: MatchAnswer, pairing: PairingSummary) -> str:
    """Return the question of the match, and the reasons for the answer."""
    asked, (first, second) = test.terms, test.bounds
    if asked.kind is Ask.EVEN:
        question = f"even within {100 * asked.margin:g} %"
        evidence = f"evidence 10^{test.every.evidence[0]:.2f} of 10^{first:g} for PASS, "
        evidence += f"10^{test.every.evidence[1]:.2f} of 10^{second:g} for FAIL"
    else:
        low, high = asked.elo
        question = f"{printable(pairing.first, 60)} is {high:g} Elo stronger, rather than {low:g}"
        evidence = f"log-likelihood ratio {test.every.evidence[0]:.2f}, bounds {first:.2f} and {second:.2f}"
    is_decided = test.word is not Word.INCONCLUSIVE
    when = f"decided after game {test.decided_at}" if is_decided else "not decided"
    return "; ".join([f"{question}: {when}", *_repeats(test, pairing), evidence])


def _repeats(test: MatchAnswer, pairing: PairingSummary) -> Iterator[str]:
    """Yield the reason why there is no answer, if repeated games are the reason."""
    repeat = f"{pairing.duplicates} of {pairing.games} games repeat an earlier one"
    if test.every.word is not test.new.word:
        yield f"{repeat}: with them the word is {test.every.word}, without them {test.new.word}"
    elif test.word is Word.INCONCLUSIVE and pairing.is_lopsided:
        yield repeat


def scores_of(one: PairingSummary) -> Iterator[str]:
    """Yield a line for each bot whose own scores differ from the referee's, and one for both."""
    for bot in one.scores:
        kinds = ((bot.winner, "another winner"), (bot.margin, "another margin"), (bot.unreadable, "no score"))
        if differences := ", ".join(f"{count} times {what}" for count, what in kinds if count):
            times = f"{bot.asked} time{'s' if bot.asked != 1 else ''}"
            yield f"{printable(bot.bot, 60)}, asked {times}: {differences}".replace(" 1 times ", " once ")
    if one.both_differ:
        games = f"{one.both_differ} game{'s' if one.both_differ != 1 else ''}"
        hint = "" if one.ending is Ending.KGS else ", where dead stones stand on the board; see --ending kgs"
        yield f"both name another winner than the referee in {games}{hint}"


def dispute_of(one: Disputed) -> str:
    """Return one score that differs from the referee's, in words."""
    return f"{printable(one.bot, 60)} says {printable(one.said)}: {one.difference}, the referee {one.counted}"


def _disputed(summary: Summary) -> Iterator[Text]:
    for one in summary.disputed[:_MOST_DISPUTED]:
        yield Text(f"game {one.game}: {dispute_of(one)}")
    if (more := len(summary.disputed) - _MOST_DISPUTED) > 0:
        yield Text(f"and {more} more; see match.json")


def _spoiled(summary: Summary) -> Iterator[Text]:
    for one in summary.spoiled[:_MOST_SPOILED]:
        yield Text.from_markup(_spoiled_line(one))
    if (more := len(summary.spoiled) - _MOST_SPOILED) > 0:
        yield Text(f"and {more} more; see match.json")


def _spoiled_line(one: Spoiled) -> str:
    return f"game {one.game}: {word(one.word) if one.word else one.how}  {safe(one.detail, 600)}"


class MatchProgress(Live):
    """The progress display of a match."""

    def __init__(self, console: Console, total: int, names: Sequence[str], *, quiet: bool) -> None:
        super().__init__(console, quiet=quiet)
        self._total = total
        self._names = names

    def see(self, tally: MatchTally) -> None:
        """Show the games played so far."""
        done = tally.played + len(tally.waiting)
        self.show(f"{done} of {self._total} games; {_state(tally, self._names)}", done, self._total)


def _state(tally: MatchTally, names: Sequence[str]) -> str:
    """Return the current score: of two bots the first one's, of more the points of each, the best first."""
    if len(tally.pairings) > 1:
        points = dict.fromkeys(range(len(names)), 0.0)
        for one in tally.pairings:
            points[one.first] += one.points
            points[one.second] += one.games - one.points
        best = sorted(points.items(), key=lambda pair: -pair[1])
        return ", ".join(f"{printable(names[bot], 20)} {won:g}" for bot, won in best)
    first = tally.pairings[0]
    share = f" ({100 * first.points / first.games:.1f} %)" if first.games else ""
    repeated = f", {first.duplicates} repeat an earlier one" if first.duplicates else ""
    return f"{printable(names[first.first], 20)} {first.points:g} of {first.games}{share}{repeated}"
