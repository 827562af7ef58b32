"""Regression files of GNU Go and GoGui: a flow of its own beside the certificate."""
