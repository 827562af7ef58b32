"""``python -m harness``: the command line without the installed script."""

from harness.cli.main import main

main()
