"""Writing a former rubric back into the tables of the Rubric sheet, touching only the cells that differ."""

from __future__ import annotations

from collections.abc import Sequence

from lark_sheets.core.bookplan import BookPatch, CellPlan, Scalar
from lark_sheets.core.cells import Area, BookData, shown
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import canonical, clean_id
from lark_sheets.workbook import layout
from lark_sheets.workbook.build.rubric_rows import anchor_rows, code_rows, criteria_rows, verdict_rows
from lark_sheets.workbook.build.tables import Row
from lark_sheets.workbook.locate import FoundTable, find_table

KEYS = {
    layout.CRITERIA.name: ("criterion",),
    layout.ANCHORS.name: ("criterion", "level"),
    layout.CODES.name: ("code", "criterion"),
    layout.VERDICT.name: ("order", "test", "target"),
}


def restore_rubric(patch: BookPatch, book: BookData, rubric: Rubric) -> None:
    """Make the Rubric sheet show ``rubric`` again.

    A row that is still there keeps its place (and whatever stands beside it); rows added since are emptied; where rows were
    removed or reordered, the table is written from its top.
    """
    for table, rows in (
        (layout.CRITERIA, criteria_rows(rubric)),
        (layout.ANCHORS, anchor_rows(rubric)),
        (layout.CODES, code_rows(rubric)),
        (layout.VERDICT, verdict_rows(rubric)),
    ):
        _restore(patch, find_table(book, table, ()), rows)


def _restore(patch: BookPatch, found: FoundTable, rows: Sequence[Row]) -> None:
    keys = KEYS[found.table.name]
    wanted = [tuple(clean_id(shown(_value(row, key))) for key in keys) for row in rows]
    there = list(found.rows())
    named = {place: tuple(clean_id(found.text(place, key)) for key in keys) for place in there}
    kept = [place for place in there if named[place] in wanted]
    if [named[place] for place in kept] == wanted:
        places = kept
    else:
        below = max([found.last, found.header, *there])
        free = [*there, *(r for r in range(found.header + 1, found.last + 1) if r not in there)]
        places = sorted([*free, *range(below + 1, below + 1 + len(rows))])[: len(rows)]
    for place, row in zip(places, rows, strict=True):
        for key in found.columns:
            _put(patch, found, place, key, _value(row, key))
    for place in there:
        if place not in places:
            for key in found.columns:
                _put(patch, found, place, key, None)
    area = found.sheet.tables.get(found.table.name)
    if area and places and places[-1] > area.bottom:
        patch.grown[found.table.name] = Area(area.top, area.left, places[-1], area.right)


def _value(row: Row, key: str) -> Scalar:
    value = row.get(key)
    return value.value if isinstance(value, CellPlan) else value


def _put(patch: BookPatch, found: FoundTable, place: int, key: str, value: Scalar) -> None:
    if canonical(found.text(place, key)) != canonical(shown(value)):
        column = found.columns[key]
        patch.set(found.sheet.name, place, column, value, style_of=(found.header + 1, column))
