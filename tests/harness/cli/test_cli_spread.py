"""``refbot certify --jobs``, ``--shard`` and ``refbot merge`` as their users meet them."""

import json
import sys
from pathlib import Path

import pytest
from command import ROOT, refbot

FAULT_BOT = ROOT / "tests" / "bots" / "fault_bot.py"
BOT = f"mybot={sys.executable} -IS {FAULT_BOT} none --playouts {{playouts}}"
ONLY = ["--case", "required-commands-are-listed", "--case", "a-thousand-playouts", "--level", "smoke", "-q"]


def test_shards_and_their_merger(tmp_path: Path) -> None:
    """A shard says what it did, and gives no verdict; a missing one is named; merged, they end as one run."""
    one, two, out = (tmp_path / name for name in ("one", "two", "out"))
    first = refbot("certify", BOT, *ONLY, "--shard", "1/2", "--out", str(one))
    assert (first.returncode, first.stdout) == (0, "")
    assert "shard 1 of 2 is done" in first.stderr
    assert not (one / "verdict.json").exists()
    alone = refbot("merge", str(one), "--out", str(out))
    assert (alone.returncode, alone.stderr) == (2, "refbot: 1 of 2 shards missing: 2/2\n")
    assert not out.exists()
    refbot("certify", BOT, *ONLY, "--shard", "2/2", "--out", str(two))

    merged = refbot("merge", str(two), str(one), "--out", str(out), "--json")
    whole = refbot("certify", BOT, *ONLY, "--jobs", "2", "--out", str(tmp_path / "whole"), "--json")

    assert merged.returncode == whole.returncode, merged.stderr
    documents = [json.loads(done.stdout) for done in (merged, whole)]
    for document in documents:
        assert document.pop("crew")["works"] == 2
        del document["elapsed_s"], document["evidence"], document["frame"]
    assert documents[0] == documents[1]
    assert refbot("verify", str(out)).returncode == merged.returncode


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--shard", "3/2"], "is not part of a number of parts"),
        (["--executor", "treads"], "did you mean 'threads'"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], said: str) -> None:
    """What cannot be spread is refused before anything is made."""
    done = refbot("certify", BOT, *ONLY, *arguments, "--out", str(tmp_path / "run"))

    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (tmp_path / "run").exists()
