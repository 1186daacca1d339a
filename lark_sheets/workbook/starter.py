"""The starter workbook: an empty one into which tickets, responses and a rubric are pasted, and from which a campaign is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import BookPlan, ColumnPlan, SheetPlan, Style
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.cells import BookData, Mark, SheetData, address, shown
from lark_sheets.core.language import Translator, Words
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import clean_id
from lark_sheets.errors import DataError
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.rubric_rows import both
from lark_sheets.workbook.build.rubric_sheet import plan_rubric_sheet
from lark_sheets.workbook.build.tables import Frame, Row, put_table
from lark_sheets.workbook.layout import Sheet, Table
from lark_sheets.workbook.locate import FoundTable, maybe_table
from lark_sheets.workbook.marks import mark_block, read_marks
from lark_sheets.workbook.rubric_sheet_reading import sheet_rubric

KIND = "starter"
HEADER_ROW = 4
MARK_COLUMN = 9
SPARE_TICKETS = 60
BILINGUAL = ("title", "rule")
PLAIN = ("id", "favourable", "main_label", "graded_by_default")
STRATUM = "stratum "
"""Start of the property that names a stratum: "stratum licit"."""
TICKETS = Table(
    layout.TICKETS_TABLE.name,
    layout.TICKETS,
    tuple(replace(c, typed=True) for c in layout.TICKETS_TABLE.columns if c.key != "fields"),
)


# -- the plan ------------------------------------------------------------------------------------------------------------


def build_starter(rubric: Rubric, translate: Translator) -> BookPlan:
    """Return the plan of an empty workbook whose rubric sheet holds ``rubric`` as an example to overwrite."""
    campaign = Campaign(
        id="",
        rubric=rubric,
        language=translate.language,
        items=(),
        responses=(),
        readings=(),
        graders=(),
        commitments=(),
    )
    frame = Frame(campaign=campaign, translate=translate)
    sheets = [
        _guide(frame),
        _pasted(
            frame,
            TICKETS,
            translate("Tickets"),
            translate(
                "One row a ticket: its id and its text. The other columns may stay empty, and more may be added."
            ),
            SPARE_TICKETS,
        ),
        _pasted(
            frame,
            layout.RESPONSES_TABLE,
            translate("Responses"),
            translate(
                "One row a ticket and run. The names of the runs go into the key, never into a workbook to grade."
            ),
            layout.RESPONSES_TABLE.spare,
        ),
        _rubric(frame),
    ]
    return BookPlan(sheets=sheets, title=translate("Starter workbook"), language=translate.language)


def _pasted(frame: Frame, table: Table, title: str, text: str, spare: int) -> SheetPlan:
    sheet = frame.sheet(table.sheet, freeze=(HEADER_ROW + 1, 1), show_grid=True)
    sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)
    sheet.put(1, 1, title, styles.TITLE)
    sheet.put(2, 1, text, styles.QUIET_LINE)
    sheet.row_heights[1] = 24
    typed = replace(styles.TYPED, number_format="@")
    put_table(sheet, table, (), frame.language, top=HEADER_ROW, style=lambda key: typed, spare=spare)
    return sheet


def _rubric(frame: Frame) -> SheetPlan:
    """Return the Rubric sheet with one more table: what the rubric says of itself."""
    sheet = plan_rubric_sheet(
        frame,
        about=frame.translate(
            "Overwrite this example with your own rubric, or leave the sheet and name a shipped one."
        ),
    ).plan
    left = max(area.right for area in (table.area for table in sheet.tables)) + 2
    top = sheet.tables[0].area.top
    sheet.put(top - 1, left, frame.translate("About the rubric"), styles.HEADING)
    put_table(
        sheet, layout.ABOUT, _about(frame.rubric), frame.language, top=top, left=left, style=_about_style
    )
    sheet.put(
        4,
        1,
        f"→ {frame.translate('About the rubric')}",
        styles.LINK_LINE,
        link=frame.link(layout.RUBRIC, top, left),
    )
    return sheet


def _about_style(key: str) -> Style:
    return styles.READ if key == "property" else styles.OPEN


def _about(rubric: Rubric) -> list[Row]:
    rows: list[Row] = [{"property": name, "value_fr": getattr(rubric, name) or None} for name in PLAIN]
    rows += [{"property": name, **both(getattr(rubric, name), "value")} for name in BILINGUAL]
    return rows + [
        {"property": f"{STRATUM}{name}", **both(words, "value")} for name, words in rubric.strata.items()
    ]


def _guide(frame: Frame) -> SheetPlan:
    translate = frame.translate
    sheet = frame.sheet(layout.GUIDE, landscape=False, tab_colour=styles.INK)
    sheet.columns |= {1: ColumnPlan(width=6), 2: ColumnPlan(width=72), 3: ColumnPlan(width=28)}
    sheet.put(1, 1, translate("Starting a campaign"), styles.TITLE)
    sheet.row_heights[1] = 28
    steps: Sequence[tuple[str, str, Sheet]] = (
        (
            translate("Paste the tickets: what was put to every run."),
            translate("Open the tickets"),
            layout.TICKETS,
        ),
        (
            translate("Paste the responses of all runs, one row each."),
            translate("Open the responses"),
            layout.RESPONSES,
        ),
        (
            translate(
                "Write the rubric: criteria, an anchor and an example for every level, issues, the decision."
            ),
            translate("Open the rubric"),
            layout.RUBRIC,
        ),
        (
            translate(
                "Save, then make the campaign from the ribbon, or with: lark-sheets new --rubric FILE --items FILE --responses FILE --out FOLDER, this workbook being all three files."
            ),
            translate("See the tickets once more"),
            layout.TICKETS,
        ),
    )
    for number, (text, link, target) in enumerate(steps, 1):
        row = 2 + number
        sheet.put(row, 1, number, styles.STEP)
        sheet.put(row, 2, text, styles.TEXT)
        sheet.put(row, 3, link, styles.LINK, link=frame.link(target))
        sheet.row_heights[row] = styles.height([(text, 72, 10.0)], 24)
    for column in (MARK_COLUMN, MARK_COLUMN + 1):
        sheet.columns[column] = ColumnPlan(width=20, hidden=True)
    for row, (key, value) in enumerate(mark_block(frame.campaign, kind=KIND, rows=0), 1):
        sheet.put(row, MARK_COLUMN, key, styles.HIDDEN)
        sheet.put(row, MARK_COLUMN + 1, value or None, styles.HIDDEN)
    return sheet


# -- the way back --------------------------------------------------------------------------------------------------------


def is_starter(book: BookData) -> bool:
    """Say whether a workbook is a starter workbook, filled in or not."""
    try:
        return read_marks(book).values.get("kind") == KIND
    except DataError:
        return False


def starter_items(book: BookData) -> list[dict[str, str]]:
    """Return the tickets pasted into a starter workbook, as an input table: column name -> text. Raises :class:`DataError`."""
    return _rows(book, TICKETS)


def starter_responses(book: BookData) -> list[dict[str, str]]:
    """Return the responses pasted into a starter workbook, as an input table: column name -> text. Raises :class:`DataError`."""
    return _rows(book, layout.RESPONSES_TABLE)


def starter_rubric(book: BookData) -> Rubric:
    """Return the rubric of a starter workbook. Raises :class:`DataError` with every fault of its sheet."""
    kept = read_marks(book).rubric()
    if kept is None:
        raise DataError(problem("damaged_file", file=book.name, found=layout.RUBRIC.key))
    about = maybe_table(book, layout.ABOUT)
    return sheet_rubric(book, _about_read(kept, about) if about else kept)


def _about_read(kept: Rubric, found: FoundTable) -> Rubric:
    said = {
        clean_id(found.text(row, "property")): Words(
            fr=found.text(row, "value_fr").strip(), en=found.text(row, "value_en").strip()
        )
        for row in found.rows()
    }
    strata = {key.removeprefix(STRATUM): words for key, words in said.items() if key.startswith(STRATUM)}
    plain = {key: words.fr or words.en for key, words in said.items() if key in PLAIN}
    return replace(
        kept,
        id=clean_id(plain.get("id", kept.id)),
        favourable=clean_id(plain.get("favourable", kept.favourable)),
        main_label=clean_id(plain.get("main_label", kept.main_label)),
        graded_by_default=clean_id(plain.get("graded_by_default", "")) or kept.graded_by_default,
        title=said.get("title", kept.title),
        rule=said.get("rule", kept.rule),
        strata=strata if said else kept.strata,
        version=1,
    )


def _rows(book: BookData, table: Table) -> list[dict[str, str]]:
    """Return a pasted table's rows: our columns under their keys, the coordinator's own under their headers."""
    found = maybe_table(book, table)
    if found is None:
        names, seen = " / ".join(table.sheet.name.both()), ", ".join(sheet.name for sheet in book.sheets)
        raise DataError(problem("missing_sheet", file=book.name, found=seen, table=table.name, sheet=names))
    own = _own_columns(found)
    _refuse_errors(book, found, [*found.columns.values(), *own.values()])
    return [
        {
            **{key: found.text(row, key) for key in found.columns},
            **{header: shown(found.sheet.value(row, column)) for header, column in own.items()},
        }
        for row in found.rows()
    ]


def _refuse_errors(book: BookData, found: FoundTable, columns: Sequence[int]) -> None:
    """Refuse cells that hold an error, or a formula that no program has computed: nothing is read as a blank by mistake."""
    codes = {Mark.ERROR: "error_cell", Mark.UNCOMPUTED: "uncomputed_cell"}
    bad = [
        problem(
            codes[mark],
            file=book.name,
            sheet=found.sheet.name,
            cell=address(row, column),
            found=shown(found.sheet.value(row, column)),
        )
        for (row, column), mark in sorted(found.sheet.marks.items())
        if mark in codes and found.header < row <= found.last and column in columns
    ]
    if bad:
        raise DataError(*bad)


def _own_columns(found: FoundTable) -> dict[str, int]:
    """Return the headers that are not ours and their places, left and right of ours without a gap."""
    ours = set(found.columns.values())
    places: dict[str, int] = {}
    for start, step in ((max(ours), 1), (min(ours), -1)):
        column = start
        while header := _header(found.sheet, found.header, column):
            if column not in ours:
                places[header] = column
            column += step
    between = range(min(ours), max(ours))
    return places | {h: c for c in between if c not in ours and (h := _header(found.sheet, found.header, c))}


def _header(sheet: SheetData, row: int, column: int) -> str:
    return clean_id(shown(sheet.value(row, column)))
