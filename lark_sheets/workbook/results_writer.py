"""How sheets of results are written: their styles, titles, tables, and the ranges that charts name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import ColumnPlan, Scalar, SheetPlan, Style, TablePlan
from lark_sheets.core.cells import Area, column_letters
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import Translator
from lark_sheets.core.results import Results
from lark_sheets.workbook.layout import Sheet, Table

TITLE = Style(bold=True, size=16, colour="0B4F8A")
STAMP = Style(colour="5A6672", size=9)
HEADING = Style(bold=True, size=12)
HEADER = Style(bold=True, wrap=True, vertical="center", border="bottom", fill="EEF2F5")
HEADER_RIGHT = replace(HEADER, horizontal="right")
WORDS = {
    "run",
    "what",
    "stratum",
    "label",
    "state",
    "item",
    "grader",
    "owner",
    "verdict",
    "stale",
    "codes",
    "reason",
    "id",
    "fingerprint",
    "response",
    "value",
    "pair",
    "reader",
    "kind",
    "measure",
    "coefficient",
    "other",
    "first_level",
    "second_level",
    "told_apart",
    "alpha_state",
}
"""Columns that hold words; the headings of all others stand over numbers."""
PLAIN = Style()
SHARE = Style(number_format="0%", horizontal="right")
COEFFICIENT = Style(number_format="0.00", horizontal="right")
NUMBER = Style(number_format="0", horizontal="right")
CHANCE = Style(number_format='[<0.001]"< "0.001;0.000', horizontal="right")
"""A p-value: one that rounds to 0 is not 0."""
STATE = Style(indent=1)
CENTRED = Style(horizontal="center")
LEVEL = Style(horizontal="left", wrap=True)
FIGURE = Style(number_format="0.00##", horizontal="left")
ZERO = Style(number_format="0", horizontal="right", colour="8A949E")
NAME = Style(bold=True)
WRAPPED = Style(wrap=True)
FORMATS = {
    "share": SHARE, "low": SHARE, "high": SHARE, "ready_low": SHARE, "ready_high": SHARE,
    "score": COEFFICIENT, "score_low": COEFFICIENT, "score_high": COEFFICIENT, "kappa": COEFFICIENT, "kappa_low": COEFFICIENT, "kappa_high": COEFFICIENT,
    "kappa_linear": COEFFICIENT, "kappa_quadratic": COEFFICIENT, "ac1": COEFFICIENT,
    "alpha_nominal": COEFFICIENT, "alpha_ordinal": COEFFICIENT, "run": NAME, "what": NAME, "reason": WRAPPED,
    "response": WRAPPED, "codes": WRAPPED,
    "ticket_low": SHARE, "ticket_high": SHARE, "kappa_ticket_low": COEFFICIENT, "kappa_ticket_high": COEFFICIENT,
    "ac1_low": COEFFICIENT, "ac1_high": COEFFICIENT, "ac2_quadratic": COEFFICIENT, "fleiss": COEFFICIENT,
    "alpha_interval": COEFFICIENT, "pair": NAME, "reader": NAME, "kind": WRAPPED, "first_level": LEVEL, "second_level": LEVEL,
    "difference": COEFFICIENT, "difference_low": COEFFICIENT, "difference_high": COEFFICIENT, "p": CHANCE, "adjusted": CHANCE,
    "state": STATE, "alpha_state": STATE, "drawn_value": COEFFICIENT, "drawn_low": COEFFICIENT, "drawn_high": COEFFICIENT,
    "other": WRAPPED, "measure": WRAPPED, "told_apart": CENTRED,
}  # fmt: skip
CHART_HEIGHT = 9.5
CHART_ROWS = 22
"""Rows that a chart of that height covers."""
Row = Mapping[str, Scalar]


class ResultsWriter:
    """Puts titles and tables into sheets in one language."""

    def __init__(self, results: Results, translate: Translator, produced: dt.datetime) -> None:
        self.translate = translate
        self.language = translate.language
        coverage = results.coverage
        self.stamp = translate(
            "{campaign}, rubric version {version}, {graded} of {expected} responses graded, made {date}",
            campaign=results.campaign,
            version=results.rubric.version,
            graded=coverage.graded,
            expected=coverage.expected,
            date=translate.date(produced),
        )

    def sheet(self, of: Sheet, title: str) -> SheetPlan:
        """Return a new sheet with its title and the stamp under it."""
        sheet = SheetPlan(name=of.name.in_(self.language), freeze=(5, 2))
        sheet.row_heights[1] = 26
        sheet.put(1, 1, title, TITLE)
        sheet.put(2, 1, self.stamp, STAMP)
        return sheet

    def heading(self, sheet: SheetPlan, row: int, text: str) -> None:
        """Write a heading over a table."""
        sheet.put(row, 1, text, HEADING)

    def note(self, sheet: SheetPlan, row: int, text: str) -> None:
        """Write a small remark."""
        sheet.put(row, 1, text, STAMP)

    def table(self, sheet: SheetPlan, table: Table, top: int, rows: Sequence[Row]) -> Area:
        """Write a table whose header stands in row ``top``; returns its area (header included)."""
        for number, column in enumerate(table.columns, 1):
            header = HEADER if column.key in WORDS else HEADER_RIGHT
            sheet.put(top, number, column.header.in_(self.language), header)
            known = sheet.columns.get(number)
            sheet.columns[number] = ColumnPlan(width=max(column.width, known.width if known else 0))
        for offset, row in enumerate(rows, 1):
            for number, column in enumerate(table.columns, 1):
                value = row.get(column.key)
                sheet.put(top + offset, number, value, style_of(column.key, value))
        area = Area(top, 1, top + max(len(rows), 1), len(table.columns))
        sheet.tables.append(TablePlan(name=table.name, area=area))
        sheet.row_heights[top] = 32
        return area


def style_of(key: str, value: Scalar) -> Style:
    """Return how a value of a column looks; a count of 0 recedes."""
    if key == "value":
        return FIGURE if isinstance(value, float) else LEVEL
    if key in FORMATS:
        return FORMATS[key]
    if isinstance(value, int) and not isinstance(value, bool):
        return ZERO if value == 0 else NUMBER
    return PLAIN


def column_range(sheet: SheetPlan, table: Table, area: Area, key: str) -> str:
    """Return the cells of a column of a written table, as a chart names them."""
    column = next(number for number, c in enumerate(table.columns, 1) if c.key == key)
    first, last = (f"${column_letters(column)}${row}" for row in (area.top + 1, area.bottom))
    return f"'{sheet.name}'!{first}:{last}"


def low_end(interval: Interval | None) -> float | None:
    """Return the lower end of an interval, or None."""
    return None if interval is None else interval.low


def high_end(interval: Interval | None) -> float | None:
    """Return the upper end of an interval, or None."""
    return None if interval is None else interval.high
