"""Faults of what is answered: vertices, numbers and names; every reply is framed as it should be."""

import os
from collections.abc import Callable

import stage
from stage import Words, proper, serve

Edit = Callable[[str], str | bytes]
"""Another text instead of the proper one."""

HOSTILE = (
    "\x1b[31m\x1b]0;owned\x07</testcase><script>alert(1)</script>&amp; [red][link=http://x]|`*=1+1 \u202egnp"
)


def edits(*commands: str, text: Edit) -> Callable[[], None]:
    """Make a bot that answers some commands, if they succeed, with another text."""

    def reply(number: str, words: Words) -> bytes:
        answer = proper(number, words)
        if words[0] not in commands or not answer.startswith(b"="):
            return answer
        sign, _, proper_text = answer.removesuffix(b"\n\n").partition(b" ")
        other = text(proper_text.decode())
        return sign + b" " + (other.encode() if isinstance(other, str) else other) + b"\n\n"

    return lambda: serve(reply)


def size() -> int:
    """Return the size of the board."""
    return stage.bot.engine.size if isinstance(stage.bot, stage.RealBot) else 9


def off_board(_: str) -> str:
    """Name a point just outside."""
    return f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[size() % 25]}1"


def occupied(proper_vertex: str) -> str:
    """Name a point where a stone was before this genmove, if there is any."""
    if not isinstance(stage.bot, stage.RealBot):
        return proper_vertex
    before = stage.bot.engine.history[-1].colours
    taken = [p for p, colour in enumerate(before) if colour]
    return f"{stage.bot.letters[taken[0] % size()]}{size() - taken[0] // size()}" if taken else proper_vertex


def mixed_case(text: str) -> str:
    """Write every other vertex small; in ``pass`` every other letter."""
    mixed_case.count += 1  # type: ignore[attr-defined]
    if text == "pass":
        return "pAsS"
    return text.lower() if mixed_case.count % 2 else text  # type: ignore[attr-defined]


mixed_case.count = 0  # type: ignore[attr-defined]


def hostile_errors(number: str, words: Words) -> bytes:
    """Put terminal escapes, HTML and XML into name, version and every error."""
    answer = proper(number, words)
    if words[0] in ("name", "version") or answer.startswith(b"?"):
        sign = answer[:1].decode()
        return f"{sign}{number} {HOSTILE}\n\n".encode()
    return answer


def refuses(command: str) -> Callable[[], None]:
    """Make a bot that answers a command with an error, always."""
    return lambda: serve(
        lambda number, words: (
            f"?{number} not today\n\n".encode() if words[0] == command else proper(number, words)
        )
    )


def score(text: Edit) -> Callable[[], None]:
    """Make a bot whose ref-score is this."""
    return edits("ref-score", text=text)


def nodes(text: Edit) -> Callable[[], None]:
    """Make a bot whose ref-nodes is this."""
    return edits("ref-nodes", text=text)


FAULTS: dict[str, Callable[[], None]] = {
    "hostile-text": lambda: serve(hostile_errors),
    "name-changes": edits("name", text=lambda text: f"{text} {os.getpid()}"),
    "name-is-not-utf-8": edits("name", "version", text=lambda _: b"fault\xff\xfe\xc3( bot"),
    "name-with-nul": edits("name", "version", text=lambda _: "fault\0bot\0"),
    "nodes-empty": nodes(lambda _: ""),
    "nodes-exponent": nodes(lambda text: f"{int(text):e}"),
    "nodes-nan": nodes(lambda _: "nan"),
    "nodes-negative": nodes(lambda text: f"-{text}"),
    "nodes-of-ten-megabytes": nodes(lambda _: "7" * 10_000_000),
    "refuses-boardsize": refuses("boardsize"),
    "refuses-clear-board": refuses("clear_board"),
    "refuses-genmove": refuses("genmove"),
    "score-comma": score(lambda text: text.replace(".", ",")),
    "score-empty": score(lambda _: ""),
    "score-exponent": score(lambda text: f"{float(text):.9e}"),
    "score-inf": score(lambda _: "inf"),
    "score-nan": score(lambda _: "NaN"),
    "score-negative": score(lambda _: "-0.5"),
    "score-of-ten-megabytes": score(lambda _: "0." + "5" * 10_000_000),
    "score-percent": score(lambda text: f"{100 * float(text):.7g}%"),
    "score-percent-without-sign": score(lambda text: f"{100 * float(text):.7g}"),
    "vertex-letter-i": edits("genmove", text=lambda _: "I1"),
    "vertex-lower-case": edits("genmove", text=str.lower),
    "vertex-mixed-case": edits("genmove", text=mixed_case),
    "vertex-occupied": edits("genmove", text=occupied),
    "vertex-off-board": edits("genmove", text=off_board),
    "vertex-pass-always": edits("genmove", text=lambda _: "pass"),
    "vertex-resign": edits("genmove", text=lambda _: "resign"),
}
