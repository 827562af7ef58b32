"""Makes reference tables, and checks them against second samples."""
