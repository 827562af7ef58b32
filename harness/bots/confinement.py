"""Confinement of a bot's processes: limits, a clean environment, a command prefix, a sandbox.

Turns a command into the command that is started.  The limits are set by a shell's ``ulimit`` before the
bot begins, so that no process of it is ever without them, and they hold for each of its processes alone.
"""

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.errors import UsageError

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
"""Variables that a clean environment keeps: few programs start without them."""
SANDBOX: Final = "bwrap"
"""The program that makes sandboxes: bubblewrap."""
TMP_BYTES: Final = 256 << 20
"""Size of the /tmp of a sandbox, which is in memory."""
_TMP: Final = Path("/tmp")  # noqa: S108 - the one of the sandbox
_CPU_GRACE_S = 2
"""Seconds of processor time between SIGXCPU, which says what happened, and SIGKILL."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """Limits and surroundings of each process of a bot; nothing by default."""

    memory_mb: int | None = None
    """Address space, in units of 1,048,576 bytes."""
    cpu_s: int | None = None
    """Processor time, in seconds; SIGXCPU ends it then."""
    open_files: int | None = None
    processes: int = 500
    """The most processes that it may have at a time."""
    total_mb: int | None = None
    """Memory of all its processes together, in units of 1,048,576 bytes; None for half of the machine's."""
    file_mb: int | None = None
    """Size of the largest file it may write; SIGXFSZ ends it then."""
    clean_env: bool = False
    """Whether it sees PATH, HOME, LANG, TMPDIR and its own settings only."""
    own_folder: bool = False
    """Whether each process works in a new, empty folder, which is deleted after it."""
    wrap: str = ""
    """A command prefix such as ``nice -n 19``, split without a shell."""
    sandbox: bool = False
    """Whether each process runs in a bubblewrap sandbox of its own: see ``_sandboxed``."""

    @property
    def total_bytes(self) -> int:
        """Memory that all its processes may use together, in bytes."""
        if self.total_mb is not None:
            return self.total_mb << 20
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2

    def command(self, words: Sequence[str], cwd: Path | None) -> list[str]:
        """Return the command that starts a bot's command under these limits.

        Raises:
            UsageError: the quotes of the prefix do not match, or there is no bubblewrap here.
        """
        try:
            prefix = shlex.split(self.wrap)
        except ValueError as error:
            raise UsageError(f"{error} in the prefix {self.wrap!r} (wrap)") from None
        if self.own_folder:
            words = [_absolute(word, cwd, is_program=not place) for place, word in enumerate(words)]
        if self.sandbox:
            prefix = [*self._sandboxed([*prefix, *words], cwd), *prefix]
        return [*self._launcher(), *prefix, *words]

    def _sandboxed(self, words: Sequence[str], cwd: Path | None) -> list[str]:
        """Return the prefix of a sandbox: system read-only, a /tmp of its own, no network, no other process.

        What it leaves behind is not ended with it but found and told, as without a sandbox; so there is no
        ``--die-with-parent``.

        Raises:
            UsageError: there is no bubblewrap here.
        """
        if shutil.which(SANDBOX) is None:
            raise UsageError(
                f"--sandbox needs bubblewrap, and there is no {SANDBOX} here: "
                "install it (`apt install bubblewrap`), or leave --sandbox away"
            )
        place = (cwd or Path()).absolute()
        options = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
        options += ["--size", str(TMP_BYTES), "--tmpfs", str(_TMP)]
        paths = [place, *(place / word for word in words)]
        for folder in sorted({top for path in paths for top in _below_tmp(path)}):
            options += ["--ro-bind", folder, folder]
        options += ["--chdir", str(_TMP if self.own_folder else place)]
        return [SANDBOX, *options, "--unshare-all", "--cap-drop", "ALL", "--"]

    def environment(self, added: Mapping[str, str]) -> dict[str, str] | None:
        """Return the environment with a bot's own settings in it; None for ours as it is."""
        if not self.clean_env:
            return {**os.environ, **added} if added else None
        return {name: os.environ[name] for name in _KEPT if name in os.environ} | dict(added)

    def _launcher(self) -> list[str]:
        limits = []
        if self.memory_mb is not None:
            limits.append(f"ulimit -v {self.memory_mb * 1024}")
        if self.cpu_s is not None:
            limits.append(f"ulimit -S -t {self.cpu_s}")
            limits.append(f"ulimit -H -t {self.cpu_s + _CPU_GRACE_S}")
        if self.file_mb is not None:
            # POSIX: ulimit -f counts blocks of 512 bytes.
            limits.append(f"ulimit -f {self.file_mb * 2048}")
        if self.open_files is not None:
            limits.append(f"ulimit -n {self.open_files}")
        return ["sh", "-c", " && ".join([*limits, 'exec "$@"']), "sh"] if limits else []


def _below_tmp(path: Path) -> Iterator[str]:
    """Yield the folder or file directly below /tmp that a path lies in; it must be seen in a sandbox, too."""
    try:
        parts = path.relative_to(_TMP).parts
        if parts and path.exists():
            yield str(_TMP / parts[0])
    except (OSError, ValueError):
        return


def _absolute(word: str, cwd: Path | None, *, is_program: bool) -> str:
    """Return a word that names a file as an absolute path."""
    path = (cwd or Path()) / word
    try:
        is_file = path.is_file() and (not is_program or "/" in word)
    except (OSError, ValueError):
        return word
    return str(path.absolute()) if is_file else word
