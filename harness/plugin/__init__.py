"""The pytest plugin: a bot's certificate and its regression files as items of the bot's own test suite.

``entry``, with the table of ``options``, is all that pytest loads by itself.  With a bot, ``session`` puts
nodes into the collection (``items``, ``tst``), and ``certificate`` makes the runs when the first item is set
up: ``parts`` divides the cases among runs (known failures apart), ``shared`` has one process do it for all,
and ``outcome`` reads one word for each item from the verdicts.  A run is that of ``refbot certify``, in a
folder like any other, and is read back from it.
"""
