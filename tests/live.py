"""LibreOffice as the spreadsheet that is open, one for the whole run; and workbooks that are opened in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
import xlwings

from lark_sheets.adapters.libreoffice_engine import activate

IN_OFFICE = [pytest.mark.office, pytest.mark.xdist_group("office")]
"""Marks of the tests that need it: ``pytestmark = IN_OFFICE``."""


@cache
def application() -> xlwings.App:
    """The one LibreOffice of this run; it ends with the run."""
    activate()
    return xlwings.App(add_book=False)


@pytest.fixture
def app() -> Iterator[xlwings.App]:
    """The running spreadsheet, without open workbooks, as it is after starting."""
    running = application()
    silent = running.impl.answer
    yield running
    for book in list(running.books):
        book.close()
    running.impl.told.clear()
    running.impl.shown.clear()
    running.impl.answer = silent
    running.status_bar = False
    running.screen_updating = True
