"""Workbooks of every kind, read whole into plain values: python-calamine for the values, one scan for what it hides."""

from __future__ import annotations

import datetime as dt
import math
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from lark_sheets.adapters.books.calamine_values import Rows, all_sheets, open_book, refuse_far_cells, values
from lark_sheets.adapters.books.package import (
    MAX_CELLS,
    Kind,
    SheetPart,
    binary_sheets,
    find_part,
    read_bytes,
    read_part,
    recognise,
    refuse_odd_xml,
    relationships,
    workbook_of,
    xml_of,
)
from lark_sheets.adapters.books.sheet_scan import SheetBytes, SheetFacts, SheetScan
from lark_sheets.core.cells import Area, BookData, Mark, SheetData, parse_area
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

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
    if kind is Kind.XLSX and archive is not None:
        return _read_xlsx(data, archive, path.name)
    return _read_other(data, kind, archive, path.name)


def _read_xlsx(data: bytes, archive: zipfile.ZipFile, name: str) -> BookData:
    workbook = workbook_of(archive, name)
    strings = find_part(archive, "xl/sharedStrings.xml")
    if strings:
        refuse_odd_xml(read_part(archive, strings, name), strings, name)
    with open_book(data, name) as book:
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
    refuse_far_cells(name, sheet.name, scan.last_row, scan.last_column)
    rows, merged = values(book, sheet.name, name)
    _settle_numbers(rows, content, scan, epoch_1904=epoch_1904)
    facts = SheetFacts(scan, merged, _tables(archive, sheet.part, name))
    return _sheet(sheet.name, rows, facts, visible=sheet.visible)


def _sheet(name: str, rows: Rows, facts: SheetFacts, *, visible: bool) -> SheetData:
    scan = facts.scan
    for (row, column), text in scan.errors.items():
        _put(rows, row, column, text)
    width = max(map(len, rows), default=0)
    columns = (column for low, high in scan.hidden_columns for column in range(low, min(high, width) + 1))
    return SheetData(
        name=name,
        rows=rows,
        marks=scan.marks,
        tables=facts.tables,
        merged=sorted(facts.merged),
        hidden_rows=frozenset(row for row in scan.hidden_rows if row <= len(rows)),
        hidden_columns=frozenset(columns),
        visible=visible,
    )


def _put(rows: Rows, row: int, column: int, value: object) -> None:
    """Set a value that the reader left out, lengthening the rows where the cell lies behind the last value."""
    while len(rows) < row:
        rows.append([])
    cells = rows[row - 1]
    cells.extend([""] * (column - len(cells)))
    cells[column - 1] = value


def _settle_numbers(
    rows: Rows, content: SheetBytes | None, scan: SheetScan, *, epoch_1904: bool, lotus: bool = True
) -> None:
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
                    number = _serial(value, epoch_1904=epoch_1904, lotus=lotus)
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


def _serial(value: dt.date | dt.time | dt.timedelta, *, epoch_1904: bool, lotus: bool) -> float:
    """Return about the number behind a date: exact for whole days after February 1900, which is all that matters here."""
    if isinstance(value, dt.time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    if isinstance(value, dt.timedelta):
        return value / dt.timedelta(days=1)
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001
    epoch = dt.datetime(1904, 1, 1) if epoch_1904 else dt.datetime(1899, 12, 30)  # noqa: DTZ001
    days = (moment - epoch) / dt.timedelta(days=1)
    return days if epoch_1904 or not lotus or days > 60 else days - 1


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


def _read_other(data: bytes, kind: Kind, archive: zipfile.ZipFile | None, name: str) -> BookData:
    """Read xlsb, xls and ods: values from the library, the rest from a scan of what each form holds."""
    from lark_sheets.adapters.books.apart import sheets_read_apart

    facts = _facts(data, kind, archive, name)
    for title, fact in facts.items():
        refuse_far_cells(name, title, fact.scan.last_row, fact.scan.last_column)
    sheets = []
    for title, visible, rows, merged in (all_sheets if kind is Kind.ODS else sheets_read_apart)(data, name):
        fact = facts.get(title, SheetFacts())
        _settle_numbers(rows, None, fact.scan, epoch_1904=False, lotus=kind is not Kind.ODS)
        for (row, column), truth in fact.booleans.items():
            _put(rows, row, column, truth)
        fact.merged += merged
        sheets.append(_sheet(title, rows, fact, visible=visible))
    return BookData(name=name, sheets=sheets)


def _facts(data: bytes, kind: Kind, archive: zipfile.ZipFile | None, name: str) -> dict[str, SheetFacts]:
    """Return what the reader of values does not tell, by sheet name. Raises ``damaged_file`` or ``too_large``."""
    from lark_sheets.adapters.books.biff_scan import scan_xls, scan_xlsb_sheet
    from lark_sheets.adapters.books.ods_scan import TooManyMarks, scan_content

    try:
        if kind is Kind.XLS or archive is None:
            return {title: SheetFacts(scan) for title, scan in scan_xls(data).items()}
        if kind is Kind.ODS:
            content = read_part(archive, "content.xml", name)
            refuse_odd_xml(content, "content.xml", name)
            return scan_content(content)
        parts = binary_sheets(archive, name)
        return {
            title: SheetFacts(scan_xlsb_sheet(read_part(archive, part, name)))
            for title, part in parts.items()
        }
    except TooManyMarks as fault:
        raise DataError(
            problem("too_large", file=name, found="content.xml", limit=f"{MAX_CELLS:,}")
        ) from fault
    except (ValueError, IndexError, struct.error) as fault:
        raise DataError(problem("damaged_file", file=name, found=str(fault)[:120])) from fault
