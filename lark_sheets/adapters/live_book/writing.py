"""Changes to an open workbook through its ranges: looked at first, made in whole rectangles, looked at again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lark_sheets.adapters.live_book.native import Native
from lark_sheets.adapters.live_book.reading import area_of, formulas_of, is_formula, values_of
from lark_sheets.core.bookplan import BookPatch, PatchedCell
from lark_sheets.core.cells import Area, address, area_address, shown
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, Problem

if TYPE_CHECKING:
    import xlwings

Place = tuple[int, int]
LONGEST_IN_ARRAY = 8_000
"""Characters of a text that Excel takes among others in one go; longer ones are written alone."""
LONGEST_READ_AS_INPUT = 255
"""A longer text is never taken for a number or a date, whatever it looks like."""


def as_input(value: Any) -> Any:
    """Return a value as it must be handed to a spreadsheet so that a text stays a text.

    An apostrophe before it keeps "2", "3-4", "=1+1" and "TRUE" what they are; the spreadsheet does not show it.
    """
    if isinstance(value, str) and (len(value) <= LONGEST_READ_AS_INPUT or value[:1] in "=+-@'"):
        return "'" + value if value else None
    return value


def rectangles(places: Iterable[Place]) -> list[Area]:
    """Return rectangles that hold these cells and no other, few of them: runs down each column, joined where they are alike."""
    runs: list[list[int]] = []
    for row, column in sorted(places, key=lambda place: (place[1], place[0])):
        if runs and runs[-1][0] == column and runs[-1][2] == row - 1:
            runs[-1][2] = row
        else:
            runs.append([column, row, row])
    wide: dict[tuple[int, int, int], Area] = {}
    for column, top, bottom in runs:
        area = wide.pop((top, bottom, column - 1), None)
        joined = area._replace(right=column) if area else Area(top, column, bottom, column)
        wide[top, bottom, column] = joined
    return sorted(wide.values())


@dataclass(slots=True, kw_only=True)
class SheetChange:
    """What changes on one sheet: the cells that differ, what stood there, and tables that grow."""

    sheet: xlwings.Sheet
    values: dict[Place, Any] = field(default_factory=dict)
    formulas: dict[Place, str] = field(default_factory=dict)
    before: dict[Place, Any] = field(default_factory=dict)
    grown: dict[str, tuple[Area, Area]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Say whether the sheet shows all of it already."""
        return not (self.values or self.formulas or self.grown)


@dataclass(slots=True, kw_only=True)
class Change:
    """What a patch changes in an open workbook."""

    sheets: list[SheetChange]

    @property
    def is_empty(self) -> bool:
        """Say whether the workbook shows all of it already."""
        return all(sheet.is_empty for sheet in self.sheets)

    @classmethod
    def of(cls, book: xlwings.Book, patch: BookPatch) -> Change:
        """Compare a patch with the workbook. Raises :class:`DataError` with everything that is in the way."""
        problems: list[Problem] = []
        changes: dict[str, SheetChange] = {}
        there = {sheet.name: sheet for sheet in book.sheets}
        for name, cells in patch.cells.items():
            if not cells:
                continue
            if name not in there:
                problems.append(problem("no_such_sheet", file=book.name, sheet=name, found=name))
                continue
            changes[name] = _compared(there[name], cells, problems)
        tables = {table.display_name: table for sheet in book.sheets for table in sheet.tables}
        for name, area in patch.grown.items():
            if name not in tables:
                found = ", ".join(sorted(tables))
                problems.append(problem("missing_sheet", file=book.name, table=name, found=found, wanted=""))
                continue
            _grow(tables[name], area, changes, problems)
        if problems:
            raise DataError(*problems)
        return cls(sheets=list(changes.values()))

    def make(self, own: Native) -> None:
        """Make the changes, and see that the spreadsheet kept them.

        Raises :class:`DataError` when it did not, and :class:`~lark_sheets.errors.MissingPiece` for a sheet with a password; then
        what stood there before is put back.
        """
        with contextlib.ExitStack() as protections:
            for change in self.sheets:
                protections.enter_context(own.unprotected(change.sheet))
            try:
                for change in self.sheets:
                    _make(change)
                _check_kept(self.sheets)
            except BaseException:
                for change in self.sheets:
                    with contextlib.suppress(Exception):
                        _put_back(change)
                raise


# -- looking first -------------------------------------------------------------------------------------------------------


def _compared(
    sheet: xlwings.Sheet, cells: Mapping[Place, PatchedCell], problems: list[Problem]
) -> SheetChange:
    change = SheetChange(sheet=sheet)
    now = _cells_of(sheet, cells)
    for place, cell in cells.items():
        value, typed = now[place]
        formula = is_formula(typed, value)
        if formula and not cell.formula:
            problems.append(
                problem(
                    "formula_in_the_way",
                    file=sheet.book.name,
                    sheet=sheet.name,
                    cell=address(*place),
                    found=typed,
                )
            )
        elif cell.formula:
            if not formula or comparable_formula(typed) != comparable_formula(cell.formula):
                change.formulas[place] = cell.formula
                change.before[place] = typed if formula else as_input(value)
        elif comparable(value) != comparable(cell.value):
            change.values[place] = cell.value
            change.before[place] = as_input(value)
    return change


def _cells_of(sheet: xlwings.Sheet, places: Iterable[Place]) -> dict[Place, tuple[Any, Any]]:
    """Return value and typed text of cells, read in one rectangle for all of them."""
    wanted = list(places)
    top, left = min(row for row, _ in wanted), min(column for _, column in wanted)
    bottom, right = max(row for row, _ in wanted), max(column for _, column in wanted)
    block = sheet.range((top, left), (bottom, right))
    values, typed = values_of(block), formulas_of(block)
    return {
        (row, column): (values[row - top][column - left], typed[row - top][column - left])
        for row, column in wanted
    }


def comparable(value: Any) -> Any:
    """Return a value for comparing: a blank is a blank however it is written, 2 is 2.0, and TRUE is not 1."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return ("logical", value)
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    return float(value) if isinstance(value, int | float) else value


def comparable_formula(text: str) -> str:
    """Return a formula without what spreadsheets write one way or the other: blanks, TRUE() for TRUE, quotes around plain names."""
    pieces = text.split('"')
    for index in range(0, len(pieces), 2):
        plain = pieces[index].upper().replace(" ", "").replace("'", "")
        pieces[index] = plain.replace("TRUE()", "TRUE").replace("FALSE()", "FALSE")
    return '"'.join(pieces)


def _grow(
    table: xlwings.main.Table, area: Area, changes: dict[str, SheetChange], problems: list[Problem]
) -> None:
    sheet = table.parent
    old = area_of(table.range)
    if area == old:
        return
    fresh = Area(old.bottom + 1, old.left, area.bottom, old.right)
    in_the_way = _first_filled(sheet, fresh)
    if table.show_totals or in_the_way:
        place = in_the_way or (old.bottom, old.left)
        found = address(*place)
        problems.append(
            problem(
                "no_room_below",
                file=sheet.book.name,
                sheet=sheet.name,
                cell=found,
                found=found,
                table=table.name,
            )
        )
        return
    changes.setdefault(sheet.name, SheetChange(sheet=sheet)).grown[table.display_name] = (old, area)


def _first_filled(sheet: xlwings.Sheet, area: Area) -> Place | None:
    block = sheet.range((area.top, area.left), (area.bottom, area.right))
    for row, cells in enumerate(values_of(block), area.top):
        for column, value in enumerate(cells, area.left):
            if value not in (None, ""):
                return row, column
    return None


# -- making --------------------------------------------------------------------------------------------------------------


def _make(change: SheetChange) -> None:
    for name, (old, new) in change.grown.items():
        _lengthen(change.sheet, name, old, new)
    _write(change.sheet, change.values)
    _write_formulas(change.sheet, change.formulas)


def _lengthen(sheet: xlwings.Sheet, name: str, old: Area, new: Area) -> None:
    """Give the new rows the looks and lists of the table's last row, empty, then let the table reach over them."""
    app = sheet.book.app
    pattern = sheet.range((old.bottom, old.left), (old.bottom, old.right))
    fresh = sheet.range((old.bottom + 1, old.left), (new.bottom, old.right))
    pattern.copy()
    fresh.paste(paste="all_merging_conditional_formats")
    app.cut_copy_mode = False
    fresh.clear_contents()
    table = next(table for table in sheet.tables if table.display_name == name)
    table.resize(sheet.range((new.top, new.left), (new.bottom, new.right)))


def _write(sheet: xlwings.Sheet, values: Mapping[Place, Any]) -> None:
    alone = {
        place for place, value in values.items() if isinstance(value, str) and len(value) > LONGEST_IN_ARRAY
    }
    for area, rows in _blocks(values.keys() - alone, lambda place: as_input(values[place])):
        sheet.range((area.top, area.left), (area.bottom, area.right)).value = rows
    for place in sorted(alone):
        sheet.range(place).value = as_input(values[place])


def _write_formulas(sheet: xlwings.Sheet, formulas: Mapping[Place, str]) -> None:
    for area, rows in _blocks(formulas, formulas.__getitem__):
        sheet.range((area.top, area.left), (area.bottom, area.right)).formula = rows


def _blocks(
    places: Iterable[Place], value: Callable[[Place], Any]
) -> Iterator[tuple[Area, Sequence[Sequence[Any]]]]:
    for area in rectangles(places):
        columns = range(area.left, area.right + 1)
        yield area, [[value((row, column)) for column in columns] for row in range(area.top, area.bottom + 1)]


# -- looking again -------------------------------------------------------------------------------------------------------


def _check_kept(changes: Iterable[SheetChange]) -> None:
    problems = [found for change in changes for found in _not_kept(change)]
    if problems:
        raise DataError(*problems)


def _not_kept(change: SheetChange) -> Iterator[Problem]:
    if not change.values:
        return
    now = _cells_of(change.sheet, change.values)
    for place, wanted in change.values.items():
        if comparable(now[place][0]) != comparable(wanted):
            yield problem(
                "write_not_kept",
                file=change.sheet.book.name,
                sheet=change.sheet.name,
                cell=address(*place),
                found=shown(now[place][0]),
                expected=shown(wanted),
            )


def _put_back(change: SheetChange) -> None:
    formulas = {place: typed for place, typed in change.before.items() if str(typed).startswith("=")}
    plain = {place: typed for place, typed in change.before.items() if place not in formulas}
    for area, rows in _blocks(plain, plain.__getitem__):
        change.sheet.range((area.top, area.left), (area.bottom, area.right)).value = rows
    _write_formulas(change.sheet, formulas)
    for name, (old, _) in change.grown.items():
        table = next(table for table in change.sheet.tables if table.display_name == name)
        table.resize(change.sheet.range(area_address(old)))
