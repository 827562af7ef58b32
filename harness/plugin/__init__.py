"""The pytest plugin: a bot's certificate and its regression files as items of the bot's own test suite.

By itself, pytest loads only ``entry`` with the table of ``options``.  With a bot, ``session`` adds nodes to
the collection (``items``, ``tst``).  ``certificate`` makes the runs when the first item is set up: ``parts``
divides the cases among runs (known failures separately), ``shared`` lets one process work for all, and
``outcome`` reads one word for each item from the verdicts.  A run is that of ``refbot certify``, in an
ordinary folder, and is read back from it.
"""
