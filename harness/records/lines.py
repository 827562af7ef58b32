"""A file that only grows, a line of JSON at a time, so that a kill, a full disk or a power cut costs little.

Every line is handed to the system whole, at once: a kill of this process loses none.  Lines that are asked
to be sure are also forced to the disk.  It knows nothing of what the lines say.
"""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from harness.errors import EvidenceError

_encoder = msgspec.json.Encoder()


class Lines:
    """One such file, open for appending."""

    def __init__(self, path: Path, how_to_go_on: str, *, is_new: bool) -> None:
        """Open a file.

        Args:
            path: where it is.
            how_to_go_on: what the user can do when a line cannot be written, for the error.
            is_new: whether it must not be there yet.

        Raises:
            EvidenceError: it is there already, or cannot be written.
        """
        self._path, self._how_to_go_on = path, how_to_go_on
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if is_new else 0)
        try:
            self._fd = os.open(path, flags, 0o666)
        except OSError as error:
            raise EvidenceError(f"cannot write evidence to {path}: {error.strerror}") from error

    def cut(self, kept_bytes: int) -> None:
        """Drop what stands after so many bytes: half a line, or one that is out of date.

        Raises:
            EvidenceError: it cannot be written; the file is closed.
        """
        try:
            os.ftruncate(self._fd, kept_bytes)
        except OSError as error:
            self.close()
            raise self._failed(error) from error

    def append(self, *lines: msgspec.Struct, sync: bool) -> None:
        """Append lines in one piece, and force them to the disk if asked to.

        Raises:
            EvidenceError: it cannot be written; the lines before it are as they were, the file is closed.
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
                # Half a line would be dropped on resume anyway; without it the file reads as it did before.
                with suppress(OSError):
                    os.ftruncate(self._fd, start)
            self.close()
            raise self._failed(error) from error

    def finish(self) -> None:
        """Close the file.

        Raises:
            EvidenceError: the system says only now that something was not written.
        """
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            os.close(fd)
        except OSError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close the file as it is; what has been written stays."""
        with suppress(EvidenceError):
            self.finish()

    def _failed(self, error: OSError) -> EvidenceError:
        return EvidenceError(
            f"cannot write evidence to {self._path}: {error.strerror}; what was written so far is kept, and "
            f"{self._how_to_go_on}"
        )
