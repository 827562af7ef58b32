"""How compiled code reads the rules: constants for the specification, an array for anything else.

A kernel takes ``rules`` and asks ``rule(rules, KO)``.  With ``rules`` None the answer is a constant of
the specification and the compiler drops every other branch; with ``Spec.codes()`` as an int64 array it
is read at run time.  Numba compiles a kernel once for each, from the one source.
"""

from typing import Final

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from reference_engine.spec import SPEC, Spec

Rules = NDArray[np.int64] | None
_CONFORMING: Final = SPEC.codes()


def rules_of(spec: Spec) -> Rules:
    """Return a reading of the rules as kernels take it."""
    return None if spec == SPEC else np.array(spec.codes(), np.int64)


def rule(rules: Rules, place: int) -> int:
    """Return the code of one clause; ``place`` is its ``spec.CODE``."""
    return _CONFORMING[place] if rules is None else int(rules[place])


@overload(rule)
def _rule(rules, place):  # noqa: ARG001 - Numba matches the names
    if isinstance(rules, types.NoneType):
        return lambda rules, place: _CONFORMING[place]  # noqa: ARG005
    return lambda rules, place: rules[place]
