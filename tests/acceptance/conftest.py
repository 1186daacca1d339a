"""What the acceptance tests share: LibreOffice, and a desk whose workbooks all go through it."""

import pytest

import lark_sheets.adapters.books
from tests.acceptance.door import ThroughOffice
from tests.live import app

__all__ = ["app", "through_office"]


@pytest.fixture
def through_office(monkeypatch, app):
    """Every use case, also one that the command line calls, reads and changes workbooks in LibreOffice instead of as files."""
    monkeypatch.setattr(lark_sheets.adapters.books, "FileBooks", ThroughOffice)
