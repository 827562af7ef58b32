"""E-values: numbers in, evidence out.  Knows nothing of Go."""
