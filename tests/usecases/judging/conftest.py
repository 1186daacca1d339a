"""The stub server, the judge that speaks to it, and a bench with an empty ledger."""

import pytest

from tests.adapters.judge.fixtures import judge, stub  # noqa: F401  (fixtures)
from tests.usecases.judging.bench import Bench


@pytest.fixture
def bench(tmp_path, judge):  # noqa: F811  (a fixture that asks for a fixture)
    made = Bench(tmp_path / "ledger.sqlite", judge)
    yield made
    made.close()
