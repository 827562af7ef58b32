"""An earlier run, from its folder, its evidence or its verdict alone; judged again where it can be."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from harness.cases.suite import Suite
from harness.comparison.regress import Before
from harness.errors import EvidenceError, RefbotError, UsageError
from harness.judging.verdict import SCHEMA, Verdict
from harness.records.evidence import FILE_NAME, Evidence, read_evidence
from harness.regular_file import MEBIBYTE, read_file
from harness.runs.record import VERDICT_NAME

LEVEL_OF_NONE = "check"
"""The level whose runs hold no certificate to be compared with."""


def read_baseline(path: Path, suite: Suite, judge: Callable[[Suite, Evidence], Verdict]) -> Before:
    """Read a baseline.

    Args:
        path: a run's folder, its evidence file, or its verdict.json alone.
        suite: as it is installed.
        judge: judges the old evidence by it.

    Raises:
        UsageError: there is no run at that path, or it is none of a certificate.
        EvidenceError: what is there cannot be read.
    """
    none = UsageError(f"no baseline at {path}; give the folder of an earlier run, or its verdict.json")
    if not path.exists():
        raise none
    folder = path if path.is_dir() else path.parent
    recorded = _recorded(path if path.suffix == ".json" else folder / VERDICT_NAME)
    file = path if path.suffix == ".jsonl" else folder / FILE_NAME
    if path.suffix == ".json" or (recorded is not None and not file.exists()):
        if recorded is None:
            raise none
        _check_level(path, recorded.level)
        why = f"the baseline {path} is a verdict without its evidence: less of a drift shows, and no speed"
        return Before(str(path), recorded, None, None, why)
    if not file.exists():
        raise none
    evidence = read_evidence(file)
    _check_level(path, evidence.header.level)
    try:
        again = judge(suite, evidence)
    except RefbotError as error:
        if recorded is None:
            raise
        why = f"this suite cannot judge the baseline's evidence ({error}); its recorded verdict is used"
        return Before(str(path), recorded, None, evidence, why)
    if recorded is not None and recorded.evidence != again.evidence:
        raise EvidenceError(f"{folder / VERDICT_NAME} was reached on other evidence than lies beside it")
    return Before(str(path), recorded or again, again, evidence)


def _recorded(path: Path) -> Verdict | None:
    if not path.exists():
        return None
    try:
        verdict = msgspec.json.decode(read_file(path, 64 * MEBIBYTE), type=Verdict)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EvidenceError(f"{path} is no verdict: {error}") from error
    if verdict.schema != SCHEMA:
        raise EvidenceError(f"{path}: schema {verdict.schema}, and this refbot ({SCHEMA}) cannot read it")
    return verdict


def _check_level(path: Path, level: str) -> None:
    if level == LEVEL_OF_NONE:
        raise UsageError(
            f"{path} is a run of a check, which holds nothing to compare with; make a baseline with "
            "`refbot certify --baseline`"
        )
