"""The command line: parses, calls, prints, and gives the exit status."""
