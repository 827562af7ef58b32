"""What the embedded engine measured, and what it says a bot should do."""
