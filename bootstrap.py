#!/usr/bin/env python3
"""Set refbot up on a fresh Debian or Ubuntu machine, then run a command with it.

    python3 bootstrap.py certify     ends with a certificate of the embedded engine
    python3 bootstrap.py test        ends with the tests

Needs nothing but python3 (3.11 or newer): system packages that are missing are installed with apt where
that is allowed, and named where it is not; everything else goes into .venv beside this file.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / "bin" / "python"
PACKAGES = {"certify": ["python3-venv"], "test": ["python3-venv", "make", "gcc", "libc6-dev", "gnugo"]}
OPTIONAL = {"certify": [], "test": ["chromium"]}
"""Tests that need these are skipped without them; not every distribution has them under this name."""
PROGRAMS = {"make": "make", "gcc": "gcc", "gnugo": "gnugo", "libc6-dev": "gcc", "chromium": "chromium"}


def main() -> int:
    """Parse the one argument, set up, run."""
    if len(sys.argv) != 2 or sys.argv[1] not in PACKAGES:
        print(__doc__.strip())
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036 - runs before anything checks the version
        print(f"refbot needs Python 3.11 or newer; this is {sys.version.split()[0]}")
        return 2
    os.chdir(HERE)
    command = sys.argv[1]
    install_system_packages(PACKAGES[command])
    install_system_packages(OPTIONAL[command])
    make_environment("dev" if command == "test" else "")
    if command == "certify":
        return subprocess.call([PYTHON, "-m", "harness", "certify"])
    return subprocess.call(["make", "check", f"PY={PYTHON}"])


def install_system_packages(names: list[str]) -> None:
    """Install what is missing, or say what to install."""
    missing = [name for name in names if not is_there(name)]
    if not missing:
        return
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    line = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    print(f"installing {' '.join(missing)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run_quietly([*prefix, "apt-get", "update", "-qq"], environment)
    why = run_quietly([*prefix, *line], environment)
    if why:
        print(
            f"could not install them ({why}); the next step may fail without: sudo {' '.join(line)}",
            flush=True,
        )


def run_quietly(line: list[str], environment: dict[str, str] | None = None) -> str:
    """Run a command whose output nobody needs unless it fails; return its last line then, else nothing."""
    try:
        done = subprocess.run(
            line, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        return f"{line[0]}: {error.strerror}"
    if done.returncode == 0:
        return ""
    said = [text.strip() for text in (done.stdout + done.stderr).splitlines() if text.strip()]
    # pip's last words are often about a newer pip, or a process of its own; the cause stands before.
    errors = [t for t in said if t.lower().startswith(("error", "e:")) and "subprocess" not in t]
    return (errors or said or [f"status {done.returncode}"])[-1]


def is_there(package: str) -> bool:
    """Whether what a package provides is on this machine already."""
    if package == "python3-venv":
        try:
            import ensurepip  # noqa: F401, PLC0415 - Debian ships it apart from Python
            import venv  # noqa: F401, PLC0415
        except ImportError:
            return False
        return True
    program = PROGRAMS[package]
    return shutil.which(program) is not None or Path("/usr/games", program).exists()


def make_environment(extra: str) -> None:
    """Make .venv and install refbot into it, as a checkout to work in."""
    if not PYTHON.exists():
        print("making .venv", flush=True)
        if why := run_quietly([sys.executable, "-m", "venv", str(VENV)]):
            sys.exit(f"could not make .venv: {why}; is python3-venv installed?")
    target = f".[{extra}]" if extra else "."
    print("installing refbot and its libraries into .venv", flush=True)
    if why := run_quietly([str(PYTHON), "-m", "pip", "install", "-q", "-e", target]):
        sys.exit(f"could not install refbot and its libraries: {why}")


if __name__ == "__main__":
    sys.exit(main())
