"""One certificate: what to ask next, asked and recorded until it is decided."""
