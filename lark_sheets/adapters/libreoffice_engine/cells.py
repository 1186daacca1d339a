"""Ranges of cells: values, formulas and what else of a cell our programs and tests look at."""

# ruff: noqa: D102  (a member without a docstring means what xlwings documents it to mean)
from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from xlwings import base_classes  # noqa: TID253  (this module loads only when an engine is asked for)

from lark_sheets.adapters.libreoffice_engine import values
from lark_sheets.adapters.libreoffice_engine.formulas import to_excel, to_office
from lark_sheets.adapters.libreoffice_engine.office import struct
from lark_sheets.adapters.libreoffice_engine.stretches import hidden, stretch_end
from lark_sheets.core.cells import column_letters

if TYPE_CHECKING:
    from lark_sheets.adapters.libreoffice_engine.books import Sheet

_ERROR_RESULT = 4  # com.sun.star.sheet.FormulaResult.ERROR
_FORMULA = 16  # com.sun.star.sheet.CellFlags
_CONTENTS = 1 | 2 | 4 | _FORMULA  # VALUE, DATETIME, STRING, FORMULA
_EVERYTHING = _CONTENTS | 8 | 32 | 64  # ANNOTATION, HARDATTR, STYLES
_TRUTH_VALUES = ("=TRUE", "=FALSE")
"""LibreOffice makes a formula of a truth value that it finds in a file."""
_WHOLE_PASTES = (None, "all", "all_merging_conditional_formats")
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_HUNDREDTHS_OF_MM_PER_POINT = 2540 / 72
_HUNDREDTHS_OF_MM_PER_CHARACTER = 190
"""About the width of one digit in the standard font; Excel measures columns in digits."""


def at(sheet: Sheet, top: int, left: int, bottom: int, right: int) -> Range:
    """Return a rectangle of a sheet, 1-based, both ends included."""
    cells = sheet.office.getCellRangeByPosition(left - 1, top - 1, right - 1, bottom - 1)
    return Range(sheet, cells)


class Range(base_classes.Range):
    """A rectangle of cells; ``office`` is LibreOffice's own object."""

    max_cells_per_read = max_cells_per_write = None
    has_array = False

    def __init__(self, sheet: Sheet, office: Any) -> None:
        self.sheet = sheet
        self.office = office
        self.options: dict[str, Any] = {}

    # -- where -----------------------------------------------------------------------------------------------------------

    @property
    def api(self) -> Any:
        return self.office

    @property
    def area(self) -> Any:
        return self.office.RangeAddress

    @property
    def row(self) -> int:
        return int(self.area.StartRow) + 1

    @property
    def column(self) -> int:
        return int(self.area.StartColumn) + 1

    @property
    def shape(self) -> tuple[int, int]:
        area = self.area
        return area.EndRow - area.StartRow + 1, area.EndColumn - area.StartColumn + 1

    @property
    def coords(self) -> tuple[Any, ...]:
        return (self.sheet.name, self.row, self.column, *self.shape)

    def __len__(self) -> int:
        height, width = self.shape
        return height * width

    def __call__(self, arg1: int, arg2: int | None = None) -> Range:
        row, column = (
            (arg1, arg2) if arg2 else (1 + (arg1 - 1) // self.shape[1], 1 + (arg1 - 1) % self.shape[1])
        )
        place = self.row + row - 1, self.column + column - 1
        return at(self.sheet, *place, *place)

    @property
    def address(self) -> str:
        return self.get_address(True, True, False)

    def get_address(self, row_absolute: bool, col_absolute: bool, external: bool) -> str:
        area = self.area

        def one(row: int, column: int) -> str:
            letters = column_letters(column + 1)
            return f"{'$' * bool(col_absolute)}{letters}{'$' * bool(row_absolute)}{row + 1}"

        text = one(area.StartRow, area.StartColumn)
        if len(self) > 1:
            text += ":" + one(area.EndRow, area.EndColumn)
        return f"[{self.sheet.book.name}]{self.sheet.name}!{text}" if external else text

    # -- values ----------------------------------------------------------------------------------------------------------

    def _inside(self, ranges: Iterable[Any]) -> Iterator[tuple[int, int]]:
        """Yield the places, counted from the first cell, of the cells in LibreOffice's addresses."""
        area = self.area
        for each in ranges:
            for row in range(each.StartRow, each.EndRow + 1):
                for column in range(each.StartColumn, each.EndColumn + 1):
                    yield row - area.StartRow, column - area.StartColumn

    @property
    def raw_value(self) -> Any:
        data = [list(row) for row in self.office.getDataArray()]
        for row, column in self._inside(self.office.queryFormulaCells(_ERROR_RESULT).RangeAddresses):
            data[row][column] = values.CellError(self.office.getCellByPosition(column, row).getError())
        if any(isinstance(value, float) for row in data for value in row):
            for kind, ranges in self._special_formats():
                for row, column in self._inside(ranges):
                    value = data[row][column]
                    if isinstance(value, float):
                        logical = kind == values.LOGICAL
                        days = dt.timedelta(days=value)
                        data[row][column] = bool(value) if logical else values.EPOCH + days
        return data[0][0] if len(self) == 1 else data

    @raw_value.setter
    def raw_value(self, value: Any) -> None:
        height, width = self.shape
        rows = value if isinstance(value, list | tuple) else [[value] * width] * height
        plain: list[tuple[Any, ...]] = []
        special: list[tuple[int, int, Any]] = []
        for row_number, row in enumerate(rows):
            out: list[Any] = []
            for column, given in enumerate(row):
                made = values.typed(given) if isinstance(given, str) else given
                if isinstance(made, bool | values.Serial) or values.is_formula(made, given):
                    special.append((row_number, column, made))
                    out.append("")
                else:
                    out.append("" if made is None else made if isinstance(made, str) else float(made))
            plain.append(tuple(out))
        self.office.setDataArray(tuple(plain))
        for row_number, column, made in special:
            self._put(self.office.getCellByPosition(column, row_number), made)

    def _special_formats(self) -> Iterator[tuple[int, Iterable[Any]]]:
        """Yield the places whose number format makes a number a date, a time or a truth value; each format is asked once."""
        formats = self.sheet.book.document.NumberFormats
        for alike in _elements(self.office.getUniqueCellFormatRanges()):
            kind = formats.getByKey(alike.getByIndex(0).NumberFormat).Type & ~values.DEFINED
            if kind in (values.DATE, values.TIME, values.DATETIME, values.LOGICAL):
                yield kind, alike.RangeAddresses

    def _put(self, cell: Any, value: Any) -> None:
        if isinstance(value, str):
            cell.setFormula(to_office(value))
            return
        formats = self.sheet.book.document.NumberFormats
        locale = struct("com.sun.star.lang.Locale")
        cell.Value = float(value)
        if isinstance(value, bool):
            cell.NumberFormat = formats.getStandardFormat(values.LOGICAL, locale)
        elif not formats.getByKey(cell.NumberFormat).Type & values.DATETIME:
            kind = values.DATE if value == int(value) else values.DATETIME
            cell.NumberFormat = formats.getStandardFormat(kind, locale)

    @property
    def formula(self) -> Any:
        """Return what stands in the cells as typed: the formulas, else the values as text, "" for a blank."""
        typed = self.office.getFormulaArray()
        found = [[_shown(value) for value in row] for row in self.office.getDataArray()]
        for row, column in self._inside(self.office.queryContentCells(_FORMULA).RangeAddresses):
            text = to_excel(typed[row][column])
            found[row][column] = text.removeprefix("=") if text in _TRUTH_VALUES else text
        return found[0][0] if len(self) == 1 else tuple(map(tuple, found))

    @formula.setter
    def formula(self, value: Any) -> None:
        height, width = self.shape
        rows = [[value] * width] * height if isinstance(value, str) else value
        if all(isinstance(text, str) and text.startswith("=") for row in rows for text in row):
            self.office.setFormulaArray(tuple(tuple(map(to_office, row)) for row in rows))
            return
        for row_number, row in enumerate(rows):
            for column, text in enumerate(row):
                cell = self.office.getCellByPosition(column, row_number)
                if isinstance(text, str) and text.startswith("="):
                    cell.setFormula(to_office(text))
                elif isinstance(text, str):
                    cell.setString(text.removeprefix("'"))
                elif text is None:
                    cell.setString("")
                else:
                    cell.setValue(float(text))

    formula2 = formula

    def clear_contents(self) -> None:
        self.office.clearContents(_CONTENTS)

    def clear(self) -> None:
        self.office.clearContents(_EVERYTHING)

    def clear_formats(self) -> None:
        self.office.clearContents(_EVERYTHING & ~_CONTENTS)

    def copy(self, destination: Any = None) -> None:
        """Copy to another place (as often downwards as it has room), or remember this range for :meth:`paste`."""
        if destination is None:
            self.sheet.book.app.copied = self
            return
        target = destination.impl if hasattr(destination, "impl") else destination
        height, sheet, top, left = target.shape[0], target.sheet, target.row, target.column
        sheet.office.copyRange(target.origin, self.area)
        filled = self.shape[0]
        while filled < height:  # what stands there already is copied on, so that many rows take few steps
            more = min(filled, height - filled)
            done = at(sheet, top, left, top + more - 1, left + self.shape[1] - 1)
            sheet.office.copyRange(at(sheet, top + filled, left, top + filled, left).origin, done.area)
            filled += more

    @property
    def origin(self) -> Any:
        """Return the address of the first cell, as LibreOffice copies to it."""
        return self.office.getCellByPosition(0, 0).CellAddress

    def paste(
        self, paste: Any = None, operation: Any = None, skip_blanks: bool = False, transpose: bool = False
    ) -> None:
        """Paste what was copied, all of it."""
        if operation or skip_blanks or transpose or paste not in _WHOLE_PASTES:
            raise NotImplementedError(paste)
        if self.sheet.book.app.copied is None:
            raise ValueError("nothing was copied")
        self.sheet.book.app.copied.copy(self)

    # -- looks -----------------------------------------------------------------------------------------------------------

    @property
    def number_format(self) -> str | None:
        key = self.office.NumberFormat
        return str(self.sheet.book.document.NumberFormats.getByKey(key).FormatString) if key else None

    @number_format.setter
    def number_format(self, value: str) -> None:
        locale, formats = struct("com.sun.star.lang.Locale"), self.sheet.book.document.NumberFormats
        key = formats.queryKey(value, locale, False)
        self.office.NumberFormat = key if key != -1 else formats.addNew(value, locale)

    @property
    def color(self) -> tuple[int, int, int] | None:
        colour = self.office.CellBackColor
        return None if colour < 0 else (colour >> 16 & 255, colour >> 8 & 255, colour & 255)

    @color.setter
    def color(self, color_or_rgb: Any) -> None:
        rgb = color_or_rgb
        if isinstance(rgb, str):
            rgb = tuple(int(rgb.lstrip("#")[start : start + 2], 16) for start in (0, 2, 4))
        self.office.CellBackColor = -1 if rgb is None else rgb[0] << 16 | rgb[1] << 8 | rgb[2]

    @property
    def wrap_text(self) -> bool:
        return bool(self.office.IsTextWrapped)

    @wrap_text.setter
    def wrap_text(self, value: bool) -> None:
        self.office.IsTextWrapped = bool(value)

    @property
    def column_width(self) -> float:
        return float(self.office.Columns.getByIndex(0).Width / _HUNDREDTHS_OF_MM_PER_CHARACTER)

    @column_width.setter
    def column_width(self, value: float) -> None:
        self.office.Columns.Width = round(value * _HUNDREDTHS_OF_MM_PER_CHARACTER)

    @property
    def row_height(self) -> float:
        return float(self.office.Rows.getByIndex(0).Height / _HUNDREDTHS_OF_MM_PER_POINT)

    @row_height.setter
    def row_height(self, value: float) -> None:
        self.office.Rows.Height = round(value * _HUNDREDTHS_OF_MM_PER_POINT)

    def autofit(self, axis: Any = None) -> None:
        if axis in (None, "c", "columns"):
            self.office.Columns.OptimalWidth = True
        if axis in (None, "r", "rows"):
            self.office.Rows.OptimalHeight = True

    @property
    def row_hidden(self) -> bool | None:
        area = self.area
        whole = at(self.sheet, area.StartRow + 1, 1, area.EndRow + 1, _LAST_COLUMN)
        return hidden(area.StartRow, area.EndRow, ((r.StartRow, r.EndRow) for r in whole.visible_parts()))

    @row_hidden.setter
    def row_hidden(self, value: bool) -> None:
        self.office.Rows.IsVisible = not value

    @property
    def column_hidden(self) -> bool | None:
        area = self.area
        whole = at(self.sheet, 1, area.StartColumn + 1, _LAST_ROW, area.EndColumn + 1)
        parts = ((r.StartColumn, r.EndColumn) for r in whole.visible_parts())
        return hidden(area.StartColumn, area.EndColumn, parts)

    @column_hidden.setter
    def column_hidden(self, value: bool) -> None:
        self.office.Columns.IsVisible = not value

    def visible_parts(self) -> Iterable[Any]:
        """Return the addresses of the parts that are not hidden."""
        return self.office.queryVisibleCells().RangeAddresses  # type: ignore[no-any-return]

    @property
    def merge_cells(self) -> bool:
        return bool(self.office.getIsMerged()) or len(self.merge_area) > len(self)

    @property
    def merge_area(self) -> Range:
        cursor = self.sheet.office.createCursorByRange(self.office)
        cursor.collapseToMergedArea()
        area = cursor.RangeAddress
        return at(self.sheet, area.StartRow + 1, area.StartColumn + 1, area.EndRow + 1, area.EndColumn + 1)

    def merge(self, across: bool = False) -> None:
        if across:
            raise NotImplementedError("across")
        self.office.merge(True)

    def unmerge(self) -> None:
        self.office.merge(False)

    # -- neighbours ------------------------------------------------------------------------------------------------------

    def end(self, direction: str) -> Range:
        """Go as Ctrl and an arrow key do: to the end of the filled stretch, or to the next filled cell."""
        used, row, column = self.sheet.used_range, self.row, self.column
        across = direction in ("right", "left", "toright", "toleft")
        last = used.column + used.shape[1] - 1 if across else used.row + used.shape[0] - 1
        last = max(last, column if across else row)
        line = at(self.sheet, row, 1, row, last) if across else at(self.sheet, 1, column, last, column)
        data = line.office.getDataArray()
        filled = [value != "" for value in (data[0] if across else (cells[0] for cells in data))]
        place = stretch_end(
            filled,
            (column if across else row) - 1,
            1 if direction in ("right", "down", "toright") else -1,
            _LAST_COLUMN if across else _LAST_ROW,
        )
        return (
            at(self.sheet, row, place, row, place) if across else at(self.sheet, place, column, place, column)
        )

    @property
    def current_region(self) -> Range:
        cursor = self.sheet.office.createCursorByRange(self.office)
        cursor.collapseToCurrentRegion()
        area = cursor.RangeAddress
        return at(self.sheet, area.StartRow + 1, area.StartColumn + 1, area.EndRow + 1, area.EndColumn + 1)

    def select(self) -> None:
        controller = self.sheet.book.document.CurrentController
        if controller:
            controller.select(self.office)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value or "")


def _elements(container: Any) -> Iterator[Any]:
    return (container.getByIndex(number) for number in range(container.Count))
