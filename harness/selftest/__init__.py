"""The proof that verdicts are right: simulated certificates, fault bots, and what a certificate will cost.

``trial`` is one whole certificate of the engine in this process: the same run, the same text of GTP and the
same judge, without the pipe.  ``kill_matrix`` makes thousands on all cores, with every deviation and with
none; docs/kill-matrix.md is what it printed.  With ``--leave-one-out`` each deviation is judged as if nobody
had listed it, or those that change the same clause (docs/leave-one-out.md).

The pipe is tested by ``faults``: real subprocesses, each wrong in one way (tests/bots; in a wheel
``harness/_bots``), and a table of the verdict words they must come to, decided from the written rule.
"""
