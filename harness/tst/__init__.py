"""Regression files of GNU Go and GoGui, run apart from certificates: no verdict rests on them.

A flow of its own: ``select`` -> ``file`` -> ``run`` -> ``result`` -> ``render.tst``.  It shares sessions,
limits and verdict words with certificates; an expectation is judged as soon as its answer is there.
"""
