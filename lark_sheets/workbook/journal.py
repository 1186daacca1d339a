"""Writing into the spare rows of our log tables, so that what happened stands in the workbook itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import LogEntry
from lark_sheets.core.cells import Area, BookData
from lark_sheets.workbook import layout
from lark_sheets.workbook.layout import Table
from lark_sheets.workbook.locate import FoundTable, find_table


def log_lines(patch: BookPatch, book: BookData, entries: Sequence[LogEntry]) -> None:
    """Add lines to the log: its free rows first, then rows under it."""
    rows: list[Mapping[str, str | int | None]] = [
        {"when": e.when, "who": e.who, "event": e.event, "version": e.version, "detail": e.detail}
        for e in entries
    ]
    add_rows(patch, book, layout.LOG_TABLE, rows)


def add_rows(
    patch: BookPatch, book: BookData, table: Table, rows: Sequence[Mapping[str, str | int | None]]
) -> None:
    """Write rows into a table's spare rows; when they run out, the table grows.

    Raises :class:`~lark_sheets.errors.DataError` when the table is not in the workbook.
    """
    found = find_table(book, table, ())
    place = free_row(found)
    area = found.sheet.tables.get(table.name)
    bottom = area.bottom if area else max(found.last, found.header)
    for row, values in enumerate(rows, place):
        for key, value in values.items():
            if key in found.columns and value not in (None, ""):
                column = found.columns[key]
                patch.set(found.sheet.name, row, column, value, style_of=(found.header + 1, column))
    last = place + len(rows) - 1
    if area and last > bottom:
        patch.grown[table.name] = Area(area.top, area.left, last, area.right)


def free_row(found: FoundTable) -> int:
    """Return the first row under everything a table holds."""
    return max([*found.rows(), found.header]) + 1
