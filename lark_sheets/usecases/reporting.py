"""``report``: the manager's PDF (or page), with the results attached."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from lark_sheets import __version__
from lark_sheets.core.campaign import Campaign
from lark_sheets.core.results import Results
from lark_sheets.core.wordless import without_words
from lark_sheets.errors import MissingPiece
from lark_sheets.ports import Reports
from lark_sheets.report.view import Appendix, ReportView, build_view
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import compute
from lark_sheets.usecases.results_files import results_text, write_results_book

MANY_RESPONSES = 500
"""Above this many responses the appendix shows grades only, unless asked otherwise."""
KEPT_PRIVATE = frozenset({"refusals"})
"""Rubrics whose raw answers are never published: their appendix is off unless asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """What ``report`` was asked for; None where the default applies."""

    book: Path
    key: Path | None = None
    pdf: Path | None = None
    html: Path | None = None
    appendix: Literal["full", "scores", "none"] | None = None
    allow_mixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReport:
    """What was written, and what this machine lacked for the PDF, if anything."""

    results: Results
    view: ReportView
    paths: tuple[Path, ...]
    missing: MissingPiece | None


def default_appendix(campaign: Campaign) -> Appendix:
    """Return what the appendix shows when nobody said: nothing of refusals, grades only of very many, else all."""
    if campaign.rubric.id in KEPT_PRIVATE:
        return "none"
    return "scores" if len(campaign.responses) > MANY_RESPONSES else "full"


def write_report(request: ReportRequest, needs: Needs, reports: Reports) -> WrittenReport:
    """Write the report of a campaign.

    The PDF goes to ``report.pdf`` in the campaign's folder unless a place is given; with only ``html`` given, no PDF is
    made. Where the PDF cannot be made, the page is written in its place and the lack is returned.
    """
    loaded = load_one(request.book, needs)
    done = compute(loaded, needs, key=request.key, allow_mixed=request.allow_mixed)
    campaign, results = done.loaded.campaign, done.results
    appendix = request.appendix or default_appendix(campaign)
    folder = folder_of(loaded.path)
    view = build_view(
        results,
        campaign,
        needs.translate,
        produced=needs.clock.now(),
        appendix=appendix,
        provenance={
            "workbook": loaded.path.name,
            "workbook_sha256": hashlib.sha256(needs.files.read_bytes(loaded.path)).hexdigest(),
            "lark-sheets": __version__,
        },
    )
    paths: list[Path] = []
    missing: MissingPiece | None = None
    if request.html:
        needs.files.write_text(request.html, reports.html(view))
        paths.append(request.html)
    if request.pdf or not request.html:
        pdf = request.pdf or folder.report
        needs.progress.step(needs.translate("Laying out the report"))
        try:
            reports.pdf(view, pdf, _attachments(results, campaign, needs, texts=appendix == "full"))
            paths.append(pdf)
        except MissingPiece as error:
            if any(p.code == "file_locked" for p in error.problems):
                raise
            missing = error
            if not request.html:
                page = pdf.with_suffix(".html")
                needs.files.write_text(page, reports.html(view))
                paths.append(page)
    return WrittenReport(results=results, view=view, paths=tuple(paths), missing=missing)


def _attachments(results: Results, campaign: Campaign, needs: Needs, *, texts: bool) -> dict[str, bytes]:
    if not texts and results.judge is not None:
        results = replace(results, judge=without_words(results.judge))
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "results.xlsx"
        write_results_book(results, campaign, book, needs, texts=texts)
        return {
            "results.xlsx": needs.files.read_bytes(book),
            "results.json": results_text(results, needs).encode(),
        }
