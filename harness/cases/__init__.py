"""What is asked: requirements, cases and positions, as they ship.  Everything here is read-only data."""
