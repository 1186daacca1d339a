"""New workbooks from a plan: openpyxl builds them, then the cached values are filled in and everything that varies is fixed.

The same plan gives the same bytes on any day and machine: no user name, no clock, members in one order with one date.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lark_sheets.adapters import replace_whole
from lark_sheets.adapters.books.cell_xml import TEXT_LIMIT, escaped, utf16_length
from lark_sheets.adapters.books.openpyxl_sheet import Styles, fill_sheet
from lark_sheets.adapters.books.sheet_edit import SheetEdit
from lark_sheets.core.bookplan import BookPlan, PatchedCell, SheetPlan
from lark_sheets.core.cells import address
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, Problem

_FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a ZIP can hold
_FIXED_TIME = "2000-01-01T00:00:00Z"
_FONT_ORDER = (
    "b",
    "i",
    "strike",
    "condense",
    "extend",
    "outline",
    "shadow",
    "u",
    "vertAlign",
    "sz",
    "color",
    "name",
    "family",
    "charset",
    "scheme",
)
_FORBIDDEN_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]|^'|'$")


def write(plan: BookPlan, path: Path) -> None:
    """Write a plan as an .xlsx file, whole or not at all.

    Raises:
        DataError: texts that no cell can hold, all of them, by sheet and cell.
        MissingPiece: the file is locked or the disk does not answer.
        ValueError: the plan itself is wrong (a list longer than a spreadsheet takes, a table without rows ...): a fault of ours.
    """
    data = workbook_bytes(plan, path.name)
    replace_whole(path, lambda file: file.write(data))


def workbook_bytes(plan: BookPlan, name: str) -> bytes:
    """Return the .xlsx file of a plan as bytes; ``name`` stands in the problems."""
    _check(plan, name)
    raw = io.BytesIO()
    _build(plan).save(raw)
    return _finish(plan, raw)


def _check(plan: BookPlan, name: str) -> None:
    titles = [sheet.name.casefold() for sheet in plan.sheets]
    if len(set(titles)) != len(titles) or not any(sheet.visible for sheet in plan.sheets):
        raise ValueError("sheets need different names, and one of them must be visible")
    for sheet in plan.sheets:
        if not 0 < len(sheet.name) <= 31 or _FORBIDDEN_IN_SHEET_NAMES.search(sheet.name):
            raise ValueError(f"no spreadsheet takes the sheet name {sheet.name!r}")
    tables = [table.name.casefold() for sheet in plan.sheets for table in sheet.tables] + [
        key.casefold() for key in plan.names
    ]
    if len(set(tables)) != len(tables):
        raise ValueError("tables and defined names need different names")
    too_long = [_too_long(sheet, place, name) for sheet in plan.sheets for place in _long_texts(sheet)]
    if too_long:
        raise DataError(*too_long)


def _long_texts(sheet: SheetPlan) -> list[tuple[int, int]]:
    return [
        place
        for place, cell in sheet.cells.items()
        if isinstance(cell.value, str)
        and 2 * len(cell.value) > TEXT_LIMIT
        and utf16_length(cell.value) > TEXT_LIMIT
    ]


def _too_long(sheet: SheetPlan, place: tuple[int, int], name: str) -> Problem:
    found = utf16_length(str(sheet.cells[place].value))
    return problem(
        "text_too_long", file=name, sheet=sheet.name, cell=address(*place), found=str(found), limit=TEXT_LIMIT
    )


def _build(plan: BookPlan) -> Any:
    from openpyxl import Workbook
    from openpyxl.packaging.custom import StringProperty
    from openpyxl.workbook.defined_name import DefinedName

    book: Any = Workbook()
    book.remove(book.active)
    styles = Styles(book)
    for sheet in plan.sheets:
        fill_sheet(book.create_sheet(sheet.name), sheet, styles)
    styles.remove_scratch()
    book.active = next(index for index, sheet in enumerate(plan.sheets) if sheet.visible)
    for index, worksheet in enumerate(book.worksheets):
        worksheet.sheet_view.tabSelected = index == book.active
    for key, value in plan.properties.items():
        book.custom_doc_props.append(StringProperty(name=key, value=escaped(value)))
    for key, reference in plan.names.items():
        book.defined_names[key] = DefinedName(key, attr_text=reference.removeprefix("="))
    book.properties.title = plan.title or None
    book.properties.language = plan.language
    book.properties.creator = "Lark Sheets"
    book.calculation.fullCalcOnLoad = True
    return book


# -- what openpyxl leaves open -------------------------------------------------------------------------------------------


def _finish(plan: BookPlan, raw: io.BytesIO) -> bytes:
    """Fill the cached values, put alternative texts on charts, fix dates and orders; returns the file's bytes."""
    changes: dict[str, Callable[[bytes], bytes]] = {
        "docProps/core.xml": _without_clock,
        "xl/styles.xml": _with_fonts_in_order,
    }
    drawings = 0
    for number, sheet in enumerate(plan.sheets, 1):
        formulas = {
            place: PatchedCell(value=cell.value, formula=cell.formula)
            for place, cell in sheet.cells.items()
            if cell.formula
        }
        if formulas:
            changes[f"xl/worksheets/sheet{number}.xml"] = lambda data, formulas=formulas: _with_values(
                data, formulas
            )  # type: ignore[misc]
        if sheet.charts:
            drawings += 1
            texts = [chart.alt for chart in sheet.charts]
            changes[f"xl/drawings/drawing{drawings}.xml"] = lambda data, texts=texts: _with_alternatives(
                data, texts
            )  # type: ignore[misc]
    result = io.BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(result, "w") as target:
        members = source.infolist()
        for info in sorted(members, key=lambda info: info.filename != "[Content_Types].xml"):
            change = changes.pop(info.filename, None)
            data = source.read(info)
            fixed = zipfile.ZipInfo(info.filename, _FIXED_DATE)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            fixed.external_attr = 0o644 << 16
            fixed.create_system = 3
            target.writestr(fixed, change(data) if change else data, compresslevel=6)
    if changes:
        raise ValueError(f"parts that were expected are not there: {sorted(changes)}")
    return result.getvalue()


def _with_values(data: bytes, formulas: dict[tuple[int, int], PatchedCell]) -> bytes:
    edit = SheetEdit(data)
    edit.set_cells(formulas)
    return edit.data


def _without_clock(data: bytes) -> bytes:
    return re.sub(rb"(<dcterms:(created|modified)[^>]*>)[^<]*", rb"\g<1>" + _FIXED_TIME.encode(), data)


def _with_fonts_in_order(data: bytes) -> bytes:
    """Put the children of fonts in the order of the schema, which openpyxl does not keep."""

    def ordered(match: re.Match[bytes]) -> bytes:
        children = re.findall(rb"<(\w+)([^>]*/>)", match[2])
        children.sort(key=lambda child: _FONT_ORDER.index(child[0].decode()))
        return match[1] + b"".join(b"<" + tag + rest for tag, rest in children) + b"</font>"

    return re.sub(rb"(<font>)((?:<\w+[^>]*/>)*)</font>", ordered, data)


def _with_alternatives(data: bytes, texts: list[str]) -> bytes:
    """Give each chart, in order, its alternative text."""
    from xml.sax.saxutils import quoteattr

    left = iter(texts)

    def described(match: re.Match[bytes]) -> bytes:
        return match[1] + b" descr=" + quoteattr(escaped(next(left))).encode() + match[2]

    return re.sub(rb"(<(?:\w+:)?cNvPr\s[^>]*?name=\"Chart[^>]*?)(\s*/?>)", described, data)
