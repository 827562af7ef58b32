"""Every sentence of the requirements is broken by a mistake that a case shows.

A sentence that no mistake breaks is one that no case need hold: a bot that reads it wrongly would pass.
"""

import re
import tomllib
from pathlib import Path

import pytest
from certificates import shipped

from harness.cases.suite import Requirement
from harness.judging.run_assessment import shows
from reference_engine.deviations import BY_NAME

FOLDER = Path(__file__).parent
SENTENCES = tomllib.loads((FOLDER / "sentences.toml").read_text())
UNLISTED = tomllib.loads((FOLDER / "unlisted.toml").read_text())
MEASURED = (FOLDER.parents[1] / "docs/unlisted.md").read_text()


def sentences_of(requirement: Requirement) -> list[str]:
    """Return the sentences that a bot can break or keep, and those that say which it cannot."""
    split = [s for text in (requirement.clause, requirement.reading) for s in re.split(r"(?<=[.;]) ", text)]
    return split + [f"{o.question} {o.accepted}" for o in requirement.open if o.accepted.startswith("No")]


@pytest.mark.parametrize("name", shipped()[0].requirements)
def test_every_sentence_has_its_mistakes(name: str) -> None:
    """Or a reason why there can be none."""
    assert list(SENTENCES[name]) == sentences_of(shipped()[0].requirements[name])
    assert all(SENTENCES[name].values())


@pytest.mark.parametrize(
    "mistake",
    sorted({m for of in SENTENCES.values() for ms in of.values() if not isinstance(ms, str) for m in ms}),
)
def test_every_mistake_is_shown(mistake: str) -> None:
    """By a case if it is in the catalogue, else by the certificate that docs/unlisted.md reports."""
    suite, tables = shipped()
    if mistake in BY_NAME:
        assert any(shows(case, mistake, tables) for case in suite.cases.values())
    else:
        assert mistake in UNLISTED
        assert re.search(rf"^\| {re.escape(mistake)} +\|[^|]*\|[^|]*\| FAIL +\|", MEASURED, re.MULTILINE)
