"""Settings for all tests, made before any library is loaded."""

import os
import signal

import hypothesis

pytest_plugins = ["pytester"]

# No test is a race: machines are shared.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

# The matrices here have two rows; threads of BLAS would only spin, and on a busy machine wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Workers of pytest-xdist ignore interrupts, and programs started by one that does would ignore them too.
signal.signal(signal.SIGINT, signal.default_int_handler)
# They also hand on a width, which the terminals of tests are not of.
os.environ.pop("COLUMNS", None)
