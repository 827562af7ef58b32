"""The command line: it parses arguments, calls the other packages, prints, and sets the exit status."""
