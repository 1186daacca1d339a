"""Workbooks of what graders read again after a revision: the touched criteria only, without the old grades."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from lark_sheets.core.campaign import Campaign, Grader
from lark_sheets.core.rescoring.record import Record
from lark_sheets.core.rescoring.regrading import asked_again, worklist
from lark_sheets.usecases.folders import GRADERS, folder_of, safe_name
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.build import build_grader

REST = "rest"


def write_worklists(
    book: Path, campaign: Campaign, records: Iterable[Record], needs: Needs
) -> tuple[Path, ...]:
    """Write a workbook for every grader with readings that wait; return those written now.

    A file that is there already is never written over: somebody may be grading in it. A grader who has a workbook of a former
    version with rows not yet graded gets these rows too, under the version in force, since the former file is no longer taken. A name
    that stands beside grades and not among the graders gets a file too.
    """
    if campaign.graded_by == "judge":
        return ()  # a judge is asked again, not handed a file
    folder = folder_of(book)
    translate = needs.translator_of(campaign.language)
    written: list[Path] = []
    asked = asked_again(campaign, records)
    known = {grader.name for grader in campaign.graders}
    strangers = tuple(Grader(name=name) for name in asked if name not in known)
    campaign = replace(campaign, graders=(*campaign.graders, *strangers))
    for grader in (g.name for g in campaign.graders):
        groups = asked.get(grader, {})
        for criteria, keys in groups.items():
            extra = () if len(groups) == 1 else criteria
            part = worklist(campaign, criteria, keys)
            _write(_path(folder.root, grader, campaign.rubric.version, extra), part, grader, needs, written)
        rest = [r for r in campaign.readings if r.grader == grader and r.is_blank]
        if rest and campaign.rubric.version > 1 and needs.files.exists(folder.grader(grader)):
            path = _path(folder.root, grader, campaign.rubric.version, (REST,))
            if not needs.files.exists(path):
                plan = build_grader(replace(campaign, readings=tuple(rest)), grader, translate)
                needs.books.write(plan, path)
                written.append(path)
    return tuple(written)


def worklist_paths(book: Path, campaign: Campaign, needs: Needs) -> tuple[Path, ...]:
    """Return the work-list files of the version in force that lie in the campaign's folder."""
    folder = folder_of(book).root / GRADERS
    if not needs.files.exists(folder):
        return ()
    return tuple(needs.files.list(folder, f"*-v{campaign.rubric.version}*.xlsx"))


def _write(path: Path, part: Campaign, grader: str, needs: Needs, written: list[Path]) -> None:
    if needs.files.exists(path):
        return
    translate = needs.translator_of(part.language)
    needs.books.write(build_grader(part, grader, translate), path)
    written.append(path)


def _path(root: Path, grader: str, version: int, more: Sequence[str]) -> Path:
    name = "-".join([safe_name(grader), f"v{version}", *map(safe_name, more)])
    return root / GRADERS / f"{name}.xlsx"
