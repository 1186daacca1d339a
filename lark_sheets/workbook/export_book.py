"""Exported grades as a workbook: one table, every text a text even where it starts like a formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark_sheets.core.bookplan import BookPlan, ColumnPlan, SheetPlan, Style, TablePlan
from lark_sheets.core.cells import Area
from lark_sheets.core.language import Translator
from lark_sheets.core.tidy import Column, Value
from lark_sheets.workbook.results_layout import EXPORT_TABLE

HEADER = Style(bold=True)
PLAIN = Style()
NARROW, WIDE = 14, 48


def plan_export(
    rows: Sequence[Mapping[str, Value]], columns: Sequence[Column], translate: Translator
) -> BookPlan:
    """Plan the workbook of exported grades."""
    sheet = SheetPlan(name=translate.short("sheet", "Export"), freeze=(2, 1), show_grid=True)
    for place, column in enumerate(columns, 1):
        sheet.put(1, place, column.name, HEADER)
        sheet.columns[place] = ColumnPlan(width=WIDE if column.words else NARROW)
    for number, row in enumerate(rows, 2):
        for place, column in enumerate(columns, 1):
            value = row[column.name]
            if value is not None:
                sheet.put(number, place, value, PLAIN)
    area = Area(1, 1, len(rows) + 1, len(columns))
    sheet.tables.append(TablePlan(name=EXPORT_TABLE, area=area))
    return BookPlan(sheets=[sheet], title=translate("Grades"), language=translate.language)
