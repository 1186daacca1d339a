"""The Grading sheet: one row a response, the anchors always in sight, only the yellow cells open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark_sheets.core.bookplan import CellPlan, ColumnPlan, ConditionPlan, ListPlan, Scalar, SheetPlan, Style
from lark_sheets.core.campaign import Reading
from lark_sheets.core.cells import Area, address
from lark_sheets.core.rubric import Criterion
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.long_texts import LongTexts
from lark_sheets.workbook.build.shown import in_order, typed_cells
from lark_sheets.workbook.build.tables import Frame, PutTable, Row, put_table
from lark_sheets.workbook.formulas import Computed, GradingPlace, RowState, row_formulas, summary_formulas
from lark_sheets.workbook.grades import show_fields

TITLE_ROW, HELP_ROW, PROGRESS_ROW, BAND_ROW, HEADER_ROW = 1, 2, 3, 4, 5
MOST_BAND = 230.0
"""Points that the band of anchors may take, so that responses stay in sight on a small screen."""
INLINE_LIST = 255
"""Characters that a list written into its cells' rule may have; a longer one is taken from a range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSources:
    """Where the drop-down lists of codes and of labels stand on the Rubric sheet (references, "" where there is none)."""

    codes: str = ""
    labels: dict[str, str] | None = None


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
    if not any(cells["fields"] for cells in rows):
        sheet.columns[columns["fields"]] = ColumnPlan(width=table.column("fields").width, hidden=True)
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
    cells_of = _band(
        frame, sheet, columns, summary, has_empty=any(not r.text for r in frame.campaign.responses)
    )
    _lists(frame, sheet, put, place, sources)
    _conditions(frame, sheet, place)
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


def _band(
    frame: Frame, sheet: SheetPlan, columns: dict[str, int], summary: dict[str, Computed], *, has_empty: bool
) -> dict[str, str]:
    translate, rubric = frame.translate, frame.rubric
    left = columns["grader" if frame.is_campaign and len(frame.campaign.graders) > 1 else "number"]
    sheet.put(TITLE_ROW, left, translate("Blind grading"), styles.TITLE)
    sheet.put(
        HELP_ROW,
        left,
        translate("Read, choose a level in each yellow cell, say why. Tab goes to the next yellow cell."),
        styles.QUIET_LINE,
    )
    sheet.row_heights[TITLE_ROW], sheet.row_heights[HELP_ROW], sheet.row_heights[PROGRESS_ROW] = 24, 15, 20
    if has_empty:
        note = translate(
            "A response without text is an answer that the model did not give: it is graded too."
        )
        sheet.put(TITLE_ROW, columns["response"], note, styles.QUIET_LINE)
    places = {
        "progress": (PROGRESS_ROW, left, styles.BOLD_LINE),
        "next": (PROGRESS_ROW, columns["response"], styles.LINK_LINE),
    }
    for key, (row, column, style) in places.items():
        computed = summary[key]
        sheet.put(row, column, computed.value, style, formula=computed.formula)
    first = columns[rubric.criteria[0].id]
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
        sheet.put(BAND_ROW, columns[graded.key], text, styles.ANCHOR)
        texts.append((text, graded.width, 9.0))
    for key, text in _hints(frame).items():
        if key in columns:
            sheet.put(BAND_ROW, columns[key], text or None, styles.HINT)
    sheet.row_heights[BAND_ROW] = min(MOST_BAND, styles.height(texts, 60))
    sheet.row_heights[HEADER_ROW] = 30
    return {key: address(row, column) for key, (row, column, _) in places.items()}


def _hints(frame: Frame) -> dict[str, str]:
    translate = frame.translate
    return {
        "code_1": translate("Why below the top? All issues that apply, from the list."),
        "code_2": "",
        "code_3": translate("More than three: type the others after a comma."),
        "reason": translate("In a few words, when no issue of the list says it."),
        "discuss": translate("“yes” to talk about it"),
    }


# -- lists and colours ---------------------------------------------------------------------------------------------------


def criterion_list(frame: Frame, criterion: Criterion, areas: Sequence[Area], source: str = "") -> ListPlan:
    """Return the drop-down list of a criterion's levels, with an error that says what to type."""
    translate, language = frame.translate, frame.language
    values = [
        criterion.shown(level, language) if criterion.is_category else str(level)
        for level in criterion.levels
    ]
    short = len(",".join(values)) <= INLINE_LIST and not any("," in value for value in values)
    if criterion.is_category:
        error = translate("Choose a label from the list, or leave the cell blank: a blank is never counted.")
    else:
        levels = ", ".join(values[:-1]) + translate(" or ") + values[-1]
        error = translate(
            "Type {levels}, or leave the cell blank: a blank is never counted as 0.", levels=levels
        )
    return ListPlan(
        areas=areas,
        values=values if short or not source else (),
        source="" if short or not source else source,
        error_title=criterion.name.in_(language)[:32],
        error=error,
    )


def _lists(frame: Frame, sheet: SheetPlan, put: PutTable, place: GradingPlace, sources: ListSources) -> None:
    def area(key: str) -> Area:
        column = put.columns[key]
        return Area(place.first, column, place.last, column)

    for criterion in frame.rubric.criteria:
        source = (sources.labels or {}).get(criterion.id, "")
        sheet.lists.append(criterion_list(frame, criterion, [area(criterion.id)], source))
    if sources.codes and "code_1" in put.columns:
        title = frame.translate("Issue")
        error = frame.translate(
            "Choose an issue from the list. What the list does not say goes into the reason."
        )
        sheet.lists.append(
            ListPlan(
                areas=[Area(place.first, put.columns["code_1"], place.last, put.columns["code_2"])],
                source=sources.codes,
                error_title=title,
                error=error,
            )
        )
        sheet.lists.append(ListPlan(areas=[area("code_3")], source=sources.codes, strict=False))
    flag = layout.DISCUSS_FLAG.in_(frame.language)
    sheet.lists.append(
        ListPlan(
            areas=[area("discuss")],
            values=(flag,),
            error_title=layout.DISCUSS.name.in_(frame.language),
            error=frame.translate("Choose “{flag}”, or leave the cell blank.", flag=flag),
        )
    )


def grade_conditions(criterion: Criterion, area: Area) -> list[ConditionPlan]:
    """Return the colours of a criterion's grades: the lowest dark, those between blue, the top white; never without the digit."""
    cell = address(area.top, area.left)
    if criterion.is_category:
        return [ConditionPlan(area=area, formula=f"NOT(ISBLANK({cell}))", fill=styles.TOP)]
    low, top = criterion.levels[0], criterion.levels[-1]
    number = f"ISNUMBER({cell})"
    found = [
        ConditionPlan(
            area=area, formula=f"AND({number},{cell}={low})", fill=styles.LOWEST, colour="FFFFFF", bold=True
        ),
        ConditionPlan(area=area, formula=f"AND({number},{cell}={top})", fill=styles.TOP),
    ]
    if len(criterion.levels) > 2:
        between = f"AND({number},{cell}>{low},{cell}<{top})"
        found.insert(1, ConditionPlan(area=area, formula=between, fill=styles.MIDDLE))
    return found


def _conditions(frame: Frame, sheet: SheetPlan, place: GradingPlace) -> None:
    columns, language = place.columns, frame.language
    words = {key: said.in_(language) for key, said in layout.STATES.items()}

    def area(first: str, last: str) -> Area:
        return Area(place.first, columns[first], place.last, columns[last])

    def state_is(key: str) -> str:
        return f'${address(place.first, columns["state"])}="{words[key]}"'

    for criterion in frame.rubric.criteria:
        sheet.conditions += grade_conditions(criterion, area(criterion.id, criterion.id))
    sheet.conditions.append(
        ConditionPlan(area=area("number", "fields"), formula=state_is("done"), colour=styles.GREY)
    )
    sheet.conditions.append(
        ConditionPlan(
            area=area("state", "state"),
            formula=state_is("check"),
            fill=styles.ALARM_GROUND,
            colour=styles.ALARM,
            bold=True,
        )
    )
    open_cells = [key for key in layout.EXPLANATIONS if key in columns]
    sheet.conditions.append(
        ConditionPlan(
            area=area(open_cells[0], open_cells[-1]), formula=state_is("reason"), fill=styles.ASKING
        )
    )
    sheet.conditions.append(
        ConditionPlan(area=area("state", "state"), formula=state_is("reason"), bold=True, colour=styles.BLUE)
    )
