"""Writing readings into a workbook's grading table as a patch: typed cells, then our own formulas and what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import BookPatch, Scalar
from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.cells import Area
from lark_sheets.core.rubric import Level
from lark_sheets.workbook import layout
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.formulas import row_formulas
from lark_sheets.workbook.grades import CODE_COLUMNS, show_fields
from lark_sheets.workbook.locate import FoundTable


def fill_rows(patch: BookPatch, read: ReadBook, readings: Iterable[Reading]) -> None:
    """Write readings into the rows where they stand (``place.row``), with the formulas of those rows.

    Only what differs from the workbook is written.
    """
    known = {r.key: r for r in read.campaign.readings}
    for reading in readings:
        _fill(patch, read, reading, reading.place.row, known.get(reading.key))


def add_rows(patch: BookPatch, read: ReadBook, readings: Sequence[Reading]) -> None:
    """Add rows for new readings under the grading table, which grows by them."""
    found = read.grades
    responses = read.campaign.response()
    messages = {item.id: item.text for item in read.campaign.items}
    area = found.sheet.tables.get(layout.GRADES_NAME)
    last = max([*found.rows(), found.header])
    pattern = found.header + 1
    numbers = [value for row in found.rows() if isinstance(value := found.value(row, "number"), int | float)]
    for offset, reading in enumerate(readings, 1):
        row = last + offset
        response = responses[reading.response]
        values: dict[str, str | int] = {
            "id": response.id,
            "fingerprint": response.fingerprint,
            "version": reading.version,
            "grader": reading.grader,
            "owner": _yes(read, flag=reading.owner),
            "reading": reading.number,
            "language": response.language,
            "number": int(max(numbers, default=0)) + offset,
            "item": response.item,
            "label": response.label,
            "message": messages.get(response.item, ""),
            "response": _shown_text(found, read, response.id) or response.text,
            "fields": show_fields(response.fields),
        }
        for key, value in values.items():
            if key in found.columns and value != "":
                patch.set(
                    found.sheet.name, row, found.columns[key], value, style_of=(pattern, found.columns[key])
                )
        for key in (*(c.id for c in read.campaign.rubric.criteria), *CODE_COLUMNS, "reason", "discuss"):
            if key in found.columns:
                patch.set(
                    found.sheet.name, row, found.columns[key], None, style_of=(pattern, found.columns[key])
                )
        _fill(patch, read, reading, row, None)
    if area and readings:
        patch.grown[layout.GRADES_NAME] = Area(area.top, area.left, last + len(readings), area.right)


def _shown_text(found: FoundTable, read: ReadBook, response: str) -> str:
    """Return what the response cell of another row of the same response shows: long texts are cut there, and kept whole elsewhere."""
    for reading in read.campaign.readings:
        if reading.response == response:
            return found.text(reading.place.row, "response")
    return ""


def _yes(read: ReadBook, *, flag: bool) -> str:
    return (layout.YES if flag else layout.NO).in_(read.campaign.language)


def _fill(patch: BookPatch, read: ReadBook, reading: Reading, row: int, known: Reading | None) -> None:
    found, rubric, language = read.grades, read.campaign.rubric, read.campaign.language
    sheet = found.sheet.name
    pattern = found.header + 1

    def put(key: str, value: Scalar, formula: str = "") -> None:
        column = found.columns.get(key)
        if column is not None:
            patch.set(sheet, row, column, value, formula=formula, style_of=(pattern, column))

    for criterion in rubric.criteria:
        level = reading.grades.get(criterion.id)
        if level is not None and (known is None or known.grades.get(criterion.id) != level):
            put(criterion.id, _shown(rubric.criterion(criterion.id).shown(level, language), level))
    if reading.codes != (known.codes if known else ()):
        for key, text in zip(CODE_COLUMNS, _code_cells(read, reading.codes), strict=True):
            put(key, text or None)
    if reading.reason and (known is None or known.reason != reading.reason):
        put("reason", reading.reason)
    if reading.discuss and not (known and known.discuss):
        put("discuss", layout.DISCUSS_FLAG.in_(language))
    if known is not None and known.version != reading.version:
        put("version", reading.version)
    for key, computed in row_formulas(found.columns, row, rubric, language, reading).items():
        put(key, computed.value, computed.formula)


def _shown(text: str, level: Level) -> str | int:
    return level if isinstance(level, int) else text


def _code_cells(read: ReadBook, codes: Sequence[str]) -> list[str]:
    """Return the texts of the three code cells: one code each, all further ones in the last, after commas."""
    rubric, language = read.campaign.rubric, read.campaign.language
    names = [code.label.in_(language) if (code := rubric.code(c)) else c for c in codes]
    alone = len(CODE_COLUMNS) - 1
    cells = [*names[:alone], ", ".join(names[alone:])]
    return cells + [""] * (len(CODE_COLUMNS) - len(cells))


def with_readings(campaign: Campaign, changed: Iterable[Reading], added: Iterable[Reading] = ()) -> Campaign:
    """Return the campaign with some readings replaced and others added."""
    new = {r.key: r for r in changed}
    readings = [new.get(r.key, r) for r in campaign.readings]
    return replace(campaign, readings=(*readings, *added))
