"""Bots against each other: a referee, endings of a game, clocks, and what the results say.

A flow of its own: ``terms`` and ``schedule`` -> ``run`` -> ``game`` (``player``, ``board``, ``clock``,
``ending``) -> ``record`` -> ``tally`` (``pairing``, ``duplicate``, ``scores``) -> ``summary``
(``standings``).  The referee's board shares nothing with the engine's.  A game's line in match.jsonl holds
all of it; SGF files, ``.dat`` tables and match.json are made from these lines.  What goes wrong in a game
ends it by one exception inside the package, ``GameOver``, which carries the result; in the record a bot's
misbehaviour is a value.  Games are counted in the order of their numbers, whichever is finished first.
"""
