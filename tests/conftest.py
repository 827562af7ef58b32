"""Settings for all tests, made before any library is loaded."""

import os

# The matrices here have two rows; threads of BLAS would only spin, and on a busy machine wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
