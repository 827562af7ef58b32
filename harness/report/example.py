"""A counter-example: where in a run a check failed, what was said there, and how to say it again."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.bots.limits import command_name
from harness.bots.reproduction import reproduction_line
from harness.cases.case import Case, Complete, Dialogue, Script
from harness.judging.case_assessment import AskedUnit
from harness.judging.finding import Finding
from harness.judging.replayed import COLOURS, exchanges_of, game_before
from harness.judging.verdict import Check
from harness.records.evidence import BotRef, Unit
from harness.report.excerpt import is_reported_by
from harness.report.picture import Picture, picture_of_case, picture_of_game
from harness.report.secrets import Secrets


@dataclass(frozen=True, slots=True)
class Example:
    """One unit in which a check failed."""

    process: int
    playouts: int
    expected: str
    observed: str
    exchanges: tuple[tuple[str, str], ...]
    """Lines sent and raw replies, up to the one in which it shows where that is known."""
    point: int | None
    """Place among the exchanges of the one in which it shows; None where it is no single one."""
    picture: Picture | None
    """None where no board matters."""
    again: str
    """A line of shell that sends the same lines to the bot."""

    def without(self, secrets: Secrets) -> "Example":
        """Return it without values of the bot's environment."""
        return replace(
            self,
            expected=secrets.hide(self.expected),
            observed=secrets.hide(self.observed),
            exchanges=tuple((sent, secrets.hide(raw)) for sent, raw in self.exchanges),
        )


def example_of(
    case: Case, check: Check, read: Iterable[tuple[Unit, AskedUnit]], bot: BotRef
) -> Example | None:
    """Return the unit that shows what a check says; None where no single one does."""
    pairs = list(read)
    for unit, asked in pairs:
        for finding in asked.reading.findings:
            if is_reported_by(check, finding):
                said = exchanges_of(unit, (other for other, _ in pairs))
                shown = said if finding.exchange is None else said[: finding.exchange + 1]
                return Example(
                    unit.process,
                    unit.playouts,
                    finding.expected,
                    finding.observed,
                    tuple(shown),
                    _point(finding, shown),
                    _picture(case, shown, asked.reading.move),
                    shell_line(bot, [sent for sent, _ in shown], unit.playouts),
                )
    return None


def _point(finding: Finding, exchanges: list[tuple[str, str]]) -> int | None:
    """Return the place of the exchange a finding is about: known, or the one whose command it begins with."""
    if finding.exchange is not None:
        return finding.exchange
    about = finding.expected.partition(" ")[0]
    places = [place for place, (sent, _) in enumerate(exchanges) if command_name(sent) == about]
    return places[-1] if places else None


def shell_line(bot: BotRef, sent: list[str], playouts: int) -> str:
    """Return a line of shell that starts a bot and sends it some lines; its random numbers will be others."""
    command = bot.command.replace("{playouts}", str(playouts)).replace("{seed}", "1")
    return reproduction_line(command, sent, 0.0)


def _picture(case: Case, exchanges: list[tuple[str, str]], move: str) -> Picture | None:
    if not isinstance(case.question, Script | Complete | Dialogue):
        return picture_of_case(case, move)
    return picture_before(exchanges)


def picture_before(exchanges: list[tuple[str, str]]) -> Picture | None:
    """Return the position before the last of some exchanges; None if that is about no board."""
    game = game_before(exchanges)
    if game is None:
        return None
    words = exchanges[-1][0].lower().split()
    return replace(picture_of_game(game), to_move=next((COLOURS[w] for w in words if w in COLOURS), None))
