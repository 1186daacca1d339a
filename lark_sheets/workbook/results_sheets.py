"""The sheets of the results workbook beside runs and agreement: judge, every reading."""

from __future__ import annotations

from lark_sheets.core.bookplan import Scalar, SheetPlan
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.language import Translator
from lark_sheets.core.results import Results
from lark_sheets.core.rubric import Rubric
from lark_sheets.workbook import layout, results_layout as tables
from lark_sheets.workbook.judge_words import leaves
from lark_sheets.workbook.layout import Table
from lark_sheets.workbook.results_writer import ResultsWriter, Row

# -- Judge -------------------------------------------------------------------------------------------------------------


def judge_sheet(results: Results, writer: ResultsWriter) -> SheetPlan:
    """Return the sheet of the judge, or the sentence that there was none."""
    translate = writer.translate
    sheet = writer.sheet(layout.JUDGE, translate("Automatic judge"))
    if results.judge is None:
        writer.note(sheet, 4, translate("No automatic judge was used in this campaign."))
        return sheet
    rows: list[Row] = [
        {"what": name, "value": fitting(value, translate) if isinstance(value, str) else value}
        for name, value in leaves(results.judge, results.rubric, writer.language)
    ]
    writer.table(sheet, tables.JUDGE_TABLE, 4, rows)
    return sheet


# -- Detail ------------------------------------------------------------------------------------------------------------


def detail_sheet(results: Results, campaign: Campaign, writer: ResultsWriter, *, texts: bool) -> SheetPlan:
    """Return the sheet of every reading; the responses' texts only when ``texts``."""
    translate, rubric = writer.translate, results.rubric
    sheet = writer.sheet(layout.DETAIL, translate("Every reading"))
    table = tables.detail_table(rubric)
    if texts:
        table = Table(table.name, table.sheet, (*table.columns, tables.RESPONSE))
    response = campaign.response()
    yes, no = layout.YES.in_(writer.language), layout.NO.in_(writer.language)
    rows: list[Row] = []
    for reading in results.readings:
        text = response[reading.id].text
        outcome = rubric.outcomes.get(reading.verdict or "")
        rows.append(
            {
                "id": reading.id,
                "item": reading.item,
                "label": reading.label,
                "run": reading.run,
                "grader": reading.grader,
                "owner": yes if reading.owner else no,
                **{
                    c.id: _shown(c.id, reading.scores.get(c.id), rubric, writer.language)
                    for c in rubric.criteria
                },
                "total": reading.total,
                "verdict": outcome.in_(writer.language) if outcome else reading.verdict,
                "stale": yes if reading.stale else no,
                "codes": ", ".join(
                    code.label.in_(writer.language) if (code := rubric.code(c)) else c for c in reading.codes
                ),
                "reason": reading.reason,
                "fingerprint": response[reading.id].fingerprint,
                "response": fitting(text, translate),
            }
        )
    writer.table(sheet, table, 4, rows)
    sheet.freeze = (5, 4)
    sheet.repeated_rows = (4, 4)
    return sheet


def _shown(criterion: str, level: int | str | None, rubric: Rubric, language: str) -> Scalar:
    return (
        level
        if level is None or isinstance(level, int)
        else rubric.criterion(criterion).shown(level, language)
    )


def fitting(text: str, translate: Translator) -> str:
    """Return a text that a cell can hold; what is left out is told, with its exact number of characters."""
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 <= layout.CELL_LIMIT:
        return text
    kept = text[: layout.CELL_LIMIT // 2]
    return kept + translate(
        "… ({count} characters not shown, see the campaign's workbook)", count=len(text) - len(kept)
    )
