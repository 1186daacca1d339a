"""The Practice sheet: a few responses to grade, and a key that shows itself only once every one is graded."""

from __future__ import annotations

from dataclasses import replace

from lark_sheets.core.bookplan import CellPlan, ColumnPlan, ListPlan, SheetPlan, Style
from lark_sheets.core.cells import Area, address, column_letters
from lark_sheets.core.rubric import Criterion, Level
from lark_sheets.core.scoring import needs_correction, total
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.cell_rules import criterion_list, grade_conditions
from lark_sheets.workbook.build.grading import anchor_text
from lark_sheets.workbook.build.shown import grade_cell
from lark_sheets.workbook.build.tables import Frame, Row, put_table
from lark_sheets.workbook.formulas import RowFormulas, is_level, outcome_words, quoted
from lark_sheets.workbook.practice import Practice, PracticeResponse

MESSAGE_ROW, BAND_ROW, HEADER_ROW = 4, 6, 7
KEY = replace(styles.RESULT, border="")
KEY_LABEL = replace(styles.LABEL, border="")
PROMPT = 255
"""Characters that an input message may have."""


def plan_practice(frame: Frame, practice: Practice) -> SheetPlan:
    """Return the Practice sheet. Every formula of the key is blank until all practice grades are given."""
    return _PracticeSheet(frame, practice).plan()


class _PracticeSheet:
    """Builds one Practice sheet; holds the places that its parts share."""

    def __init__(self, frame: Frame, practice: Practice) -> None:
        self.frame = frame
        self.practice = practice
        self.table = layout.practice_table(frame.rubric)
        self.columns = {column.key: n for n, column in enumerate(self.table.columns, 1)}
        self.sheet = frame.sheet(layout.PRACTICE, protected=True, tab_colour=styles.MIDDLE)
        self.first = HEADER_ROW + 1
        self.count_row = self.first + len(practice.responses) + 1
        self.wanted = len(practice.responses) * len(frame.rubric.criteria)
        self.count_cell = f"${column_letters(self.columns[frame.rubric.criteria[0].id])}${self.count_row}"

    def plan(self) -> SheetPlan:
        self._top()
        self._responses()
        self._count()
        self._key()
        return self.sheet

    def _top(self) -> None:
        frame, translate, sheet = self.frame, self.frame.translate, self.sheet
        response = self.columns["response"]
        sheet.put(1, 1, translate("Practice"), styles.TITLE)
        text = translate(
            "Grade these responses as if they counted. The key appears once the {count} grades are given; nothing here is counted.",
            count=self.wanted,
        )
        sheet.put(2, 1, text, styles.QUIET_LINE)
        sheet.put(3, 1, translate("The message"), styles.HEADING)
        width = self.table.column("response").width + self.table.column("label").width
        sheet.put(MESSAGE_ROW, 1, self.practice.message, replace(styles.READ, fill="FFFFFF"))
        sheet.merged.append(Area(MESSAGE_ROW, 1, MESSAGE_ROW, response))
        sheet.row_heights[1], sheet.row_heights[3] = 24, 22
        sheet.row_heights[MESSAGE_ROW] = styles.height([(self.practice.message, width, 10.0)], 30)
        said = translate("Anchors of rubric version {version} →", version=frame.rubric.version)
        sheet.put(BAND_ROW, response, said, replace(styles.QUIET, horizontal="right"))
        texts = []
        for column in layout.criterion_columns(frame.rubric):
            text = anchor_text(frame.rubric.criterion(column.key), frame.language)
            sheet.put(BAND_ROW, self.columns[column.key], text, styles.ANCHOR)
            texts.append((text, column.width, 9.0))
        sheet.row_heights[BAND_ROW] = styles.height(texts, 60)
        first = self.columns[frame.rubric.criteria[0].id]
        sheet.put(
            MESSAGE_ROW,
            first,
            translate("See the whole rubric"),
            styles.LINK_LINE,
            link=frame.link(layout.RUBRIC),
        )

    def _responses(self) -> None:
        frame, sheet = self.frame, self.sheet
        rows: list[Row] = []
        for number, given in enumerate(self.practice.responses):
            row = self.first + number
            cells: dict[str, str | CellPlan | None] = {"label": given.label, "response": given.response}
            write = RowFormulas(
                frame.rubric, {key: address(row, column) for key, column in self.columns.items()}
            )
            if "total" in self.columns:
                cells["total"] = CellPlan(value="", formula=write.total(), style=styles.RESULT)
            if "verdict" in self.columns:
                own = write.verdict(outcome_words(frame.rubric, frame.language)).removeprefix("=")
                verdict = self._after(own)
                cells["verdict"] = CellPlan(value="", formula=verdict, style=styles.RESULT)
            rows.append(cells)
            width = self.table.column("response").width
            sheet.row_heights[row] = styles.height([(given.response, width, 10.0)])
        put = put_table(sheet, self.table, rows, frame.language, top=HEADER_ROW, style=self._style)
        sheet.row_heights[HEADER_ROW] = 30
        for criterion in frame.rubric.criteria:
            column = put.columns[criterion.id]
            area = Area(put.first, column, put.last, column)
            sheet.lists.append(self._list(criterion, area))
            sheet.conditions += grade_conditions(criterion, area)
        for column in put.columns.values():
            width = sheet.columns[column].width
            sheet.columns[column] = ColumnPlan(
                width=max(width, 14) if column > self.columns["response"] else width
            )

    def _list(self, criterion: Criterion, area: Area) -> ListPlan:
        language = self.frame.language
        return replace(
            criterion_list(self.frame, criterion, [area]),
            prompt_title=criterion.name.in_(language)[:32],
            prompt=criterion.question.in_(language)[:PROMPT],
        )

    def _style(self, key: str) -> Style:
        if key == "label":
            return styles.LABEL
        if key == "response":
            return styles.READ
        if key in ("total", "verdict"):
            return styles.RESULT
        return styles.TYPED_CENTRED if self.frame.rubric.criterion(key).is_category else styles.GRADE

    # -- the key ------------------------------------------------------------------------------------------------------

    def _after(self, expression: str) -> str:
        return f'=IF({self.count_cell}={self.wanted},{expression},"")'

    def _count(self) -> None:
        """Count the grades given, and, once all are there, those that match the key."""
        frame, sheet, translate = self.frame, self.sheet, self.frame.translate
        tests, matches = [], []
        for number, given in enumerate(self.practice.responses):
            for criterion in frame.rubric.criteria:
                cell = address(self.first + number, self.columns[criterion.id])
                tests.append(f"IF({is_level(cell, criterion)},1,0)")
                matches.append(f"IF({self._same(cell, criterion, given.grades[criterion.id])},1,0)")
        response = self.columns["response"]
        first = self.columns[frame.rubric.criteria[0].id]
        label = translate("Grades given, of {count}:", count=self.wanted)
        sheet.put(self.count_row, response, label, replace(styles.BOLD_LINE, horizontal="right"))
        sheet.put(self.count_row, first, 0, styles.COUNT, formula="=" + "+".join(tests))
        before, after = translate(
            "{matches} of {count} grades match the key.", matches="\0", count=self.wanted
        ).split("\0")
        row = self.count_row + 1
        waiting = translate("The key appears here once all are given.")
        formula = f"=IF({self.count_cell}={self.wanted},{quoted(before)}&({'+'.join(matches)})&{quoted(after)},{quoted(waiting)})"
        sheet.put(
            row,
            response,
            waiting,
            replace(styles.BOLD_LINE, horizontal="right", colour=styles.BLUE),
            formula=formula,
        )
        sheet.row_heights[self.count_row], sheet.row_heights[row] = 20, 20

    def _same(self, cell: str, criterion: Criterion, level: Level) -> str:
        if not criterion.is_category:
            return f"{cell}={level}"
        names = {name.lower() for name in (*criterion.anchor(level).name.both(), str(level))}
        return "OR(" + ",".join(f"LOWER({cell})={quoted(name)}" for name in sorted(names)) + ")"

    def _key(self) -> None:
        frame, sheet, translate = self.frame, self.sheet, self.frame.translate
        top = self.count_row + 3
        sheet.put(top, 1, translate("Key"), styles.HEADING)
        for number, given in enumerate(self.practice.responses):
            row, answered = top + 1 + number, self.first + number
            why = self._why(given)
            sheet.put(row, self.columns["label"], "", KEY_LABEL, formula=self._after(quoted(given.label)))
            sheet.put(row, self.columns["response"], "", styles.TEXT, formula=self._after(quoted(why)))
            for criterion in frame.rubric.criteria:
                cell = address(answered, self.columns[criterion.id])
                level = given.grades[criterion.id]
                shown = str(grade_cell(criterion, level, frame.language))
                before, after = translate("{key}, you: {given}", key=shown, given="\0").split("\0")
                differs = f"{quoted(before)}&{cell}" + (f"&{quoted(after)}" if after else "")
                same = self._same(cell, criterion, level)
                formula = self._after(f"IF({same},{quoted(f'{shown} ✓')},{differs})")
                sheet.put(row, self.columns[criterion.id], "", replace(KEY, bold=True), formula=formula)
            self._key_result(row, given)
            width = self.table.column("response").width
            sheet.row_heights[row] = styles.height([(why, width, 10.0)])

    def _why(self, given: PracticeResponse) -> str:
        rubric, language = self.frame.rubric, self.frame.language
        codes = [code.label.in_(language) for name in given.codes if (code := rubric.code(name))]
        why = " ".join(given.why.in_(language).split())
        return f"{why} [{', '.join(codes)}]" if codes else why

    def _key_result(self, row: int, given: PracticeResponse) -> None:
        frame, sheet = self.frame, self.sheet
        if "total" in self.columns:
            points = total(frame.rubric, given.grades)
            sheet.put(row, self.columns["total"], "", KEY, formula=self._after(str(points)))
        outcome = frame.rubric.decide(given.grades)
        if "verdict" in self.columns and outcome is not None:
            words = outcome_words(frame.rubric, frame.language)[outcome]
            if needs_correction(frame.rubric, given.grades):
                words = frame.translate("{verdict}, after a correction", verdict=words)
            formula = self._after(quoted(words))
            sheet.put(row, self.columns["verdict"], "", KEY, formula=formula)
