"""The plugin in real pytest sessions: what is collected, what comes, what an author reads."""

import re
import subprocess

import junitparser
import pytest
from plugged import C_BOT, fault_bot, needs_c, run, run_apart, text

HEAVY = (
    "numpy",
    "numba",
    "scipy",
    "msgspec",
    "rich",
    "typer",
    "pexpect",
    "reference_engine",
    "harness.cases",
)


def test_without_a_bot_the_plugin_is_inert(pytester: pytest.Pytester) -> None:
    """No item, no .tst file, no module of ours but the one with the options, no line in the header."""
    pytester.makefile(".tst", games="10 genmove black\n#? [pass]")
    pytester.makepyfile(
        f"""
        import sys

        def test_light():
            assert [name for name in {HEAVY} if name in sys.modules] == []
            ours = sorted(name for name in sys.modules if name.startswith("harness"))
            assert ours == ["harness", "harness.plugin", "harness.plugin.entry", "harness.plugin.options"]
        """
    )

    result = run_apart(pytester)

    result.assert_outcomes(passed=1)
    assert "refbot:" not in text(result)


@needs_c
def test_every_requirement_and_case_is_an_item(pytester: pytest.Pytester) -> None:
    """Cases under their requirements, each requirement's verdict, the whole at the end; nothing is run."""
    pytester.makefile(".tst", games="# playouts: 8\n10 genmove black\n#? [pass]")

    result = run(pytester, "--bot", C_BOT, "--collect-only", "-q")

    lines = result.outlines
    assert "refbot::R11::superko-ko-retake" in lines
    assert "games.tst::10" in lines
    assert sum(line.endswith("::verdict") for line in lines) == 30
    assert "refbot::certificate" in lines
    assert result.ret == 0


@needs_c
def test_a_path_is_all_that_is_collected_where_one_is_named(pytester: pytest.Pytester) -> None:
    """The certificate comes with everything, with its own name, and with no other path."""
    pytester.makepyfile("def test_own(): pass")

    result = run(pytester, "--bot", C_BOT, "test_a_path_is_all_that_is_collected_where_one_is_named.py")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["refbot: refbot-c, level standard; certificate not collected*"])


@needs_c
def test_a_whole_certificate_passes(pytester: pytest.Pytester) -> None:
    """With everything selected the requirements and the whole are judged too."""
    result = run(pytester, "--bot", C_BOT, "-rA")

    counts = result.parseoutcomes()
    assert counts["passed"] > 150
    assert counts.keys() <= {"passed", "skipped"}
    result.stdout.fnmatch_lines(["PASS  refbot-c: every check passed*", "PASSED refbot::certificate"])


@needs_c
def test_workers_share_one_run(pytester: pytest.Pytester) -> None:
    """Both workers of pytest-xdist answer from the same evidence, which is made once."""
    pytester.makefile(".tst", games="# playouts: 8\n10 genmove black\n#? [resign]\n20 ref-playouts\n#? [8]")

    result = run(
        pytester,
        "--bot",
        C_BOT,
        "-p",
        "xdist",
        "-n",
        "2",
        "--bot-out",
        "kept",
        "refbot::R11",
        "games.tst",
        "-v",
    )

    counts = result.parseoutcomes()
    assert counts["failed"] == 1  # test 10
    assert counts["passed"] > 5
    assert {line[:5] for line in result.outlines if "PASSED" in line} == {"[gw0]", "[gw1]"}
    assert len(list(pytester.path.rglob("evidence.jsonl"))) == 1
    assert len(list(pytester.path.glob("kept/*-pytest-refbot-c/evidence.jsonl"))) == 1


def test_a_failure_says_all(pytester: pytest.Pytester) -> None:
    """Expected, observed, the clause, the exchanges, lines that show it again; and in the JUnit file too."""
    pytester.makefile(
        ".toml", bots=f'[mine]\ncommand = "{fault_bot("debug-lines")}"\nenv = {{ KEY = "s3cret" }}'
    )

    arguments = ("--bot", "mine", "--bots", "bots.toml", "--junitxml=out.xml", "--bot-strict", "refbot::G4")
    result = run(pytester, *arguments)

    said = text(result)
    counts = result.parseoutcomes()
    assert counts["failed"] == 1
    result.stdout.fnmatch_lines(
        [
            "NON-STRICT: expected *; got *",
            "clause    G*",
            "sent      *",
            "came      *",
            "expected  *",
            "observed  *",
            "again     { printf *",
            "again     refbot certify --case *bots.toml mine",
            "in full   refbot explain *",
            "*Captured refbot transcript call*",
            "evidence and transcripts in *",
        ]
    )
    assert "s3cret" not in said
    assert "# with the environment of its settings" in said
    suite = next(iter(junitparser.JUnitXml.fromfile(str(pytester.path / "out.xml"))))
    failed = next(case for case in suite if any(isinstance(r, junitparser.Failure) for r in case.result))
    properties = {p.name: p.value for p in failed.child(junitparser.Properties)}
    assert failed.classname == "refbot.G4"
    assert {"refbot_verdict", "refbot_case", "refbot_expected", "refbot_observed", "refbot_again"} <= set(
        properties
    )
    assert properties["refbot_verdict"] == "NON-STRICT"
    shell = properties["refbot_again"].split("  #")[0]
    shown = subprocess.run(
        ["sh", "-c", shell], capture_output=True, text=True, timeout=60, check=False
    ).stdout
    assert "thinking about" in shown


def test_non_strict_passes_with_a_warning(pytester: pytest.Pytester) -> None:
    """What the text leaves open is no failure, and not nothing."""
    result = run(pytester, "--bot", fault_bot("debug-lines"), "refbot::G4")

    result.assert_outcomes(passed=1, deselected=1, warnings=1)
    result.stdout.fnmatch_lines(["*NonStrictWarning: refbot::G4::*: NON-STRICT: *"])


def test_a_bot_that_dies_is_an_error_of_every_item(pytester: pytest.Pytester) -> None:
    """No item fails, for nothing was judged; its last words stand in the report."""
    result = run(pytester, "--bot", fault_bot("exits-status-3"), "refbot::G4", "refbot::G5")

    counts = result.parseoutcomes()
    assert set(counts) == {"errors", "deselected"}
    said = text(result)
    assert "CRASH: not asked; " in said or "START-FAILED: not asked; " in said
    assert "stderr    cannot find weights\\x07.bin" in said


@needs_c
@pytest.mark.parametrize("is_allowed", [False, True])
def test_what_cannot_be_told_is_no_success(pytester: pytest.Pytester, *, is_allowed: bool) -> None:
    """INCONCLUSIVE fails, unless it is allowed; then it is skipped."""
    allow = ["--bot-allow-inconclusive"] if is_allowed else []

    result = run(pytester, "--bot", C_BOT, "--bot-level", "smoke", *allow, "refbot::R2::opening-9x9", "-rs")

    result.assert_outcomes(**({"skipped": 1} if is_allowed else {"failed": 1}))
    result.stdout.fnmatch_lines(["*cannot tell: *" if is_allowed else "INCONCLUSIVE: *"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["refbot::R44"], "refbot: refbot::R44: no requirement 'R44'; did you mean 'R4'[?]"),
        (["refbot::R4::a-snapback"], "refbot: refbot::R4::a-snapback: no case 'a-snapback'.*"),
        (["refbot::certificate::R4"], "refbot: refbot::certificate::R4: no case 'R4'.*"),
        (["--bot-level", "ful"], "refbot: no level 'ful'; did you mean 'full'[?].*"),
        (
            ["--bot-known", "none.toml"],
            "refbot: cannot read known failures .*none.toml: No such file or directory",
        ),
        (["--bot-playouts", "many"], "refbot: --bot-playouts 'many' is not a number above 0"),
        (["--bots", "none.toml"], "refbot: .*No such file or directory.*"),
    ],
)
def test_a_wrong_option_ends_the_session(
    pytester: pytest.Pytester, arguments: list[str], sentence: str
) -> None:
    """One line says what is wrong."""
    pytester._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    with pytest.raises(pytest.UsageError) as caught:
        pytester.parseconfigure("-p", "harness.plugin.entry", "--bot", "./mybot", *arguments)

    assert re.fullmatch(sentence, str(caught.value))
