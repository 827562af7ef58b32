"""A whole match without a pipe: files, jobs, resuming after a kill, voids, and answers."""

import json
import random
import threading
from pathlib import Path

import jsonschema
import pytest
from scripted_players import Script
from sgf_replay import replay
from sgfmill import sgf

from harness.bots.bot import Bot
from harness.bots.failure import Failure
from harness.bots.inprocess import InProcess
from harness.bots.processes import Process, Starter
from harness.errors import EvidenceError, NothingRunError, UsageError
from harness.match.openings import read_openings
from harness.match.record import (
    Ask,
    Entrant,
    GameRecord,
    MatchHeader,
    Question,
    Result,
    Termination,
    read_header,
    read_match,
)
from harness.match.run import Match, new_tally
from harness.match.schedule import TournamentFormat
from harness.match.schema import schemas
from harness.match.summary import Summary
from harness.match.tally import MatchTally, outcome_of
from harness.match.terms import Ending, OpeningPosition, Terms, TimeControl
from harness.render.match import answer_words, terms_of
from harness.word import Word
from reference_engine.deviations import BY_NAME
from reference_engine.spec import SPEC

SMALL = Terms(size=3, komi=0.5, playouts=4)


def engines(_bot: Bot, playouts: int, seed: int) -> Process | Failure:
    """Start the engine in this process."""
    return InProcess(playouts, seed)


def header(
    terms: Terms = SMALL, games: int = 4, question: Question | None = None, **more: object
) -> MatchHeader:
    """Return a match of two engines."""
    commands = ["boardsize", "ref-score", "final_score"]
    names = more.pop("names", ("one", "two"))
    assert isinstance(names, tuple)
    entrants = [Entrant(n, {"command": f"./{n}"}, "", f"GTP {n}", "1.0", commands) for n in names]
    openings = more.pop("openings", [OpeningPosition()])
    values = {"most_voids": 2, "makes_sgf": True, **more}
    return MatchHeader(
        1, "0.1", "2020-01-01 00:00:00 UTC", "host", terms,
        TournamentFormat.ROUND_ROBIN, games, entrants, openings,  # type: ignore[arg-type]
        question or Question(), **values,  # type: ignore[arg-type]
    )  # fmt: skip


def play(
    folder: Path, top: MatchHeader, start: Starter = engines, jobs: int = 1, games: int | None = None
) -> Summary:
    """Play a match, or go on with the one in the folder."""
    tally, part = new_tally(top, games or top.games), None
    if (folder / "match.jsonl").exists():
        part = read_match(folder, lambda head, game: tally.add(outcome_of(game, head, tally.schedule)))
    bots = [Bot(entrant.name, "./x {playouts}") for entrant in top.entrants]
    return Match(top, bots, tally, folder, part=part, start=start).go(jobs, lambda _: None)


def games_of(folder: Path) -> dict[int, GameRecord]:
    """Return the recorded games by number."""
    found: dict[int, GameRecord] = {}
    read_match(folder, lambda _, game: found.__setitem__(game.number, game))
    return found


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_match_leaves_games_tables_and_a_summary(tmp_path: Path, jobs: int) -> None:
    """Every game is replayed by sgfmill to the result in its file."""
    summary = play(tmp_path, header(Terms(size=5, komi=0.5, playouts=2), games=6), jobs=jobs)

    assert (summary.played, summary.word) == (6, Word.PASS)
    assert json.loads((tmp_path / "match.json").read_text())["meetings"][0]["games"] == 6
    files = sorted((tmp_path / "games").iterdir())
    assert [path.name for path in files] == [f"{n:06d}.sgf" for n in range(1, 7)]
    for path in files:
        stated, found = replay(path.read_bytes())
        assert stated == found
    rows = [row for row in (tmp_path / "one-two.dat").read_text().splitlines() if not row.startswith("#")]
    assert [row.split("\t")[0] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    comment = sgf.Sgf_game.from_bytes(files[1].read_bytes()).get_root().get("C")
    assert "Black: two (GTP two 1.0), by: ./two" in comment
    assert "ref-score" in files[0].read_text()


def test_a_kill_costs_only_the_game_under_way(tmp_path: Path) -> None:
    """Cut anywhere: the games before stay as they are, the missing ones are played, in all as many."""
    top = header(games=6)
    play(tmp_path, top)
    path = tmp_path / "match.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:5]) + lines[5][:40])
    before = dict(games_of_whole(path, lines))
    summary = play(tmp_path, top, jobs=2)

    after = games_of(tmp_path)
    assert summary.played == 6
    assert sorted(after) == [1, 2, 3, 4, 5, 6]
    assert all(after[n] == before[n] for n in (1, 3, 4))
    assert b'"type":"continued"' in path.read_bytes()


def games_of_whole(path: Path, lines: list[bytes]) -> dict[int, GameRecord]:
    """Return the games of a record as it was."""
    whole = path.with_name("whole")
    whole.mkdir()
    (whole / "match.jsonl").write_bytes(b"".join(lines))
    return games_of(whole)


def test_a_match_can_be_gone_on_with_for_longer(tmp_path: Path) -> None:
    """More games of each two bots than were asked for first."""
    top = header(games=2)
    play(tmp_path, top)
    summary = play(tmp_path, top, games=6)

    assert (summary.games, summary.played) == (6, 6)
    assert play(tmp_path, top, games=6).played == 6


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [*lines, lines[1]], "game 1 is there twice"),
        (lambda lines: [*lines, lines[0]], "second header"),
        (lambda lines: [lines[0], b"nonsense\n", *lines[1:]], "line 2"),
        (lambda lines: [lines[0][:-20]], "killed before anything"),
        (lambda lines: lines[1:], "line 1 is not a header"),
    ],
)
def test_damage_is_named(tmp_path: Path, damage: object, said: str) -> None:
    """One line says where."""
    play(tmp_path, header(games=2))
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))  # type: ignore[operator]
    with pytest.raises(EvidenceError, match=said):
        read_match(tmp_path, lambda _head, _game: None)


def test_a_folder_without_a_match(tmp_path: Path) -> None:
    """Is no match."""
    with pytest.raises(UsageError, match="holds no match"):
        read_header(tmp_path)


def test_every_process_has_its_own_seed(tmp_path: Path) -> None:
    """In fresh processes, in other workers and after a resume: no two games begin with the same numbers."""
    seeds: list[int] = []

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        seeds.append(seed)
        return engines(bot, playouts, seed)

    terms = Terms(size=3, playouts=1, is_fresh=True)
    play(tmp_path, header(terms, games=4), start, jobs=2)
    play(tmp_path, header(terms, games=8), start, jobs=2, games=8)

    assert len(seeds) == len(set(seeds)) == 16


def test_fresh_games_do_not_depend_on_the_jobs(tmp_path: Path) -> None:
    """With new processes for every game, each game is the same however they were shared out."""
    terms = Terms(size=3, komi=0.5, playouts=2, is_fresh=True)
    found = []
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        play(folder, header(terms, games=6), jobs=jobs)
        found.append({n: [move.vertex for move in game.moves] for n, game in games_of(folder).items()})

    assert found[0] == found[1]


def test_a_bot_that_breaks_every_game_ends_the_match(tmp_path: Path) -> None:
    """Its word is the match's, its games are no results."""

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return (
            Script(("!CRASH",)).starter()(bot, playouts, seed)
            if bot.name == "two"
            else engines(bot, playouts, seed)
        )

    summary = play(tmp_path, header(games=100), start)

    assert summary.word is Word.CRASH
    assert summary.played == 2
    assert {(one.bot, one.word) for one in summary.spoiled} == {("two", "CRASH")}
    assert summary.meetings[0].games == 0


def test_a_process_that_broke_off_is_replaced(tmp_path: Path) -> None:
    """One crash costs one game."""
    count = 0

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        nonlocal count
        count += bot.name == "two"
        if bot.name == "two" and count == 1:
            return Script(("!CRASH",)).starter()(bot, playouts, seed)
        return engines(bot, playouts, seed)

    summary = play(tmp_path, header(games=6), start)

    assert (summary.word, summary.meetings[0].games, summary.meetings[0].not_counted) == (Word.PASS, 5, 1)


def resigning(bot: Bot, _playouts: int, seed: int) -> Process | Failure:
    """Start a player of points chosen by the seed; the second bot resigns after two of them."""
    rows = (4, 5) if bot.name == "two" else (1, 2, 3)
    points = [f"{column}{row}" for column in "ABCDE" for row in rows]
    moves = random.Random(seed).sample(points, 2)  # noqa: S311 - to be repeated
    return Script([*moves, "resign"] if bot.name == "two" else moves).starter()(bot, 1, seed)


def test_the_match_ends_with_the_answer(tmp_path: Path) -> None:
    """A bot that resigns always is not even."""
    terms = Terms(size=5, komi=0.5, is_fresh=True)
    summary = play(tmp_path, header(terms, games=2000, question=Question(Ask.EVEN, 0.1)), resigning)

    assert summary.word is Word.FAIL
    assert summary.played < 80
    assert summary.test is not None
    assert summary.test.decided_at == summary.played
    assert summary.meetings[0].hows == {"resignation": summary.played}


def test_bots_without_chance_are_not_answered_for(tmp_path: Path) -> None:
    """The same, with the same seed for every process: one game with each colour says nothing of the next."""
    terms = Terms(size=5, komi=0.5, is_fresh=True)
    top = header(terms, games=100, question=Question(Ask.EVEN, 0.1))
    summary = play(tmp_path, top, lambda bot, playouts, _: resigning(bot, playouts, 1))

    assert (summary.word, summary.played, summary.meetings[0].duplicates) == (Word.INCONCLUSIVE, 100, 98)
    assert summary.test is not None
    assert (summary.test.every.word, summary.test.new.word) == (Word.FAIL, Word.INCONCLUSIVE)
    said = answer_words(summary.test, summary.meetings[0])
    assert "not decided; 98 of 100 games repeat an earlier one" in said
    assert "with them the word is FAIL, without them INCONCLUSIVE" in said


def test_a_round_robin_is_rated(tmp_path: Path) -> None:
    """Three bots: the one that always resigns is last."""

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return (
            Script(("resign",)).starter()(bot, playouts, seed)
            if bot.name == "c"
            else engines(bot, playouts, seed)
        )

    summary = play(tmp_path, header(games=6, names=("a", "b", "c")), start, jobs=2)

    assert [(m.first, m.second, m.games) for m in summary.meetings] == [
        ("a", "b", 6),
        ("a", "c", 6),
        ("b", "c", 6),
    ]
    assert min(summary.ratings, key=lambda r: r.elo).bot == "c"
    assert {path.name for path in tmp_path.glob("*.dat")} == {"a-b.dat", "a-c.dat", "b-c.dat"}


def test_an_error_of_ours_comes_out_of_a_worker(tmp_path: Path) -> None:
    """And leaves no thread behind."""

    def start(_bot: Bot, _playouts: int, _seed: int) -> Process | Failure:
        raise UsageError("no such thing")

    with pytest.raises(UsageError, match="no such thing"):
        play(tmp_path, header(), start, jobs=2)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("games")]


def test_sgf_shows_the_whole_of_a_game(tmp_path: Path) -> None:
    """Handicap, clock, claims, cleanup, stones taken off: replayed to the same result."""
    claim = {"final_status_list": "A1", "kgs-genmove_cleanup": "pass", "time_settings": "", "time_left": ""}
    terms = Terms(size=9, komi=0.5, handicap=2, ending=Ending.KGS, time=TimeControl(60, 10, 5))
    top = header(terms, games=2)
    entrants = [
        Entrant("a[]", {"command": "a\\]"}, "", "x\x1b[31m", "", [*claim]),
        Entrant("b", {"command": "b"}, "", "y", "", [*claim]),
    ]
    top = type(top)(
        **{f: getattr(top, f) for f in top.__struct_fields__ if f != "entrants"}, entrants=entrants
    )

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return Script(("A1",) if bot.name == "b" else ("E5", "E6"), dict(claim)).starter()(
            bot, playouts, seed
        )

    play(tmp_path, top, start)
    data = (tmp_path / "games" / "000001.sgf").read_bytes()
    root = sgf.Sgf_game.from_bytes(data).get_root()

    assert replay(data) == ("B+80.5", "B+80.5")
    assert (root.get("HA"), root.get("PL"), root.get("TM"), root.get("OT")) == (2, "w", 60.0, "5/10 Canadian")
    assert root.get("PB") == "a[]"
    assert b"taken off as dead: A1" in data
    assert b"W: final_status_list dead -> A1" in data
    assert b"\x1b" not in data
    assert b"WL[" in data


def test_openings_are_read_checked_and_played(tmp_path: Path) -> None:
    """A folder of records, in the order of their names; each begins a pair of games."""
    folder = tmp_path / "openings"
    folder.mkdir()
    (folder / "b.sgf").write_text("(;SZ[5]AB[cc][aa]PL[W])")
    (folder / "a.sgf").write_text("(;SZ[5];B[bb];W[dd])")
    found = read_openings(folder, 5).found

    assert found == [
        OpeningPosition("a", [], [("B", "B4"), ("W", "D2")], "B", 5),
        OpeningPosition("b", [("B", "C3"), ("B", "A5")], [], "W", 5),
    ]
    play(tmp_path, header(Terms(size=5, komi=0.5, playouts=1), games=4, openings=found))
    assert [game.opening for _, game in sorted(games_of(tmp_path).items())] == [0, 0, 1, 1]
    assert games_of(tmp_path)[3].moves[0].colour == "W"
    for path in (tmp_path / "games").iterdir():
        stated, replayed = replay(path.read_bytes())
        assert stated == replayed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;SZ[9])", "its board is of size 9"),
        ("(;SZ[5];B[aa];W[aa])", "move 2, A5: the point is occupied"),
        ("(;SZ[5];B[aa];AW[bb])", "set up after move 1"),
        ("nonsense", "no SGF"),
    ],
)
def test_openings_that_cannot_be_played(tmp_path: Path, text: str, said: str) -> None:
    """One line with the file and the reason."""
    path = tmp_path / "x.sgf"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_openings(path, 5)


def test_a_folder_of_records_of_several_sizes_as_people_have_it(tmp_path: Path) -> None:
    """Each begins games on its own board; what cannot be used is a line with file and reason."""
    texts = {
        "a.sgf": "(;AB[cc]SZ[5]PL[W])",
        "b.SGF": "(;SZ[3];B[bb];W[aa];B[ca];AE[bb])",
        "c.sgf": "(;SZ[5];B[zz])",
        "d.sgf": "no record",
        "readme.txt": "nothing",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    openings = read_openings(tmp_path, most_moves=2)
    assert [(one.name, one.size, len(one.moves)) for one in openings.found] == [("a", 5, 0), ("b", 3, 2)]
    assert [line.split(": ")[1] for line in openings.unusable] == [
        "B[zz] is no point of the board",
        "it is no SGF that can be read",
    ]
    assert all(name in line for name, line in zip(("c.sgf", "d.sgf"), openings.unusable, strict=True))
    only = read_openings(tmp_path, 3, 1)
    assert ([one.name for one in only.found], only.other_sizes) == (["b"], 1)
    assert only.found[0].to_move == "W"
    assert len(read_openings(tmp_path, 5).unusable) == 3
    with pytest.raises(NothingRunError, match=r"no board is of size 9; there are 3, 5"):
        read_openings(tmp_path, 9, 2)

    out = tmp_path / "run"
    out.mkdir()
    summary = play(out, header(Terms(komi=0.5, playouts=1), games=4, openings=openings.found))
    assert summary.sizes == [3, 5]
    assert "3x3 and 5x5" in terms_of(summary)
    assert [row for row in (out / "one-two.dat").read_text().splitlines() if "Size" in row] == ["# Size: 3/5"]
    files = sorted((out / "games").iterdir())
    assert [sgf.Sgf_game.from_bytes(file.read_bytes()).get_size() for file in files] == [5, 5, 3, 3]
    for file in files:
        stated, replayed = replay(file.read_bytes())
        assert stated == replayed


def test_what_is_kept_of_a_game_does_not_hold_its_moves(tmp_path: Path) -> None:
    """Ten thousand games must fit: the tally has no move in it."""
    top = header()
    tally: MatchTally = new_tally(top, 4)
    play(tmp_path, top)
    for game in games_of(tmp_path).values():
        tally.add(outcome_of(game, top, tally.schedule))

    assert tally.outcomes[0].result == Result(Termination.SCORE, *_of(games_of(tmp_path)[1]))
    assert not any(hasattr(outcome, "moves") for outcome in tally.outcomes)


def _of(game: GameRecord) -> tuple[str, float | None]:
    return game.result.winner, game.result.margin


def test_documents_are_what_the_published_schemas_say(tmp_path: Path) -> None:
    """The schemas in docs/ are those of the code; a match's files keep them."""
    docs = Path(__file__).parents[3] / "docs"
    published = {name: (docs / name).read_bytes() for name in schemas()}
    play(tmp_path, header(Terms(size=3, komi=0.5, playouts=2, ending=Ending.KGS), games=2))
    lines = (tmp_path / "match.jsonl").read_text().splitlines()

    assert published == schemas()
    jsonschema.validate(
        json.loads((tmp_path / "match.json").read_text()), json.loads(published["match.schema.json"])
    )
    for line in lines:
        jsonschema.validate(json.loads(line), json.loads(published["match-lines.schema.json"]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["second-best", "no-eye-rule"])
def test_a_rule_that_costs_strength_is_not_even(tmp_path: Path, name: str) -> None:
    """The engine against itself with one rule wrong, at 200 playouts: refuted in some dozens of games."""

    def start(bot: Bot, playouts: int, seed: int) -> Process | Failure:
        return InProcess(playouts, seed, BY_NAME[name].spec if bot.name == "two" else SPEC)

    summary = play(tmp_path, header(Terms(playouts=200), 4800, Question(Ask.EVEN, 0.05)), start)

    assert summary.word is Word.FAIL
    assert summary.played < 200
