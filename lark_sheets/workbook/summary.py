"""Keeping what the guide and the headings show in step with the grades, where a patch changed them.

A spreadsheet computes our formulas when it opens the file; until then, and in programs that trust cached values, the figures must be right
as well. The mark block tells where they stand; a cell that no longer shows what it should have shown was moved or changed, and is left alone.
"""

from __future__ import annotations

import json

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import shown, split_address
from lark_sheets.core.language import Translator
from lark_sheets.core.states import state_of_grades
from lark_sheets.workbook import layout
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.formulas import Computed, GradingPlace, RowState, summary_formulas


def refresh_summary(patch: BookPatch, read: ReadBook, after: Campaign, translate: Translator) -> None:
    """Add to ``patch`` every formula that sums grades up, with its value for the campaign as it will be."""
    grown = patch.grown.get(layout.GRADES_NAME)
    last = max(grown.bottom if grown else 0, read.grades.last) + layout.SPARE_ROWS
    before = _summary(read, read.campaign, last, translate)
    values = _summary(read, after, last, translate)
    sheets = {sheet.name: sheet for sheet in read.book.sheets}
    for key, cells in _places(read).items():
        if key not in values or key not in before:
            continue
        for name, cell in cells:
            sheet = sheets.get(name)
            if sheet and shown(sheet.value(*split_address(cell))) == shown(before[key].value):
                patch.set(name, *split_address(cell), values[key].value, formula=values[key].formula)


def _places(read: ReadBook) -> dict[str, list[tuple[str, str]]]:
    try:
        places = json.loads(read.marks.values.get(layout.PLACES) or "{}")
        return {key: [(str(sheet), str(cell)) for sheet, cell in cells] for key, cells in places.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _summary(read: ReadBook, campaign: Campaign, last: int, translate: Translator) -> dict[str, Computed]:
    found = read.grades
    if "state" not in found.columns:
        return {}
    place = GradingPlace(
        sheet=found.sheet.name,
        first=found.header + 1,
        last=last,
        columns=found.columns,
        jump=campaign.rubric.criteria[0].id,
    )
    rows = [
        RowState(
            reading.grader,
            state_of_grades(
                campaign.rubric,
                reading.grades,
                explained=bool(reading.codes or reading.reason),
                refused=reading.refused,
            ),
        )
        for reading in campaign.readings
    ]
    return summary_formulas(place, rows, [grader.name for grader in campaign.graders], translate)
