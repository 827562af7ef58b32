"""The files of a run: evidence, ledger and lock.  A kill loses at most one line of the evidence."""
