"""``demo``: the whole way on the shipped content, through the commands a person would use."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.campaign import Grader
from lark_sheets.core.results import Results
from lark_sheets.errors import MissingPiece
from lark_sheets.ports import Reports
from lark_sheets.usecases.creating import NewCampaign, create
from lark_sheets.usecases.folders import CampaignFolder
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.importing import import_table
from lark_sheets.usecases.inputs import load_rubric
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.reporting import ReportRequest, write_report
from lark_sheets.usecases.results_files import results_text, write_results_book
from lark_sheets.usecases.revealing import reveal
from lark_sheets.workbook.practice import practice_from_plain

FIRST_GRADED = dt.datetime(2026, 11, 29, 9, 0, tzinfo=dt.UTC)
SALT = "6c61726b2d7368656574732064656d6f3a2066697865642c207075626c69632e"
"""The demo's salt is fixed and public, so that everybody holds the same demo; a real campaign's is random and secret."""
OWNER, SECOND = "reader-1", "reader-2"
FAMILY_OF_SECOND = "claude"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltDemo:
    """The demo's results, its report, and what page 1 says."""

    results: Results
    verdict: str
    pdf: Path | None
    html: Path | None
    missing: MissingPiece | None


def build_demo(out: Path, needs: Needs, reports: Reports) -> BuiltDemo:
    """Build the demo campaign in ``out``: created, graded by two readers, gathered, revealed, computed, reported.

    A demo that stands there already is built anew only when its folder was made by this command; otherwise
    :class:`UsageError` (what people typed is never overwritten).
    """
    t = needs.translate
    folder = CampaignFolder(out)
    content = needs.demo
    _clear(folder, needs)
    needs.progress.step(t("Creating the campaign: 24 tickets, 8 runs, 192 responses"))
    practice_file = content / "practice.json"
    rubric = load_rubric("larkfield", needs)
    made = create(
        NewCampaign(
            rubric="larkfield",
            items=content / "items.csv",
            responses=content / "responses.jsonl",
            out=out,
            language=t.language,
            graders=(Grader(name=OWNER),),
            salt=SALT,
            practice=practice_from_plain(json.loads(needs.files.read_text(practice_file)), rubric),
        ),
        needs,
    )
    first = folder.grader(OWNER)
    needs.progress.step(t("{reader} grades 192 responses", reader=OWNER))
    import_table(first, content / "grades_reader_1.csv", needs, key=made.key)
    needs.progress.step(t("Gathering, and {reader} reads 28 again", reader=SECOND))
    gather_books(folder.campaign, [first], needs)
    import_table(folder.campaign, content / "grades_reader_2.csv", needs, families={SECOND: FAMILY_OF_SECOND})
    needs.progress.step(t("Revealing the runs"))
    reveal(folder.campaign, needs)
    written = write_report(ReportRequest(book=folder.campaign, pdf=folder.report), needs, reports)
    results = written.results
    needs.files.write_text(folder.results_json, results_text(results, needs))
    write_results_book(results, made.campaign, folder.results_book, needs)
    lacking = written.missing is not None
    return BuiltDemo(
        results=results,
        verdict=written.view.decision.title,
        pdf=None if lacking else written.paths[0],
        html=written.paths[0] if lacking else None,
        missing=written.missing,
    )


def _clear(folder: CampaignFolder, needs: Needs) -> None:
    """Take away an earlier demo, known by its key's public salt; anything else makes ``create`` refuse."""
    for key in (
        needs.files.list(folder.root / "key", "*.json") if needs.files.exists(folder.root / "key") else ()
    ):
        if SALT in needs.files.read_text(key):
            ours = [folder.campaign, folder.results_json, folder.results_book, folder.report, key]
            ours += [folder.report.with_suffix(".html"), *needs.files.list(folder.root / "graders", "*.xlsx")]
            for path in ours:
                needs.files.remove(path)
