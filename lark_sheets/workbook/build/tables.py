"""What every sheet builder shares: the frame of a workbook, and tables put into a sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.bookplan import CellPlan, ColumnPlan, Scalar, SheetPlan, Style, TablePlan
from lark_sheets.core.campaign import Campaign, Grader
from lark_sheets.core.cells import Area, address
from lark_sheets.core.language import Language, Translator
from lark_sheets.core.rubric import Rubric
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.formulas import sheet_reference
from lark_sheets.workbook.layout import Sheet, Table
from lark_sheets.workbook.practice import Practice


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a workbook is built from: the campaign (or one grader's part of it), the language, the practice."""

    campaign: Campaign
    translate: Translator
    grader: Grader | None = None
    practice: Practice | None = None
    ranking: bool = False

    @property
    def language(self) -> Language:
        """Return the language on screen."""
        return self.translate.language

    @property
    def rubric(self) -> Rubric:
        """Return the rubric in force."""
        return self.campaign.rubric

    @property
    def is_campaign(self) -> bool:
        """Say whether this is the coordinator's workbook."""
        return self.grader is None

    @property
    def is_graded_here(self) -> bool:
        """Say whether people grade in this workbook: a grader's, or that of a campaign with one grader who is no judge."""
        alone = len(self.campaign.graders) <= 1 and self.campaign.graded_by != "judge"
        return not self.is_campaign or alone

    def name(self, sheet: Sheet) -> str:
        """Return a sheet's name on screen."""
        return sheet.name.in_(self.language)

    def link(self, sheet: Sheet, row: int = 1, column: int = 1) -> str:
        """Return a link to a cell of a sheet of this workbook."""
        return f"#{sheet_reference(self.name(sheet))}!{address(row, column)}"

    def sheet(self, sheet: Sheet, **settings: object) -> SheetPlan:
        """Return an empty sheet with its name and settings."""
        plan = SheetPlan(name=self.name(sheet))
        for key, value in settings.items():
            setattr(plan, key, value)
        return plan


@dataclass(frozen=True, slots=True, kw_only=True)
class PutTable:
    """Where a table was put: its area with the header, and the place of each column by its key."""

    area: Area
    columns: Mapping[str, int]

    @property
    def first(self) -> int:
        """Return the first row of data."""
        return self.area.top + 1

    @property
    def last(self) -> int:
        """Return the last row of data, spare rows included."""
        return self.area.bottom


Row = Mapping[str, Scalar | CellPlan]
StyleOf = Callable[[str], Style]


def put_table(
    sheet: SheetPlan,
    table: Table,
    rows: Sequence[Row],
    language: str,
    *,
    top: int,
    left: int = 1,
    style: StyleOf,
    spare: int = 0,
    banded: bool = False,
    widths: bool = True,
) -> PutTable:
    """Put a table's header, rows and spare rows into a sheet; return where it stands.

    ``rows`` map column keys to values or whole cells; ``style`` gives a column's style by its key. A table has at least one row
    of data, blank if there is none to show.
    """
    columns = {column.key: left + n for n, column in enumerate(table.columns)}
    for column in table.columns:
        place = columns[column.key]
        centred = style(column.key).horizontal == "center"
        header = styles.HEADER_CENTRED if centred else styles.HEADER
        sheet.put(top, place, column.header.in_(language), header)
        if widths:
            sheet.columns[place] = ColumnPlan(width=column.width, hidden=column.hidden)
    size = max(1, len(rows) + spare)
    for number in range(size):
        row: Row = rows[number] if number < len(rows) else {}
        for key, place in columns.items():
            value = row.get(key)
            cell = value if isinstance(value, CellPlan) else CellPlan(value=value, style=style(key))
            sheet.cells[top + 1 + number, place] = cell
    area = Area(top, left, top + size, left + len(columns) - 1)
    sheet.tables.append(TablePlan(name=table.name, area=area, banded=banded))
    return PutTable(area=area, columns=columns)


def row_height(table: Table, row: Row, least: float = styles.LEAST) -> float:
    """Return the height that a row's longest visible text needs."""
    texts = []
    for column in table.columns:
        value = row.get(column.key)
        text = value.value if isinstance(value, CellPlan) else value
        if isinstance(text, str) and not column.hidden:
            texts.append((text, column.width, 10.0))
    return styles.height(texts, least)
