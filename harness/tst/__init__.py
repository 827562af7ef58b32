"""Regression files of GNU Go and GoGui.  They are independent of certificates and of verdicts.

The flow: ``select`` -> ``file`` -> ``run`` -> ``result`` -> ``render.tst``.  It shares sessions, limits and
verdict words with certificates.  Each answer is judged as soon as it is there.
"""
