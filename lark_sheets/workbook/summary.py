"""Keeping what the guide and the headings show in step with the grades, where a patch changed them.

A spreadsheet computes our formulas when it opens the file; until then, and in programs that trust cached values, the figures must be right
as well. The formulas' places are known from the plan of the workbook as it was: a cell that still shows what the plan says it showed is ours.
"""

from __future__ import annotations

from lark_sheets.core.bookplan import BookPatch, BookPlan
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import SheetData, shown
from lark_sheets.core.language import Translator
from lark_sheets.workbook.build import build_campaign, build_grader
from lark_sheets.workbook.codec import ReadBook


def refresh_summary(patch: BookPatch, read: ReadBook, after: Campaign, translate: Translator) -> None:
    """Add to ``patch`` the cached values of every formula of ours that sums grades up, for the campaign as it will be."""
    before_plan = _plan(read, read.campaign, translate)
    after_plan = _plan(read, after, translate)
    sheets = {sheet.name: sheet for sheet in read.book.sheets}
    grading = read.grades.sheet.name
    for old, new in zip(before_plan.sheets, after_plan.sheets, strict=True):
        sheet = sheets.get(old.name)
        if sheet is None:
            continue
        for place, cell in new.cells.items():
            known = old.cells.get(place)
            if not cell.formula or known is None or place in patch.cells.get(sheet.name, {}):
                continue
            if sheet.name == grading and place[0] >= read.grades.header:
                continue
            if (
                known.formula == cell.formula
                and known.value != cell.value
                and _still_ours(sheet, place, known.value)
            ):
                patch.set(sheet.name, *place, cell.value, formula=cell.formula)


def _plan(read: ReadBook, campaign: Campaign, translate: Translator) -> BookPlan:
    if read.kind == "campaign":
        return build_campaign(campaign, translate)
    return build_grader(campaign, read.grader, translate)


def _still_ours(sheet: SheetData, place: tuple[int, int], value: object) -> bool:
    return shown(sheet.value(*place)) == shown(value)  # type: ignore[arg-type]
