"""Workbooks of every kind, read whole into plain values: python-calamine for the values, one scan for what it hides."""

from __future__ import annotations

import datetime as dt
import io
import math
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark_sheets.adapters.books.package import (
    MAX_CELLS,
    MAX_SHEETS,
    Kind,
    SheetPart,
    find_part,
    read_bytes,
    read_part,
    recognise,
    refuse_odd_xml,
    relationships,
    workbook_of,
    xml_of,
)
from lark_sheets.adapters.books.sheet_scan import SheetBytes, SheetScan
from lark_sheets.core.cells import Area, BookData, Mark, SheetData, address, parse_area
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, LarkError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

Rows = list[list[Any]]
_DATES = (dt.date, dt.time, dt.timedelta)  # a datetime is a date
_LARGEST_LEVEL = 366
"""Whole numbers up to here that show as a date are what somebody typed as a number: nobody grades in 1900."""


def read(path: Path) -> BookData:
    """Read every worksheet of an xlsx, xlsm, xlsb, xls or ods file: values from A1 on, marks, tables, merges, what is hidden.

    The kind is recognised by content, never by name. A number that merely shows as a date (a typed 1 in a cell formatted as a
    date) comes as the number with ``Mark.DATE``; a real date comes as a date. Nothing is changed.

    Raises:
        UsageError: there is no such file.
        MissingPiece: the file is locked or the disk does not answer.
        DataError: empty, encrypted, damaged, too large, or no workbook at all.
    """
    data = read_bytes(path)
    kind, archive = recognise(data, path.name)
    try:
        if kind is Kind.XLSX and archive is not None:
            return _read_xlsx(data, archive, path.name)
        return _read_other(data, kind, path.name)
    except LarkError:
        raise
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as fault:  # the reader's panics are no Exception
        raise _told(fault, path.name) from fault


def _told(fault: BaseException, name: str) -> DataError:
    kind = type(fault).__name__
    if kind == "PasswordError":
        return DataError(problem("encrypted_file", file=name))
    words = " ".join(str(fault).split())[:120]
    return DataError(problem("damaged_file", file=name, found=words or kind))


def _open(data: bytes) -> CalamineWorkbook:
    from python_calamine import CalamineWorkbook

    return CalamineWorkbook.from_filelike(io.BytesIO(data))


def _read_xlsx(data: bytes, archive: zipfile.ZipFile, name: str) -> BookData:
    workbook = workbook_of(archive, name)
    strings = find_part(archive, "xl/sharedStrings.xml")
    if strings:
        refuse_odd_xml(read_part(archive, strings, name), strings, name)
    with _open(data) as book:
        sheets = [
            _read_sheet(book, archive, sheet, name, epoch_1904=workbook.epoch_1904)
            for sheet in workbook.sheets
        ]
    return BookData(name=name, sheets=sheets)


def _read_sheet(
    book: CalamineWorkbook, archive: zipfile.ZipFile, sheet: SheetPart, name: str, *, epoch_1904: bool
) -> SheetData:
    part = read_part(archive, sheet.part, name)
    refuse_odd_xml(part, sheet.part, name)
    content = SheetBytes(part)
    scan = content.scan(MAX_CELLS)
    if scan.last_row * scan.last_column > MAX_CELLS or scan.last_row > 2**21:
        last = address(scan.last_row, scan.last_column)
        raise DataError(problem("too_large", file=name, sheet=sheet.name, found=last, limit=f"{MAX_CELLS:,}"))
    rows: Rows
    source = book.get_sheet_by_name(sheet.name)
    rows = source.to_python(skip_empty_area=False)
    _settle_numbers(rows, content, scan, epoch_1904=epoch_1904)
    for (row, column), text in scan.errors.items():
        _put(rows, row, column, text)
    width = max(map(len, rows), default=0)
    return SheetData(
        name=sheet.name,
        rows=rows,
        marks=scan.marks,
        tables=_tables(archive, sheet.part, name),
        merged=_merged(source.merged_cell_ranges),
        hidden_rows=frozenset(row for row in scan.hidden_rows if row <= len(rows)),
        hidden_columns=frozenset(
            column for low, high in scan.hidden_columns for column in range(low, min(high, width) + 1)
        ),
        visible=sheet.visible,
    )


def _put(rows: Rows, row: int, column: int, value: object) -> None:
    """Set a value that the reader left out, lengthening the rows where the cell lies behind the last value."""
    while len(rows) < row:
        rows.append([])
    cells = rows[row - 1]
    cells.extend([""] * (column - len(cells)))
    cells[column - 1] = value


def _settle_numbers(rows: Rows, content: SheetBytes | None, scan: SheetScan, *, epoch_1904: bool) -> None:
    """Make small whole numbers that show as dates numbers again (marked), and numbers that are none (NaN, infinity) text."""
    suspects: dict[tuple[int, int], float] = {}
    for index, cells in enumerate(rows):
        kinds = set(map(type, cells))
        if float in kinds and not math.isfinite(sum([value for value in cells if value.__class__ is float])):
            for position, value in enumerate(cells):
                if type(value) is float and not math.isfinite(value):
                    cells[position] = str(value)
        if kinds & _DATE_TYPES:
            for position, value in enumerate(cells):
                if isinstance(value, _DATES):
                    number = _serial(value, epoch_1904=epoch_1904)
                    if number <= _LARGEST_LEVEL and number == int(number):
                        suspects[index + 1, position + 1] = number
    if suspects and content is not None:
        raw = {
            (cell.row, cell.column): cell for cell in content.cells() if (cell.row, cell.column) in suspects
        }
        for place, cell in raw.items():
            suspects[place] = _number(cell.raw, otherwise=suspects[place]) if cell.type == "n" else math.inf
    for (row, column), number in suspects.items():
        if number <= _LARGEST_LEVEL and number == int(number):
            rows[row - 1][column - 1] = number
            scan.marks.setdefault((row, column), Mark.DATE)


_DATE_TYPES = {dt.datetime, dt.date, dt.time, dt.timedelta}


def _number(text: str | None, *, otherwise: float) -> float:
    try:
        return float(text or "")
    except ValueError:
        return otherwise


def _serial(value: dt.date | dt.time | dt.timedelta, *, epoch_1904: bool) -> float:
    """Return about the number behind a date: exact for whole days after February 1900, which is all that matters here."""
    if isinstance(value, dt.time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    if isinstance(value, dt.timedelta):
        return value / dt.timedelta(days=1)
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001
    epoch = dt.datetime(1904, 1, 1) if epoch_1904 else dt.datetime(1899, 12, 30)  # noqa: DTZ001
    days = (moment - epoch) / dt.timedelta(days=1)
    return days if epoch_1904 or days > 60 else days - 1


def _merged(ranges: list[tuple[tuple[int, int], tuple[int, int]]] | None) -> list[Area]:
    return sorted(
        Area(top + 1, left + 1, bottom + 1, right + 1) for (top, left), (bottom, right) in ranges or ()
    )


def _tables(archive: zipfile.ZipFile, sheet_part: str, name: str) -> dict[str, Area]:
    """Return a sheet's tables by the name that formulas use; header row included, row of totals left out."""
    tables = {}
    for kind, target in relationships(archive, sheet_part, name).values():
        if kind == "table" and find_part(archive, target):
            root = xml_of(read_part(archive, target, name), target, name)
            try:
                area = parse_area(root.get("ref", ""))
                totals = int(root.get("totalsRowCount", "0"))
            except ValueError as fault:
                raise DataError(problem("damaged_file", file=name, found=target)) from fault
            tables[root.get("displayName") or root.get("name") or target] = area._replace(
                bottom=area.bottom - totals
            )
    return tables


def _read_other(data: bytes, kind: Kind, name: str) -> BookData:
    """Read xlsb, xls and ods: values, visibility and (xls) merges; what these formats hide stays hidden."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    del kind
    sheets = []
    with _open(data) as book:
        if len(book.sheet_names) > MAX_SHEETS:
            raise DataError(
                problem("too_large", file=name, found=str(len(book.sheet_names)), limit=str(MAX_SHEETS))
            )
        for meta in book.sheets_metadata:
            if meta.typ != SheetTypeEnum.WorkSheet:
                continue
            sheet = book.get_sheet_by_name(meta.name)
            rows: Rows = sheet.to_python(skip_empty_area=False)
            scan = SheetScan()
            _settle_numbers(rows, None, scan, epoch_1904=False)
            visible = meta.visible == SheetVisibleEnum.Visible
            merged = _merged(sheet.merged_cell_ranges)
            sheets.append(
                SheetData(name=meta.name, rows=rows, marks=scan.marks, merged=merged, visible=visible)
            )
    return BookData(name=name, sheets=sheets)
