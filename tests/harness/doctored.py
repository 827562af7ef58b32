"""References with a mistake put in, which a second opinion must find."""

import msgspec

from harness.tables.reference import Reference


def doctored(reference: Reference) -> Reference:
    """Return the reference with 1% of its mass, from the most frequent cell, two moves longer."""
    counts = {(length, margin): n for length, margin, n in reference.sampled.counts}
    length, margin = max(counts, key=lambda cell: counts[cell])
    moved = reference.sampled.playouts // 100
    counts[length, margin] -= moved
    counts[length + 2, margin] = counts.get((length + 2, margin), 0) + moved
    rows = [(length, margin, n) for (length, margin), n in sorted(counts.items())]
    return msgspec.structs.replace(reference, sampled=msgspec.structs.replace(reference.sampled, counts=rows))
