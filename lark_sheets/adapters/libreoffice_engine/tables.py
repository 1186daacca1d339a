"""Tables: what Excel calls a table is a database range in LibreOffice."""

# ruff: noqa: D102  (a member without a docstring means what xlwings documents it to mean)
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from xlwings import base_classes  # noqa: TID253  (loads only when an engine is asked for)

from lark_sheets.adapters.libreoffice_engine.cells import Range, at

if TYPE_CHECKING:
    from lark_sheets.adapters.libreoffice_engine.books import Sheet

_UNNAMED = "__"
"""Start of the names of ranges that LibreOffice keeps for itself (filters without a table)."""


class Table(base_classes.Table):
    """One table."""

    def __init__(self, sheet: Sheet, office: Any) -> None:
        self.sheet = sheet
        self.office = office

    @property
    def api(self) -> Any:
        return self.office

    @property
    def parent(self) -> Sheet:
        return self.sheet

    @property
    def name(self) -> str:
        return str(self.office.Name)

    @name.setter
    def name(self, value: str) -> None:
        self.office.Name = value

    display_name = name

    @property
    def range(self) -> Range:
        area = self.office.DataArea
        return at(self.sheet, area.StartRow + 1, area.StartColumn + 1, area.EndRow + 1, area.EndColumn + 1)

    @property
    def show_headers(self) -> bool:
        return bool(self.office.ContainsHeader)

    @show_headers.setter
    def show_headers(self, value: bool) -> None:
        self.office.ContainsHeader = bool(value)

    @property
    def show_totals(self) -> bool:
        return bool(self.office.TotalsRow)

    @show_totals.setter
    def show_totals(self, value: bool) -> None:
        self.office.TotalsRow = bool(value)

    @property
    def header_row_range(self) -> Range | None:
        if not self.show_headers:
            return None
        whole = self.range
        return at(self.sheet, whole.row, whole.column, whole.row, whole.column + whole.shape[1] - 1)

    @property
    def data_body_range(self) -> Range | None:
        whole = self.range
        top = whole.row + self.show_headers
        bottom = whole.row + whole.shape[0] - 1 - self.show_totals
        if bottom < top:
            return None
        return at(self.sheet, top, whole.column, bottom, whole.column + whole.shape[1] - 1)

    def resize(self, range: Any) -> None:  # noqa: A002  (xlwings names it so)
        """Give the table another area."""
        cells = range.impl if hasattr(range, "impl") else range
        self.office.DataArea = cells.area


class Tables(base_classes.Tables):
    """The tables of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @property
    def api(self) -> Any:
        return self.sheet.book.document.DatabaseRanges

    def _found(self) -> list[Table]:
        here = self.sheet.index - 1
        ranges = (self.api.getByName(name) for name in self.api.ElementNames)
        return [
            Table(self.sheet, each)
            for each in ranges
            if each.DataArea.Sheet == here and not each.Name.startswith(_UNNAMED)
        ]

    def __len__(self) -> int:
        return len(self._found())

    def __iter__(self) -> Iterator[Table]:
        return iter(self._found())

    def __contains__(self, name: object) -> bool:
        return any(table.name.lower() == str(name).lower() for table in self._found())

    def __call__(self, name_or_index: str | int) -> Table:
        found = self._found()
        if isinstance(name_or_index, int):
            return found[name_or_index - 1]
        for table in found:
            if table.name.lower() == name_or_index.lower():
                return table
        raise KeyError(name_or_index)

    def add(
        self, source_type: Any = None, source: Any = None, link_source: Any = None, has_headers: Any = None,
        destination: Any = None, table_style_name: Any = None, name: Any = None,
    ) -> Table:  # fmt: skip
        """Make a table of a range; its first row holds the headers unless told otherwise."""
        del source_type, link_source, destination, table_style_name
        cells = source.impl if hasattr(source, "impl") else source
        title = name or f"Table{len(self.api.ElementNames) + 1}"
        self.api.addNewByName(title, cells.area)
        made = self.api.getByName(title)
        made.ContainsHeader = has_headers is not False
        return Table(self.sheet, made)
