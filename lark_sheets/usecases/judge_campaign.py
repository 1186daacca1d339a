"""A campaign and its judge: what the judge held is kept beside the workbook, and fills the grades only where that was declared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lark_sheets.core.campaign import Reading
from lark_sheets.core.judging.consensus import Summary
from lark_sheets.usecases.creating import JUDGE
from lark_sheets.usecases.filling import Filled, Incoming, write_incoming
from lark_sheets.usecases.judge_block import judge_block
from lark_sheets.usecases.judging import JudgeRun
from lark_sheets.usecases.kept_judge import SCHEMA, judge_file
from lark_sheets.usecases.loading import Loaded
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.results_files import json_text


def keep_run(run: JudgeRun, loaded: Loaded, needs: Needs) -> Path:
    """Keep what the judge held beside the workbook: ours, made anew at every run.

    Before the reveal the judge's grades of single responses stay out of the file unless the campaign is graded by the judge, so
    that nobody who still grades can see them.
    """
    campaign = loaded.campaign
    shown = campaign.revealed or campaign.graded_by == "judge"
    plain = {
        "schema": SCHEMA,
        "campaign": campaign.id,
        "rubric": campaign.rubric.fingerprint,
        "judge": judge_block(run, with_items=shown),
    }
    path = judge_file(loaded.path)
    needs.files.write_text(path, json_text(plain))
    return path


def fill_grades(run: JudgeRun, loaded: Loaded, needs: Needs) -> Filled | None:
    """Write the judge's grades into a campaign that was declared judge-graded; a person's grades are never touched.

    A response whose repeats have no majority stays blank and lowers coverage. None where people grade.
    """
    campaign = loaded.campaign
    if campaign.graded_by != "judge":
        return None
    mine = {r.response: r for r in campaign.readings if r.grader == JUDGE and r.number == 1}
    incoming = [
        Incoming(reading=_reading(mine[summary.id], summary), source=JUDGE)
        for summary in run.summaries
        if summary.id in mine and any(level is not None for level in summary.levels.values())
    ]
    return write_incoming(loaded, incoming, needs, event="judged", source=run.conditions.model)


def _reading(blank: Reading, summary: Summary) -> Reading:
    """Return what the judge gave, with the words of the repeat that fits its majority."""
    opinion = summary.opinion
    grades = {name: summary.levels.get(name) for name in blank.grades}
    return replace(blank, grades=grades, reason="" if opinion is None else opinion.reasoning)
