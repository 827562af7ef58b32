"""Comparisons of runs: several bots side by side, and one bot with an earlier run.  Functions of evidence."""
