"""The sheets that only a campaign's workbook has to look things up: Tickets and Log."""

from __future__ import annotations

from collections.abc import Iterator

from lark_sheets.core.bookplan import CellPlan, SheetPlan, Style
from lark_sheets.core.campaign import Item
from lark_sheets.core.rubric import Rubric, to_plain
from lark_sheets.core.text import canonical_json
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.long_texts import LongTexts
from lark_sheets.workbook.build.tables import Frame, Row, put_table, row_height
from lark_sheets.workbook.grades import show_fields
from lark_sheets.workbook.marks import chunks

HEADER_ROW = 4


def plan_tickets(frame: Frame, texts: LongTexts) -> SheetPlan:
    """Return the Tickets sheet: every item with its key, which no grader's workbook holds."""
    sheet = frame.sheet(layout.TICKETS, protected=True, freeze=(HEADER_ROW + 1, 2))
    sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)
    sheet.put(1, 1, frame.translate("Tickets"), styles.TITLE)
    text = frame.translate(
        "What was put to every run, with the answer key. Graders' workbooks hold the message only."
    )
    sheet.put(2, 1, text, styles.QUIET_LINE)
    sheet.row_heights[1], sheet.row_heights[HEADER_ROW] = 24, 30
    rows = [_ticket(frame, item, texts) for item in frame.campaign.items]
    put = put_table(
        sheet,
        layout.TICKETS_TABLE,
        rows,
        frame.language,
        top=HEADER_ROW,
        style=lambda key: styles.LABEL if key == "item" else styles.READ,
    )
    for number, row in enumerate(rows, put.first):
        sheet.row_heights[number] = row_height(layout.TICKETS_TABLE, row, 20)
    return sheet


def _ticket(frame: Frame, item: Item, texts: LongTexts) -> Row:
    column = layout.TICKETS_TABLE.column("text")
    what = column.header.in_(frame.language)
    text, link = texts.cell(
        item.text, layout.item_text_id(item.id), item=item.id, label="", what=what, width=column.width
    )
    linked = CellPlan(value=item.id, link=link, style=styles.LABEL) if link else item.id
    values = {
        "language": item.language,
        "type": item.type,
        "difficulty": item.difficulty,
        "stratum": item.stratum,
        "reference": item.reference,
        "must_mention": item.must_mention,
        "must_not_mention": item.must_not_mention,
        "fields": show_fields(item.fields),
    }
    return {"item": linked, "text": text or None, **{key: value or None for key, value in values.items()}}


def plan_log(frame: Frame) -> SheetPlan:
    """Return the Log sheet: what happened, with free rows; beside it every rubric version, whole."""
    sheet = frame.sheet(layout.LOG, protected=True, freeze=(HEADER_ROW + 1, 1))
    sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)
    sheet.put(1, 1, frame.translate("Log"), styles.TITLE)
    sheet.put(
        2, 1, frame.translate("Written by the program; the newest entry stands last."), styles.QUIET_LINE
    )
    sheet.row_heights[1], sheet.row_heights[HEADER_ROW] = 24, 20
    entries: list[Row] = [
        {"when": e.when, "who": e.who, "event": e.event, "version": e.version or None, "detail": e.detail}
        for e in frame.campaign.log
    ]
    put = put_table(
        sheet,
        layout.LOG_TABLE,
        entries,
        frame.language,
        top=HEADER_ROW,
        style=_log_style,
        spare=layout.LOG_TABLE.spare,
    )
    for number, row in enumerate(entries, put.first):
        sheet.row_heights[number] = row_height(layout.LOG_TABLE, row, 18)
    left = len(layout.LOG_TABLE.columns) + 2
    sheet.put(HEADER_ROW - 1, left, frame.translate("Every rubric version, whole"), styles.HEADING)
    versions = list(_versions(frame.campaign.versions or (frame.rubric,)))
    put_table(
        sheet,
        layout.VERSIONS,
        versions,
        frame.language,
        top=HEADER_ROW,
        left=left,
        style=lambda key: styles.HIDDEN,
        spare=layout.VERSIONS.spare,
    )
    return sheet


def _log_style(key: str) -> Style:
    return styles.TEXT if key == "detail" else styles.PLAIN


def _versions(rubrics: tuple[Rubric, ...]) -> Iterator[Row]:
    for rubric in rubrics:
        for part, text in enumerate(chunks(canonical_json(to_plain(rubric))), 1):
            yield {
                "version": rubric.version,
                "fingerprint": rubric.fingerprint,
                "part": part,
                "content": text,
            }
