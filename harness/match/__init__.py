"""Matches between bots: the referee, the endings of a game, the clocks and the results.

The flow of a match: ``terms`` and ``schedule`` -> ``run`` -> ``game`` (``player``, ``board``, ``clock``,
``ending``) -> ``record`` -> ``tally`` (``pairing``, ``duplicate``, ``scores``) -> ``summary``
(``standings``).  The referee's board shares no code with the engine's.  Each game is one line of
match.jsonl; the SGF files, the ``.dat`` tables and match.json are made from these lines.  A failure ends a
game by the exception ``GameOver``, which carries the result and does not leave the package; the record
holds it as a value.  Games are counted in the order of their numbers, not in the order in which they end.
"""
