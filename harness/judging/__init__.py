"""From evidence to words: pure functions of what was recorded, the suite and the tables."""
