"""Reports of runs as values: computed from evidence, suite and tables, for renderers."""
