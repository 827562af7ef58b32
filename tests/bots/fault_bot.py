#!/usr/bin/env python3
"""A bot that misbehaves in the one way its argument names: ``fault_bot.py dies-by-segv [--playouts N]``.

It needs the standard library alone and knows nothing of the harness.  Faults that need a moment strike at
genmove; everything else is answered properly.  To add one, enter a function in the ``FAULTS`` of its kind
(ends, speech, contents, attacks) and what must come of it in faults.toml.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Python's -I leaves it out

import attacks
import contents
import ends
import speech
import stage

FAULTS = {**attacks.FAULTS, **contents.FAULTS, **ends.FAULTS, **speech.FAULTS}

if __name__ == "__main__":
    if len(sys.argv) not in (2, 4) or sys.argv[1] not in FAULTS:
        sys.exit("usage: fault_bot.py FAULT [--playouts N]; FAULT is one of " + ", ".join(sorted(FAULTS)))
    stage.choose(int(sys.argv[3]) if len(sys.argv) == 4 else None)
    FAULTS[sys.argv[1]]()
