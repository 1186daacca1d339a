"""Finding tables and columns by name, in either language, wherever a person or a program moved them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lark_sheets.core.cells import Area, BookData, SheetData, Value, shown
from lark_sheets.core.problems import problem
from lark_sheets.core.text import folded
from lark_sheets.errors import DataError, Problem
from lark_sheets.workbook.layout import VERDICT_GENERAL, Column, Table

MOST_HEADER_ROWS = 200
"""A header lower than this is not searched for; ours stand within the first dozen rows."""
ENOUGH_HEADERS = 0.75
"""Share of a table's columns that a row must name to be taken for its header."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table as found: its sheet, its header row, the place of each of its columns, its last row.

    ``foreign`` are headers that are not ours. All places are 1-based.
    """

    table: Table
    sheet: SheetData
    header: int
    columns: Mapping[str, int]
    last: int
    foreign: tuple[str, ...] = ()

    def rows(self) -> Iterator[int]:
        """Return the numbers of the rows that hold anything in our columns."""
        places = tuple(self.columns.values())
        for number in range(self.header + 1, self.last + 1):
            row = self.sheet.rows[number - 1] if number <= len(self.sheet.rows) else ()
            if any(len(row) >= p and row[p - 1] not in (None, "") for p in places):
                yield number

    def value(self, row: int, key: str) -> Value:
        """Return the value in a column of ours, None where the column is missing."""
        column = self.columns.get(key)
        return None if column is None else self.sheet.value(row, column)

    def text(self, row: int, key: str) -> str:
        """Return a cell as text."""
        return shown(self.value(row, key))


def headers_of(column: Column) -> set[str]:
    """Return the headers a column may carry, folded for comparison: its key, its French and English names."""
    names = (column.key, *column.header.both())
    if column.key == "verdict":
        names = (*names, *VERDICT_GENERAL.both(), "Prête", "Ready")
    return {folded(name) for name in names}


def find_table(book: BookData, table: Table, required: tuple[str, ...]) -> FoundTable:
    """Find a table by its name, or, where the program that saved the file dropped tables, by its header row.

    Rows that were added under the table belong to it. Raises :class:`DataError` when the sheet is missing, a
    ``required`` column is missing, or two columns carry one name.
    """
    found = maybe_table(book, table)
    if found is None:
        seen = ", ".join(sheet.name for sheet in book.sheets)
        names = " / ".join(table.sheet.name.both())
        raise DataError(problem("missing_sheet", file=book.name, found=seen, table=table.name, wanted=names))
    missing = [key for key in required if key not in found.columns]
    if missing:
        raise DataError(*(_missing(book, found, table.column(key)) for key in missing))
    return found


def maybe_table(book: BookData, table: Table) -> FoundTable | None:
    """Find a table, or return None where the workbook has none."""
    for sheet in book.sheets:
        if table.name in sheet.tables:
            area = sheet.tables[table.name]
            return _in_area(book, sheet, table, area.top, area.left, area.right, area.bottom)
    ours = set(table.sheet.name.both())
    wanted = _keys_by_header(table)
    best: tuple[int, FoundTable] | None = None
    for sheet in sorted(book.sheets, key=lambda s: s.name not in ours):
        for row, left, right in _header_runs(sheet):
            named = len(_matches(sheet, wanted, row, left, right))
            if named >= max(2, ENOUGH_HEADERS * len(table.columns)) and (best is None or named > best[0]):
                best = (named, _in_area(book, sheet, table, row, left, right, row))
        if best:
            break
    return best[1] if best else None


def _header_runs(sheet: SheetData) -> Iterator[tuple[int, int, int]]:
    """Return the runs of neighbouring text cells in the upper rows: (row, first column, last column)."""
    for number, row in enumerate(sheet.rows[:MOST_HEADER_ROWS], 1):
        start = 0
        for column, value in enumerate([*row, None], 1):
            if isinstance(value, str) and value.strip():
                start = start or column
            elif start:
                if column - start > 1:
                    yield number, start, column - 1
                start = 0


def _keys_by_header(table: Table) -> dict[str, str]:
    """Return the column keys by every header they may carry."""
    return {header: column.key for column in reversed(table.columns) for header in headers_of(column)}


def _matches(
    sheet: SheetData, wanted: Mapping[str, str], row: int, left: int, right: int
) -> dict[str, list[int]]:
    """Return the places of the columns that a row's cells name, by key."""
    places: dict[str, list[int]] = {}
    for column in range(left, right + 1):
        key = wanted.get(folded(shown(sheet.value(row, column))))
        if key:
            places.setdefault(key, []).append(column)
    return places


def _in_area(
    book: BookData, sheet: SheetData, table: Table, header: int, left: int, right: int, bottom: int
) -> FoundTable:
    places = _matches(sheet, _keys_by_header(table), header, left, right)
    repeated = {key: where for key, where in places.items() if len(where) > 1}
    if repeated:
        raise DataError(
            *(
                problem(
                    "ambiguous_column",
                    file=book.name,
                    sheet=sheet.name,
                    found=shown(sheet.value(header, where[0])),
                )
                for where in repeated.values()
            )
        )
    columns = {key: where[0] for key, where in places.items()}
    ours = set(columns.values())
    foreign = tuple(
        text for c in range(left, right + 1) if c not in ours and (text := shown(sheet.value(header, c)))
    )
    return FoundTable(
        table, sheet, header, columns, _last_row(sheet, header, left, right, bottom, ours), foreign
    )


def _last_row(sheet: SheetData, header: int, left: int, right: int, bottom: int, ours: set[int]) -> int:
    """Return the last row of a table: rows typed under it count until a wholly blank one, or another table, follows.

    Without a table (``bottom`` is the header's row) all rows below belong to it, blank ones between them too.
    """
    last = bottom
    if bottom == header:
        return len(sheet.rows)
    area = Area(header, left, bottom, right)
    others = [a for a in sheet.tables.values() if a != area and a.left <= right and a.right >= left]
    while last < len(sheet.rows):
        row = sheet.rows[last]
        if not any(len(row) >= c and row[c - 1] not in (None, "") for c in ours):
            break
        if any(other.top <= last + 1 <= other.bottom for other in others):
            break
        last += 1
    return last


def _missing(book: BookData, found: FoundTable, column: Column) -> Problem:
    seen = ", ".join(text for text in found.foreign if text)
    return problem(
        "missing_column",
        file=book.name,
        sheet=found.sheet.name,
        found=seen,
        column=" / ".join(column.header.both()) or column.key,
    )
