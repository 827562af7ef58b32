"""An exchange: a command and the reply to it, shortened if it is long."""

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
    """Remarks on oddities that did not prevent the pairing, one line each."""
    elapsed_s: float
    """Seconds from the command (if it was pipelined, from the reply before) to the reply."""
