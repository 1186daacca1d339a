"""From an open workbook to plain values: whole ranges at once, and what the values alone do not tell."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lark_sheets.adapters.live_book.native import Native, native
from lark_sheets.core.cells import Area, BookData, Mark, SheetData, Value, address
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError

if TYPE_CHECKING:
    import xlwings

MAX_CELLS = 20_000_000
"""Cells of the rectangle from A1 to the last value that are read; a spreadsheet hands them all over at once."""
_MANY_CELLS = 500_000
"""Above this many cells the used range is mistrusted: formats alone may have stretched it."""
_LARGEST_LEVEL = 366
"""Whole numbers up to here that show as a date are what somebody typed as a number: nobody grades in 1900."""
_VISIBLE: tuple[object, ...] = (True, -1)
"""Excel for Windows says -1 (xlSheetVisible) for a sheet that shows, 0 and 2 for hidden ones."""
_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001
ERROR_TEXTS = frozenset(
    {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!"}
)
Grid = list[list[Any]]


def read_book(book: xlwings.Book) -> BookData:
    """Read every sheet of an open workbook. Raises :class:`DataError` (``too_large``) for a sheet that is out of measure."""
    own = native(book.app)
    return BookData(name=book.name, sheets=[_read_sheet(sheet, own) for sheet in book.sheets])


def _read_sheet(sheet: xlwings.Sheet, own: Native) -> SheetData:
    tables = {table.display_name: _table_area(table) for table in sheet.tables}
    height, width = _extent(sheet, tables.values())
    if height * width > MAX_CELLS:
        raise DataError(
            problem(
                "too_large",
                file=sheet.book.name,
                sheet=sheet.name,
                found=address(height, width),
                limit=f"{MAX_CELLS:,}",
            )
        )
    block = sheet.range((1, 1), (height, width))
    shown, formulas = values_of(block), formulas_of(block)
    rows: list[list[Value]] = []
    marks: dict[tuple[int, int], Mark] = {}
    for r, (values, texts) in enumerate(zip(shown, formulas, strict=True), 1):
        row: list[Value] = []
        for c, (value, text) in enumerate(zip(values, texts, strict=True), 1):
            plain, mark = _cell(value, text, partial(_value, sheet, r, c))
            row.append(plain)
            if mark:
                marks[r, c] = mark
        rows.append(row)
    _trim(rows)
    height, width = len(rows), max(map(len, rows), default=0)
    return SheetData(
        name=sheet.name,
        rows=rows,
        marks=marks,
        tables=tables,
        merged=sorted(merged_areas(sheet, height, width)) if rows else [],
        hidden_rows=frozenset(_hidden(sheet, own, "rows", height, width)),
        hidden_columns=frozenset(_hidden(sheet, own, "columns", height, width)),
        visible=sheet.visible in _VISIBLE,
    )


def _extent(sheet: xlwings.Sheet, tables: Any) -> tuple[int, int]:
    """Return the last row and column that may hold something."""
    used = area_of(sheet.used_range)
    height, width = used.bottom, used.right
    if height * width <= _MANY_CELLS:
        return height, width
    bottom = sheet.cells.last_cell.row
    filled = [sheet.range((bottom, column)).end("up").row for column in range(1, width + 1)]
    return max(1, *filled, *(area.bottom for area in tables)), width


def _table_area(table: xlwings.main.Table) -> Area:
    """Return a table's area, its row of totals left out."""
    area = area_of(table.range)
    return area._replace(bottom=area.bottom - bool(table.show_totals))


def area_of(cells: xlwings.Range) -> Area:
    """Return where a range lies."""
    top, left, (height, width) = cells.row, cells.column, cells.shape
    return Area(top, left, top + height - 1, left + width - 1)


def values_of(block: xlwings.Range) -> Grid:
    """Return a range's values, errors as Excel writes them."""
    try:
        found: Grid = block.options(ndim=2, err_to_str=True).value
    except TypeError:  # on a Mac xlwings tells errors of one row at a time only
        width = block.shape[1]
        found = [
            block[row, :].options(ndim=2, err_to_str=True).value[0] if width > 1 else [block[row, 0].value]
            for row in range(block.shape[0])
        ]
    return found


def formulas_of(block: xlwings.Range) -> Sequence[Sequence[Any]]:
    """Return what stands in a range's cells as typed, always in rows."""
    found = block.formula
    if not isinstance(found, list | tuple):
        return [[found]]
    if found and not isinstance(found[0], list | tuple):
        return [found] if block.shape[0] == 1 else [[each] for each in found]
    return found


def is_formula(typed: Any, value: Any) -> bool:
    """Say whether a cell holds a formula: a text that merely starts with = shows itself."""
    return isinstance(typed, str) and typed.startswith("=") and typed != value


def _value(sheet: xlwings.Sheet, row: int, column: int) -> Any:
    return sheet.range((row, column)).value


def _cell(value: Any, typed: Any, again: Callable[[], Any]) -> tuple[Value, Mark | None]:
    """Return a cell's plain value and mark; ``again`` reads it once more, errors then being None."""
    if isinstance(value, str):
        if value in ERROR_TEXTS and again() is None:
            return value, Mark.ERROR
        return value, Mark.FORMULA if is_formula(typed, value) else None
    if isinstance(value, decimal.Decimal):
        value = float(value)
    mark = Mark.FORMULA if is_formula(typed, value) else None
    if isinstance(value, dt.datetime):
        days = (value.replace(tzinfo=None) - _EPOCH) / dt.timedelta(days=1)
        if days <= _LARGEST_LEVEL and days == int(days):
            return days, mark or Mark.DATE
        bare = value.replace(tzinfo=None)
        return (bare.date() if bare.time() == dt.time() else bare), mark
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value), mark
    return value, mark


def _trim(rows: list[list[Value]]) -> None:
    """Drop the blank cells and rows at the end, formatted or not."""
    for row in rows:
        while row and row[-1] in (None, ""):
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    width = max(map(len, rows), default=0)
    for row in rows:
        row.extend([None] * (width - len(row)))


def _hidden(sheet: xlwings.Sheet, own: Native, axis: str, height: int, width: int) -> Iterator[int]:
    """Yield the hidden rows or columns: halves of a stretch are asked only where some are hidden and some are not."""
    open_stretches = [(1, height if axis == "rows" else width)]
    while open_stretches:
        first, last = open_stretches.pop()
        if last < first:
            continue
        corners = ((first, 1), (last, 1)) if axis == "rows" else ((1, first), (1, last))
        state = own.hidden(sheet.range(*corners), axis)
        if state is None and first < last:
            middle = (first + last) // 2
            open_stretches += [(first, middle), (middle + 1, last)]
        elif state:
            yield from range(first, last + 1)


def merged_areas(sheet: xlwings.Sheet, height: int, width: int) -> set[Area]:
    """Return the merged areas: quarters are asked only where something is merged."""
    found: set[Area] = set()
    open_areas = [Area(1, 1, height, width)]
    while open_areas:
        area = open_areas.pop()
        block = sheet.range((area.top, area.left), (area.bottom, area.right))
        if block.merge_cells is False:
            continue
        if area.top == area.bottom and area.left == area.right:
            found.add(area_of(block.merge_area))
            continue
        down, across = (area.top + area.bottom) // 2, (area.left + area.right) // 2
        open_areas += [
            Area(top, left, bottom, right)
            for top, bottom in {(area.top, down), (down + 1, area.bottom)}
            for left, right in {(area.left, across), (across + 1, area.right)}
            if top <= bottom
            and left <= right
            and not any(_covers(f, top, left, bottom, right) for f in found)
        ]
    return found


def _covers(area: Area, top: int, left: int, bottom: int, right: int) -> bool:
    return area.holds(top, left) and area.holds(bottom, right)
