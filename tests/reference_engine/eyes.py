"""Boards on which the readings of the eye clause differ: one table for the kernels and the oracle."""

EYES = {
    # A deviation, a board, and the points that Black may play under it and may not under the rules.
    "no diagonals": ("eye-no-diagonals", "..... .OXO. .X.X. .OXO. .....", "", "C3"),
    "edge as centre": ("eye-edge-as-centre", "..... ..... ..... .XXO. .X.X.", "", "C1"),
    "corner as centre": ("eye-edge-as-centre", "... XO. .X.", "", "A1"),
    "tolerant edge": ("eye-edge-tolerant", "..... ..... ..... .XXO. .X.X.", "", "C1"),
    "tolerant edge, strict corner": ("eye-edge-tolerant", "... XO. .X.", "", ""),
    "tolerant corner": ("eye-corner-tolerant", "... XO. .X.", "", "A1"),
    "strict centre": ("eye-centre-strict", "..... .XXO. .X.X. .XXX. .....", "C3", ""),
    "lax centre": ("eye-centre-lax", "..... .OXO. .X.X. .XXX. .....", "", "C3"),
    "lax centre, three": ("eye-centre-lax", "..... .OXO. .X.X. .OXX. .....", "", ""),
    "empty diagonals": ("eye-empty-diagonals", "..... ..X.. .X.X. ..X.. .....", "C3", ""),
    "the opponent's eyes": ("eye-either-colour", ".OX. OOX. XX.. ....", "", "A4"),
    "no eyes": ("no-eye-rule", "..... .XXX. .X.X. .XXX. .....", "C3", ""),
    "no eye on the edge": ("eye-edge-never", "..X.. XXX.. .XXX. XX.XX .XXX.", "A1 A3 E1", ""),
    "no eye in the corner": ("eye-corner-never", "..X.. XXX.. .XXX. XX.XX .XXX.", "A1 E1", ""),
    "the opponent's eyes alone": ("eye-opponent-only", ".OX. OOX. XX.X ..X.", "C2 D1", "A4"),
    "Black's eyes only, one in the corner": ("eye-black-only", ".OX. OOX. XX.. ....", "", ""),
    "Black's eyes only": ("eye-black-only", ".OX. OOX. XX.X ..X.", "", ""),
}
