"""What the cells of the grading table allow and how they look by their content: drop-down lists and colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lark_sheets.core.bookplan import ConditionPlan, ListPlan, SheetPlan
from lark_sheets.core.cells import Area, address
from lark_sheets.core.rubric import Criterion
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.tables import Frame, PutTable
from lark_sheets.workbook.formulas import GradingPlace

INLINE_LIST = 255
"""Characters that a list written into its cells' rule may have; a longer one is taken from a range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSources:
    """Where the drop-down lists of codes and of labels stand on the Rubric sheet (references, "" where there is none)."""

    codes: str = ""
    labels: dict[str, str] | None = None


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


def grading_lists(
    frame: Frame, sheet: SheetPlan, put: PutTable, place: GradingPlace, sources: ListSources
) -> None:
    """Put the drop-down lists of the grading table into its sheet: levels, issue codes, the flag."""

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


def grading_conditions(frame: Frame, sheet: SheetPlan, place: GradingPlace) -> None:
    """Put the colours of the grading table into its sheet: grades, finished rows, what is missing."""
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
    explained = area(open_cells[0], open_cells[-1])
    sheet.conditions.append(ConditionPlan(area=explained, formula=state_is("reason"), fill=styles.ASKING))
    finished = area(open_cells[0], "discuss")
    sheet.conditions.append(ConditionPlan(area=finished, formula=state_is("done"), fill=styles.TOP))
    sheet.conditions.append(
        ConditionPlan(area=area("state", "state"), formula=state_is("reason"), bold=True, colour=styles.BLUE)
    )
