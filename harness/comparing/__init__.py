"""Runs beside runs: bots side by side, and a bot beside what it was.  Pure functions of evidence."""
