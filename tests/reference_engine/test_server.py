"""The GTP server: framing, errors, the list of commands, the loop."""

from io import BytesIO

import pytest
from sessions import PLAYOUTS, SEED, Session

from reference_engine.search import Searcher
from reference_engine.server import Server

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


def test_play_takes_words_in_any_case() -> None:
    """Colours may be letters or words, vertices and pass are taken in any case."""
    session = Session(5)
    session.play("ba1 WA2 BPASS wPass")
    session.ok("play White c3")
    session.ok("play BLACK C4")
    drawing = session.ok("showboard")
    assert (drawing.count("X"), drawing.count("O")) == (1 + 1, 2)


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
