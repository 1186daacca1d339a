"""The grader's Rubric sheet: levels against criteria on one page, then the issues, then the rule in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import ColumnPlan, SheetPlan
from lark_sheets.core.cells import Area
from lark_sheets.core.rubric import CodeCap, Criterion
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.cell_rules import ListSources
from lark_sheets.workbook.build.rubric_rows import ordered_codes
from lark_sheets.workbook.build.rubric_sheet import RubricSheet
from lark_sheets.workbook.build.tables import Frame
from lark_sheets.workbook.formulas import range_reference

WIDE = 40.0
FIRST = 22.0
LEVEL = replace(styles.READ, bold=True, size=14, horizontal="center", vertical="center")
IN_LINE = replace(styles.READ, horizontal="left", vertical="center")
NAMED = replace(styles.READ, bold=True, vertical="center")


def plan_rubric_view(frame: Frame) -> RubricSheet:
    """Return the Rubric sheet of a grader's workbook."""
    rubric, translate, language = frame.rubric, frame.translate, frame.language
    sheet = frame.sheet(layout.RUBRIC, protected=True, tab_colour=styles.MIDDLE)
    sheet.columns[1] = ColumnPlan(width=FIRST)
    graded = [c for c in rubric.criteria if not c.is_category]
    for column in range(2, 2 + max(3, len(graded))):
        sheet.columns[column] = ColumnPlan(width=WIDE)
    sheet.put(1, 1, rubric.title.in_(language) or rubric.id, styles.TITLE)
    about = translate("Version {version}, {date}", version=rubric.version, date=rubric.date)
    sheet.put(2, 1, about, styles.QUIET_LINE)
    sheet.put(3, 1, translate("Back to grading"), styles.LINK_LINE, link=frame.link(layout.GRADING))
    sheet.row_heights[1] = 24
    row = 5
    if graded:
        row = _matrix(frame, sheet, graded, row)
    labels: dict[str, str] = {}
    for criterion in rubric.criteria:
        if criterion.is_category:
            row, labels[criterion.id] = _labels(frame, sheet, criterion, row)
    if rubric.rule.in_(language):
        row = _rule(frame, sheet, row, max(4, 1 + len(graded)))
    codes = ""
    if rubric.codes:
        row, codes = _codes(frame, sheet, row)
    return RubricSheet(plan=sheet, sources=ListSources(codes=codes, labels=labels))


def _matrix(frame: Frame, sheet: SheetPlan, criteria: list[Criterion], row: int) -> int:
    language = frame.language
    sheet.put(row, 1, frame.translate("Level"), styles.HEADER_CENTRED)
    for column, criterion in enumerate(criteria, 2):
        sheet.put(row, column, criterion.name.in_(language), styles.HEADER)
    sheet.repeated_rows = (row, row)
    sheet.freeze = (row + 1, 2)
    row += 1
    sheet.put(row, 1, None, styles.HINT)
    questions = []
    for column, criterion in enumerate(criteria, 2):
        question = criterion.question.in_(language)
        sheet.put(row, column, question, replace(styles.HINT, italic=True))
        questions.append((question, WIDE, 9.0))
    sheet.row_heights[row] = styles.height(questions, 20)
    levels = sorted({level for c in criteria for level in c.levels if isinstance(level, int)}, reverse=True)
    for level in levels:
        row += 1
        sheet.put(row, 1, level, LEVEL)
        texts = []
        for column, criterion in enumerate(criteria, 2):
            text = _anchor(frame, criterion, level)
            sheet.put(row, column, text, styles.READ)
            texts.append((text, WIDE, 10.0))
        sheet.row_heights[row] = styles.height(texts)
    return row + 2


def _anchor(frame: Frame, criterion: Criterion, level: int) -> str:
    if level not in criterion.levels:
        return "–"
    anchor = criterion.anchor(level)
    example = anchor.example.in_(frame.language)
    name = anchor.name.in_(frame.language)
    lines = [name.capitalize() if name else "", anchor.description.in_(frame.language)]
    if example:
        lines.append(frame.translate("Example: {text}", text=example))
    return "\n".join(line for line in lines if line)


def _labels(frame: Frame, sheet: SheetPlan, criterion: Criterion, row: int) -> tuple[int, str]:
    """Put a label criterion's block; return the next row and where its labels stand."""
    language = frame.language
    for column, text in enumerate(
        (criterion.name.in_(language), frame.translate("What it means"), frame.translate("Example")), 1
    ):
        sheet.put(row, column, text, styles.HEADER)
    question = criterion.question.in_(language)
    if question:
        row += 1
        sheet.put(row, 1, None, styles.HINT)
        sheet.put(row, 2, question, replace(styles.HINT, italic=True))
        sheet.put(row, 3, None, styles.HINT)
        sheet.row_heights[row] = styles.height([(question, WIDE, 9.0)], 20)
    first = row + 1
    for anchor in criterion.anchors:
        row += 1
        texts = (anchor.description.in_(language), anchor.example.in_(language))
        sheet.put(row, 1, criterion.shown(anchor.level, language), NAMED)
        for column, text in enumerate(texts, 2):
            sheet.put(row, column, text, styles.READ)
        sheet.row_heights[row] = styles.height([(text, WIDE, 10.0) for text in texts])
    return row + 2, "=" + range_reference(sheet.name, 1, first, row)


def _rule(frame: Frame, sheet: SheetPlan, row: int, columns: int) -> int:
    """Put the rule in words over the whole width."""
    text = frame.rubric.rule.in_(frame.language)
    heading = frame.translate("Decision") if frame.rubric.verdict else frame.translate("What counts")
    sheet.put(row, 1, heading, styles.HEADING)
    row += 1
    width = FIRST + WIDE * (columns - 1)
    sheet.put(row, 1, text, replace(styles.TEXT, bold=True, size=11))
    sheet.merged.append(Area(row, 1, row, columns))
    sheet.row_heights[row] = styles.height([(text, width, 11.0)], 20)
    return row + 2


def _codes(frame: Frame, sheet: SheetPlan, row: int) -> tuple[int, str]:
    """Put the issues with what they cap; return the next row and where their labels stand."""
    rubric, translate, language = frame.rubric, frame.translate, frame.language
    sheet.put(row, 1, translate("Issues: why a grade is below the top"), styles.HEADING)
    note = translate(
        "Choose all that apply. An issue says how high the grade of its criterion may be at most."
    )
    sheet.put(row + 1, 1, note, styles.QUIET_LINE)
    row += 2
    for column, text in enumerate(
        (translate("Issue"), translate("Criterion"), translate("Grade at most")), 1
    ):
        sheet.put(row, column, text, styles.HEADER)
    first = row + 1
    for code in ordered_codes(rubric):
        row += 1
        sheet.put(row, 1, code.label.in_(language), NAMED)
        touched = [rubric.criterion(cap.criterion).name.in_(language) for cap in code.caps]
        text = translate("all criteria") if len(touched) == len(rubric.criteria) > 1 else ", ".join(touched)
        sheet.put(row, 2, text, IN_LINE)
        sheet.put(row, 3, _cap(frame, code.caps), IN_LINE)
        sheet.row_heights[row] = styles.height([(text, WIDE, 10.0)], 18)
    return row + 2, "=" + range_reference(sheet.name, 1, first, row)


def _cap(frame: Frame, caps: Sequence[CodeCap]) -> str:
    heights = [cap.cap for cap in caps]
    if all(height is None for height in heights):
        return frame.translate("tolerated: lowers nothing")
    if len(set(heights)) == 1:
        return str(heights[0])
    return ", ".join("–" if height is None else str(height) for height in heights)
