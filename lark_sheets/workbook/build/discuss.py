"""The To discuss sheet: two readings that differ, side by side with the anchor; no average anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from lark_sheets.core.bookplan import ListPlan, SheetPlan, Style
from lark_sheets.core.campaign import Campaign, Reading, by_response
from lark_sheets.core.cells import Area
from lark_sheets.core.rubric import Criterion, Level
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.grading import anchor_text
from lark_sheets.workbook.build.shown import grade_cell
from lark_sheets.workbook.build.tables import Frame, Row, put_table, row_height

HEADER_ROW = 4
CENTRED = frozenset({"item", "label", "first_grade", "second_grade"})
LEAST_FREE = 20


def discuss_rows(campaign: Campaign, language: str) -> list[Row]:
    """Return a row for every criterion on which two readers of a response differ, and for every response flagged.

    The owner's grade stands first. A response that one reader flagged without a difference has one row without a
    criterion. Grades agreed on before are filled in.
    """
    responses = campaign.response()
    order = {response.id: n for n, response in enumerate(campaign.responses)}
    table = by_response(campaign.readings)
    rows: list[Row] = []
    for name in sorted(table, key=lambda response: order[response]):
        readings = sorted(table[name].values(), key=lambda reading: not reading.owner)
        start = {"id": name, "item": responses[name].item, "label": responses[name].label}
        found = [_row(campaign, *pair, language) for pair in _differences(campaign, readings)]
        flagged = [reading for reading in readings if reading.discuss]
        if flagged and not found:
            found = [{"first": flagged[0].grader, "first_reason": _reason(campaign, flagged[0], language)}]
        rows += [{**start, **row} for row in found]
    return rows


def _differences(campaign: Campaign, readings: list[Reading]) -> Iterator[tuple[Criterion, Reading, Reading]]:
    first, *others = readings
    for other in others:
        for criterion in campaign.rubric.criteria:
            grades = (first.grades.get(criterion.id), other.grades.get(criterion.id))
            if None not in grades and grades[0] != grades[1]:
                yield criterion, first, other


def _row(campaign: Campaign, criterion: Criterion, first: Reading, second: Reading, language: str) -> Row:
    agreed: Level | None = campaign.agreed.get(first.response, {}).get(criterion.id)
    return {
        "criterion": criterion.id,
        "first": first.grader,
        "first_grade": grade_cell(criterion, first.grades[criterion.id], language),
        "first_reason": _reason(campaign, first, language),
        "second": second.grader,
        "second_grade": grade_cell(criterion, second.grades[criterion.id], language),
        "second_reason": _reason(campaign, second, language),
        "anchor": anchor_text(criterion, language),
        "outcome": None if agreed is None else layout.DISCUSS_OUTCOMES["kept"].in_(language),
        "agreed": grade_cell(criterion, agreed, language),
    }


def _reason(campaign: Campaign, reading: Reading, language: str) -> str | None:
    labels = [code.label.in_(language) for name in reading.codes if (code := campaign.rubric.code(name))]
    return " · ".join(part for part in (", ".join(labels), reading.reason) if part) or None


def plan_discuss(frame: Frame) -> SheetPlan:
    """Return the To discuss sheet of a campaign's workbook, with free rows for what ``gather`` will find."""
    translate, language = frame.translate, frame.language
    rows = discuss_rows(frame.campaign, language)
    sheet = frame.sheet(layout.DISCUSS, protected=True, freeze=(HEADER_ROW + 1, 5))
    sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)
    sheet.put(1, 2, translate("To discuss"), styles.TITLE)
    text = translate(
        "Nobody takes an average: talk, then keep the anchor and agree on a grade, or sharpen the anchor and re-grade all that it touches."
    )
    sheet.put(2, 2, text, styles.QUIET_LINE)
    sheet.row_heights[1], sheet.row_heights[HEADER_ROW] = 24, 30
    spare = max(LEAST_FREE, layout.DISCUSS_TABLE.spare - len(rows))
    put = put_table(sheet, layout.DISCUSS_TABLE, rows, language, top=HEADER_ROW, style=_style, spare=spare)
    for number, row in enumerate(rows, put.first):
        sheet.row_heights[number] = row_height(layout.DISCUSS_TABLE, row, 30)
    sheet.lists += _lists(frame, put.first, put.last, put.columns["outcome"], put.columns["agreed"])
    return sheet


def _lists(frame: Frame, first: int, last: int, outcome: int, agreed: int) -> list[ListPlan]:
    language, criteria = frame.language, frame.rubric.criteria
    levels = dict.fromkeys(str(grade_cell(c, level, language)) for c in criteria for level in c.levels)
    error = frame.translate("Choose a value from the list.")
    outcomes = [words.in_(language) for words in layout.DISCUSS_OUTCOMES.values()]
    return [
        ListPlan(areas=[Area(first, outcome, last, outcome)], values=outcomes, error=error),
        ListPlan(areas=[Area(first, agreed, last, agreed)], values=list(levels), error=error),
    ]


def _style(key: str) -> Style:
    if layout.DISCUSS_TABLE.column(key).typed:
        return styles.TYPED_CENTRED if key in ("outcome", "agreed") else styles.TYPED
    if key == "id":
        return styles.HIDDEN
    return styles.READ_CENTRED if key in CENTRED else styles.READ
