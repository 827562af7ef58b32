"""Mistakes that nobody listed are never pinned on one that somebody did.

Whole certificates of bots that the tester knows nothing of.  What is demanded of each is a statement about
single runs, with the seeds fixed: no conviction names a listed deviation with confidence.  Whether there is
a conviction at all depends on the size of the mistake; at level standard, with seeds 1 to 3, there was

| what the bot does | verdicts |
| --- | --- |
| random move now and then (2% of genmoves) | 3 PASS: under the level's tolerances |
| pass now and then (0.5% of genmoves) | 3 FAIL, by passes that R8 forbids |
| blind column | 3 FAIL, by some 50 exact findings |
| no ko now and then (1% of playouts) | 3 PASS: under the level's tolerances |
| stones only now and then (5%) | 3 FAIL, by exact checks and by the bets |
| komi left out now and then (3%) | 3 FAIL, the same |
| one pass ends now and then (2%) | 3 FAIL, the same |
| half a point for White | 3 FAIL, the same |
| AMAF of thirty moves | 3 PASS: few boards of the suite have as many |
| some playouts twice (half of them in pairs) | 2 FAIL by the spread of sums, 1 PASS |
| old nodes now and then (every twentieth) | 1 FAIL by an exact check, 1 PASS, 1 INCONCLUSIVE |
| out of time now and then (3% of genmoves) | 3 FAIL, by exact checks and by the bets |
| score to a twentieth | 3 FAIL: the scores are of another number of playouts |

All FAILs are without confidence: by the bets "not in the catalogue", or with the nearest listed deviation
called no more than likely.
"""

from pathlib import Path

import pytest
from certificates import certificate
from unlisted import UNLISTED, Conforming, starter

from harness.judging.verdict import Verdict
from harness.word import Word

SEEDS = (1, 2, 3)
CAUGHT = (
    "blind column",
    "stones only now and then",
    "komi left out now and then",
    "one pass ends now and then",
    "half a point for White",
    "out of time now and then",
    "score to a twentieth",
)
"""Mistakes so large that a certificate misses them with a probability that need not be computed."""


def _failed_exactly(verdict: Verdict) -> list[str]:
    checks = [check for requirement in verdict.requirements for check in requirement.checks]
    return [check.case for check in checks if check.verdict == Word.FAIL and check.kind == "exact"]


def test_the_engine_taken_apart_still_conforms(tmp_path: Path) -> None:
    """With every step right, what the unlisted bots are made of passes (a false FAIL has error 1e-4)."""
    verdict = certificate(tmp_path, start=starter(Conforming))

    assert (verdict.verdict, verdict.not_excluded) == ("PASS", [])


@pytest.mark.parametrize("name", ["blind column", "score to a twentieth"])
def test_what_is_left_unexplained_takes_confidence_away(name: str, tmp_path: Path) -> None:
    """No listed deviation brings forth what was seen: what is named is said to be refuted, or not sure."""
    verdict = certificate(tmp_path, seed=1, start=UNLISTED[name])

    assert verdict.verdict == Word.FAIL
    assert not verdict.confident
    assert all(s.refuted or s.probability < 0.99 for s in verdict.diagnosis)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(UNLISTED))
def test_an_unlisted_mistake_is_not_pinned_on_a_listed_one(name: str, tmp_path: Path) -> None:
    """In three certificates no conviction is confident of its first suspect, no counter-example is forgiven,
    and what is gross is caught.
    """
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        verdict = certificate(folder, seed=seed, start=UNLISTED[name])
        suspects = [s.deviation for s in verdict.diagnosis]

        assert not verdict.confident, (seed, verdict.reason, suspects)
        if _failed_exactly(verdict) or name in CAUGHT:
            assert verdict.verdict == Word.FAIL, (seed, verdict.reason)
