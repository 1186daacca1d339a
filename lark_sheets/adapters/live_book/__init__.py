"""The workbook that is open in the spreadsheet, through xlwings: every use case runs on it unchanged.

Only sheets, tables, ranges and values are used, so that Excel for Windows, Excel for Mac and LibreOffice are served alike; what xlwings
has no word for stands in :mod:`.native`. A workbook that is not open is left to the adapter of files. In an open one the spreadsheet
itself saves, so that nothing is lost that only the spreadsheet knows.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lark_sheets.adapters import free_backup
from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.cells import BookData
from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece
from lark_sheets.ports import Books

if TYPE_CHECKING:
    import xlwings

RESULTS_ARE_OURS = "results"
"""Start of the names of files that are made anew each time."""


class LiveBooks:
    """Workbooks of a running spreadsheet (implements :class:`lark_sheets.ports.Books`); ``files`` serves those that are not open."""

    def __init__(self, app: xlwings.App, files: Books) -> None:
        self.app = app
        self.files = files

    def find(self, path: Path) -> xlwings.Book | None:
        """Return the open workbook of a path, or None where it is not open here."""
        wanted = _same(path)
        for book in self.app.books:
            if book.name.casefold() == path.name.casefold():
                with contextlib.suppress(
                    Exception
                ):  # a path in the cloud that cannot be resolved is another book
                    if _same(Path(book.fullname)) == wanted:
                        return book
        return None

    def read(self, path: Path) -> BookData:
        """Read every sheet as the spreadsheet shows it now, saved or not; a file where the book is not open."""
        book = self.find(path)
        if book is None:
            return self.files.read(path)
        from lark_sheets.adapters.live_book.reading import read_book

        return read_book(book)

    def write(self, plan: BookPlan, path: Path) -> None:
        """Write a new workbook; an open one of that name is closed first.

        What a person had typed into it is kept: it then stands in ``backups/`` beside it.
        """
        book = self.find(path)
        if book is not None:
            from lark_sheets.adapters.live_book.native import native

            own = native(self.app)
            if own.has_changes(book) and not own.is_read_only(book):
                own.save_copy(book, free_backup(path))
            book.close()
        self.files.write(plan, path)

    def patch(self, path: Path, patch: BookPatch) -> Path | None:
        """Change cells of the open workbook through its ranges and let the spreadsheet save it.

        Returns a copy of the workbook as it was before, unsaved typing included, or None when it shows all of it already. Raises
        :class:`~lark_sheets.errors.DataError` with every cell that is in the way; then nothing is changed.
        """
        book = self.find(path)
        if book is None:
            return self.files.patch(path, patch)
        from lark_sheets.adapters.live_book.native import native
        from lark_sheets.adapters.live_book.writing import Change

        own = native(self.app)
        change = Change.of(book, patch)
        if change.is_empty:
            return None
        if own.is_read_only(book):
            raise MissingPiece(problem("book_read_only", file=path.name))
        backup = free_backup(path)
        own.save_copy(book, backup)
        with at_rest(self.app):
            change.make(own)
        book.save()
        return backup


def _same(path: Path) -> str:
    return os.path.normcase(os.path.realpath(path))


@contextlib.contextmanager
def at_rest(app: xlwings.App) -> Iterator[None]:
    """Hold the screen, calculation and events still, and put them back as they were whatever happens."""
    with app.properties(
        screen_updating=False, calculation="manual", enable_events=False, display_alerts=False
    ):
        yield
