"""What is asked next."""

from certificates import shipped

from harness.judging.diagnosis import Diagnosis
from harness.judging.run_assessment import RunAssessment
from harness.judging.verdict import Suspect
from harness.runs.plan import more_samples, telling_jobs

ONLY_FIXED = "unseen-moves-are-ignored-on-19x19"


def test_a_run_of_some_cases_plans_none_that_has_no_table() -> None:
    """A case for bots with a fixed number of playouts was not skipped there, for nobody asked for it."""
    suite, tables = shipped()
    assessment = RunAssessment({}, {}, None, 0.0, (), ("unseen-even", "no-ko"), ())
    suspects = (Suspect("no-ko", "R2", "", 0.6), Suspect("unseen-even", "R6", "", 0.4))

    more = more_samples(suite, tables, assessment)
    telling = telling_jobs(suite, tables, assessment, Diagnosis(suspects, 0.0, confident=False))

    assert more
    assert telling
    assert ONLY_FIXED not in {job.case.id for job in (*more, *telling)}
