"""Errors of the harness and its data; a bot's misbehaviour is never one of them.

    RefbotError
      FixtureError     a case, requirement or table is broken          exit 5
      EvidenceError    an evidence file cannot be read or written      exit 5
      WorkerError      where work was to be done, it could not be      exit 5
      UsageError       the command line or a settings file is wrong    exit 2
      NothingRunError  what was asked for holds nothing to run         exit 5

Each prints as one line: what, where, what to do.
"""

from harness.word import HARNESS_STATUS, USAGE_STATUS


class RefbotError(Exception):
    """Base of the errors that end a command with one line."""

    status = HARNESS_STATUS

    def __str__(self) -> str:
        """Return the message in one line, whatever it quotes."""
        return super().__str__().replace("\r", "\\r").replace("\n", "\\n")


class FixtureError(RefbotError):
    """A fixture is broken: the suite's fault, never the bot's."""


class EvidenceError(RefbotError):
    """An evidence file cannot be read or written."""


class WorkerError(RefbotError):
    """An executor cannot be reached or was lost, or a host has not what a work needs."""


class UsageError(RefbotError):
    """The command line or a settings file is wrong."""

    status = USAGE_STATUS


class NothingRunError(RefbotError):
    """What was asked for holds nothing to run, which must not look like success."""
