"""Positions and numbers from the command line: understood as meant, or refused in one line."""

from pathlib import Path

import pytest
from sgfmill import sgf, sgf_moves

from harness.cases.setup import parse_komi, parse_playouts, parse_position
from harness.cases.sgf import read_record
from harness.errors import UsageError
from reference_engine.vocabulary import Colour

GAME = "(;GM[1]SZ[9]KM[6.5]C[a \\] bracket];B[ee];W[cg](;B[gc];W[];B[dd])(;B[aa];W[bb]))"


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("1000000", 10**6), ("1_000_000", 10**6), ("1,000", 1000), ("1e9", 10**9), ("2.5e3", 2500)],
)
def test_playouts(text: str, number: int) -> None:
    """Numbers of playouts are read as people write them."""
    assert parse_playouts(text) == number


@pytest.mark.parametrize("text", ["0", "-5", "1.5", "1e-3", "many", "", "1e13", "nan", "inf", "1e", "\u0663"])
def test_no_playouts(text: str) -> None:
    """What is no whole, positive, reasonable number is refused."""
    with pytest.raises(UsageError, match="--playouts"):
        parse_playouts(text)


def test_moves() -> None:
    """Moves alternate from Black, passes count, captures are made, and the next is to move."""
    start, komi = parse_position("3", "5.5", "A2 A1 B1 pass", "", None)
    assert komi == 5.5
    assert start.rows == (". . .", "X . .", ". X .")
    assert (start.to_move, start.moves_played, start.ko) == ("black", 4, "")
    assert parse_position("3", None, "A2", "black", None)[0].to_move == "black"
    assert parse_position("3", None, "", "", None) == (parse_position("3", "7.5", "", "b", None))


def test_ko() -> None:
    """A ko taken by the last move is banned."""
    start, _ = parse_position("4", None, "B1 C1 A2 D2 B3 C3 C2 B2", "", None)
    assert start.ko == "black C2"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((None, None, "", "", None), "which board"),
        (("1", None, "", "", None), "--size"),
        (("26", None, "", "", None), "--size"),
        (("nine", None, "", "", None), "--size"),
        (("9", "much", "", "", None), "--komi"),
        (("9", "nan", "", "", None), "--komi"),
        (("9", None, "D4 I5", "", None), "--moves"),
        (("9", None, "D4 D4", "", None), "move 2, white D4"),
        (("2", None, "A1 A2 pass B1 A1", "", None), "not possible"),
        (("9", None, "", "red", None), "--colour"),
        (("9", None, "", "", Path("x.sgf")), "--sgf brings"),
        ((None, None, "", "", Path("none.sgf")), "none.sgf"),
    ],
)
def test_bad_positions(options: tuple[str | None, str | None, str, str, Path | None], expected: str) -> None:
    """What cannot be a position is refused, and the option named."""
    with pytest.raises(UsageError, match=expected):
        parse_position(*options)


def test_sgf(tmp_path: Path) -> None:
    """The main line of a record leads to the position that another reader finds."""
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    start, komi = parse_position(None, None, "", "", path)
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_string(GAME))
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    wanted = {
        (r, c): Colour.BLACK if stone == "b" else Colour.WHITE
        for stone, (r, c) in board.list_occupied_points()
    }
    assert dict(start.position.stones) == wanted
    assert (start.to_move, start.moves_played, komi) == ("white", 5, 6.5)
    assert parse_position(None, "3", "", "black", path)[1] == 3.0


def test_sgf_setup(tmp_path: Path) -> None:
    """Stones are put and taken off, rectangles too, without counting as moves; the record says who plays."""
    path = tmp_path / "setup.sgf"
    path.write_text("(;SZ[5]AB[aa:ba][cc]AW[ee];AE[ba]PL[W])")
    start, komi = parse_position(None, None, "", "", path)
    assert start.rows == ("X . . . .", ". . . . .", ". . X . .", ". . . . .", ". . . . O")
    assert (start.to_move, start.moves_played, komi) == ("white", 0, 7.5)


@pytest.mark.parametrize(
    "text",
    [
        "", "hello", "(", "(;B[", "(;SZ[99])", "(;SZ[19:13])", "(;SZ[9]B[zz])", "(;SZ[9]KM[x])", "()",
        "(;SZ[9];B[aa];W[aa])", "(;SZ[5]AB[ab][ba]AW[aa])", "\x00\x01", "(;SZ[9]AB[a])",
    ],
)  # fmt: skip
def test_bad_sgf(tmp_path: Path, text: str) -> None:
    """What is no record, or no position, is refused with the file's name, never with a traceback."""
    path = tmp_path / "bad.sgf"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"bad\.sgf|move 2"):
        parse_position(None, None, "", "", path)


def test_old_sgf() -> None:
    """Lower-case decoration of property names and blanks between anything are read over."""
    record = read_record(b" ( ; SiZe [5] KoMi [0.5] ; B [aa] ; W [tt] )")
    assert (record.size, record.komi(), [step[2] for step in record.steps]) == (5, 0.5, [(4, 0), None])


@pytest.mark.parametrize(
    "text",
    [
        b"(;GM[1]FF[4]CA[UTF-8]AB[kk][jj]SZ[13]KM[7.5];W[aa];B[mm])",
        b"\xef\xbb\xbfhello\r\n(;AB[kk][jj]SZ[13]C[\xe9\\];B[zz\\]]KM[7.5](;W[aa](;B[mm])(;B[bb]))(;W[cc]))",
        b"(\r\nTE[\x91\xe6]\r\nAB[kk][jj]\r\nSZ[13]\r\n;W[aa];KM[7.5]B[mm])",
        "(;AB[kk][jj]SZ[13]PB[\u672c]KM[7.5];W[aa];B[mm])".encode("utf-16"),
        b"(;FF[3]GaMe[1]AddBlack[jj:jj][kk]SiZe[ 13 ]KoMi[7.5]CA[no such encoding];White[aa];Black[mm])",
    ],
)
def test_what_stands_before_the_size_is_on_the_same_board(text: bytes) -> None:
    """As editors write records: properties in any order, any encoding, marks and text around."""
    record = read_record(text)
    assert (record.size, record.komi()) == (13, 7.5)
    black, white = Colour.BLACK, Colour.WHITE
    assert record.steps == [
        ("put", black, (2, 10)),
        ("put", black, (3, 9)),
        ("play", white, (12, 0)),
        ("play", black, (0, 12)),
    ]


def test_two_moves_of_one_node() -> None:
    """One of GNU Go's records ends so."""
    steps = read_record(b"(;SZ[9];B[aa];W[tt]B[tt])").steps
    assert [(colour, point) for _, colour, point in steps[1:]] == [(Colour.WHITE, None), (Colour.BLACK, None)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"(;GM[2]SZ[9])", r"GM\[2\] is another game"),
        (b"(;AB[aa]AW[aa])", "same point"),
        (b"(;SZ[9];B[zz])", r"B\[zz\] is no point of the board"),
        (b"(;SZ[9]AW[jj])", "AW has a point"),
        (b"(;SZ[26])", "between 2 and 25"),
        (b"(;SZ[9:13])", "9:13"),
    ],
)
def test_what_cannot_be_used_of_a_record_is_named(text: bytes, said: str) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=said):
        read_record(text)


def test_the_beginning_of_a_record() -> None:
    """What stands behind it may be anything."""
    text = b"(;SZ[9];B[aa];PL[B]W[bb];B[zz];AB[cc])"
    record = read_record(text, 2)
    assert [step[2] for step in record.steps] == [(8, 0), (7, 1)]
    assert record.to_move is Colour.BLACK
    assert read_record(text, 1).to_move is None
    assert read_record(text, 0).steps == []


def test_a_komi_that_is_no_number_can_be_given(tmp_path: Path) -> None:
    """With a comma, say; --komi goes before it."""
    path = tmp_path / "comma.sgf"
    path.write_text("(;SZ[5]KM[7,5])")
    with pytest.raises(UsageError, match=r"KM\[7,5\] is no number of points; --komi gives another"):
        parse_position(None, None, "", "", path)
    assert parse_position(None, "7.5", "", "", path)[1] == 7.5


def test_komi() -> None:
    """Komi is any number."""
    assert parse_komi("-3.5") == -3.5
