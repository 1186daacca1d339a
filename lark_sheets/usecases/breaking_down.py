"""``breakdown``: mean totals by type and difficulty, the weakest answers with their reasons, and what has no grade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lark_sheets.core.breakdown import GroupMean, RunBreakdown, breakdown, weakest
from lark_sheets.core.problems import problem
from lark_sheets.core.results import ReadingResult
from lark_sheets.core.results_json import plain
from lark_sheets.errors import Problem, UsageError
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import compute

BREAKDOWN_SCHEMA = "lark-sheets/breakdown/1"


class Remarks(NamedTuple):
    """What the judge said of one response before it graded it."""

    strengths: str
    weaknesses: str
    reasoning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenDown:
    """What came of it, run by run (all together before the reveal). ``remarks`` are the judge's on its own weakest responses, by id."""

    campaign: str
    graded_by: str
    total_max: int
    runs: tuple[RunBreakdown, ...]
    weakest: tuple[ReadingResult, ...]
    remarks: Mapping[str, Remarks]
    problems: tuple[Problem, ...]


def break_down(book: Path, needs: Needs, *, key: Path | None = None, allow_mixed: bool = False) -> BrokenDown:
    """Break a campaign's totals down. Raises :class:`UsageError` for a rubric of categories, which has no total."""
    loaded = load_one(book, needs)
    done = compute(loaded, needs, key=key, allow_mixed=allow_mixed)
    maximum = done.results.rubric.total_max
    if maximum is None:
        raise UsageError(problem("no_total", file=loaded.path.name, found=done.results.rubric.id))
    return BrokenDown(
        campaign=done.results.campaign,
        graded_by=done.results.graded_by,
        total_max=maximum,
        runs=breakdown(done.results, loaded.campaign),
        weakest=weakest(done.results),
        remarks=_remarks(done.results.judge),
        problems=tuple(done.results.problems),
    )


def _remarks(judge: Mapping[str, object] | None) -> dict[str, Remarks]:
    listed = judge.get("weakest") if judge else None
    if not isinstance(listed, list):
        return {}
    return {w["id"]: Remarks(w["strengths"], w["weaknesses"], w["reasoning"]) for w in listed}


def breakdown_plain(done: BrokenDown) -> dict[str, Any]:
    """Return a breakdown as plain JSON data; a group without a grade has the mean null."""
    return {
        "schema": BREAKDOWN_SCHEMA,
        "campaign": done.campaign,
        "graded_by": done.graded_by,
        "total_max": done.total_max,
        "runs": [
            {
                "run": run.run or None,
                "whole": _mean(run.whole),
                "ungraded": run.ungraded,
                **{f"by_{name}": [_mean(group) for group in groups] for name, groups in run.groups.items()},
            }
            for run in done.runs
        ],
        "weakest": [
            {
                "id": r.id,
                "item": r.item,
                "label": r.label,
                "run": r.run,
                "total": r.total,
                "scores": dict(r.scores),
                "reason": r.reason,
                "remarks": done.remarks[r.id]._asdict() if r.id in done.remarks else None,
            }
            for r in done.weakest
        ],
    }


def _mean(group: GroupMean) -> dict[str, Any]:
    return {
        "group": group.group or None,
        "mean": plain(group.mean),
        "graded": group.graded,
        "responses": group.responses,
    }
