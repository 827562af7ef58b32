"""GTP framing read once more, byte by byte, slow and obvious: what ``harness.bots.wire`` is held against.

Written from the text of the protocol: control characters other than newline and tab do not count, tabs are
spaces, a response begins with = or ?, an id follows it at once, an empty line ends it.  It shares no code
with ``wire``, and gives plain tuples.
"""

CONTROLS = frozenset((*range(9), *range(11, 32), 127))
NEWLINE = 10

Frame = tuple[object, ...]


def frames(stream: bytes, limit: int) -> tuple[list[Frame], bytes]:
    """Return the items of a stream, and the bytes of one that has begun and not ended."""
    found: list[Frame] = []
    at = 0
    while at < len(stream):
        is_reply = begins_reply(stream[at : at + limit])
        end = end_of_item(stream, at, is_reply=is_reply)
        if (len(stream) if end is None else end) - at > limit:
            found.append(("overflow", stream[at : at + min(limit, 256)]))
            if end is None:
                return found, b""
        elif end is None:
            return found, stream[at:]
        elif is_reply:
            found.append(reply(stream[at:end]))
        elif any(byte not in CONTROLS and byte not in b" \t\n" for byte in stream[at:end]):
            found.append(("noise", stream[at:end]))
        at = end
    return found, b""


def begins_reply(head: bytes) -> bool:
    """Whether the first byte that counts is a status sign."""
    for byte in head:
        if byte not in CONTROLS:
            return byte in b"=?"
    return False


def end_of_item(stream: bytes, at: int, *, is_reply: bool) -> int | None:
    """Return where an item ends: after its line, or for a reply after its first empty line."""
    line_is_empty = True
    for place in range(at, len(stream)):
        if stream[place] == NEWLINE:
            if line_is_empty or not is_reply:
                return place + 1
            line_is_empty = True
        elif stream[place] not in CONTROLS:
            line_is_empty = False
    return None


def reply(raw: bytes) -> Frame:
    """Split a reply into success, id and text."""
    counted = bytes(32 if byte == 9 else byte for byte in raw if byte not in CONTROLS)
    text = counted[1:].decode("utf-8", "backslashreplace")
    digits = ""
    for char in text:
        if char not in "0123456789":
            break
        digits += char
    has_id = 0 < len(digits) <= 10 and text[len(digits) : len(digits) + 1] in ("", " ", "\n")
    rest = text[len(digits) :] if has_id else text
    while rest.startswith(" "):
        rest = rest[1:]
    while rest.endswith((" ", "\n")):
        rest = rest[:-1]
    return "reply", counted[:1] == b"=", int(digits) if has_id else None, rest, raw
