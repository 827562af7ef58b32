"""A small suite for the tests of judging: made once for a module, with a small catalogue."""

from collections.abc import Iterator

import pytest

from harness.cases.suite import Suite


@pytest.fixture(scope="module")
def small_catalogue() -> Iterator[None]:
    """Leave in the catalogue only what the tables of the small suite are made for."""
    from tiny_run import SHOWN
    from tiny_suite import limit_catalogue

    with pytest.MonkeyPatch.context() as patch:
        limit_catalogue(patch, SHOWN)
        yield


@pytest.fixture(scope="module", name="suite")
def _suite(small_catalogue: None, tmp_path_factory: pytest.TempPathFactory) -> Suite:  # noqa: ARG001
    """Make the small suite."""
    from tiny_run import SHOWN
    from tiny_suite import CASES, make_suite

    from reference_engine.deviations import BY_NAME

    return make_suite(tmp_path_factory.mktemp("suite"), CASES, [BY_NAME[name] for name in SHOWN])
