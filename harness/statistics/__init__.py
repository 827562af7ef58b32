"""Statistics: e-values, confidence sequences, intervals and ratings.  Numbers in, numbers out; no Go."""
