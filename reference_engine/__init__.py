"""The Go that refbot believes in: rules, playouts and a GTP engine.  Imports nothing from the harness.

Everything rests on the engine's playouts, so they are made three times over, by programs that share no code.
The oracle (``board``, ``playout``, ``reading``) is frozen values, every clause a function; it also gives
exact distributions (``distribution``).  One kernel (``lanes``, ``bitboard``, ``lockstep``) plays many games
in lock step on whole boards as bit sets, to 9x9; the other (``instructions``, ``shapes``, ``chain_board``,
``chain_count``, ``chain_kernel``) plays one game at a time on chains, for every size and reading.

Kernels know moves and margins only.  They fill ``records``, a row a playout, at the playout's number: lanes,
batches, threads and processes change nothing, and no order of finishing favours short playouts.  Komi, draws,
whose view it is, what counts as a node and which move is chosen are the business of ``tally`` and
``selection``, the same for both.  That keeps one playout with its move list, owner maps, choices and
histograms the same code for both kernels.

A kernel reads the rules by ``rule(rules, CLAUSE)``.  With ``rules`` None that is a constant of the
specification, and the compiler drops every other branch; with an array it is read at run time.  Numba
compiles each kernel once for either, from one source: a deviation runs through the same code and costs the
specification nothing.  The proofs are tests; docs/performance.md lists them.
"""
