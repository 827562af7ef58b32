"""The proof that the tool works: simulated certificates, fault bots, and what a certificate will cost."""
