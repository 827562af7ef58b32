"""The hosts of a spread run, and whether they all met the same bot: an outlying host is named."""

from collections.abc import Iterator

from harness.cases.case import Case, Sample
from harness.cases.suite import Suite
from harness.judging.exact import read_unit, score_digits
from harness.judging.verdict import OutlyingHost, SpreadHosts
from harness.records.evidence import Evidence, Unit, WorkLine
from harness.records.handshake import HANDSHAKE
from harness.statistics.homogeneity import LabelledSum, groups_of, outlying_groups
from harness.tables.tables import Tables

_QUANTITIES = ("length", "win fraction")


def hosts_of(suite: Suite, tables: Tables, evidence: Evidence) -> SpreadHosts | None:
    """Return the hosts of a spread run; None if it was not spread."""
    # A work with nothing but the handshake has only begun the run.
    works = [work for work in evidence.works if work.asks != [(HANDSHAKE, 1)]]
    if not works:
        return None
    workers, hosts = {_worker(work) for work in works}, sorted({work.host for work in works})
    outliers = tuple(_outliers(suite, tables, evidence)) if len(workers) > 1 else ()
    return SpreadHosts(hosts, len(workers), len(works), outliers)


def _worker(work: WorkLine) -> str:
    return f"{work.host} process {work.pid}"


def _outliers(suite: Suite, tables: Tables, evidence: Evidence) -> Iterator[OutlyingHost]:
    """Compare every host, and every worker, with all others, in each case about sums."""
    digits = score_digits(evidence.units)
    by_case: dict[str, list[tuple[WorkLine, Unit]]] = {}
    for work, units in evidence.done:
        for unit in units:
            case = suite.cases.get(unit.case)
            if case is not None and isinstance(case.question, Sample):
                by_case.setdefault(unit.case, []).append((work, unit))
    samples: list[tuple[Case, int, list[LabelledSum]]] = []
    for name, asked in sorted(by_case.items()):
        case = suite.cases[name]
        read = [(work, unit.playouts, read_unit(case, unit, digits).statistics) for work, unit in asked]
        for by in (_worker, _host):
            nodes = [LabelledSum(by(w), n, s.nodes) for w, n, s in read if s.nodes is not None]
            wins = [LabelledSum(by(w), n, sum(s.wins) / 4) for w, n, s in read if s.wins is not None]
            samples += [(case, 0, nodes), (case, 1, wins)]
    comparisons = sum(len(groups_of(batches)) for _, _, batches in samples)
    for case, place, batches in samples:
        null = tables.histogram(case)
        mean, sd = float(null.mean[place]), float(null.covariance[place][place]) ** 0.5
        for group in outlying_groups(batches, mean, sd, comparisons):
            yield OutlyingHost(
                group.who,
                case.id,
                _QUANTITIES[place],
                group.draws,
                group.value,
                group.others,
                mean,
                round(group.z, 2),
            )


def _host(work: WorkLine) -> str:
    return work.host
