"""The Guide: what to do in four steps, what is left to do, and the marks by which the workbook is found again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import ColumnPlan, SheetPlan, Style
from lark_sheets.core.cells import address
from lark_sheets.core.states import STATES
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.grading import GradingSheet
from lark_sheets.workbook.build.tables import Frame
from lark_sheets.workbook.marks import mark_block

STEP, TEXT, LINK = 1, 2, 3
WIDTHS = {STEP: 6.0, TEXT: 72.0, LINK: 20.0, 4: 14.0, 5: 14.0, 6: 14.0, 7: 14.0}
MARK_COLUMN = 9
Step = tuple[str, str, layout.Sheet]


def plan_guide(frame: Frame, grading: GradingSheet, sheets: Sequence[layout.Sheet]) -> SheetPlan:
    """Return the Guide; ``sheets`` are those that the workbook has, so that no link leads nowhere."""
    return _Guide(frame, grading, frozenset(sheets)).plan()


class _Guide:
    """Builds the Guide from the top down."""

    def __init__(self, frame: Frame, grading: GradingSheet, sheets: frozenset[layout.Sheet]) -> None:
        self.frame = frame
        self.grading = grading
        self.sheets = sheets
        self.cells: dict[str, str] = {}
        self.sheet = frame.sheet(layout.GUIDE, protected=True, landscape=False, tab_colour=styles.INK)
        self.row = 1

    def plan(self) -> SheetPlan:
        frame, translate = self.frame, self.frame.translate
        for column, width in WIDTHS.items():
            self.sheet.columns[column] = ColumnPlan(width=width)
        title = translate("Grading the responses") if frame.is_graded_here else translate("The campaign")
        self._line(title, styles.TITLE, 28, column=STEP)
        self._line(self._whose(), styles.QUIET_LINE, 16, column=STEP)
        if frame.is_graded_here:
            self._steps(self._grader_steps())
        if frame.is_campaign:
            if frame.is_graded_here:
                self._heading(translate("When everything is graded"))
            self._steps(self._coordinator_steps())
        self._heading(translate("What is left to do"))
        self._counts()
        self._heading(translate("Good to know"))
        for text in self._rules():
            self._wrapped(text)
        self._identity()
        self._marks()
        return self.sheet

    # -- lines --------------------------------------------------------------------------------------------------------

    def _line(self, text: str, style: Style, height: float, column: int = TEXT) -> None:
        self.sheet.put(self.row, column, text, style)
        self.sheet.row_heights[self.row] = height
        self.row += 1

    def _heading(self, text: str) -> None:
        self.row += 1
        self._line(text, styles.HEADING, 22)

    def _wrapped(self, text: str, style: Style = styles.TEXT) -> None:
        self._line(text, style, styles.height([(text, WIDTHS[TEXT], style.size)], 17))

    def _steps(self, steps: Sequence[Step]) -> None:
        self.row += 1
        for number, (text, link, target) in enumerate(steps, 1):
            self.sheet.put(self.row, STEP, number, styles.STEP)
            self.sheet.put(self.row, LINK, link, styles.LINK, link=self.frame.link(target))
            self._line(text, styles.TEXT, styles.height([(text, WIDTHS[TEXT], 10.0)], 24))

    # -- texts --------------------------------------------------------------------------------------------------------

    def _whose(self) -> str:
        frame, translate = self.frame, self.frame.translate
        rows = len(self.grading.rows)
        what = translate.count("{n} response to grade", "{n} responses to grade", rows)
        whose = (
            translate("Grader: {name}", name=frame.grader.name)
            if frame.grader
            else translate("Coordinator’s workbook")
        )
        version = translate(
            "rubric version {version}, {date}", version=frame.rubric.version, date=frame.rubric.date
        )
        return f"{whose} · {what} · {version}"

    def _grader_steps(self) -> list[Step]:
        translate = self.frame.translate
        steps = [
            (
                translate("Read the rubric: every level has an example."),
                translate("Open the rubric"),
                layout.RUBRIC,
            )
        ]
        if layout.PRACTICE in self.sheets:
            text = translate("Grade the practice responses, then compare yourself with the key.")
            steps.append((text, translate("Practise"), layout.PRACTICE))
        if layout.RANKING in self.sheets:
            text = translate("Before grading, put the responses to each ticket in order.")
            steps.append((text, translate("Rank"), layout.RANKING))
        text = translate(
            "Grade your responses one by one. The letters stand for other models in every ticket: judge the text alone."
        )
        steps.append((text, translate("Start grading"), layout.GRADING))
        if self.frame.is_campaign:
            text = translate("Look at what is left below, then save this workbook.")
        else:
            text = translate(
                "When nothing is left below, save and hand the file back. What two graders see differently comes back as “To discuss”."
            )
        steps.append((text, translate("See what is left"), layout.GUIDE))
        return steps

    def _coordinator_steps(self) -> list[Step]:
        translate = self.frame.translate
        steps = [
            (
                translate("Read the rubric once more. After an edit, say why in Changes and press Re-score."),
                translate("Open the rubric"),
                layout.RUBRIC,
            )
        ]
        if self.frame.campaign.graded_by == "judge":
            text = translate(
                "Calibrate the judge against people, then let it grade: lark-sheets calibrate, lark-sheets judge."
            )
            steps.append((text, translate("See the responses"), layout.GRADING))
        elif not self.frame.is_graded_here:
            steps.append(
                (
                    translate(
                        "Hand out the files of the folder graders. The folder key stays with you, unopened, until all is graded."
                    ),
                    translate("See the responses"),
                    layout.GRADING,
                )
            )
        return [
            *steps,
            (
                translate(
                    "Gather the graders’ files as they come, and talk over what two people see differently."
                ),
                translate("Open To discuss"),
                layout.DISCUSS,
            ),
            (
                translate(
                    "Reveal the names once nothing is left below, then export the report. What was done stands in the log."
                ),
                translate("Open the log"),
                layout.LOG,
            ),
        ]

    def _rules(self) -> list[str]:
        translate = self.frame.translate
        rules = [
            translate(
                "Only the yellow cells can be typed into; in a finished row they turn white, and can still be changed. The sheets are protected without a password."
            ),
            translate(
                "A blank cell is never counted as 0: the response simply has no total and no decision yet."
            ),
        ]
        if self.frame.rubric.codes:
            rules.append(
                translate(
                    "A grade below the top needs an issue or a reason. Choose all the issues that apply: when the rubric changes, they tell which grades change with it."
                )
            )
        rules.append(
            translate(
                "Two grades seem possible? Choose the one whose anchor fits best, and write “yes” in To discuss."
            )
        )
        return rules

    # -- figures ------------------------------------------------------------------------------------------------------

    def _counts(self) -> None:
        frame, language = self.frame, self.frame.language
        self._live("progress", TEXT, styles.BOLD_LINE)
        self._live("next", LINK, styles.LINK_LINE)
        self.sheet.row_heights[self.row] = 20
        self.row += 1
        graders = [grader.name for grader in frame.campaign.graders] if frame.is_campaign else []
        if len(graders) < 2:
            for key in STATES:
                self.sheet.put(self.row, TEXT, layout.STATES[key].in_(language).capitalize(), styles.TEXT)
                self._live(f"count/{key}", LINK, styles.COUNT)
                self.sheet.row_heights[self.row] = 17
                self.row += 1
            return
        centred = replace(styles.COUNT, horizontal="center", size=11)
        self.sheet.put(self.row, TEXT, layout.GRADES_BEFORE[3].header.in_(language), styles.HEADER)
        for column, key in enumerate(STATES, LINK):
            self.sheet.put(self.row, column, layout.STATES[key].in_(language), styles.HEADER_CENTRED)
        self.row += 1
        for name in graders:
            self.sheet.put(self.row, TEXT, name, styles.TEXT)
            for column, key in enumerate(STATES, LINK):
                self._live(f"count/{key}/{name}", column, replace(centred, bold=False))
            self.row += 1
        self.sheet.put(self.row, TEXT, frame.translate("All"), replace(styles.TEXT, bold=True))
        for column, key in enumerate(STATES, LINK):
            self._live(f"count/{key}", column, centred)
        self.row += 1

    def _live(self, key: str, column: int, style: Style) -> None:
        computed = self.grading.summary[key]
        self.sheet.put(self.row, column, computed.value, style, formula=computed.formula)
        self.cells[key] = address(self.row, column)

    # -- marks --------------------------------------------------------------------------------------------------------

    def _identity(self) -> None:
        campaign, translate = self.frame.campaign, self.frame.translate
        self.row += 1
        text = translate(
            "Campaign {campaign} · rubric {fingerprint}",
            campaign=campaign.id,
            fingerprint=campaign.rubric.fingerprint[:12],
        )
        self._wrapped(text, styles.QUIET)
        for seal in campaign.commitments:
            self._wrapped(translate("Key sealed with SHA-256 {seal}", seal=seal), styles.QUIET)

    def _marks(self) -> None:
        self.sheet.columns[MARK_COLUMN] = ColumnPlan(width=20, hidden=True)
        self.sheet.columns[MARK_COLUMN + 1] = ColumnPlan(width=20, hidden=True)
        for row, (key, value) in enumerate(
            mark_values(self.frame, len(self.grading.rows), self._places()), 1
        ):
            self.sheet.put(row, MARK_COLUMN, key, styles.HIDDEN)
            self.sheet.put(row, MARK_COLUMN + 1, value or None, styles.HIDDEN)

    def _places(self) -> str:
        """Return where the figures that sum the grading table up stand, for whoever patches the file: key -> [[sheet, cell], ...]."""
        places: dict[str, list[list[str]]] = {}
        for sheet, cells in ((self.grading.plan.name, self.grading.cells), (self.sheet.name, self.cells)):
            for key, cell in cells.items():
                places.setdefault(key, []).append([sheet, cell])
        return json.dumps(places, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def mark_values(frame: Frame, rows: int, places: str) -> list[tuple[str, str]]:
    """Return the mark block; a grader's names no other grader."""
    campaign = frame.campaign
    if frame.grader is not None:
        campaign = replace(campaign, graders=(frame.grader,))
    campaign = replace(campaign, language=frame.language)
    kind, name = ("grader", frame.grader.name) if frame.grader else ("campaign", "")
    return [*mark_block(campaign, kind=kind, grader=name, rows=rows), (layout.MARK + layout.PLACES, places)]
