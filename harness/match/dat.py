"""The results of a pairing as a table of gogui-twogtp, so that its tools and scripts can read them.

As in gogui's files, the header calls the first bot Black.  Where the colours were swapped (column ALT), the
result is swapped too.  The column DUP has the number of the game that a game repeats.
"""

from collections.abc import Mapping, Sequence

from harness.bots.wire import printable
from harness.match.record import Entrant, MatchHeader, Termination, sizes_of
from harness.match.tally import GameOutcome

COLUMNS = (
    "GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN",
    "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR", "ERR_MSG",
)  # fmt: skip


def dat_table(
    header: MatchHeader,
    first: Entrant,
    second: Entrant,
    games: Sequence[GameOutcome],
    duplicate_of: Mapping[int, int],
) -> str:
    """Return the table of the games between two bots, in the order of their numbers.

    Games are numbered from 0 within the pairing.
    """
    ordered = sorted(games, key=lambda game: game.seating.number)
    places = {game.seating.number: place for place, game in enumerate(ordered)}
    terms = header.terms
    properties = {
        "Black": first.name,
        "BlackCommand": first.command,
        "BlackLabel": first.name,
        "BlackVersion": first.version,
        "Date": header.started,
        "Host": header.host,
        "Komi": f"{terms.komi:g}",
        "Referee": "-",
        "Size": "/".join(map(str, sizes_of(header))),
        "White": second.name,
        "WhiteCommand": second.command,
        "WhiteLabel": second.name,
        "WhiteVersion": second.version,
        "Xml": "0",
    }
    lines = [f"# {key}: {printable(value, 1000)}" for key, value in properties.items()]
    lines += ["#", "#" + "\t".join(COLUMNS)]
    for game in ordered:
        earlier = duplicate_of.get(game.seating.number)
        duplicate = "-" if earlier is None else str(places[earlier])
        lines.append("\t".join([str(places[game.seating.number]), *_cells(game, duplicate)]))
    return "\n".join(lines) + "\n"


def _cells(game: GameOutcome, duplicate: str) -> list[str]:
    is_swapped = game.seating.is_swapped
    scores, times, cpu = list(game.claimed_scores), list(game.times), list(game.cpu_s or (0.0, 0.0))
    result = game.result.sgf if game.counts else "?"
    if is_swapped:
        scores, times, cpu = scores[::-1], times[::-1], cpu[::-1]
        scores, result = [_swap_colours(score) for score in scores], _swap_colours(result)
    is_error = game.result.how not in (Termination.SCORE, Termination.RESIGNATION)
    return [
        *(printable(score, 40) for score in scores),
        result,
        str(int(is_swapped)),
        duplicate,
        str(game.length),
        *(f"{seconds:.1f}" for seconds in (*times, *cpu)),
        str(int(is_error)),
        printable(game.result.detail, 300) if is_error else "",
    ]


def _swap_colours(result: str) -> str:
    """Return a result with the colours swapped."""
    return {"B+": "W+", "W+": "B+"}.get(result[:2], result[:2]) + result[2:]
