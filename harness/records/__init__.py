"""What a run leaves: the evidence file, written so that a kill costs one line, and read back."""
