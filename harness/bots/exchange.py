"""A command and the reply to it, of which no more is kept than anybody reads."""

import msgspec


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """A command and the reply to it."""

    sent: str
    """The line as sent, id included."""
    raw: str
    """The reply as it came, bytes that are not UTF-8 as backslash escapes; its head, if it is long."""
    success: bool
    text: str
    """The result, or the error message."""
    notes: tuple[str, ...]
    """What was odd but did not prevent the pairing, one line each."""
    elapsed_s: float
    """From the command, or from the reply before where it was sent ahead, to the reply."""
