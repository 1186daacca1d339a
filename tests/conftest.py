"""Fixtures of the whole suite."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked slow are left out, and counted as deselected, unless --full asks for them."""
    if config.getoption("--full"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def shared_dir_or_none() -> Path | None:
    """The folder of reference data beside the checkout, or None where there is none."""
    folder = ROOT.parent / "shared"
    return folder if (folder / "data").is_dir() else None


@pytest.fixture(scope="session")
def shared(shared_dir_or_none: Path | None) -> Path:
    """The folder of reference data beside the checkout; the test is skipped where there is none."""
    if shared_dir_or_none is None:
        pytest.skip("no ../shared beside this checkout")
    return shared_dir_or_none
