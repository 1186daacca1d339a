"""The stub server and the judge that speaks to it."""

import pytest

from tests.adapters.judge.fixtures import judge, stub  # noqa: F401  (fixtures)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "contract: against servers that others wrote; needs npm, run by --full"
    )
