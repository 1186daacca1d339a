"""The Grading sheet: one row a response, the anchors always in sight, only the yellow cells open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark_sheets.core.bookplan import CellPlan, ColumnPlan, Scalar, SheetPlan, Style
from lark_sheets.core.campaign import Reading
from lark_sheets.core.cells import address
from lark_sheets.core.rubric import Criterion
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.cell_rules import ListSources, grading_conditions, grading_lists
from lark_sheets.workbook.build.long_texts import LongTexts
from lark_sheets.workbook.build.shown import in_order, typed_cells
from lark_sheets.workbook.build.tables import Frame, Row, put_table
from lark_sheets.workbook.formulas import Computed, GradingPlace, RowState, row_formulas, summary_formulas
from lark_sheets.workbook.grades import show_fields

TITLE_ROW, HELP_ROW, PROGRESS_ROW, BAND_ROW, HEADER_ROW = 1, 2, 3, 4, 5
WIDER = (21.0, 25.0, 30.0, 36.0, 42.0, 50.0)
MOST_BAND = 230.0
"""Points that the band of anchors may take, so that responses stay in sight on a small screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingSheet:
    """The sheet and what the others need of it: where the table stands, and every row's state."""

    plan: SheetPlan
    place: GradingPlace
    rows: Sequence[RowState]
    summary: dict[str, Computed]
    cells: dict[str, str]
    """Addresses of the formulas that sum the table up, by their key."""


def plan_grading(
    frame: Frame, readings: Sequence[Reading], sources: ListSources, texts: LongTexts
) -> GradingSheet:
    """Return the Grading sheet for some readings; ``texts`` collects what its cells cannot show."""
    rubric, language = frame.rubric, frame.language
    table = layout.grades_table(rubric, shows_grader=frame.is_campaign and len(frame.campaign.graders) > 1)
    columns = {column.key: n for n, column in enumerate(table.columns, 1)}
    sheet = frame.sheet(layout.GRADING, protected=True, zoom=90, paper="A3", tab_colour=styles.BLUE)
    sheet.repeated_rows = (BAND_ROW, HEADER_ROW)
    sheet.freeze = (HEADER_ROW + 1, columns["message"])
    rows: list[Row] = []
    states: list[RowState] = []
    heights: list[float] = []
    write = _Rows(frame, table, texts)
    for number, reading in enumerate(in_order(frame.campaign, readings), 1):
        row = HEADER_ROW + number
        cells = write.row(reading, number)
        for key, computed in row_formulas(
            columns, row, rubric, language, replace(reading, refused=())
        ).items():
            cells[key] = CellPlan(value=computed.value, formula=computed.formula, style=styles.RESULT)
        rows.append(cells)
        states.append(RowState(reading.grader, _state(cells["state"], language)))
        heights.append(_height(table, cells))
    put = put_table(sheet, table, rows, language, top=HEADER_ROW, style=lambda key: _style(frame, key))
    unused = [] if any(cells["fields"] for cells in rows) else ["fields"]
    unused += (
        [] if rubric.codes else [key for key in layout.EXPLANATIONS if key in columns and key != "reason"]
    )
    for key in unused:
        sheet.columns[columns[key]] = ColumnPlan(width=table.column(key).width, hidden=True)
    for number, height in enumerate(heights):
        sheet.row_heights[put.first + number] = height
    place = GradingPlace(
        sheet=sheet.name,
        first=put.first,
        last=put.last + layout.SPARE_ROWS,
        columns=columns,
        jump=rubric.criteria[0].id,
    )
    summary = summary_formulas(place, states, [g.name for g in frame.campaign.graders], frame.translate)
    notes = _notes(frame, rows, texts)
    cells_of = _band(frame, sheet, columns, summary, notes)
    grading_lists(frame, sheet, put, place, sources)
    grading_conditions(frame, sheet, place)
    return GradingSheet(plan=sheet, place=place, rows=states, summary=summary, cells=cells_of)


def _state(cell: Scalar | CellPlan, language: str) -> str:
    said = cell.value if isinstance(cell, CellPlan) else cell
    return next(key for key, words in layout.STATES.items() if words.in_(language) == said)


class _Rows:
    """Writes rows of the grading table; holds what they share."""

    def __init__(self, frame: Frame, table: layout.Table, texts: LongTexts) -> None:
        self.frame = frame
        self.texts = texts
        self.responses = frame.campaign.response()
        self.items = frame.campaign.item()
        self.context = {key: table.column(key) for key in ("message", "response")}

    def row(self, reading: Reading, number: int) -> dict[str, Scalar | CellPlan]:
        """Return the cells of one reading, what was typed included, without the formulas."""
        frame, language = self.frame, self.frame.language
        response = self.responses[reading.response]
        item = self.items[response.item]
        message, message_link = self._text("message", item.text, layout.item_text_id(item.id), item.id, "")
        whole = layout.response_text_id(response.id)
        text, link = self._text("response", response.text, whole, item.id, response.label)
        link = link or message_link
        owner = layout.YES if reading.owner else layout.NO
        cells: dict[str, Scalar | CellPlan] = {
            "id": response.id,
            "fingerprint": response.fingerprint,
            "version": reading.version,
            "grader": reading.grader,
            "owner": owner.in_(language),
            "reading": reading.number,
            "language": response.language or item.language or None,
            "number": CellPlan(value=number, link=link, style=_LINKED if link else styles.READ_CENTRED),
            "item": item.id,
            "label": response.label,
            "message": message or None,
            "response": text or None,
            "fields": show_fields(response.fields) or None,
        }
        return cells | typed_cells(reading, frame.rubric, language)

    def _text(self, key: str, text: str, whole: str, item: str, label: str) -> tuple[str, str]:
        column = self.context[key]
        what = column.header.in_(self.frame.language)
        return self.texts.cell(text, whole, item=item, label=label, what=what, width=column.width)


_LINKED = replace(styles.READ_CENTRED, colour=styles.BLUE, underline=True)
_BEFORE_CENTRED = ("number", "item", "grader")


def _style(frame: Frame, key: str) -> Style:
    if any(c.id == key for c in frame.rubric.criteria):
        criterion = frame.rubric.criterion(key)
        return styles.TYPED_CENTRED if criterion.is_category else styles.GRADE
    if key in ("total", "verdict", "state"):
        return styles.RESULT
    if key == "discuss":
        return styles.TYPED_CENTRED
    if key in layout.EXPLANATIONS:
        return styles.TYPED
    if key == "label":
        return styles.LABEL
    if key in _BEFORE_CENTRED:
        return styles.READ_CENTRED
    return styles.READ if key in ("message", "response", "fields") else styles.HIDDEN


def _height(table: layout.Table, cells: Row) -> float:
    shown = []
    for column in table.columns:
        value = cells.get(column.key)
        text = value.value if isinstance(value, CellPlan) else value
        if isinstance(text, str) and not column.hidden:
            shown.append((text, column.width, 10.0))
    return styles.height(shown)


# -- what stands above the table -----------------------------------------------------------------------------------------


def anchor_text(criterion: Criterion, language: str) -> str:
    """Return a criterion's anchors as the band shows them: the highest level first, a level a line."""
    anchors = criterion.anchors if criterion.is_category else reversed(criterion.anchors)
    between = "\u00a0: " if language == "fr" else ": "
    lines = []
    for anchor in anchors:
        start = criterion.shown(anchor.level, language) if criterion.is_category else str(anchor.level)
        joint = between if criterion.is_category else "  "
        lines.append(f"{start}{joint}{anchor.description.in_(language)}")
    return "\n".join(lines)


def _notes(frame: Frame, rows: Sequence[Row], texts: LongTexts) -> list[str]:
    """Return what must be said only where there is a response without text, or one that its row cannot show."""
    notes = []
    if any(not cells["response"] for cells in rows):
        said = frame.translate(
            "A response without text is an answer that the model did not give: it is graded too."
        )
        notes.append(said)
    if texts.rows:
        said = frame.translate(
            "An underlined number leads to the whole text, on the sheet “{sheet}”.",
            sheet=frame.name(layout.TEXTS),
        )
        notes.append(said)
    return notes


def _band(
    frame: Frame,
    sheet: SheetPlan,
    columns: dict[str, int],
    summary: dict[str, Computed],
    notes: Sequence[str],
) -> dict[str, str]:
    translate, rubric = frame.translate, frame.rubric
    first = columns[rubric.criteria[0].id]
    left = columns["grader" if frame.is_campaign and len(frame.campaign.graders) > 1 else "number"]
    sheet.put(TITLE_ROW, left, translate("Blind grading"), styles.TITLE)
    sheet.put(
        HELP_ROW,
        left,
        translate("Read, choose a level in each yellow cell, say why. Tab goes to the next yellow cell."),
        styles.QUIET_LINE,
    )
    sheet.row_heights[TITLE_ROW], sheet.row_heights[HELP_ROW], sheet.row_heights[PROGRESS_ROW] = 24, 15, 20
    for row, column, note in zip((TITLE_ROW, HELP_ROW), (columns["response"], first), notes, strict=False):
        sheet.put(row, column, note, styles.QUIET_LINE)
    places = {
        "progress": (PROGRESS_ROW, left, styles.BOLD_LINE),
        "next": (PROGRESS_ROW, columns["response"], styles.LINK_LINE),
    }
    for key, (row, column, style) in places.items():
        computed = summary[key]
        sheet.put(row, column, computed.value, style, formula=computed.formula)
    sheet.put(
        PROGRESS_ROW,
        first,
        translate("See the whole rubric"),
        styles.LINK_LINE,
        link=frame.link(layout.RUBRIC),
    )
    said = translate("Anchors of rubric version {version} →", version=rubric.version)
    sheet.put(BAND_ROW, columns["response"], said, replace(styles.QUIET, horizontal="right"))
    texts = []
    for graded in layout.criterion_columns(rubric):
        text = anchor_text(rubric.criterion(graded.key), frame.language)
        width = width_for(text, graded.width)
        text = shortened(text, width)
        sheet.columns[columns[graded.key]] = ColumnPlan(width=width)
        sheet.put(BAND_ROW, columns[graded.key], text, styles.ANCHOR)
        texts.append((text, width, 9.0))
    for key, text in _hints(frame).items():
        if key in columns:
            sheet.put(BAND_ROW, columns[key], text or None, styles.HINT)
    sheet.row_heights[BAND_ROW] = min(MOST_BAND, styles.height(texts, 60))
    sheet.row_heights[HEADER_ROW] = 30
    return {key: address(row, column) for key, (row, column, _) in places.items()}


def width_for(text: str, least: float) -> float:
    """Return the width at which a criterion's anchors fit the band: long anchors take a wider column, never a band over half a screen."""
    return next(
        (w for w in (least, *WIDER) if w >= least and styles.height([(text, w, 9.0)]) <= MOST_BAND), WIDER[-1]
    )


def shortened(text: str, width: float) -> str:
    """Return anchors that the band can show at a width: too long ones lose the end of every level, and show that they do."""
    room = max(map(len, text.split("\n")))
    cut = text
    while styles.height([(cut, width, 9.0)]) > MOST_BAND and room > 20:
        room -= 10
        cut = "\n".join(
            line if len(line) <= room else f"{line[:room].rstrip()} …" for line in text.split("\n")
        )
    return cut


def _hints(frame: Frame) -> dict[str, str]:
    translate = frame.translate
    return {
        "code_1": translate("Why below the top? All issues that apply, from the list."),
        "code_2": "",
        "code_3": translate("More than three: type the others after a comma."),
        "reason": translate("In a few words, when no issue of the list says it.")
        if frame.rubric.codes
        else translate("In a few words, if something is to be said."),
        "discuss": translate("“yes” to talk about it"),
    }
