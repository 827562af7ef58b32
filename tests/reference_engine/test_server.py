"""The GTP server: framing, errors, the state of the game, genmove and its statistics."""

from io import BytesIO

import numpy as np
import pytest
from random_games import random_game
from sgfmill.boards import Board

from reference_engine import playouts
from reference_engine.board import Position
from reference_engine.game import Game
from reference_engine.playouts import Root
from reference_engine.search import Report, Searcher, root_candidates
from reference_engine.server import Server, draw
from reference_engine.vocabulary import Colour, format_vertex, parse_vertex

SEED = 20081013
PLAYOUTS = 40
COMMANDS = {
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "ref-nodes",
    "ref-playouts",
    "ref-score",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
}


class Session:
    """A server that is spoken to in text."""

    def __init__(self, size: int = 9, playouts: int = PLAYOUTS, seed: int | None = SEED) -> None:
        self.server = Server(Searcher(playouts, seed))
        self.ok(f"boardsize {size}")

    def ok(self, command: str) -> str:
        """Return the result of a command that must succeed."""
        answer = self.server.answer(f"{command}\n".encode())
        assert answer.startswith("="), f"{command}: {answer}"
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def error(self, command: str) -> str:
        """Return the error text of a command that must fail."""
        answer = self.server.answer(f"{command}\n".encode())
        assert answer.startswith("? "), f"{command}: {answer}"
        assert answer.endswith("\n\n")
        return answer[2:].strip()

    def play(self, moves: str) -> None:
        """Play moves such as ``bA1 wB2``."""
        for move in moves.split():
            self.ok(f"play {move[0]} {move[1:]}")


# What is sent, byte for byte, and what must come back.
FRAMES = {
    "command": (b"name\n", "= refbot engine\n\n"),
    "id": (b"12 name\n", "=12 refbot engine\n\n"),
    "id 0": (b"0 name\n", "=0 refbot engine\n\n"),
    "id with leading zeros": (b"007 name\n", "=007 refbot engine\n\n"),
    "id of a success without a result": (b"5 komi 7.5\n", "=5\n\n"),
    "id of an error": (b"13 nothing\n", "?13 unknown command\n\n"),
    "id alone": (b"13\n", "?13 unknown command\n\n"),
    "success without a result": (b"clear_board\n", "=\n\n"),
    "error": (b"nothing\n", "? unknown command\n\n"),
    "comment": (b"name # of the bot\n", "= refbot engine\n\n"),
    "comment at once": (b"name#\n", "= refbot engine\n\n"),
    "comment after an id": (b"3 name#4 version\n", "=3 refbot engine\n\n"),
    "comment alone": (b"# name\n", ""),
    "comment after spaces": (b"  \t# name\n", ""),
    "empty line": (b"\n", ""),
    "spaces": (b"   \n", ""),
    "tabs": (b"\t\t\n", ""),
    "carriage return": (b"name\r\n", "= refbot engine\n\n"),
    "carriage return alone": (b"\r\n", ""),
    "control characters": (b"\x00n\x07a\x1bm\x7fe\x08\n", "= refbot engine\n\n"),
    "control characters alone": (b"\x01\x02\x7f\n", ""),
    "tab is a space": (b"known_command\tname\n", "= true\n\n"),
    "spaces before and after": (b"   7   protocol_version   \n", "=7 2\n\n"),
    "no line end": (b"protocol_version", "= 2\n\n"),
    "bytes beyond ASCII": (b"\xff\xfe\n", "? unknown command\n\n"),
    "upper case": (b"NAME\n", "? unknown command\n\n"),
    "minus is no id": (b"-1 name\n", "? unknown command\n\n"),
    "foreign digits are no id": ("\N{ARABIC-INDIC DIGIT ONE} name\n".encode(), "? unknown command\n\n"),
}


@pytest.mark.parametrize(("line", "answer"), FRAMES.values(), ids=FRAMES.keys())
def test_framing(line: bytes, answer: str) -> None:
    """Answers are right to the byte: ids echoed, comments and control characters gone, blanks ignored."""
    assert answer == Server(Searcher(PLAYOUTS, SEED)).answer(line)


ERRORS = {
    "boardsize": "syntax error",
    "boardsize nine": "syntax error",
    "boardsize -9": "syntax error",
    "boardsize 9.0": "syntax error",
    "boardsize 9 9": "syntax error",
    "boardsize 0": "unacceptable size",
    "boardsize 1": "unacceptable size",
    "boardsize 26": "unacceptable size",
    "boardsize 1000000000": "unacceptable size",
    "boardsize 10000000000": "syntax error",
    "boardsize \N{SUPERSCRIPT TWO}": "syntax error",
    "komi": "syntax error",
    "komi x": "syntax error",
    "komi 7,5": "syntax error",
    "komi 7.5 8": "syntax error",
    "komi nan": "syntax error",
    "komi inf": "syntax error",
    "komi -inf": "syntax error",
    "komi 1e999": "syntax error",
    "play": "syntax error",
    "play black": "syntax error",
    "play black A1 A2": "syntax error",
    "play grey A1": "syntax error",
    "play A1 black": "syntax error",
    "play black A10": "illegal move",
    "play black K1": "illegal move",
    "play black I1": "illegal move",
    "play black A0": "illegal move",
    "play black A-1": "syntax error",
    "play black resign": "illegal move",
    "genmove": "syntax error",
    "genmove grey": "syntax error",
    "genmove black white": "syntax error",
    "undo": "cannot undo",
    "time_settings": "syntax error",
    "time_settings 1 2": "syntax error",
    "time_settings 1 2 x": "syntax error",
    "time_settings -1 2 3": "syntax error",
    "time_left": "syntax error",
    "time_left grey 1 2": "syntax error",
    "reg_genmove black": "unknown command",
    "ref_nodes": "unknown command",
    "execute": "unknown command",
    "_do_name": "unknown command",
    "do_name": "unknown command",
}


@pytest.mark.parametrize(("command", "text"), ERRORS.items())
def test_errors(command: str, text: str) -> None:
    """A command that cannot be carried out is answered with the text of its error, and changes nothing."""
    session = Session()
    before = session.ok("showboard")
    assert text == session.error(command)
    assert before == session.ok("showboard")


def test_commands_are_listed_and_known() -> None:
    """The list is complete, one name a line, and exactly its names are known."""
    session = Session()
    listed = session.ok("list_commands").split("\n")
    assert set(listed) == COMMANDS
    assert len(listed) == len(COMMANDS)
    assert all(session.ok(f"known_command {name}") == "true" for name in listed)
    assert {"false"} == {
        session.ok(f"known_command {name}".strip()) for name in ("", "x", "NAME", "_do_name")
    }


def test_administration() -> None:
    """The protocol's version is 2, and name and version are one line each."""
    session = Session()
    assert session.ok("protocol_version") == "2"
    assert session.ok("name") == "refbot engine"
    assert "\n" not in session.ok("version") != ""


def test_time_is_accepted_and_ignored() -> None:
    """Well-formed time commands succeed."""
    session = Session()
    assert session.ok("time_settings 0 1 0") == session.ok("time_left b 10 0") == ""


@pytest.mark.parametrize("size", range(2, 26))
def test_boardsize(size: int) -> None:
    """Each size from 2 to 25 is accepted, empties the board and has its last point and none beyond."""
    session = Session()
    session.play("bA1")
    session.ok(f"boardsize {size}")
    assert session.ok("showboard") == draw(Position(size), "komi 0").strip()
    session.play(f"b{format_vertex((size - 1, size - 1))}")
    assert session.error(f"play w A{size + 1}") == "illegal move"
    session.ok("undo")
    assert session.error("undo") == "cannot undo"


def test_a_refused_boardsize_keeps_the_game() -> None:
    """An unacceptable size leaves size and stones."""
    session = Session(5)
    session.play("bC3")
    session.error("boardsize 26")
    assert session.error("play w C3") == "illegal move"
    assert session.error("play w F1") == "illegal move"


def test_showboard() -> None:
    """The board is drawn with coordinates, Black as X and White as O, handicap points as plus signs."""
    session = Session()
    session.ok("komi 7.5")
    session.play("bA1 wJ9 bC3")
    rows = session.server.answer(b"showboard").removeprefix("=").strip("\n ").split("\n")
    assert rows[0].strip() == rows[-2].strip() == "A B C D E F G H J"
    assert rows[1] == " 9 . . . . . . . . O 9"
    assert rows[7] == " 3 . . X . + . + . . 3"
    assert rows[9] == " 1 X . . . . . . . . 1"
    assert rows[-1] == "komi 7.5"


def test_clear_board_starts_a_new_game() -> None:
    """clear_board takes stones, history and moves away, and keeps size and komi."""
    session = Session(5)
    session.ok("komi 2.5")
    session.play("bC3 wB2")
    session.ok("clear_board")
    assert session.error("undo") == "cannot undo"
    assert session.ok("final_score") == "W+2.5"
    session.play("bC3")
    assert session.ok("final_score") == "B+22.5"


KOMIS = {
    "0": "0",
    "7.5": "W+7.5",
    "-7.5": "B+7.5",
    "+3": "W+3",
    "7.": "W+7",
    ".5": "W+0.5",
    "1e1": "W+10",
    "6.25": "W+6.25",
    "-0": "0",
}


@pytest.mark.parametrize(("komi", "score"), KOMIS.items())
def test_komi(komi: str, score: str) -> None:
    """Any finite number is a komi, and survives clear_board, boardsize and undo."""
    session = Session()
    session.ok(f"komi {komi}")
    assert score == session.ok("final_score")
    session.ok("clear_board")
    session.ok("boardsize 7")
    session.play("bA1")
    session.ok("undo")
    assert score == session.ok("final_score")


def test_undo_keeps_a_later_komi() -> None:
    """Undo takes back a move, not the komi set after it."""
    session = Session()
    session.play("bA1")
    session.ok("komi 3.5")
    session.ok("undo")
    assert session.ok("final_score") == "W+3.5"


def test_an_error_changes_no_komi() -> None:
    """A komi that is no number leaves the komi."""
    session = Session()
    session.ok("komi 5.5")
    session.error("komi x")
    assert session.ok("final_score") == "W+5.5"


def test_play_takes_words_in_any_case() -> None:
    """Colours may be letters or words, vertices and pass are taken in any case."""
    session = Session(5)
    session.play("ba1 WA2 BPASS wPass")
    session.ok("play White c3")
    session.ok("play BLACK C4")
    drawing = session.ok("showboard")
    assert (drawing.count("X"), drawing.count("O")) == (1 + 1, 2)


def test_one_colour_may_play_twice() -> None:
    """Nobody asks whose turn it is."""
    session = Session(5)
    session.play("bA1 bB1 bC1 wE5 wE4")
    assert session.ok("final_score") == "B+1"


def test_occupied_points_and_suicide_are_illegal() -> None:
    """A play on a stone and a suicide of one or more stones are refused; the board stays."""
    session = Session(5)
    session.play("bA2 bB1 wA3 wB2 wC1")
    assert session.error("play b A2") == session.error("play w A2") == "illegal move"
    assert session.error("play b A1") == "illegal move"
    session.play("wA1")
    assert session.error("play b A1") == "illegal move"
    assert session.ok("showboard").count("X") == 0


KO = "bB3 bA2 bB1 wC3 wD2 wC1 wB2 bC2"
"""Black takes on C2; the banned retake is on B2."""


def test_undo_brings_the_ko_ban_back() -> None:
    """A retake is illegal at once and after an undo that leads back, legal after an exchange elsewhere."""
    session = Session(5)
    session.play(KO)
    assert session.error("play w B2") == "illegal move"
    session.play("wE5 bE4")
    session.play("wB2")
    session.ok("undo")
    session.ok("undo")
    session.ok("undo")
    assert session.error("play w B2") == "illegal move"
    session.ok("undo")
    session.play("bC2")
    assert session.error("play w B2") == "illegal move"


def test_a_pass_does_not_make_a_repetition_legal() -> None:
    """After passes the simple ban is gone, yet the retake would repeat the whole board, so superko holds."""
    session = Session(5)
    session.play(KO)
    session.play("wpass bpass")
    assert session.error("play w B2") == "illegal move"
    session.play("bE5")
    session.play("wB2")


def test_undo_forgets_the_position() -> None:
    """A position taken back may come again: undo removes it from superko's memory."""
    session = Session(5)
    session.play("bA1 wE5")
    session.ok("undo")
    session.play("wE5")
    session.play(KO)
    session.ok("undo")
    session.play("bC2")


@pytest.mark.parametrize("size", [2, 3])
def test_superko_looks_back_over_the_whole_game(size: int) -> None:
    """Repetitions found with sgfmill in random games are refused; chance never fails the test."""
    assert sum(repetitions_refused(size, seed) for seed in range(10)) >= 10


def repetitions_refused(size: int, seed: int) -> int:
    """Complain unless the legal moves of a game are those of sgfmill; return how many others repeated."""
    rng = np.random.default_rng(seed)
    session, board, banned = Session(size), Board(size), None
    seen = {drawing_of(board)}
    repetitions = 0
    for ply in range(40):
        colour = "bw"[ply % 2]
        legal = []
        for point in board.board_points:
            after = board.copy()
            is_open = board.get(*point) is None
            if is_open:
                after.play(*point, colour)
            is_repeated = is_open and drawing_of(after) in seen
            is_otherwise_legal = is_open and after.get(*point) == colour and point != banned
            is_legal = is_otherwise_legal and not is_repeated
            repetitions += is_otherwise_legal and is_repeated
            answer = session.server.answer(f"play {colour} {format_vertex(point)}".encode())
            assert answer == ("=\n\n" if is_legal else "? illegal move\n\n")
            if is_legal:
                legal.append(point)
                session.ok("undo")
        if legal:
            point = legal[rng.integers(len(legal))]
            session.play(f"{colour}{format_vertex(point)}")
            banned = board.play(*point, colour)
            seen.add(drawing_of(board))
        else:
            session.play(f"{colour}pass")
            banned = None
    return repetitions


def drawing_of(board: Board) -> str:
    """Return the stones of a board of sgfmill as text."""
    return "".join(board.get(*point) or "." for point in board.board_points)


def test_undo_goes_back_to_the_start() -> None:
    """Every move, genmoves and passes too, can be taken back one by one, boards as they were; no chance."""
    session = Session(5)
    boards = [session.ok("showboard")]
    for command in ("play b C3", "genmove w", "play b pass", "genmove w", "genmove w", "genmove b"):
        session.ok(command)
        boards.append(session.ok("showboard"))
    for board in reversed(boards):
        assert board == session.ok("showboard")
        if board is not boards[0]:
            session.ok("undo")
    assert session.error("undo") == "cannot undo"


def test_random_games_are_those_of_the_oracle() -> None:
    """Random games are accepted and leave the oracle's board and legal moves; chance never fails the test."""
    rng = np.random.default_rng(SEED)
    for size in (2, 3, 5, 9):
        for _ in range(5):
            session, game = Session(size), random_game(size, 3 * size * size, rng)
            for colour, move in game.moves:
                session.ok(f"play {colour} {format_vertex(move)}")
            assert draw(game.position, "komi 0").strip() == session.ok("showboard")
            for colour in Colour:
                for point in game.position.points():
                    answer = session.server.answer(f"play {colour} {format_vertex(point)}\n".encode())
                    assert answer.startswith("=") == game.allows(colour, point)
                    if answer.startswith("="):
                        session.ok("undo")


def test_before_any_genmove_statistics_are_answered() -> None:
    """The private commands answer well-formed numbers before the first genmove."""
    session = Session()
    assert session.ok("ref-nodes") == "0"
    assert float(session.ok("ref-score")) == 0
    assert str(PLAYOUTS) == session.ok("ref-playouts")


@pytest.mark.parametrize("colour", Colour)
def test_statistics_are_those_of_the_playouts(colour: Colour) -> None:
    """Nodes, score and playouts are those of the same playouts run by hand; chance never fails the test."""
    session = Session(7, playouts=300)
    session.ok("komi 4.5")
    session.play("bD4 wC3")
    session.ok(f"genmove {colour}")
    position = Position(7).after(Colour.BLACK, (3, 3)).after(Colour.WHITE, (2, 2))
    tally = playouts.run(Root(position, colour, 2, 4.5), 300, SEED)
    assert str(tally.nodes) == session.ok("ref-nodes")
    assert f"{tally.doubled_wins / 600:.7f}" == session.ok("ref-score")
    assert session.ok("ref-playouts") == "300"


def test_reading_changes_no_statistics() -> None:
    """The statistics stay when read, when moves are played and when the board is cleared (N3)."""
    session = Session()
    session.ok("genmove b")
    first = [session.ok(f"ref-{name}") for name in ("nodes", "score", "playouts")]
    session.play("wA1")
    session.ok("clear_board")
    session.ok("komi 3")
    assert first == [session.ok(f"ref-{name}") for name in ("nodes", "score", "playouts")]


def test_statistics_are_of_the_last_genmove() -> None:
    """A second genmove replaces the statistics: its nodes are its own (N3); chance never fails the test."""
    session = Session(5, playouts=100)
    move = parse_vertex(session.ok("genmove b"), 5)
    session.ok("genmove w")
    position = Position(5)
    assert move is not None
    tally = playouts.run(Root(position.after(Colour.BLACK, move), Colour.WHITE, 1), 100, SEED, 100)
    assert str(tally.nodes) == session.ok("ref-nodes")


def test_genmove_plays_for_the_colour_given() -> None:
    """Genmove sets a stone of the colour asked for, twice the same colour too, on a legal point."""
    session = Session(5)
    for count, colour in enumerate(("black", "b", "WHITE", "w"), start=1):
        vertex = session.ok(f"genmove {colour}")
        assert vertex != "pass"
        assert session.error(f"play b {vertex}") == "illegal move"
        drawing = session.ok("showboard").split("\n", 1)[1]
        assert (min(count, 2), max(0, count - 2)) == (drawing.count("X"), drawing.count("O"))


def test_genmove_passes_when_it_must() -> None:
    """Where nothing but own eyes and suicide is left the answer is a pass, and it can be taken back."""
    session = Session(2)
    session.play("bA1 bB1 bA2")
    assert session.ok("genmove b") == "pass"
    session.ok("undo")
    assert session.ok("genmove w") == "B2"


def test_genmove_keeps_superko() -> None:
    """Whole games of genmoves never repeat a position and never fill an eye, to two passes; no chance."""
    session = Session(3, playouts=20)
    game, colour = Game.new(3), Colour.BLACK
    passes = 0
    for _ in range(60):
        move = parse_vertex(session.ok(f"genmove {colour}"), 3)
        assert game.allows(colour, move)
        candidates = root_candidates(game, colour)
        assert move in candidates or (move is None and not candidates)
        game = game.after(colour, move)
        passes = passes + 1 if move is None else 0
        colour = colour.other
        if passes == 2:
            break


def test_a_seed_fixes_the_game() -> None:
    """Two sessions with one seed play the same game; chance never fails the test."""
    first, second = Session(5), Session(5)
    commands = ["genmove b", "genmove w"] * 6
    assert [first.ok(command) for command in commands] == [second.ok(command) for command in commands]


def test_a_report_is_empty_at_first() -> None:
    """A report without a genmove has no nodes and no score."""
    assert Report() == Report(0, 0.0, 0)


def test_serve_answers_until_quit() -> None:
    """Answers come in order, quit is the last command answered, and nothing follows it."""
    sink = BytesIO()
    server = Server(Searcher(PLAYOUTS, SEED))
    server.serve(BytesIO(b"1 name\n\n# x\n2 nothing\n3 quit\n4 name\n"), sink)
    assert sink.getvalue() == b"=1 refbot engine\n\n?2 unknown command\n\n=3\n\n"
    assert server.has_quit


def test_serve_ends_with_its_input() -> None:
    """The end of the input ends the session, a last line without a line end answered."""
    sink = BytesIO()
    server = Server(Searcher(PLAYOUTS, SEED))
    server.serve(BytesIO(b"protocol_version\n2 name"), sink)
    assert sink.getvalue() == b"= 2\n\n=2 refbot engine\n\n"
    assert not server.has_quit


def test_serve_flushes_every_answer() -> None:
    """Each answer is written and flushed before the next line is read."""

    class Pipe(BytesIO):
        """A sink that remembers how much it held at each flush."""

        def __init__(self) -> None:
            super().__init__()
            self.flushed: list[int] = []

        def flush(self) -> None:
            self.flushed.append(self.tell())

    sink = Pipe()
    Server(Searcher(PLAYOUTS, SEED)).serve(BytesIO(b"name\nname\n"), sink)
    assert sink.flushed == [17, 34]


GARBAGE = {
    "half a character": b"\xc3\n",
    "accent": b"play b \xc3\xa9\n",
    "long id": b"9" * 5000 + b"\n",
    "long size": b"boardsize " + b"9" * 5000 + b"\n",
    "long line": b"x" * 100_000,
    "many words": b"play" + b" b" * 10_000,
}


@pytest.mark.parametrize("line", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_answered(line: bytes) -> None:
    """Garbage gets an error, never an exception."""
    answer = Server(Searcher(PLAYOUTS, SEED)).answer(line)
    assert answer.startswith("?")
    assert answer.endswith("\n\n")


@pytest.mark.parametrize("digits", [10, 5000])
def test_long_numbers_are_no_vertices(digits: int) -> None:
    """A vertex with a very long number is an illegal move, never an exception."""
    session = Session()
    assert session.error("play b A" + "9" * digits) == "illegal move"


@pytest.mark.parametrize("komi", ["\N{ARABIC-INDIC DIGIT SEVEN}", "1_0"])
def test_komi_is_written_as_in_c(komi: str) -> None:
    """A komi in digits of another script, or with underscores, is a syntax error."""
    assert Session().error(f"komi {komi}") == "syntax error"


@pytest.mark.parametrize("vertex", ["pa\N{LATIN SMALL LETTER SHARP S}", "\N{LATIN SMALL LETTER LONG S}1"])
def test_vertices_are_ascii(vertex: str) -> None:
    """Letters that only Unicode's case rules turn into ASCII make no vertex."""
    session = Session(19)
    session.error(f"play b {vertex}")
