"""Open workbooks, their sheets and their defined names."""

# ruff: noqa: D102  (a member without a docstring means what xlwings documents it to mean)
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlwings import NoSuchObjectError, base_classes  # noqa: TID253  (loads only when an engine is asked for)

from lark_sheets.adapters.libreoffice_engine.cells import Range, at
from lark_sheets.adapters.libreoffice_engine.formulas import to_excel, to_office
from lark_sheets.adapters.libreoffice_engine.office import bridge, properties, struct
from lark_sheets.adapters.libreoffice_engine.places import range_of
from lark_sheets.adapters.libreoffice_engine.tables import Tables

if TYPE_CHECKING:
    from lark_sheets.adapters.libreoffice_engine.engine import App

_FILTERS = {
    ".xlsx": "Calc MS Excel 2007 XML",
    ".xlsm": "Calc MS Excel 2007 VBA XML",
    ".ods": "calc8",
    ".csv": "Text - txt - csv (StarCalc)",
}
_RUN_MACROS_UNASKED = 4  # com.sun.star.document.MacroExecMode.ALWAYS_EXECUTE_NO_WARN


class Books(base_classes.Books):
    """The open workbooks, the active one first."""

    api = None

    def __init__(self, app: App) -> None:
        self.app = app
        self.open_books: list[Book] = []

    @property
    def active(self) -> Book:
        if not self.open_books:
            raise NoSuchObjectError("no workbook is open")
        return self.open_books[0]

    def __len__(self) -> int:
        return len(self.open_books)

    def __iter__(self) -> Iterator[Book]:
        return iter(list(self.open_books))

    def __call__(self, name_or_index: str | int) -> Book:
        if isinstance(name_or_index, int):
            return self.open_books[name_or_index - 1]
        for book in self.open_books:
            if name_or_index.lower() in (book.name.lower(), book.fullname.lower()):
                return book
        raise KeyError(name_or_index)

    def add(self) -> Book:
        return self._load("private:factory/scalc")

    def open(
        self,
        fullname: Any,
        update_links: Any = None,
        read_only: Any = None,
        format: Any = None,  # noqa: A002  (xlwings names it so)
        password: Any = None,
        *further: Any,
        **named: Any,
    ) -> Book:
        """Open a file. ``OSError`` where LibreOffice does not take it."""
        del update_links, format, further, named
        wishes: dict[str, Any] = {
            "ReadOnly": bool(read_only),
            "MacroExecutionMode": _RUN_MACROS_UNASKED,
        }
        if password:
            wishes["Password"] = password
        return self._load(Path(fullname).absolute().as_uri(), **wishes)

    def _load(self, url: str, **wishes: Any) -> Book:
        hidden = not self.app.visible
        document = self.app.office.desktop.loadComponentFromURL(
            url, "_blank", 0, properties(Hidden=hidden, **wishes)
        )
        if document is None:
            raise OSError(f"LibreOffice could not open {url}")
        book = Book(self, document)
        self.open_books.insert(0, book)
        document.calculateAll()
        return book


class Book(base_classes.Book):
    """One open workbook."""

    def __init__(self, books: Books, document: Any) -> None:
        self.books = books
        self.document = document

    @property
    def api(self) -> Any:
        return self.document

    @property
    def app(self) -> App:
        return self.books.app

    @property
    def fullname(self) -> str:
        url = self.document.URL
        return str(bridge().fileUrlToSystemPath(url)) if url else "Untitled"

    @property
    def name(self) -> str:
        return Path(self.fullname).name

    @property
    def sheets(self) -> Sheets:
        return Sheets(self)

    @property
    def names(self) -> Names:
        return Names(self)

    def activate(self) -> None:
        self.books.open_books.remove(self)
        self.books.open_books.insert(0, self)

    def close(self) -> None:
        """Close without saving."""
        if self in self.books.open_books:
            self.books.open_books.remove(self)
            self.document.close(True)

    def save(self, path: Any = None, password: Any = None) -> None:
        """Save, or save under another name. ``OSError`` for a book that is open read-only, or that the disk refuses."""
        if path is None and self.document.URL:
            if self.document.isReadonly():
                raise OSError(f"{self.name} is open read-only")
            self._told(self.document.store)
            return
        target = Path(path or "Untitled.xlsx").absolute()
        wishes: dict[str, Any] = {"FilterName": _FILTERS[target.suffix.lower()]}
        if password:
            wishes["Password"] = password
        self._told(self.document.storeAsURL, target.as_uri(), properties(**wishes))

    def _told(self, store: Any, *arguments: Any) -> None:
        try:
            store(*arguments)
        except bridge().getClass("com.sun.star.io.IOException") as fault:
            raise OSError(f"{self.name}: {fault}") from fault

    def to_pdf(self, path: Any, quality: Any = None) -> None:
        del quality
        self._told(
            self.document.storeToURL, Path(path).absolute().as_uri(), properties(FilterName="calc_pdf_Export")
        )


class Sheets(base_classes.Sheets):
    """The sheets of a workbook, in order."""

    def __init__(self, book: Book) -> None:
        self.book = book

    @property
    def api(self) -> Any:
        return self.book.document.Sheets

    @property
    def active(self) -> Sheet:
        controller = self.book.document.CurrentController
        return Sheet(self.book, controller.ActiveSheet) if controller else self(1)

    def __call__(self, name_or_index: str | int) -> Sheet:
        try:
            if isinstance(name_or_index, str):
                return Sheet(self.book, self.api.getByName(name_or_index))
            return Sheet(self.book, self.api.getByIndex(name_or_index - 1))
        except Exception as fault:
            raise NoSuchObjectError(f"there is no sheet {name_or_index!r}") from fault

    def __len__(self) -> int:
        return int(self.api.Count)

    def __iter__(self) -> Iterator[Sheet]:
        return (self(number) for number in range(1, len(self) + 1))

    def add(self, before: Any = None, after: Any = None, name: Any = None) -> Sheet:
        place = before.index - 1 if before else after.index if after else len(self)
        free = (f"Sheet{number}" for number in range(1, len(self) + 2))
        name = name or next(each for each in free if not self.api.hasByName(each))
        self.api.insertNewByName(name, place)
        return self(name)


class Sheet(base_classes.Sheet):
    """One sheet; ``office`` is LibreOffice's own object."""

    def __init__(self, book: Book, office: Any) -> None:
        self._book = book
        self.office = office

    @property
    def api(self) -> Any:
        return self.office

    @property
    def book(self) -> Book:
        return self._book

    @property
    def name(self) -> str:
        return str(self.office.Name)

    @name.setter
    def name(self, value: str) -> None:
        self.office.Name = value

    @property
    def index(self) -> int:
        return int(self.office.RangeAddress.Sheet) + 1

    @property
    def visible(self) -> bool:
        return bool(self.office.IsVisible)

    @visible.setter
    def visible(self, value: bool) -> None:
        self.office.IsVisible = bool(value)

    @property
    def tables(self) -> Tables:
        return Tables(self)

    @property
    def names(self) -> Names:
        return Names(self.book, self)

    @property
    def cells(self) -> Range:
        return Range(self, self.office)

    @property
    def used_range(self) -> Range:
        cursor = self.office.createCursor()
        cursor.gotoStartOfUsedArea(False)
        cursor.gotoEndOfUsedArea(True)
        area = cursor.RangeAddress
        return at(self, area.StartRow + 1, area.StartColumn + 1, area.EndRow + 1, area.EndColumn + 1)

    def range(self, arg1: Any, arg2: Any = None) -> Range:
        return range_of(self, arg1, arg2)

    def activate(self) -> None:
        controller = self.book.document.CurrentController
        if controller:
            controller.ActiveSheet = self.office

    def delete(self) -> None:
        self.book.document.Sheets.removeByName(self.name)

    def clear(self) -> None:
        self.cells.clear()

    def clear_contents(self) -> None:
        self.cells.clear_contents()


class Name(base_classes.Name):
    """A defined name."""

    def __init__(self, book: Book, collection: Any, office: Any) -> None:
        self.book = book
        self.collection = collection
        self.office = office

    @property
    def api(self) -> Any:
        return self.office

    @property
    def name(self) -> str:
        return str(self.office.Name)

    @name.setter
    def name(self, value: str) -> None:
        self.office.Name = value

    @property
    def refers_to(self) -> str:
        return to_excel("=" + self.office.Content.lstrip("="))

    @refers_to.setter
    def refers_to(self, value: str) -> None:
        self.office.setContent(to_office(value).lstrip("="))

    @property
    def refers_to_range(self) -> Range:
        cells = self.office.getReferredCells()
        if cells is None:
            raise NoSuchObjectError(f"{self.name} is no range")
        return Range(Sheet(self.book, cells.Spreadsheet), cells)

    def delete(self) -> None:
        self.collection.removeByName(self.name)


class Names(base_classes.Names):
    """The defined names of a book, or of one of its sheets."""

    def __init__(self, book: Book, sheet: Sheet | None = None) -> None:
        self.book = book
        self.office = sheet.office.NamedRanges if sheet else book.document.NamedRanges

    @property
    def api(self) -> Any:
        return self.office

    def __len__(self) -> int:
        return int(self.office.Count)

    def __iter__(self) -> Iterator[Name]:
        return (Name(self.book, self.office, self.office.getByName(n)) for n in self.office.ElementNames)

    def contains(self, name_or_index: Any) -> bool:
        with contextlib.suppress(KeyError):
            return self(name_or_index) is not None
        return False

    def __call__(self, name_or_index: str | int) -> Name:
        if isinstance(name_or_index, int):
            return Name(self.book, self.office, self.office.getByIndex(name_or_index - 1))
        for name in self.office.ElementNames:
            if name.lower() == name_or_index.lower():
                return Name(self.book, self.office, self.office.getByName(name))
        raise KeyError(name_or_index)

    def add(self, name: str, refers_to: str) -> Name:
        origin = struct("com.sun.star.table.CellAddress")
        self.office.addNewByName(name, to_office(refers_to).lstrip("="), origin, 0)
        return self(name)
