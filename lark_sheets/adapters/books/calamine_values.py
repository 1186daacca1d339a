"""python-calamine at arm's length: values, merged ranges, visibility; whatever it raises becomes one told problem."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from lark_sheets.adapters.books.package import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS
from lark_sheets.core.cells import Area, address
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

Rows = list[list[Any]]


class RawSheet(NamedTuple):
    """One worksheet as the library gives it: values from A1 on."""

    name: str
    visible: bool
    rows: Rows
    merged: list[Area]


@contextlib.contextmanager
def told(name: str) -> Iterator[None]:
    """Turn whatever the library raises into one told problem; its panics are no ``Exception``."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as fault:
        kind = type(fault).__name__
        if kind == "PasswordError":
            raise DataError(problem("encrypted_file", file=name)) from fault
        words = " ".join(str(fault).split())[:120]
        raise DataError(problem("damaged_file", file=name, found=words or kind)) from fault


def open_book(data: bytes, name: str) -> CalamineWorkbook:
    """Open a workbook of any kind, recognised by content. Raises ``encrypted_file`` or ``damaged_file``."""
    from python_calamine import CalamineWorkbook

    with told(name):
        return CalamineWorkbook.from_filelike(io.BytesIO(data))


def values(book: CalamineWorkbook, sheet: str, name: str) -> tuple[Rows, list[Area]]:
    """Return a sheet's values from A1 on, and its merged ranges. Raises ``too_large`` before the rectangle is filled."""
    with told(name):
        source = book.get_sheet_by_name(sheet)
        end = source.end
    if end is not None:
        refuse_far_cells(name, sheet, end[0] + 1, end[1] + 1)
    with told(name):
        ranges = source.merged_cell_ranges or ()
        merged = [Area(top + 1, left + 1, bottom + 1, right + 1) for (top, left), (bottom, right) in ranges]
        return source.to_python(skip_empty_area=False), merged


def all_sheets(data: bytes, name: str) -> list[RawSheet]:
    """Return every worksheet of a workbook that is no .xlsx; charts and macro sheets are left out."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    with open_book(data, name) as book:
        if len(book.sheet_names) > MAX_SHEETS:
            found, limit = str(len(book.sheet_names)), str(MAX_SHEETS)
            raise DataError(problem("too_large", file=name, found=found, limit=limit))
        return [
            RawSheet(meta.name, meta.visible == SheetVisibleEnum.Visible, *values(book, meta.name, name))
            for meta in book.sheets_metadata
            if meta.typ == SheetTypeEnum.WorkSheet
        ]


def refuse_far_cells(name: str, sheet: str, last_row: int, last_column: int) -> None:
    """Refuse a sheet whose rectangle, from A1 to the last value, would not fit into memory."""
    if last_row * last_column > MAX_CELLS or last_row > MAX_ROWS or last_column > MAX_COLUMNS:
        last = address(last_row, last_column)
        raise DataError(problem("too_large", file=name, sheet=sheet, found=last, limit=f"{MAX_CELLS:,}"))
