"""Answers: what each text may mean, and which texts are wrong by their form alone."""

import pytest

from harness.judging.answers import parse_answer, parse_nodes, parse_reply, parse_wins, precision
from harness.judging.finding import Finding
from harness.word import Word


def requirement(value: object) -> str:
    """Return the requirement of what must be a finding that fails."""
    assert isinstance(value, Finding), value
    assert value.word is Word.FAIL
    assert value.case == "case"
    return value.requirement


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("A1", 9, (0, 0)),
        ("a1", 9, (0, 0)),
        (" C4 ", 9, (3, 2)),
        ("J9", 9, (8, 8)),
        ("H8", 9, (7, 7)),
        ("T19", 19, (18, 18)),
        ("Z25", 25, (24, 24)),
        ("A09", 9, (8, 0)),
        ("pass", 9, "pass"),
        ("PASS", 9, "pass"),
        ("Pass", 9, "pass"),
        ("resign", 9, "resign"),
        ("RESIGN", 9, "resign"),
        ("I5", 9, None),
        ("I5", 25, None),
        ("K1", 9, None),
        ("A10", 9, None),
        ("A0", 9, None),
        ("A-1", 9, None),
        ("A+1", 9, None),
        ("A1.0", 9, None),
        ("A 1", 9, None),
        ("A", 9, None),
        ("1", 9, None),
        ("1A", 9, None),
        ("AA1", 9, None),
        ("", 9, None),
        ("   ", 9, None),
        ("A1 B2", 9, None),
        ("passes", 9, None),
        ("A\u0661", 9, None),
        ("A\u00b2", 9, None),
        ("A0001", 9, None),
        ("A" + "9" * 5000, 9, None),
    ],
)
def test_parse_answer(text: str, size: int, expected: tuple[int, int] | str | None) -> None:
    """Genmove's answer is a point of the board, a pass, a resignation, or nothing we know."""
    assert expected == parse_answer(text, size)


def test_only_ascii_spells_pass() -> None:
    """A word that becomes PASS only by the capitals of another alphabet is no pass."""
    assert parse_answer("pa\u00df", 9) is None
    assert parse_answer("pa\u017f\u017f", 9) is None


@pytest.mark.parametrize(("text", "expected"), [("0", 0), ("17", 17), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_parse_nodes(text: str, expected: int) -> None:
    """ref-nodes is a whole number."""
    assert expected == parse_nodes("case", text)


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", "1e3", "1,000", "many", "0x10", "12 moves", "9" * 19, "\u0661", "\u00b2"]
)
def test_nodes_that_are_no_number(text: str) -> None:
    """Anything else is a breach of N1."""
    assert requirement(parse_nodes("case", text)) == "N1"


@pytest.mark.parametrize(
    ("text", "playouts", "digits", "expected"),
    [
        ("0.5", 8, 1, (8, 8)),
        ("0.5", 1000, 7, (1000, 1000)),
        ("0.5000000", 8, 7, (8, 8)),
        ("0", 8, 0, (0, 16)),
        ("0", 8, 7, (0, 0)),
        ("0.0", 8, 3, (0, 0)),
        ("-0.0", 8, 3, (0, 0)),
        ("1", 8, 7, (16, 16)),
        ("1.0", 8, 7, (16, 16)),
        ("1e-1", 10, 1, (0, 4)),
        ("5E-1", 8, 1, (8, 8)),
        (".5", 8, 1, (8, 8)),
        ("+0.5", 8, 1, (8, 8)),
        ("0.12", 8, 2, (2, 2)),  # 0.125 cut
        ("0.13", 8, 2, (2, 2)),  # 0.125 rounded
        ("0.333", 3, 3, (2, 2)),
        ("0.334", 3, 3, (2, 2)),
        ("0.3333333333333333", 3, 16, (2, 2)),
        ("0.33333333333333331483", 3, 20, (2, 2)),
        ("0.42", 1000, 2, (820, 860)),
        ("0.4", 100, 1, (60, 100)),
        ("0.9", 8, 1, (14, 16)),
        ("0.42", 1000, 3, (838, 842)),
    ],
)
def test_parse_wins(text: str, playouts: int, digits: int, expected: tuple[int, int]) -> None:
    """A score is every number of wins whose fraction some rounding or cutting prints like this."""
    assert expected == parse_wins("case", text, playouts, draws=False, digits=(digits, 17))


@pytest.mark.parametrize(
    ("text", "playouts", "expected"),
    [("0.5625000", 8, (9, 9)), ("0.0625000", 8, (1, 1)), ("0.5000000", 1, (1, 1)), ("0.6666667", 3, (4, 4))],
)
def test_half_wins(text: str, playouts: int, expected: tuple[int, int]) -> None:
    """Where komi lets playouts be drawn, half wins are on the lattice, and elsewhere they are not."""
    assert expected == parse_wins("case", text, playouts, draws=True, digits=(7, 17))
    if expected[0] % 2:
        found = parse_wins("case", text, playouts, draws=False, digits=(7, 17))
        assert isinstance(found, Finding)
        assert found.candidates == ("G11", "N2", "R5")


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "NaN",
        "sNaN",
        "inf",
        "-inf",
        "Infinity",
        "",
        "half",
        "1/2",
        "1,000,0",
        "1.000,5",
        "0,",
        ",5",
        "50%%",
        "%",
        "50 per cent",
        "0.5 0.5",
        "0x1p-1",
        "=",
    ],
)
def test_scores_that_are_no_number(text: str) -> None:
    """What is no finite decimal fraction is a breach of N2."""
    assert requirement(parse_wins("case", text, 8, draws=False, digits=(7, 17))) == "N2"


@pytest.mark.parametrize(
    ("text", "halves"),
    [("0,5", 8), ("50%", 8), ("50 %", 8), ("37,5%", 6), ("5e-1", 8), ("3.75E-01", 6), (" 1 ", 16)],
)
def test_scores_in_other_forms(text: str, halves: int) -> None:
    """A decimal comma, per cent with its sign, and an exponent can be read without guessing."""
    assert parse_wins("case", text, 8, draws=False, digits=(7, 17)) == (halves, halves)


def test_digits_of_per_cent_are_those_of_the_fraction() -> None:
    """42% shows two decimals of the fraction, and leaves as many counts open as 0.42 does."""
    assert precision("42%") == (2, 2)
    assert parse_wins("case", "42%", 400, draws=False, digits=(2, 2)) == parse_wins(
        "case", "0.42", 400, draws=False, digits=(2, 2)
    )


@pytest.mark.parametrize("text", ["-0.1", "1.1", "50", "100", "1e300", "-1e-300", "1.0000001"])
def test_scores_outside_0_and_1(text: str) -> None:
    """A number outside 0 and 1 is a breach of N2."""
    assert requirement(parse_wins("case", text, 8, draws=False, digits=(7, 17))) == "N2"


@pytest.mark.parametrize("text", ["0_5", "0._5", "\uff10.\uff15", "\u0660.\u0665"])
def test_scores_only_python_can_read(text: str) -> None:
    """Underscores and the digits of other scripts make no decimal fraction."""
    assert requirement(parse_wins("case", text, 8, draws=False, digits=(7, 17))) == "N2"


@pytest.mark.parametrize(
    ("text", "playouts"), [("0.3000000", 8), ("0.1250002", 8), ("0.3333333", 1000), ("1e-3", 8)]
)
def test_scores_off_the_lattice(text: str, playouts: int) -> None:
    """A fraction that no number of wins makes says that another number of playouts was run."""
    assert requirement(parse_wins("case", text, playouts, draws=False, digits=(7, 17))) == "N4"


@pytest.mark.parametrize("playouts", [1, 3, 7, 8, 30, 100, 128, 999, 1000, 4096])
@pytest.mark.parametrize("form", ["%.2f", "%.3f", "%.7f", "%.17f", "%.15g", "%r", "cut"])
def test_no_honest_print_is_off_the_lattice(playouts: int, form: str) -> None:
    """Every number of wins, printed in any usual way, is among those read back from it."""
    every = range(0, playouts + 1, max(1, playouts // 50))
    printed = {
        wins: f"{int(wins * 10**5 / playouts) / 10**5:.5f}" if form == "cut" else form % (wins / playouts)
        for wins in every
    }
    shown = [precision(text) for text in printed.values()]
    digits = max(d for d, _ in shown), max(s for _, s in shown)
    for wins, text in printed.items():
        found = parse_wins("case", text, playouts, draws=False, digits=digits)
        assert not isinstance(found, Finding), text
        assert found[0] <= 2 * wins <= found[1], text


@pytest.mark.parametrize("playouts", [30, 128, 30_000])
def test_six_significant_digits_are_honest(playouts: int) -> None:
    """The default print of C++ streams and of ``%g``, six significant digits, is read back for every number
    of wins though small fractions then show more decimals than large ones.
    """
    every = range(0, playouts + 1, max(1, playouts // 3000))
    printed = {wins: f"{wins / playouts:g}" for wins in every}
    shown = [precision(text) for text in printed.values()]
    digits = max(d for d, _ in shown), max(s for _, s in shown)
    for wins, text in printed.items():
        found = parse_wins("case", text, playouts, draws=False, digits=digits)
        assert not isinstance(found, Finding), text
        assert found[0] <= 2 * wins <= found[1], text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5", (1, 1)),
        ("1", (0, 1)),
        (" 0.125 ", (3, 3)),
        ("0.5000000", (7, 7)),
        ("3.33e-05", (7, 3)),
        ("x", (0, 0)),
    ],
)
def test_precision(text: str, expected: tuple[int, int]) -> None:
    """Decimals and significant digits of a printed number are counted."""
    assert expected == precision(text)


@pytest.mark.parametrize(
    ("raw", "success", "text"),
    [
        ("= C4\n\n", True, "C4"),
        ("=\n\n", True, ""),
        ("=12 pass\n\n", True, "pass"),
        ("? no\n\n", False, "no"),
        ("?3 no\n\n", False, "no"),
        ("= C4\r\n\r\n", True, "C4"),
        ("= 0.5\n", True, "0.5"),
    ],
)
def test_parse_reply(raw: str, success: bool, text: str) -> None:
    """A recorded reply is read again, one that quit cut short too."""
    reply = parse_reply(raw)
    assert reply is not None
    assert (success, text) == (reply.success, reply.text.strip())


@pytest.mark.parametrize("raw", ["", "hello\n\n", "\n\n"])
def test_no_reply(raw: str) -> None:
    """What is no reply is none."""
    assert parse_reply(raw) is None
