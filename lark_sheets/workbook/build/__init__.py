"""From a campaign to the plans of its workbooks: the coordinator's, and one for every grader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lark_sheets.core.bookplan import BookPlan, SheetPlan
from lark_sheets.core.campaign import Campaign, Reading
from lark_sheets.core.language import Translator
from lark_sheets.workbook import layout
from lark_sheets.workbook.build.discuss import plan_discuss
from lark_sheets.workbook.build.grading import plan_grading
from lark_sheets.workbook.build.guide import mark_values, plan_guide
from lark_sheets.workbook.build.long_texts import LongTexts
from lark_sheets.workbook.build.practice import plan_practice
from lark_sheets.workbook.build.ranking import plan_ranking
from lark_sheets.workbook.build.records import plan_log, plan_tickets
from lark_sheets.workbook.build.rubric_sheet import plan_rubric_sheet
from lark_sheets.workbook.build.rubric_view import plan_rubric_view
from lark_sheets.workbook.build.tables import Frame
from lark_sheets.workbook.practice import Practice

MOST_PROPERTY = 255
"""Characters that a document property may hold; longer marks stand in the guide only."""


def build_campaign(
    campaign: Campaign, translate: Translator, *, practice: Practice | None = None, ranking: bool = False
) -> BookPlan:
    """Return the plan of the coordinator's workbook: rubric as open tables, every reading, tickets, log.

    With one grader or none it is itself the grading workbook. Nothing in it names a run.
    """
    frame = Frame(campaign=campaign, translate=translate, practice=practice, ranking=ranking)
    return _book(frame, campaign.readings)


def build_grader(
    campaign: Campaign,
    grader: str,
    translate: Translator,
    *,
    practice: Practice | None = None,
    ranking: bool = False,
    blank: bool = False,
) -> BookPlan:
    """Return the plan of one grader's workbook: only that grader's rows, and nothing that only a coordinator needs.

    What the grader typed before is filled in unless ``blank``. Raises ``KeyError`` when the campaign has no such grader.
    """
    found = next((g for g in campaign.graders if g.name == grader), None)
    if found is None:
        raise KeyError(grader)
    mine = [r for r in campaign.readings if r.grader == grader]
    if blank:
        mine = [_emptied(reading, campaign.rubric.version) for reading in mine]
    frame = Frame(campaign=campaign, translate=translate, grader=found, practice=practice, ranking=ranking)
    return _book(frame, mine)


def _emptied(reading: Reading, version: int) -> Reading:
    blank = dict.fromkeys(reading.grades)
    return replace(reading, grades=blank, codes=(), reason="", discuss=False, refused=(), version=version)


def _book(frame: Frame, readings: Sequence[Reading]) -> BookPlan:
    translate = frame.translate
    texts = LongTexts(frame)
    rubric = plan_rubric_sheet(frame) if frame.is_campaign else plan_rubric_view(frame)
    grading = plan_grading(frame, readings, rubric.sources, texts)
    plans: dict[layout.Sheet, SheetPlan | None] = {layout.RUBRIC: rubric.plan}
    if frame.practice is not None and frame.is_graded_here:
        plans[layout.PRACTICE] = plan_practice(frame, frame.practice.in_(_reading_language(frame)))
    plans[layout.GRADING] = grading.plan
    if frame.ranking and frame.is_graded_here:
        plans[layout.RANKING] = plan_ranking(frame, readings, grading.place)
    if frame.is_campaign:
        plans[layout.TICKETS] = plan_tickets(frame, texts)
        plans[layout.DISCUSS] = plan_discuss(frame)
        plans[layout.LOG] = plan_log(frame)
    plans[layout.TEXTS] = texts.plan()
    present = [sheet for sheet in layout.SHEETS if plans.get(sheet)]
    guide = plan_guide(frame, grading, [layout.GUIDE, *present])
    marks = mark_values(frame, len(grading.rows), "")
    return BookPlan(
        sheets=[guide, *(plan for sheet in present if (plan := plans[sheet]))],
        title=translate("Grading workbook") if frame.grader else translate("Campaign workbook"),
        language=frame.language,
        properties={key: value for key, value in marks if value and len(value) <= MOST_PROPERTY},
    )


def _reading_language(frame: Frame) -> str:
    """Return the language that the grader reads, else that of the screen."""
    return frame.grader.languages[0] if frame.grader and frame.grader.languages else frame.language
