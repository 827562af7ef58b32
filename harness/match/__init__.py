"""Bots against each other: a referee, endings of a game, clocks, and what the results say."""
