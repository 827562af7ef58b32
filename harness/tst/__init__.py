"""Regression files of GNU Go and GoGui, run apart from certificates: no verdict rests on them."""
