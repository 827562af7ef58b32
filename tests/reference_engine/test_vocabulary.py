"""Colours, points and vertices."""

import pytest

from reference_engine.vocabulary import (
    COLUMNS,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    Colour,
    format_vertex,
    parse_colour,
    parse_vertex,
)

SIZES = range(MIN_SIZE, MAX_SIZE + 1)


@pytest.mark.parametrize("size", SIZES)
def test_every_point_comes_back_from_its_vertex(size: int) -> None:
    """A point's vertex, in either case, parses back to the point."""
    for row in range(size):
        for column in range(size):
            vertex = format_vertex((row, column))
            assert (row, column) == parse_vertex(vertex, size) == parse_vertex(vertex.lower(), size)


def test_sizes_are_those_of_the_letters() -> None:
    """Boards go from 2 to 25, and there is one letter for each column."""
    assert (MIN_SIZE, MAX_SIZE, len(set(COLUMNS))) == (2, 25, 25)


def test_no_vertex_has_an_i() -> None:
    """The letter I appears in no vertex of the largest board, and all vertices differ."""
    vertices = {format_vertex((row, column)) for row in range(MAX_SIZE) for column in range(MAX_SIZE)}
    assert len(vertices) == MAX_SIZE**2
    assert not any("I" in vertex.upper() for vertex in vertices)


@pytest.mark.parametrize(
    ("vertex", "point"),
    [("A1", (0, 0)), ("H8", (7, 7)), ("J9", (8, 8)), ("T19", (18, 18)), ("Z25", (24, 24)), ("C12", (11, 2))],
)
def test_known_vertices(vertex: str, point: tuple[int, int]) -> None:
    """A1 is the origin, the letter gives the column and the number the row."""
    assert point == parse_vertex(vertex, MAX_SIZE)
    assert vertex == format_vertex(point)


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_pass_is_a_move(text: str) -> None:
    """A pass is parsed in any case and written in lower case."""
    assert parse_vertex(text, 9) is PASS
    assert format_vertex(PASS) == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "A",
        "5",
        "I5",
        "i1",
        "A0",
        "A10",
        "K1",
        "K10",
        "AA1",
        "A-1",
        "A+1",
        "A1.0",
        "A1e0",
        "A1 ",
        " A1",
        "A 1",
        "A_1",
        "A1A",
        "1A",
        "A\N{SUPERSCRIPT TWO}",
        "A\N{ARABIC-INDIC DIGIT ONE}",
        "\N{CYRILLIC CAPITAL LETTER A}1",
        "pas",
        "passs",
        "pass ",
        "resign",
        "None",
    ],
)
def test_bad_vertices_raise(text: str) -> None:
    """A text that is no vertex of a 9x9 board raises ValueError and names the text."""
    with pytest.raises(ValueError, match="not ") as caught:
        parse_vertex(text, 9)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["pa\N{LATIN SMALL LETTER SHARP S}", "\N{LATIN SMALL LETTER LONG S}1"])
def test_letters_beyond_ascii_are_no_vertices(text: str) -> None:
    """A text that only Unicode's case rules turn into a vertex raises ValueError."""
    with pytest.raises(ValueError, match="not "):
        parse_vertex(text, MAX_SIZE)


@pytest.mark.parametrize("size", SIZES)
def test_the_first_vertices_off_the_board_raise(size: int) -> None:
    """The row above and the column to the right of a board are not on it."""
    outside = [f"A{size + 1}"] + ([f"{COLUMNS[size]}1"] if size < MAX_SIZE else [])
    for vertex in outside:
        with pytest.raises(ValueError, match=f"size {size}"):
            parse_vertex(vertex, size)


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("b", Colour.BLACK),
        ("B", Colour.BLACK),
        ("black", Colour.BLACK),
        ("Black", Colour.BLACK),
        ("w", Colour.WHITE),
        ("W", Colour.WHITE),
        ("WHITE", Colour.WHITE),
    ],
)
def test_colours_are_parsed_in_any_case(text: str, colour: Colour) -> None:
    """Both the letter and the word name a colour."""
    assert colour is parse_colour(text)


@pytest.mark.parametrize("text", ["", "x", "bl", "blackk", "1", "b ", "grey", "blac\N{KELVIN SIGN}"])
def test_bad_colours_raise(text: str) -> None:
    """Any other text raises ValueError."""
    with pytest.raises(ValueError, match="not a colour"):
        parse_colour(text)


def test_colours_know_each_other() -> None:
    """The other colour of the other colour is the colour, and names are those of GTP."""
    assert Colour.WHITE is Colour.BLACK.other
    assert all(colour is colour.other.other for colour in Colour)
    assert [f"{colour} {colour.letter}" for colour in Colour] == ["black B", "white W"]
