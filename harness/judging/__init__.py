"""From evidence to verdict words: pure functions of what was recorded, the suite and the tables.

Conviction and naming are kept apart.  ``case_assessment``, ``certificate_e_value`` and ``run_assessment``
compute findings, intervals and e-values; these carry the error rates, and they alone can convict.  Then
``layers`` says which failed checks tell against their own requirement and which depend on something broken;
``diagnosis`` puts the known mistakes to the questions of the run (``simulation``) and keeps those that give
every value seen, ranked by ``likelihood``; ``conviction`` makes words and sentences of both.

Beside this stands the judgement of ``refbot check``: ``checked`` gives each clause its word from the
evidence, takes back the words of clauses that depend on a broken one, and gives the whole its word.
"""
