"""Attacks on the harness itself: on its memory, its disk, its patience, and on what it must not tell."""

import base64
import os
import sys
import tempfile
import time
from collections.abc import Callable

from stage import Words, at_genmove, fork, proper, say, serve, stay

_BLOCK = 1 << 24


def drips() -> None:
    """Write a reply one byte at a time, each in time, and never end it."""
    say(b"=")
    while True:
        time.sleep(0.05)
        say(b" ")


def takes_memory_by_parts() -> None:
    """Have children take memory, each less than any limit of its own, and keep it."""

    def take() -> None:
        take.kept = os.urandom(_BLOCK) * 4  # type: ignore[attr-defined]

    for _ in range(8):
        fork(take)
    stay()


def forks_without_end() -> None:
    """Start more processes than it may have."""
    for _ in range(60):
        fork(lambda: None)
    stay()


def fills_the_disk() -> None:
    """Write a file without end, or until it is stopped."""
    with tempfile.TemporaryFile() as file:
        while True:
            file.write(b"x" * 65536)
            file.flush()


def replies_with_a_gigabyte() -> None:
    """Answer with a reply of 1 GB, rightly framed."""
    say(b"= ")
    for _ in range(64):
        say(b"A" * _BLOCK)
    say(b"\n\n")


def padded(number: str, words: Words) -> bytes:
    """Fill every reply with what counts as nothing."""
    return proper(number, words).removesuffix(b"\n\n") + b"\x01" * 200_000 + b"\n\n"


class Ahead:
    """Answers what it has not been asked yet."""

    is_ahead = False

    def reply(self, number: str, words: Words) -> bytes:
        """Answer, and from the first board on say yes to whatever may come, instead of answering it."""
        if self.is_ahead:
            return b""
        if words[0] == "clear_board":
            self.is_ahead = True
            return proper(number, words) + b"= \n\n" * 50
        return proper(number, words)


class IdsOfOthers:
    """Answers with the id of the command before."""

    last = ""

    def reply(self, number: str, words: Words) -> bytes:
        """Answer with the last id, once there was one."""
        other, self.last = self.last or number, number
        return proper(other if number else "", words)


def _secret() -> str:
    return os.environ.get("FAULT_SECRET", "no secret was given")


def tells_secret(number: str, words: Words) -> bytes:
    """Print the secret of its environment, whole, in part and in base64, wherever it has a say."""
    secret = _secret()
    if words[0] in ("name", "version"):
        coded = base64.b64encode(f"x{secret}".encode()).decode()
        return f"={number} {secret} {coded} {secret[3:12]} {secret.upper()} {secret[::-1]}\n\n".encode()
    answer = proper(number, words)
    return f"?{number} {secret}\n\n".encode() if answer.startswith(b"?") else answer


def dies_telling_secret() -> None:
    """Print the secret to standard error, and die."""
    sys.stderr.write(f"token {_secret()}\n{base64.b64encode(_secret().encode()).decode()}\n{_secret()[2:]}")
    sys.stderr.flush()
    os._exit(2)


def nests_folders() -> None:
    """Leave folders in folders, deeper than most programs can follow."""
    for _ in range(1200):
        os.mkdir("d")  # noqa: PTH102 - paths this long are none
        os.chdir("d")
    os.chdir("/")
    serve()


FAULTS: dict[str, Callable[[], None]] = {
    "answers-ahead": lambda: serve(Ahead().reply),
    "dies-telling-its-secret": at_genmove(dies_telling_secret),
    "drips-a-reply": at_genmove(drips),
    "fills-the-disk": at_genmove(fills_the_disk),
    "forks-without-end": at_genmove(forks_without_end),
    "ids-of-others": lambda: serve(IdsOfOthers().reply),
    "nests-folders": nests_folders,
    "pads-replies": lambda: serve(padded),
    "replies-with-a-gigabyte": at_genmove(replies_with_a_gigabyte),
    "takes-memory-by-parts": at_genmove(takes_memory_by_parts),
    "tells-its-secret": lambda: serve(tells_secret),
}
