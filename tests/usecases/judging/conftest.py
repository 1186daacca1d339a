"""The stub server and the judge that speaks to it."""

from tests.adapters.judge.fixtures import judge, stub  # noqa: F401  (fixtures)
