"""Works: everything is asked, once, in pieces of a size, by processes of their own."""

from collections import Counter

from certificates import shipped
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.cases.case import Fresh
from harness.cases.level import LEVELS
from harness.runs.asking import processes_for
from harness.runs.forecast import AREA, genmoves_of
from harness.runs.plan import Job, playouts_of
from harness.runs.work import WorkItem, digest_of, divide, is_of_shard, size_of

CASES = sorted(shipped()[0].cases)
JOBS = st.lists(st.tuples(st.sampled_from(CASES), st.integers(1, 300)), max_size=12)


def jobs_of(drawn: list[tuple[str, int]]) -> list[Job]:
    """Return jobs of cases by name."""
    suite, _ = shipped()
    return [Job(suite.cases[name], times) for name, times in drawn]


def price(work: WorkItem, fixed: int | None) -> float:
    """Return the playouts of a work, as if on 9x9."""
    suite, _ = shipped()
    # Whole numbers are added up, and divided once: sums of fractions would exceed a bound that is met.
    points = sum(
        times * genmoves_of(case) * playouts_of(case, fixed) * case.file.size**2
        for name, times in work.asks
        for case in [suite.cases[name]]
    )
    return points / AREA


@given(JOBS, st.sampled_from(["smoke", "standard", "full", "reference"]), st.sampled_from([None, 1000]))
@settings(deadline=None)
def test_all_is_asked_once(drawn: list[tuple[str, int]], level: str, fixed: int | None) -> None:
    """Every job is asked as often as it says, X1 by two works; numbers follow each other; a work holds
    no more than its size, or one question that is larger; no two works share a process.
    """
    jobs = jobs_of(drawn)
    works = divide(jobs, LEVELS[level], fixed, 5, 9)

    wanted: Counter[str] = Counter()
    for job in jobs:
        wanted[job.case.id] += job.times * processes_for(job.case)
    asked: Counter[str] = Counter()
    for work in works:
        for name, times in work.asks:
            asked[name] += times
    assert asked == wanted
    assert [work.number for work in works] == list(range(5, 5 + len(works)))
    process = 9
    for work in works:
        assert work.process == process
        process += work.processes
        kinds = {shipped()[0].cases[name] for name, _ in work.asks}
        is_fresh = any(isinstance(case.question, Fresh) for case in kinds)
        is_single = sum(times for _, times in work.asks) == 1
        assert price(work, fixed) <= size_of(LEVELS[level]) or is_single or is_fresh
        assert len({playouts_of(case, fixed) for case in kinds}) == 1


@given(JOBS)
@settings(deadline=None)
def test_works_are_values(drawn: list[tuple[str, int]]) -> None:
    """The same jobs give the same works; other jobs another digest."""
    jobs, level = jobs_of(drawn), LEVELS["standard"]
    works = divide(jobs, level, None, 2, 2)

    assert works == divide(jobs, level, None, 2, 2)
    assert digest_of(works) == digest_of(divide(jobs, level, None, 2, 2))
    more = divide([*jobs, *jobs_of([("opening-9x9", 1)])], level, None, 2, 2)
    assert digest_of(works) != digest_of(more)


@given(st.integers(1, 60), st.integers(2, 500))
def test_every_work_is_of_one_shard(number: int, work: int) -> None:
    """Shards share nothing and leave nothing out."""
    assert sum(is_of_shard(work, (place, number)) for place in range(1, number + 1)) == 1
