"""What each button does: arguments to use case, result to outcome. The same for the ribbon, for ``attach`` and for a dropped workbook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.language import Translator
from lark_sheets.core.outcomes import Outcome
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring import telling
from lark_sheets.core.rescoring.preview import preview as preview_of
from lark_sheets.core.results import Results
from lark_sheets.core.sealing import unfinished
from lark_sheets.errors import Severity, UsageError
from lark_sheets.ports import Reports
from lark_sheets.usecases.asking import AskingNeeds
from lark_sheets.usecases.folders import GRADERS, folder_of
from lark_sheets.usecases.gathering import gather_books
from lark_sheets.usecases.loading import Loaded, load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.recomputing import recompute
from lark_sheets.usecases.reporting import ReportRequest, write_report
from lark_sheets.usecases.rescoring import RescoreRequest, RescoreResult, rescore
from lark_sheets.usecases.results_files import results_text, write_results_book
from lark_sheets.usecases.revealing import reveal
from lark_sheets.usecases.starting import create_from_starter, write_starter
from lark_sheets.workbook.starter import is_starter


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where a button was pressed and what it may use.

    ``find_path`` gives the workbook's file, or raises what a person should read; ``is_saved`` says whether it has one at all. ``ask`` puts a
    yes-or-no question to the person; ``asking`` gives what asking a model needs, for a campaign, offline or not; ``documents`` is where a new
    campaign is begun.
    """

    needs: Needs
    find_path: Callable[[], Path]
    is_saved: bool
    ask: Callable[[str], bool]
    reports: Callable[[], Reports]
    documents: Path
    asking: Callable[[Loaded, bool], AskingNeeds]
    model: str = ""

    @property
    def t(self) -> Translator:
        """Return the words of the screen."""
        return self.needs.translate

    def campaign(self) -> Loaded:
        """Read the campaign: of this workbook, or of the folder it lies in (results, a grader's workbook).

        Raises what reading raises; :class:`UsageError` where no campaign lies beside the workbook.
        """
        path = self.find_path()
        beside = folder_of(path).campaign
        if path.name.casefold() != beside.name.casefold() and self.needs.files.exists(beside):
            return load_one(beside, self.needs)
        loaded = load_one(path, self.needs)
        if loaded.read.kind != "campaign":
            raise UsageError(problem("not_a_campaign_book", file=path.name, found=path.name))
        return loaded


def new(desk: Desk) -> Outcome:
    """Make a campaign of a filled starter workbook; on any other workbook, write an empty starter and show it."""
    t, needs = desk.t, desk.needs
    if desk.is_saved:
        path = desk.find_path()
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
    made_starter = write_starter(desk.documents, needs)
    return Outcome(
        line=t("Here is an empty starter workbook: {path}", path=made_starter),
        hint=t("Fill it in, save it, and press New again."),
        show=[made_starter],
        book=made_starter,
    )


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
    t, needs = desk.t, desk.needs
    loaded = desk.campaign()
    campaign = loaded.campaign
    refused = any(p.severity is Severity.ERROR for p in loaded.problems)
    if not campaign.revealed and not refused and not unfinished(campaign):
        question = t(
            "Every response is graded. Reveal which run wrote which response? It cannot be taken back. “No” writes a report without names."
        )
        if desk.ask(question):
            reveal(loaded.path, needs)
    written = write_report(ReportRequest(book=loaded.path), needs, desk.reports())
    missing = written.missing.problems if written.missing else ()
    revealed = written.results.revealed
    return Outcome(
        line=t("Report: {path}", path=written.paths[0]),
        problems=[*missing, *written.results.problems],
        hint="" if revealed else t("The runs have no names in it: they are not revealed yet."),
        show=written.paths,
        book=loaded.path,
    )
