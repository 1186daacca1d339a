"""What each button does with a desk: arguments to use case, result to outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lark_sheets.core.rescoring import telling
from lark_sheets.core.rescoring.preview import preview as preview_of
from lark_sheets.core.results import Results
from lark_sheets.core.sealing import unfinished
from lark_sheets.errors import Severity
from lark_sheets.ribbon.desk import Desk
from lark_sheets.ribbon.outcome import Outcome
from lark_sheets.usecases.folders import GRADERS, folder_of
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.reporting import ReportRequest, write_report
from lark_sheets.usecases.rescoring import RescoreRequest, RescoreResult, rescore
from lark_sheets.usecases.results_files import results_text, write_results_book
from lark_sheets.usecases.revealing import reveal
from lark_sheets.usecases.starting import create_from_starter, write_starter
from lark_sheets.workbook.starter import is_starter


def new(desk: Desk) -> Outcome:
    """Make a campaign of a filled starter workbook; on any other workbook, write an empty starter and show it."""
    t, needs = desk.t, desk.needs
    path = desk.path() if _is_saved(desk) else None
    if path is not None:
        book = needs.books.read(path)
        if is_starter(book):
            made = create_from_starter(path, book, needs)
            count = len(made.campaign.responses)
            return Outcome(
                line=t.count("Campaign made: {n} response.", "Campaign made: {n} responses.", count),
                problems=made.problems,
                hint=t("The key lies in {path} and is never handed out.", path=made.key),
                show=[folder_of(made.workbooks[0]).campaign],
                book=folder_of(made.workbooks[0]).campaign,
            )
    from lark_sheets import wiring

    made_starter = write_starter(wiring.documents_folder(), needs)
    return Outcome(
        line=t("Here is an empty starter workbook: {path}", path=made_starter),
        hint=t("Fill it in, save it, and press New again."),
        show=[made_starter],
        book=made_starter,
    )


def _is_saved(desk: Desk) -> bool:
    return Path(desk.book.name).suffix != ""


def update(desk: Desk) -> Outcome:
    """Gather the graders' workbooks, recompute, write the results and show them."""
    t, needs = desk.t, desk.needs
    campaign = desk.campaign().path
    folder = folder_of(campaign)
    graders = folder.root / GRADERS
    books = needs.files.list(graders, "*.xlsx") if needs.files.exists(graders) else []
    filled = gather_books(campaign, books, needs) if books else None
    needs.progress.step(t("Computing the results"))
    done = recompute([campaign], needs).computed[0]
    results = done.results
    write_results_book(results, done.loaded.campaign, folder.results_book, needs)
    needs.files.write_text(folder.results_json, results_text(results, needs))
    told = [*(filled.problems if filled else ()), *results.problems]
    return Outcome(
        line=_graded(desk, results),
        problems=list({(p.code, p.file, p.sheet, p.cell, p.item, p.found): p for p in told}.values()),
        hint=t.count("{n} reading came in.", "{n} readings came in.", filled.written) if filled else "",
        show=[folder.results_book],
        book=campaign,
    )


def _graded(desk: Desk, results: Results) -> str:
    return desk.t(
        "{graded} of {expected} responses graded.",
        graded=results.coverage.graded,
        expected=results.coverage.expected,
    )


def preview(desk: Desk) -> Outcome:
    """Show what the edits of the rubric change."""
    return _rescored(desk, RescoreRequest(book=desk.campaign().path))


def apply(desk: Desk) -> Outcome:
    """Write what the preview shows."""
    return _rescored(desk, RescoreRequest(book=desk.campaign().path, apply=True))


def undo(desk: Desk) -> Outcome:
    """Take the last revision back."""
    return _rescored(desk, RescoreRequest(book=desk.campaign().path, undo=True))


def _rescored(desk: Desk, request: RescoreRequest) -> Outcome:
    t = desk.t
    result = rescore(request, desk.needs)
    outcome = result.outcome
    tables: list[tuple[str, Sequence[Sequence[str]]]] = []
    if result.undone is not None:
        line = telling.undo_headline(result.undone, t)
    elif outcome is None or outcome.is_nothing:
        version = result.campaign.rubric.version
        line = t("Nothing to do: the rubric is as version {version} left it.", version=version)
    else:
        line, tables = telling.headline(outcome, t), [*preview_of(outcome, t, result.place)]
    return Outcome(
        line=line,
        problems=result.problems,
        tables=tables,
        hint=_next_step(desk, result),
        show=[result.workbook] if result.applied and result.workbook != request.book else [],
        book=request.book,
    )


def _next_step(desk: Desk, result: RescoreResult) -> str:
    t = desk.t
    if result.undone is not None or result.applied:
        return t("Applied. Press Update to see the results.") if result.applied else ""
    if result.outcome is None or result.outcome.is_nothing:
        return ""
    if result.outcome.needs_new_workbook:
        return t("Nothing is written yet. Apply makes a new workbook beside this one, which stays as it is.")
    return t("Nothing is written yet: Apply writes it, Undo would take it back.")


def report(desk: Desk) -> Outcome:
    """Reveal when all is graded and a person says yes; then write the report and show it."""
    from lark_sheets import wiring
    from lark_sheets.adapters.live_book.panel import ask

    t, needs = desk.t, desk.needs
    loaded = desk.campaign()
    campaign = loaded.campaign
    refused = any(p.severity is Severity.ERROR for p in loaded.problems)
    if not campaign.revealed and not refused and not unfinished(campaign):
        question = t(
            "Every response is graded. Reveal which run wrote which response? It cannot be taken back. “No” writes a report without names."
        )
        if ask(desk.app, question):
            reveal(loaded.path, needs)
    written = write_report(ReportRequest(book=loaded.path), needs, wiring.reports())
    missing = written.missing.problems if written.missing else ()
    revealed = written.results.revealed
    return Outcome(
        line=t("Report: {path}", path=written.paths[0]),
        problems=[*missing, *written.results.problems],
        hint="" if revealed else t("The runs have no names in it: they are not revealed yet."),
        show=written.paths,
        book=loaded.path,
    )


ACTIONS: Mapping[str, Callable[[Desk], Outcome]] = {
    "new": new,
    "update": update,
    "preview": preview,
    "apply": apply,
    "undo": undo,
    "report": report,
}
