"""`refbot match` as a user runs it: exit statuses, files, resuming after a kill, one line for every error."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

import pytest
from sgf_replay import replay

ROOT = Path(__file__).parents[3]
MATCH_BOT = f"{sys.executable} {ROOT / 'tests' / 'bots' / 'match_bot.py'}"
FAULT_BOT = f"{sys.executable} {ROOT / 'tests' / 'bots' / 'fault_bot.py'}"
PLAYER = f"one={MATCH_BOT} --playouts 2"
GNUGO = "/usr/games/gnugo"


def command(*arguments: str) -> list[str]:
    """Return the command line."""
    return [sys.executable, "-m", "harness", "match", *arguments]


def match(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, cwd=folder, env=environment
    )


def test_a_match_between_two_bots(tmp_path: Path) -> None:
    """JSON on standard output is what match.json holds; every game has its file, and is what it says."""
    done = match(tmp_path, PLAYER, f"two={MATCH_BOT} --playouts 1", "-n", "4", "--size", "5", "--komi", "0.5",
                 "--jobs", "2", "--out", "run", "--json", "-q", "--final-score")  # fmt: skip

    assert (done.returncode, done.stderr.split()[0]) == (0, "PASS")
    document = json.loads(done.stdout)
    assert document == json.loads((tmp_path / "run" / "match.json").read_text())
    assert document["word"] == "PASS"
    assert [bot["name"] for bot in document["bots"]] == ["one", "two"]
    assert document["meetings"][0]["games"] + document["meetings"][0]["duplicates"] == 4
    for path in (tmp_path / "run" / "games").iterdir():
        stated, found = replay(path.read_bytes())
        assert stated == found
    assert "B+1" in (tmp_path / "run" / "one-two.dat").read_text()


def test_values_of_the_environment_are_told_to_nobody(tmp_path: Path) -> None:
    """They are in environment.json, for its owner alone, and in no other file, though the bots print them."""
    command = f'sh -c "exec {MATCH_BOT} --playouts 2 --name $KEY"'
    bot = f"command = '{command}'\nenv = {{ KEY = 'hunter22' }}\n"
    (tmp_path / "bots.toml").write_text(f"[one]\n{bot}[two]\n{bot}")
    done = match(
        tmp_path, "one", "two", "--bots", "bots.toml", "-n", "2", "--size", "5", "--out", "run", "-q"
    )
    left = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]

    assert done.returncode == 0, done.stderr
    assert len(left) == 7
    told = [path for path in left if b"hunter22" in path.read_bytes()]
    assert [(path.name, path.stat().st_mode & 0o777) for path in told] == [("environment.json", 0o600)]
    assert b"[hidden]" in (tmp_path / "run" / "match.jsonl").read_bytes()
    assert "hunter22" not in done.stderr + done.stdout


def run_here(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int | str | None:
    """Run the command in this process, and return its exit status."""
    from harness.cli.main import main

    monkeypatch.setattr(sys, "argv", ["refbot", "match", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize(
    ("second", "options", "status", "said"),
    [
        (
            "--moves resign",
            ["-n", "80", "--expect", "even", "--margin", "0.2"],
            3,
            "78 of 80 games repeat an earlier one: with them the word is FAIL, without them INCONCLUSIVE",
        ),
        ("--moves resign", ["-n", "8", "--expect", "even"], 3, "6 of 8 games repeat an earlier one"),
        ("--moves E5 --strike-at 1 --crash", ["--voids", "1"], 4, "CRASH"),
        ("--moves E5 --strike-at 1 --crash", ["-n", "2", "--crash", "loss"], 0, "break 2"),
        ("--moves junk", ["-n", "2"], 0, "illegal move 2"),
        ("--moves 'E5 D5' --strike-at 1 --slow 1.2", ["--move-time", "1", "-n", "2"], 0, "time 2"),
    ],
)  # fmt: skip
def test_what_came_of_it_is_the_exit_status(
    second: str, options: list[str], status: int, said: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """An answer, a bot that cannot be run, or just results."""
    bots = [f"one={MATCH_BOT} --moves 'C3 A1'", f"two={MATCH_BOT} {second}"]
    found = run_here([*bots, "--size", "5", "--out", str(tmp_path / "run"), "-q", *options], monkeypatch)

    assert found == status
    assert said in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [
        (["--expect", "even", "--margin", "0.2"], 1, "FAIL even within 20 %: decided after game"),
        (["--sprt", "0", "400"], 0, "PASS one is 400 Elo stronger, rather than 0: decided after game"),
    ],
)
def test_bots_without_chance_are_compared_from_many_openings(
    question: list[str], status: int, said: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """No game is like another then, and the question is answered."""
    folder = tmp_path / "openings"
    folder.mkdir()
    for number, (black, white) in enumerate(permutations(("ba", "bb", "bd", "cb", "cd", "db", "dd"), 2)):
        (folder / f"{number:02d}.sgf").write_text(f"(;SZ[5]AB[{black}]AW[{white}]AW[ee]PL[B])")
    bots = [f"one={MATCH_BOT} --moves 'C3 A5'", f"two={MATCH_BOT} --moves resign"]
    how = ["--size", "5", "-n", "80", "--openings", str(folder), "--out", str(tmp_path / "run"), "-q"]

    assert run_here([*bots, *how, *question], monkeypatch) == status
    assert said in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 2, "a match takes two bots or more"),
        ([PLAYER, "./nowhere", "--out", "x"], 4, "START-FAILED"),
        ([PLAYER, f"{FAULT_BOT} exits-status-3", "--out", "x"], 4, "START-FAILED"),
        ([PLAYER, PLAYER, "-n", "3"], 2, "--games 3: give an even number"),
        ([PLAYER, PLAYER, "--ending", "japanese"], 2, "tromp-taylor, kgs"),
        ([PLAYER, PLAYER, "--kgs", "free"], 2, "--kgs free goes with --ending kgs"),
        ([PLAYER, PLAYER, PLAYER, "--expect", "even"], 2, "ask about two bots"),
        ([PLAYER, PLAYER, "--expect", "odd"], 2, "the only value is even"),
        ([PLAYER, PLAYER, "--expect", "even", "--sprt", "0", "5"], 2, "two questions"),
        ([PLAYER, PLAYER, "--sprt", "5", "0"], 2, "must be the greater"),
        ([PLAYER, PLAYER, "--move-time", "5", "--main-time", "5"], 2, "--move-time is a clock of its own"),
        ([PLAYER, PLAYER, "--byo-stones", "5"], 2, "goes with --byo-yomi"),
        ([PLAYER, PLAYER, "--main-time", "0"], 2, "no time at all"),
        ([PLAYER, PLAYER, "--handicap", "5", "--size", "8"], 2, "takes 2 to 4 handicap stones"),
        ([PLAYER, PLAYER, "--komi", "0.3"], 2, "half points"),
        ([PLAYER, PLAYER, "--openings", "."], 5, "no .sgf file"),
        ([PLAYER, "--resume", "x"], 2, "omit BOT and --out"),
        (["--resume", "x"], 2, "holds no match"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, arguments: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """What is wrong and what to do; nothing is played."""
    monkeypatch.chdir(tmp_path)
    found = run_here(arguments, monkeypatch)
    captured = capsys.readouterr()

    assert found == status
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_killed_match_is_gone_on_with(tmp_path: Path) -> None:
    """SIGKILL in the middle; what was played stays, the rest is played, and no bot is left over."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command(PLAYER, f"two={MATCH_BOT} --playouts 3", "-n", "14", "--size", "3", "--out", "run", "-q"),
        cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    record = tmp_path / "run" / "match.jsonl"
    deadline = time.monotonic() + 60
    while (not record.exists() or record.read_bytes().count(b"\n") < 4) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = record.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    played = whole.count(b"\n") - 1
    assert 3 <= played < 14
    done = match(tmp_path, "--resume", "run", "--trust", "--jobs", "2", "--json")

    assert done.returncode == 0, done.stderr
    assert f"going on after {played} games" in done.stderr
    assert record.read_bytes().startswith(whole)
    assert json.loads(done.stdout)["played"] == 14
    assert len(list((tmp_path / "run" / "games").iterdir())) == 14


def test_another_bot_is_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program has changed since; the record stays as it was.  Nor is a match begun over another."""
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "bot.py"
    source = (ROOT / "tests" / "bots" / "match_bot.py").read_text()
    bot.write_text(source.replace("Path(__file__).resolve().parent", repr(str(ROOT / "tests" / "bots"))))
    arguments = [
        PLAYER,
        f"two={sys.executable} {bot} --moves C3",
        "-n",
        "2",
        "--size",
        "4",
        "--out",
        "run",
        "-q",
    ]
    assert run_here(arguments, monkeypatch) == 0
    before = (tmp_path / "run" / "match.jsonl").read_bytes()
    again = run_here(arguments, monkeypatch)
    bot.write_text(bot.read_text() + "\n# another\n")
    other = run_here(["--resume", "run", "--trust", "--games", "4"], monkeypatch)
    said = capsys.readouterr().err

    assert (again, other) == (2, 2)
    assert "already holds a match" in said
    assert "two is not the bot of the match to be resumed: its program's digest" in said
    assert (tmp_path / "run" / "match.jsonl").read_bytes() == before


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    """Status 130, tables and summary of the games so far."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command(PLAYER, f"two={MATCH_BOT} --playouts 3", "-n", "1000", "--size", "5", "--out", "run", "-q"),
        cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    record = tmp_path / "run" / "match.jsonl"
    deadline = time.monotonic() + 60
    while (not record.exists() or record.read_bytes().count(b"\n") < 3) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 130, errors
    assert "`refbot match --resume run --trust` goes on" in errors
    played = record.read_bytes().count(b"\n") - 1
    assert json.loads((tmp_path / "run" / "match.json").read_text())["played"] == played


@pytest.mark.skipif(not Path(GNUGO).exists(), reason="GNU Go is not installed")
def test_gnugo_cleans_up_against_a_bot_that_claims_otherwise(tmp_path: Path) -> None:
    """Each calls the other's stones dead: GNU Go is asked to clean up, does so, and the board is counted."""
    liar = f"liar={MATCH_BOT} --moves 'A1 G7 A7' --dead enemy --cleanup pass"
    gnugo = f"gnugo={GNUGO} --mode gtp --level 1"
    done = match(tmp_path, gnugo, liar, "-n", "2", "--size", "7", "--ending", "kgs", "--out", "run", "-q")

    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in (tmp_path / "run" / "match.jsonl").read_text().splitlines()[1:]]
    for game in games:
        assert game["notes"] == ["no agreement on dead stones: cleanup"]
        assert len(game["breaks"]) == 2
        colour = "B" if game["black"] == 0 else "W"
        cleanup = [move for move in game["moves"][game["breaks"][0] :] if move[0] == colour]
        assert cleanup
        assert all(move[4] for move in cleanup)
        assert cleanup[0][1] != "pass"
        assert game["result"]["winner"] == colour
    for path in (tmp_path / "run" / "games").iterdir():
        stated, found = replay(path.read_bytes())
        assert stated == found
