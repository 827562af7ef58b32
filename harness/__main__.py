"""``python -m harness``: the command line without the installed script."""

from harness.cli import main

main()
