"""The Ranking sheet (on request): the grader orders the responses to each ticket; once graded, the two orders are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from lark_sheets.core.bookplan import CellPlan, ListPlan, SheetPlan, Style
from lark_sheets.core.campaign import Reading, Response
from lark_sheets.core.cells import Area, address, column_letters
from lark_sheets.core.scoring import total
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.shown import in_order, split_label
from lark_sheets.workbook.build.tables import Frame, Row, put_table
from lark_sheets.workbook.formulas import GradingPlace, quoted

SUMMARY_ROW, HEADER_ROW = 3, 5
EXCERPT = 600
"""Characters of a response shown here; the whole text stands on the Grading sheet."""
HELPERS = ("below", "above", "ranked", "graded")


def plan_ranking(frame: Frame, readings: Sequence[Reading], place: GradingPlace) -> SheetPlan | None:
    """Return the Ranking sheet, or None where nothing can be ranked (a rubric without a total, no ticket with two responses)."""
    responses = frame.campaign.response()
    rows = [(r, responses[r.response]) for r in in_order(frame.campaign, readings) if r.number == 1]
    groups = [list(group) for _, group in groupby(rows, key=lambda pair: _group(pair[1]))]
    groups = [group for group in groups if len(group) > 1]
    if frame.rubric.total_max is None or not groups:
        return None
    return _RankingSheet(frame, place, groups).plan()


def _group(response: Response) -> tuple[int, str]:
    return split_label(response.label)[0], response.item


class _RankingSheet:
    """Builds one Ranking sheet."""

    def __init__(
        self, frame: Frame, place: GradingPlace, groups: Sequence[Sequence[tuple[Reading, Response]]]
    ) -> None:
        self.frame = frame
        self.place = place
        self.groups = groups
        self.columns = {column.key: n for n, column in enumerate(layout.RANKING_TABLE.columns, 1)}
        self.sheet = frame.sheet(
            layout.RANKING, protected=True, freeze=(HEADER_ROW + 1, self.columns["response"])
        )
        self.sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)

    def plan(self) -> SheetPlan:
        translate, sheet = self.frame.translate, self.sheet
        sheet.put(1, 2, translate("Rank before you grade"), styles.TITLE)
        text = translate(
            "Order the responses to each ticket, 1 for the best. Once they are graded, your order meets the rubric’s totals; equal totals are not compared."
        )
        sheet.put(2, 2, text, styles.QUIET_LINE)
        sheet.row_heights[1], sheet.row_heights[HEADER_ROW] = 24, 44
        rows: list[Row] = []
        first = HEADER_ROW + 1
        for group in self.groups:
            rows += self._rows(group, first)
            first += len(group)
        put = put_table(
            sheet, layout.RANKING_TABLE, rows, self.frame.language, top=HEADER_ROW, style=self._style
        )
        for number, row in enumerate(rows, put.first):
            excerpt = str(row["response"] or "")
            width = layout.RANKING_TABLE.column("response").width
            sheet.row_heights[number] = styles.height([(excerpt, width, 10.0)])
        self._lists(put.first)
        self._summary(put.first, put.last)
        return sheet

    def _style(self, key: str) -> Style:
        if key == "rank":
            return styles.GRADE
        if key == "response":
            return styles.READ
        if key == "tau_b":
            return replace(styles.RESULT, number_format="0.00")
        if key in HELPERS:
            return replace(styles.HIDDEN, number_format=";;;")
        if key == "item":
            return styles.READ_CENTRED
        return styles.LABEL if key == "label" else styles.RESULT

    def _range(self, key: str, first: int, last: int) -> str:
        letters = column_letters(self.columns[key])
        return f"${letters}${first}:${letters}${last}"

    def _rows(self, group: Sequence[tuple[Reading, Response]], first: int) -> list[Row]:
        last = first + len(group) - 1
        ranks, totals = self._range("rank", first, last), self._range("total", first, last)
        complete = f"AND(COUNT({ranks})={len(group)},COUNT({totals})={len(group)})"
        rows: list[Row] = []
        for number, (reading, response) in enumerate(group):
            row = first + number
            rank, points = address(row, self.columns["rank"]), address(row, self.columns["total"])
            value = total(self.frame.rubric, reading.grades)
            found = f"MATCH({address(row, self.columns['id'])},{self.place.range('id')},0)"
            text = response.text if len(response.text) <= EXCERPT else response.text[:EXCERPT] + " […]"
            cells: dict[str, str | int | CellPlan | None] = {
                "id": response.id,
                "item": response.item,
                "label": response.label,
                "response": text or None,
                "total": self._cell(
                    "total",
                    f'=IFERROR(INDEX({self.place.range("total")},{found}),"")',
                    "" if value is None else value,
                ),
            }
            for key, test in (
                ("below", f"({ranks}>{rank})*({totals}<{points})"),
                ("above", f"({ranks}>{rank})*({totals}>{points})"),
                ("ranked", f"({ranks}>{rank})*1"),
                ("graded", f"({totals}<{points})*1"),
            ):
                cells[key] = self._cell(key, f"=IF({complete},SUMPRODUCT({test}),0)", 0)
            if number == 0:
                cells |= self._pairs(complete, first, last)
            rows.append(cells)
        return rows

    def _cell(self, key: str, formula: str, value: str | int) -> CellPlan:
        return CellPlan(value=value, formula=formula, style=self._style(key))

    def _sums(self, first: int, last: int) -> dict[str, str]:
        return {key: f"SUM({self._range(key, first, last)})" for key in HELPERS}

    def _pairs(self, complete: str, first: int, last: int) -> dict[str, CellPlan]:
        sums = self._sums(first, last)
        return {
            "concordant": self._cell("concordant", f'=IF({complete},{sums["below"]},"")', ""),
            "comparable": self._cell("comparable", f'=IF({complete},{sums["graded"]},"")', ""),
            "tau_b": self._cell("tau_b", f'=IF({complete},{_tau(sums)},"")', ""),
        }

    def _lists(self, first: int) -> None:
        """Offer the ranks 1 to the number of responses of the largest ticket, and tell what to type."""
        column = self.columns["rank"]
        for group in self.groups:
            area = Area(first, column, first + len(group) - 1, column)
            error = self.frame.translate("Type a rank from 1 (the best) to {count}.", count=len(group))
            values = [str(n) for n in range(1, len(group) + 1)]
            self.sheet.lists.append(ListPlan(areas=[area], values=values, error=error))
            first += len(group)

    def _summary(self, first: int, last: int) -> None:
        translate, sums = self.frame.translate, self._sums(first, last)
        before, between, after = translate(
            "{concordant} of {comparable} comparable pairs in the same order; Kendall’s tau-b over all tickets: ",
            concordant="\0",
            comparable="\0",
        ).split("\0")
        waiting = translate("Nothing to compare yet.")
        formula = (
            f"=IF({sums['graded']}=0,{quoted(waiting)},{quoted(before)}&{sums['below']}&{quoted(between)}"
            f'&{sums["graded"]}&{quoted(after)}&IF({sums["ranked"]}=0,"–",ROUND({_tau(sums)},2)))'
        )
        self.sheet.put(SUMMARY_ROW, 2, waiting, styles.BOLD_LINE, formula=formula)
        self.sheet.row_heights[SUMMARY_ROW] = 20


def _tau(sums: dict[str, str]) -> str:
    product = f"{sums['graded']}*{sums['ranked']}"
    return f'IF({product}=0,"–",({sums["below"]}-{sums["above"]})/SQRT({product}))'
