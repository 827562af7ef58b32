"""Makes reference tables, and holds them against second samples."""
