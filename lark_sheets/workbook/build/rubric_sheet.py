"""The coordinator's Rubric sheet: the rubric as tables side by side, open to edit, so that rows can be inserted anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark_sheets.core.bookplan import ListPlan, SheetPlan, Style
from lark_sheets.core.cells import Area
from lark_sheets.core.rubric import OPERATORS, Combine, CriterionKind, JudgedBy, TestKind
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.cell_rules import ListSources
from lark_sheets.workbook.build.rubric_rows import anchor_rows, code_rows, criteria_rows, verdict_rows
from lark_sheets.workbook.build.tables import Frame, PutTable, Row, put_table, row_height
from lark_sheets.workbook.formulas import range_reference

HEADING_ROW, HEADER_ROW = 5, 6
MORE_ROWS = 60
"""Rows below each table in which the drop-down lists work too."""
CENTRED = frozenset(
    {"level", "cap", "order", "at_level", "operator", "number", "version", "combine", "kind", "test"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricSheet:
    """The sheet, and where its lists stand."""

    plan: SheetPlan
    sources: ListSources


def plan_rubric_sheet(frame: Frame, about: str = "") -> RubricSheet:
    """Return the Rubric sheet of a campaign's workbook; ``about`` replaces the line under the title."""
    rubric, translate, language = frame.rubric, frame.translate, frame.language
    sheet = frame.sheet(layout.RUBRIC, freeze=(HEADER_ROW + 1, 1), show_grid=True, tab_colour=styles.MIDDLE)
    sheet.repeated_rows = (HEADING_ROW, HEADER_ROW)
    sheet.put(1, 1, rubric.title.in_(language) or rubric.id, styles.TITLE)
    sheet.put(2, 1, about or _about(frame), styles.QUIET_LINE)
    sheet.put(3, 1, rubric.rule.in_(language), styles.BOLD_LINE)
    sheet.row_heights[1] = 24
    tables: tuple[tuple[layout.Table, Sequence[Row], str, int], ...] = (
        (layout.CRITERIA, criteria_rows(rubric), translate("Criteria"), 0),
        (layout.ANCHORS, anchor_rows(rubric), translate("Anchors"), 0),
        (layout.CODES, code_rows(rubric), translate("Issue codes"), 0),
        (layout.VERDICT, verdict_rows(rubric), translate("Decision: the first row that matches"), 0),
        (layout.CHANGES, (), translate("Changes: who, why, and what the edit means"), layout.CHANGES.spare),
    )
    left = 1
    heights: dict[int, float] = {}
    put: dict[str, PutTable] = {}
    for table, rows, heading, spare in tables:
        sheet.put(HEADING_ROW, left, heading, styles.HEADING)
        put[table.name] = put_table(
            sheet, table, rows, language, top=HEADER_ROW, left=left, style=_style, spare=spare
        )
        for number, row in enumerate(rows, HEADER_ROW + 1):
            heights[number] = max(heights.get(number, 0), row_height(table, row, 30))
        left += len(table.columns) + 1
    sheet.row_heights |= heights
    sheet.row_heights[HEADING_ROW], sheet.row_heights[HEADER_ROW] = 22, 30
    sheet.print_area = put[layout.ANCHORS.name].area
    _links(frame, sheet, put, tables)
    _lists(frame, sheet, put)
    return RubricSheet(plan=sheet, sources=_sources(frame, sheet.name, put))


def _about(frame: Frame) -> str:
    return frame.translate(
        "Version {version}, {date}. Edit here, fill in a row of Changes, then press Re-score: until then version {version} applies.",
        version=frame.rubric.version,
        date=frame.rubric.date,
    )


def _style(key: str) -> Style:
    return replace(styles.OPEN, horizontal="center") if key in CENTRED else styles.OPEN


def _links(
    frame: Frame,
    sheet: SheetPlan,
    put: dict[str, PutTable],
    tables: Sequence[tuple[layout.Table, object, str, int]],
) -> None:
    """Put a row of links to the tables, since they stand side by side beyond the edge of the screen."""
    for column, (table, _, heading, _) in enumerate(tables[1:], 2):
        place = put[table.name].area
        link = frame.link(layout.RUBRIC, HEADING_ROW, place.left)
        sheet.put(4, column, f"→ {heading.partition(':')[0].rstrip()}", styles.LINK_LINE, link=link)


def _lists(frame: Frame, sheet: SheetPlan, put: dict[str, PutTable]) -> None:
    translate = frame.translate
    criteria = put[layout.CRITERIA.name]
    ids = "=" + range_reference(sheet.name, criteria.columns["criterion"], criteria.first, criteria.last)

    def add(
        table: layout.Table, key: str, *, values: Sequence[str] = (), source: str = "", strict: bool = True
    ) -> None:
        place = put[table.name]
        column = place.columns[key]
        area = Area(place.first, column, place.last + MORE_ROWS, column)
        error = translate("Choose a value from the list.")
        sheet.lists.append(ListPlan(areas=[area], values=values, source=source, strict=strict, error=error))

    add(layout.CRITERIA, "kind", values=[str(kind) for kind in CriterionKind])
    add(layout.CRITERIA, "judged_by", values=[str(by) for by in JudgedBy])
    for table in (layout.ANCHORS, layout.CODES, layout.CHANGES):
        add(table, "criterion", source=ids)
    add(layout.VERDICT, "combine", values=[str(combine) for combine in Combine])
    add(layout.VERDICT, "test", values=[str(kind) for kind in TestKind])
    targets = ["all", *(str(kind) for kind in CriterionKind), *(c.id for c in frame.rubric.criteria)]
    add(layout.VERDICT, "target", values=targets, strict=False)
    add(layout.VERDICT, "operator", values=OPERATORS)
    add(layout.CHANGES, "kind", values=[words.in_(frame.language) for words in layout.CHANGE_KINDS.values()])


def _sources(frame: Frame, name: str, put: dict[str, PutTable]) -> ListSources:
    codes, anchors = put[layout.CODES.name], put[layout.ANCHORS.name]
    labels = {}
    row = anchors.first
    for criterion in frame.rubric.criteria:
        column = anchors.columns[f"name_{frame.language}"]
        labels[criterion.id] = "=" + range_reference(name, column, row, row + len(criterion.anchors) - 1)
        row += len(criterion.anchors)
    column = codes.columns[f"label_{frame.language}"]
    source = (
        "=" + range_reference(name, column, codes.first, codes.last + MORE_ROWS) if frame.rubric.codes else ""
    )
    return ListSources(codes=source, labels=labels)
