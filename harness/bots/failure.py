"""The failure of a bot that no longer answers: a verdict word, the circumstances, and a sentence."""

from dataclasses import dataclass

from harness.bots.wire import printable, quote
from harness.word import Word

_LEADS = {
    Word.START_FAILED: "did not start, no answer to",
    Word.NOT_GTP: "does not speak GTP, no answer to",
    Word.PROTOCOL: "broke the protocol at",
    Word.TIMEOUT: "no answer to",
    Word.CRASH: "ended without answering",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply, and the session is over."""

    word: Word
    bot: str
    command: str
    """The command that was not answered; empty if the bot could not be executed at all."""
    limit: str
    limit_s: float | None
    elapsed_s: float
    status: int | None
    """The exit status, if the bot ended by itself with one."""
    signal: str | None
    """The signal that ended the bot, if it was not the harness that sent it."""
    stderr_tail: str
    detail: str
    again: str = ""
    """The line of shell that reproduces the failure."""

    def sentence(self) -> str:
        """Return the cause in one line that names the bot, the command and the limit."""
        if self.limit_s is None:
            return f"{printable(self.bot)}: could not be started: {self.detail}"
        when = (
            f"within {_seconds(self.limit_s)} (limit: {self.limit})"
            if self.word is Word.TIMEOUT
            else f"after {_seconds(self.elapsed_s)} (limit: {self.limit}, {_seconds(self.limit_s)})"
        )
        cause = f"{printable(self.bot)}: {_LEADS[self.word]} {quote(self.command)} {when}"
        return f"{cause}: {self.detail}" if self.detail else cause


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.3g} s"
