"""What xlwings has no word for, asked of each spreadsheet in its own: protection, read-only, copies, hidden lines in one go.

Excel for Windows is asked through COM, Excel for Mac through Apple events, LibreOffice through UNO. Only the last could be run by the
people who wrote this; the calls to the other two follow their reference, and docs/excel-checklist.md has them tried.
"""

# ruff: noqa: D102  (the protocol says what each member does)
from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lark_sheets.core.problems import problem
from lark_sheets.errors import MissingPiece

if TYPE_CHECKING:
    import xlwings

_ALLOWED = (
    "FormattingCells",
    "FormattingColumns",
    "FormattingRows",
    "InsertingColumns",
    "InsertingRows",
    "InsertingHyperlinks",
    "DeletingColumns",
    "DeletingRows",
    "Sorting",
    "Filtering",
    "UsingPivotTables",
)
"""What a protected sheet may still allow, in the order of Excel's Protect method."""


class Native(Protocol):
    """What a spreadsheet is asked beyond xlwings."""

    def is_read_only(self, book: xlwings.Book) -> bool:
        """Say whether a workbook is open read-only."""
        ...

    def has_changes(self, book: xlwings.Book) -> bool:
        """Say whether a workbook holds something that was not saved."""
        ...

    def save_copy(self, book: xlwings.Book, path: Path) -> None:
        """Write a copy of a workbook as it is now; its own file and name stay."""
        ...

    def unprotected(self, sheet: xlwings.Sheet) -> AbstractContextManager[None]:
        """Take a sheet's protection off for a while and put the same back; ``MissingPiece`` when it has a password."""
        ...

    def hidden(self, cells: xlwings.Range, axis: str) -> bool | None:
        """Say whether all "rows" or "columns" of a range are hidden, none, or (None) some."""
        ...


def native(app: xlwings.App) -> Native:
    """Return how the running spreadsheet is asked."""
    if app.engine.name == "libreoffice":
        return LibreOffice()
    return ExcelForMac() if sys.platform == "darwin" else ExcelForWindows()


def _locked(sheet: xlwings.Sheet) -> MissingPiece:
    return MissingPiece(problem("sheet_locked", file=sheet.book.name, sheet=sheet.name))


def _lines_hidden(cells: xlwings.Range, axis: str) -> bool | None:
    return cells.rows.hidden if axis == "rows" else cells.columns.hidden


class ExcelForWindows:
    """Excel through COM."""

    def is_read_only(self, book: xlwings.Book) -> bool:
        return bool(book.api.ReadOnly)

    def has_changes(self, book: xlwings.Book) -> bool:
        return not book.api.Saved

    def save_copy(self, book: xlwings.Book, path: Path) -> None:
        book.api.SaveCopyAs(str(path))

    @contextlib.contextmanager
    def unprotected(self, sheet: xlwings.Sheet) -> Iterator[None]:
        own = sheet.api
        if not own.ProtectContents:
            yield
            return
        before = own.Protection
        allowed = [bool(getattr(before, f"Allow{what}")) for what in _ALLOWED]
        drawings, scenarios = bool(own.ProtectDrawingObjects), bool(own.ProtectScenarios)
        _try(own.Unprotect, "")
        if own.ProtectContents:
            raise _locked(sheet)
        try:
            yield
        finally:
            # Password, DrawingObjects, Contents, Scenarios, UserInterfaceOnly, then what is allowed
            own.Protect("", drawings, True, scenarios, False, *allowed)

    def hidden(self, cells: xlwings.Range, axis: str) -> bool | None:
        lines = cells.api.EntireRow if axis == "rows" else cells.api.EntireColumn
        state = lines.Hidden
        return None if state is None else bool(state)


class ExcelForMac:
    """Excel through Apple events."""

    def is_read_only(self, book: xlwings.Book) -> bool:
        return bool(book.api.read_only.get())

    def has_changes(self, book: xlwings.Book) -> bool:
        return not book.api.saved.get()

    def save_copy(self, book: xlwings.Book, path: Path) -> None:
        """Excel for Mac cannot save a copy: the book is saved, and its file copied."""
        book.save()
        shutil.copyfile(book.fullname, path)

    @contextlib.contextmanager
    def unprotected(self, sheet: xlwings.Sheet) -> Iterator[None]:
        own = sheet.api
        if not own.protect_contents.get():
            yield
            return
        before = own.protection_object
        names = [_words(what) for what in _ALLOWED]
        allowed = {name: bool(getattr(before, name).get()) for name in names}
        drawings, scenarios = bool(own.protect_drawing_objects.get()), bool(own.protect_scenarios.get())
        _try(own.unprotect)
        if own.protect_contents.get():
            raise _locked(sheet)
        try:
            yield
        finally:
            own.protect_worksheet(
                drawing_objects=drawings, worksheet_contents=True, scenarios=scenarios, **allowed
            )

    def hidden(self, cells: xlwings.Range, axis: str) -> bool | None:
        return _lines_hidden(cells, axis)


def _words(name: str) -> str:
    """Return a name as Apple events write it: FormattingCells -> allow_formatting_cells."""
    spaced = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return f"allow{spaced}".replace("pivot_tables", "pivot_table")


class LibreOffice:
    """LibreOffice through UNO."""

    def is_read_only(self, book: xlwings.Book) -> bool:
        return bool(book.api.isReadonly())

    def has_changes(self, book: xlwings.Book) -> bool:
        return bool(book.api.isModified())

    def save_copy(self, book: xlwings.Book, path: Path) -> None:
        own = book.api
        how = tuple(each for each in own.Args if each.Name == "FilterName")
        own.storeToURL(path.absolute().as_uri(), how)

    @contextlib.contextmanager
    def unprotected(self, sheet: xlwings.Sheet) -> Iterator[None]:
        own = sheet.api
        if not own.isProtected():
            yield
            return
        _try(own.unprotect, "")
        if own.isProtected():
            raise _locked(sheet)
        try:
            yield
        finally:
            own.protect("")

    def hidden(self, cells: xlwings.Range, axis: str) -> bool | None:
        return _lines_hidden(cells, axis)


def _try(call: Callable[..., Any], *arguments: Any) -> None:
    """Call what fails in its own way when a password is wanted; whether it worked is asked afterwards."""
    with contextlib.suppress(Exception):
        call(*arguments)
