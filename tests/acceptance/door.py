"""The other door to a workbook: open in a spreadsheet program, read and changed there, saved by it, closed again."""

from __future__ import annotations

from pathlib import Path

from lark_sheets.adapters.books import FileBooks
from lark_sheets.adapters.live_book import LiveBooks
from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.cells import BookData
from tests.live import application


class ThroughOffice:
    """Workbooks of which every one is opened in LibreOffice to be read or changed (implements :class:`lark_sheets.ports.Books`)."""

    def __init__(self) -> None:
        self.app = application()
        self.live = LiveBooks(self.app, FileBooks())

    def read(self, path: Path) -> BookData:
        book = self.app.books.open(str(path))
        try:
            return self.live.read(path)
        finally:
            book.close()

    def patch(self, path: Path, patch: BookPatch) -> Path | None:
        book = self.app.books.open(str(path))
        try:
            return self.live.patch(path, patch)
        finally:
            book.close()

    def write(self, plan: BookPlan, path: Path) -> None:
        self.live.write(plan, path)
