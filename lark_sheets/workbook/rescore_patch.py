"""A revision as cells to change: grades and stamps, our formulas and what they show, the kept version, the history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import Campaign, LogEntry, Place, Reading
from lark_sheets.core.cells import SheetData, shown
from lark_sheets.core.language import Translator
from lark_sheets.core.rubric import Level, Rubric, to_plain
from lark_sheets.core.text import canonical, canonical_json, clean_id
from lark_sheets.workbook import layout
from lark_sheets.workbook.build.grading import anchor_text
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.discussing import refresh_discussions
from lark_sheets.workbook.filling import fill_rows
from lark_sheets.workbook.formulas import row_formulas
from lark_sheets.workbook.journal import add_rows, log_lines
from lark_sheets.workbook.marks import CONTENT, chunks
from lark_sheets.workbook.rubric_sheet_reading import kept_versions
from lark_sheets.workbook.summary import refresh_summary

MOST_HEADING_ROWS = 200
"""Rows in which headings of ours are looked for."""


def campaign_patch(
    read: ReadBook,
    after: Campaign,
    *,
    log: Sequence[LogEntry],
    agreed: Mapping[tuple[str, str], tuple[Level | None, Level | None]] | None = None,
    translate: Translator,
) -> BookPatch:
    """Return what turns the workbook that was read into ``after``.

    Grades, version stamps, the rows' formulas with their values, the mark block, the kept version, the log, the figures and headings
    that other sheets show; ``agreed`` are the agreed grades that move (see :func:`refresh_discussions`). The table of changes and the Rubric sheet are left to their own modules.
    """
    patch = BookPatch()
    _rows(patch, read, after)
    _marks(patch, read, after.rubric)
    if all(version.version != after.rubric.version for version in kept_versions(read.book)):
        add_rows(patch, read.book, layout.VERSIONS, version_rows(after.rubric))
    log_lines(patch, read.book, log)
    refresh_summary(patch, read, after, translate)
    refresh_discussions(patch, read.book, after, agreed or {})
    _headings(patch, read, after, translate)
    return patch


def _rows(patch: BookPatch, read: ReadBook, after: Campaign) -> None:
    """Write the readings that change, and the stamps of all; every row's formulas only where the rubric changed them."""
    readings = [*after.readings, *_copies(read, after.readings)]
    known = {reading.key: reading for reading in read.campaign.readings}
    if not _same_formulas(read, after):
        changed = readings
    else:
        changed = [r for r in readings if replace(r, version=0) != _bare(known.get(r.key), r)]
    revised = replace(read, campaign=replace(read.campaign, rubric=after.rubric))
    fill_rows(patch, revised, changed)
    column = read.grades.columns.get("version")
    written = {reading.place.row for reading in changed}
    for reading in readings:
        old = known.get(reading.key)
        if column and old and old.version != reading.version and reading.place.row not in written:
            patch.set(read.grades.sheet.name, reading.place.row, column, reading.version)


def _bare(known: Reading | None, reading: Reading) -> Reading | None:
    """Return a known reading without what may differ though nothing was graded anew: its version and the row of a copy."""
    return None if known is None else replace(known, version=0, place=reading.place)


def _same_formulas(read: ReadBook, after: Campaign) -> bool:
    """Say whether the live formulas of a row read the same under both rubrics."""
    if not after.readings:
        return True
    reading, columns, language = after.readings[0], read.grades.columns, after.language
    blank = replace(reading, grades=dict.fromkeys(reading.grades))
    texts = [
        {key: computed.formula for key, computed in row_formulas(columns, 1, rubric, language, blank).items()}
        for rubric in (read.campaign.rubric, after.rubric)
    ]
    return texts[0] == texts[1]


def version_rows(rubric: Rubric) -> list[dict[str, str | int | None]]:
    """Return the rows of tblVersions that keep a rubric whole."""
    parts = chunks(canonical_json(to_plain(rubric)))
    return [
        {"version": rubric.version, "fingerprint": rubric.fingerprint, "part": n, "content": text}
        for n, text in enumerate(parts, 1)
    ]


def _copies(read: ReadBook, readings: Iterable[Reading]) -> list[Reading]:
    """Return readings once more for every further row that holds an identical copy: two copies that differ would count neither."""
    found = read.grades
    default = read.marks.values.get("grader", "")
    rows: dict[tuple[str, str, int], list[int]] = {}
    for row in found.rows():
        number = found.value(row, "reading")
        key = (
            clean_id(found.text(row, "id")).casefold(),
            clean_id(found.text(row, "grader")) or default,
            int(number) if isinstance(number, int | float) else 1,
        )
        rows.setdefault(key, []).append(row)
    return [
        replace(reading, place=Place(reading.place.file, reading.place.sheet, row))
        for reading in readings
        for row in rows.get(reading.key, ())
        if row != reading.place.row
    ]


def _marks(patch: BookPatch, read: ReadBook, rubric: Rubric) -> None:
    marks = read.marks
    values = {"version": str(rubric.version), "fingerprint": rubric.fingerprint}
    content = chunks(canonical_json(to_plain(rubric)))
    old = [key for key in marks.values if key.startswith(f"{CONTENT}/")]
    texts = {f"{CONTENT}/{n}": text for n, text in enumerate(content, 1)}
    for key, value in {**dict.fromkeys(old, ""), **texts, **values}.items():
        if key in marks.cells:
            patch.set(marks.sheet, *marks.cells[key], value or None)
            continue
        last, column = max(marks.cells.values())
        row = (
            last
            + 1
            + sum(place[0] > last for place in patch.cells.get(marks.sheet, {}) if place[1] == column)
        )
        patch.set(marks.sheet, row, column - 1, layout.MARK + key, style_of=(last, column - 1))
        patch.set(marks.sheet, row, column, value, style_of=(last, column))


def _headings(patch: BookPatch, read: ReadBook, after: Campaign, translate: Translator) -> None:
    """Bring up to date what headings say of the rubric: its version, its anchors, its rule. Cells that say something else stay."""
    whole, parts = _phrases(read.campaign, after, translate)
    for sheet, last in _our_headings(read):
        for place, text in _texts(sheet, last):
            fresh = whole.get(canonical(text), text)
            for old, new in parts.items():
                fresh = fresh.replace(old, new)
            if fresh != text and place not in patch.cells.get(sheet.name, {}):
                patch.set(sheet.name, *place, fresh)


def _our_headings(read: ReadBook) -> Iterator[tuple[SheetData, int]]:
    """Return the sheets of ours that speak of the rubric, with the last row that is no data."""
    tops = {read.marks.sheet: MOST_HEADING_ROWS, read.grades.sheet.name: read.grades.header}
    for sheet in read.book.sheets:
        for name in (layout.CRITERIA.name, layout.PRACTICE_NAME):
            if name in sheet.tables:
                tops.setdefault(sheet.name, sheet.tables[name].top)
    for sheet in read.book.sheets:
        if sheet.name in tops:
            yield sheet, tops[sheet.name] - 1


def _texts(sheet: SheetData, last: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Return the texts that stand in the upper rows; formulas and the mark block are none."""
    for r, row in enumerate(sheet.rows[:last], 1):
        for c, value in enumerate(row, 1):
            beside = shown(sheet.value(r, c - 1))
            ours = str(value).startswith(layout.MARK) or beside.startswith(layout.MARK)
            if isinstance(value, str) and value and (r, c) not in sheet.marks and not ours:
                yield (r, c), value


def _phrases(
    before: Campaign, after: Campaign, translate: Translator
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what headings said and say now: texts of a whole cell, and phrases inside one."""
    old, new = before.rubric, after.rubric
    language = translate.language
    criteria = {c.id: c for c in new.criteria}
    whole = {
        anchor_text(c, language): anchor_text(criteria[c.id], language)
        for c in old.criteria
        if c.id in criteria
    }
    whole[canonical(old.title.in_(language))] = new.title.in_(language)
    whole[canonical(old.rule.in_(language))] = new.rule.in_(language)

    def phrases(rubric: Rubric) -> list[str]:
        return [
            translate(
                "Version {version}, {date}. Edit here, fill in a row of Changes, then press Re-score: until then version {version} applies.",
                version=rubric.version,
                date=rubric.date,
            ),
            translate("Anchors of rubric version {version} →", version=rubric.version),
            translate("rubric version {version}, {date}", version=rubric.version, date=rubric.date),
            translate(
                "Campaign {campaign} · rubric {fingerprint}",
                campaign=after.id,
                fingerprint=rubric.fingerprint[:12],
            ),
        ]

    whole.pop("", None)
    return whole, dict(zip(phrases(old), phrases(new), strict=True))
