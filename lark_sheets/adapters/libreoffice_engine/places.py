"""From what people call a range ("B2:C9", "tblGrades[Total]", a defined name, corners as numbers) to its cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from xlwings import NoSuchObjectError  # noqa: TID253  (loads only when an engine is asked for)

from lark_sheets.adapters.libreoffice_engine.cells import Range, at
from lark_sheets.core.cells import parse_area

if TYPE_CHECKING:
    from lark_sheets.adapters.libreoffice_engine.books import Book, Sheet

_ADDRESS = re.compile(r"\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?")
_STRUCTURED = re.compile(r"(\w+)\[(#\w+|[^\[\]]+)?\]")


def range_of(sheet: Sheet, first: Any, second: Any = None) -> Range:
    """Return the range that one or two designations name. ``NoSuchObjectError`` where there is none."""
    if isinstance(first, Range) and isinstance(second, Range):
        return at(
            sheet,
            min(first.row, second.row),
            min(first.column, second.column),
            max(first.row + first.shape[0], second.row + second.shape[0]) - 1,
            max(first.column + first.shape[1], second.column + second.shape[1]) - 1,
        )
    if isinstance(first, Range):
        return first
    if isinstance(first, tuple) and len(first) == 4:
        row, column, height, width = first
        return at(sheet, row, column, row + height - 1, column + width - 1)
    if isinstance(first, tuple):
        return at(sheet, *first, *(second or first))
    if second is not None:
        return range_of(sheet, range_of(sheet, first), range_of(sheet, second))
    return _named(sheet, first)


def _named(sheet: Sheet, text: str) -> Range:
    if match := _STRUCTURED.fullmatch(text):
        return _part_of_table(sheet.book, *match.groups())
    if _ADDRESS.fullmatch(text):
        return at(sheet, *parse_area(text))
    for scope in (sheet.names, sheet.book.names):
        if scope.contains(text):
            return scope(text).refers_to_range
    for table in (table for each in sheet.book.sheets for table in each.tables):
        if table.name.lower() == text.lower():
            return _there(table.data_body_range, text)
    try:
        return Range(sheet, sheet.office.getCellRangeByName(text))  # such as 3:3 or A:C
    except Exception as fault:
        raise NoSuchObjectError(f"there is no range {text!r}") from fault


def _part_of_table(book: Book, name: str, part: str | None) -> Range:
    for table in (table for sheet in book.sheets for table in sheet.tables):
        if table.name.lower() != name.lower():
            continue
        if part in (None, "#Data"):
            return _there(table.data_body_range, name)
        if part == "#All":
            return table.range
        if part == "#Headers":
            return _there(table.header_row_range, name)
        heads = [str(text) for text in _there(table.header_row_range, name).office.getDataArray()[0]]
        if part not in heads:
            raise NoSuchObjectError(f"the table {name} has no column {part!r}")
        body = _there(table.data_body_range, name)
        column = body.column + heads.index(str(part))
        return at(table.sheet, body.row, column, body.row + body.shape[0] - 1, column)
    raise NoSuchObjectError(f"there is no table {name!r}")


def _there(cells: Range | None, name: str) -> Range:
    if cells is None:
        raise NoSuchObjectError(f"the table {name} has no such part")
    return cells
