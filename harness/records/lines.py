"""A JSON Lines file that only grows: a kill, a full disk or a power cut loses little.

Every line is passed to the system as a whole, at once, so that a kill of this process loses none.  Lines can
also be forced to the disk.
"""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from harness.errors import EvidenceError

_encoder = msgspec.json.Encoder()


class Lines:
    """A file open for appending."""

    def __init__(self, path: Path, how_to_go_on: str, *, is_new: bool) -> None:
        """Open a file.

        Args:
            path: the path of the file.
            how_to_go_on: advice for the user if a line cannot be written, for the error message.
            is_new: whether the file must not exist yet.

        Raises:
            EvidenceError: the file exists already, or cannot be written.
        """
        self._path, self._how_to_go_on = path, how_to_go_on
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if is_new else 0)
        try:
            self._fd = os.open(path, flags, 0o666)
        except OSError as error:
            raise EvidenceError(f"cannot write evidence to {path}: {error.strerror}") from error

    def cut(self, kept_bytes: int) -> None:
        """Remove everything after this number of bytes, such as an incomplete line.

        Raises:
            EvidenceError: the file cannot be written; it is closed.
        """
        try:
            os.ftruncate(self._fd, kept_bytes)
        except OSError as error:
            self.close()
            raise self._failed(error) from error

    def append(self, *lines: msgspec.Struct, sync: bool) -> None:
        """Append lines in one piece, and force them to the disk if asked to.

        Raises:
            EvidenceError: they cannot be written; the lines before are unchanged, and the file is closed.
        """
        start: int | None = None
        try:
            start = os.fstat(self._fd).st_size
            left = memoryview(_encoder.encode_lines(lines))
            while left:
                left = left[os.write(self._fd, left) :]
            if sync:
                os.fsync(self._fd)
        except OSError as error:
            if start is not None:
                # Resuming would drop an incomplete line anyway; without it the file is as it was before.
                with suppress(OSError):
                    os.ftruncate(self._fd, start)
            self.close()
            raise self._failed(error) from error

    def finish(self) -> None:
        """Close the file.

        Raises:
            EvidenceError: the system only now reports that something was not written.
        """
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.close(fd)
        except OSError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close the file; the lines written before are kept."""
        with suppress(EvidenceError):
            self.finish()

    def _failed(self, error: OSError) -> EvidenceError:
        return EvidenceError(
            f"cannot write evidence to {self._path}: {error.strerror}; what was written so far is kept, and "
            f"{self._how_to_go_on}"
        )
