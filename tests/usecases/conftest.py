"""One demo campaign for all tests of re-scoring: made once, copied for each test."""

import pytest

from tests.usecases.revising import Desk, demo_desk, small_desk


@pytest.fixture(scope="session")
def made_demo(tmp_path_factory) -> Desk:
    return demo_desk(tmp_path_factory.mktemp("demo") / "campaign")


@pytest.fixture(scope="session")
def made_first_pass(tmp_path_factory) -> Desk:
    return demo_desk(tmp_path_factory.mktemp("first") / "campaign", first_pass=True)


@pytest.fixture
def demo(made_demo, tmp_path) -> Desk:
    """The demo's campaign, both readers graded, nothing revealed."""
    return made_demo.copy_to(tmp_path / "campaign")


@pytest.fixture
def first_pass(made_first_pass, tmp_path) -> Desk:
    """The same before the first reader noticed the fences."""
    return made_first_pass.copy_to(tmp_path / "campaign")


@pytest.fixture(scope="session")
def made_small(tmp_path_factory) -> Desk:
    return small_desk(tmp_path_factory.mktemp("small") / "campaign")


@pytest.fixture
def small(made_small, tmp_path) -> Desk:
    """Twelve of the demo's responses: 5 with a fence, 3 read again."""
    return made_small.copy_to(tmp_path / "campaign")
