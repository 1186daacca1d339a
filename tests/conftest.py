"""Fixtures of the whole suite."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Tests that start `python -m lark_sheets` in another folder find this checkout; none of them reaches a paid service.
os.environ["PYTHONPATH"] = str(ROOT)
os.environ.pop("ANTHROPIC_API_KEY", None)

# A busy machine is no reason to fail.
settings.register_profile("lark-sheets", deadline=None)
settings.load_profile("lark-sheets")


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


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a demo in English, built once by the command a person types; tests that use it belong to the group "demo".

    Nobody may change it: copy what a test is to alter.
    """
    from lark_sheets.cli import main

    out = tmp_path_factory.mktemp("demo") / "demo"
    assert main(["demo", "--out", str(out), "--lang", "en"]) == 0
    return out
