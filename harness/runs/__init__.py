"""Asks and records: what to ask next, until a certificate is decided, and everything that is made of runs.

``run`` is one certificate.  ``spread`` is the same with work items instead of processes in a row: ``work``
divides jobs into values, ``worker`` does one wherever it is sent, ``executors`` is the one place that knows
of threads, processes and Dask, ``merge`` puts shards together.  The first stage is known from ``forecast``;
later rounds come from ``plan``, which decides alone.  Process numbers are part of work items, so seeds do not
depend on who asks.  The units of a work item and its closing line (host, process, digest of the bot) are
written in one piece; on resume, units without a closing line are discarded.

A check is the same run with another suite.  All of it is asked with one number of playouts, so that one
process answers everything that leaves it in a known state; a script that may leave a reply too many gets the
next process.  It goes on after a unit that broke off.  ``sizes`` asks first which boards the bot accepts.
"""
