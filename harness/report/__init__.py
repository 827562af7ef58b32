"""Reports of runs as values: computed from evidence, suite and tables, for renderers.

``judged_run`` puts suite, evidence and verdict together, without the values of the bot's environment
(``secrets``); every format is made from judged runs.  ``run_report`` computes all that a page shows: how the
e-value grew (the units are assessed again, in at most forty parts), lengths and chosen moves beside the
reference's, and counter-examples with their boards.
"""
