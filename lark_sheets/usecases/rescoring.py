"""``rescore``: what an edit of the rubric changes, first shown, then applied, and taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lark_sheets.core.campaign import Campaign, LogEntry, Response
from lark_sheets.core.cells import address
from lark_sheets.core.code_checks import proposed_codes
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring import telling
from lark_sheets.core.rescoring.affected import Checks, Key
from lark_sheets.core.rescoring.edits import faults_of
from lark_sheets.core.rescoring.outcome import Outcome, outcome_of, oversight_of
from lark_sheets.core.rescoring.record import Record, in_force, undone
from lark_sheets.core.rubric import Rubric
from lark_sheets.errors import DataError, Problem, UsageError
from lark_sheets.usecases.keys import find_key
from lark_sheets.usecases.loading import Loaded, load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.rescore_checks import others_of, refuse_errors, signed, told_before
from lark_sheets.usecases.worklists import worklist_paths, write_worklists
from lark_sheets.workbook.build import build_campaign
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.history import (
    CORRECTED,
    RESCORED,
    UNDONE,
    kept_records,
    record_entries,
    seal_entries,
)
from lark_sheets.workbook.pending_changes import (
    Pending,
    changes_in_plan,
    changes_kept,
    declared_by,
    pending_changes,
    write_changes,
)
from lark_sheets.workbook.rescore_patch import campaign_patch
from lark_sheets.workbook.rubric_restoring import restore_rubric
from lark_sheets.workbook.rubric_sheet_reading import same_rubric, sheet_rubric


@dataclass(frozen=True, slots=True, kw_only=True)
class RescoreRequest:
    """What ``rescore`` was asked for: show (neither flag), apply, or undo.

    ``wording`` and ``covered`` declare the edited texts of criteria, beside what the table of changes says; ``oversight`` names
    a code that readers overlooked.
    """

    book: Path
    apply: bool = False
    undo: bool = False
    author: str = ""
    reason: str = ""
    wording: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    oversight: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RescoreResult:
    """What a revision does, or did.

    ``outcome`` is None after an undo, ``undone`` None otherwise. ``applied`` tells whether the workbook was changed, ``workbook`` where
    the campaign stands now, ``worklists`` the files for graders written now, ``discarded`` those of an undone version that nobody should fill.
    """

    outcome: Outcome | None
    undone: Record | None
    applied: bool
    workbook: Path
    campaign: Campaign
    backup: Path | None = None
    worklists: tuple[Path, ...] = ()
    discarded: tuple[Path, ...] = ()
    problems: tuple[Problem, ...] = ()
    cells: Mapping[tuple[Key, str], str] = field(default_factory=dict)
    """Where the grades to give again stand: "Grading!P14", by reading and criterion."""

    def place(self, key: Key, criterion: str) -> str:
        """Return the cell of a grade to give again, "" where there is none yet."""
        return self.cells.get((key, criterion), "")


def rescore(request: RescoreRequest, needs: Needs) -> RescoreResult:
    """Show, apply or undo a revision of a campaign.

    One patch changes the workbook, whole or not at all; a second press changes nothing. Raises :class:`UsageError` (exit 2) for a
    missing path, a grader's workbook, or an apply without author and reason; :class:`DataError` (exit 1) for a rubric that cannot be, declarations that do not
    fit, cells that cannot be read, or an undo that would lose something.
    """
    loaded = load_one(request.book, needs)
    if loaded.read.kind != "campaign":
        raise UsageError(problem("rescore_grader_book", file=loaded.path.name))
    records = kept_records(loaded.campaign.log)
    return (
        _undo(request, loaded, records, needs) if request.undo else _revise(request, loaded, records, needs)
    )


def checks_of() -> Checks:
    """Return the code checks, each response looked at once."""
    seen: dict[tuple[str, str], frozenset[str]] = {}

    def check(response: Response) -> frozenset[str]:
        key = (response.text, response.language)
        if key not in seen:
            seen[key] = proposed_codes(*key)
        return seen[key]

    return check


def _revise(
    request: RescoreRequest, loaded: Loaded, records: Sequence[Record], needs: Needs
) -> RescoreResult:
    read, campaign = loaded.read, loaded.campaign
    pending, problems = pending_changes(read.book)
    sheet = sheet_rubric(read.book, campaign.rubric)
    outcome = (
        _oversight(request, loaded, sheet, records, needs)
        if request.oversight
        else _outcome(request, loaded, sheet, pending, records, needs)
    )
    problems += told_before(loaded, sheet, outcome)
    if outcome.edits and not request.oversight:
        declared = declared_by(pending, request.wording, request.covered)
        problems += faults_of(declared, sheet, outcome.edits)
    result = RescoreResult(
        outcome=outcome,
        undone=None,
        applied=False,
        workbook=loaded.path,
        campaign=campaign,
        problems=(*others_of(read), *problems),
        cells=_cells(read, outcome),
    )
    if not request.apply:
        return result
    refuse_errors(read, problems)
    if outcome.is_nothing:
        return replace(result, worklists=write_worklists(loaded.path, campaign, records, needs))
    author, reason = signed(request.author, request.reason, pending, campaign.language, loaded.path.name)
    return _apply(result, outcome, loaded, _Signature(author, reason, pending), records, needs)


@dataclass(frozen=True, slots=True)
class _Signature:
    """Who revises, why, and the rows of the table of changes that say so."""

    author: str
    reason: str
    pending: Sequence[Pending]


def _outcome(
    request: RescoreRequest,
    loaded: Loaded,
    sheet: Rubric,
    pending: Sequence[Pending],
    records: Sequence[Record],
    needs: Needs,
) -> Outcome:
    key = find_key(loaded.campaign, loaded.path, needs.files) if loaded.campaign.revealed else None
    return outcome_of(
        loaded.campaign,
        sheet,
        date=needs.clock.now().date().isoformat(),
        declared=declared_by(pending, request.wording, request.covered),
        records=records,
        checks=checks_of(),
        run_of=key.run_of if key else None,
    )


def _oversight(
    request: RescoreRequest, loaded: Loaded, sheet: Rubric, records: Sequence[Record], needs: Needs
) -> Outcome:
    campaign = loaded.campaign
    if not same_rubric(sheet, campaign.rubric):
        found = sheet.fingerprint[:12]
        raise DataError(problem("oversight_with_edits", file=loaded.path.name, found=found))
    code = campaign.rubric.code_named(request.oversight)
    if code is None:
        allowed = ", ".join(c.id for c in campaign.rubric.codes)
        raise DataError(
            problem("oversight_unknown_code", file=loaded.path.name, found=request.oversight, allowed=allowed)
        )
    key = find_key(campaign, loaded.path, needs.files) if campaign.revealed else None
    return oversight_of(
        campaign,
        code.id,
        date=needs.clock.now().date().isoformat(),
        records=records,
        checks=checks_of(),
        run_of=key.run_of if key else None,
    )


def _cells(read: ReadBook, outcome: Outcome) -> dict[tuple[Key, str], str]:
    """Return the cells of the grades that people give again."""
    found = read.grades
    rows = {reading.key: reading.place.row for reading in read.campaign.readings}
    return {
        (
            work.key,
            work.criterion,
        ): f"{found.sheet.name}!{address(rows[work.key], found.columns[work.criterion])}"
        for work in outcome.work
        if work.criterion in found.columns
    }


def _apply(
    result: RescoreResult,
    outcome: Outcome,
    loaded: Loaded,
    signature: _Signature,
    records: Sequence[Record],
    needs: Needs,
) -> RescoreResult:
    read, after = loaded.read, outcome.campaign
    now = needs.clock.now()
    when = now.isoformat(timespec="seconds")
    t = needs.translator_of(after.language)
    record = outcome.record
    log = [
        LogEntry(
            when=when,
            who=signature.author,
            event=CORRECTED if record.oversight else RESCORED,
            detail=f"{telling.headline(outcome, t)} {signature.reason}",
            version=record.version,
        ),
        *record_entries(record, when, signature.author),
        *seal_entries(outcome.former, after, now.isoformat(timespec="microseconds"), signature.author),
    ]
    stamp: dict[str, str | int] = {"version": record.version, "date": when}
    rows = [
        {
            **stamp,
            "author": signature.author,
            "reason": signature.reason,
            **telling.change_row(edit, outcome, t),
        }
        for edit in telling.grouped(outcome.edits)
    ]
    needs.progress.step(needs.translate("Writing version {version}", version=record.version))
    if outcome.needs_new_workbook:
        path = loaded.path.with_name(f"{loaded.path.stem}-v{record.version}{loaded.path.suffix}")
        if needs.files.exists(path):
            there = load_one(path, needs).campaign
            if there.rubric.fingerprint != after.rubric.fingerprint:
                raise UsageError(problem("already_there", file=path.name))
            return replace(result, workbook=path, campaign=there)
        plan = build_campaign(replace(after, log=(*after.log, *log)), t)
        changes_in_plan(plan, [*changes_kept(read.book), *rows])
        needs.books.write(plan, path)
        backup = None
    else:
        path = loaded.path
        moved = {(a.response, a.criterion): (a.old, a.new) for a in outcome.agreed}
        patch = campaign_patch(read, after, log=log, agreed=moved, translate=t)
        write_changes(patch, read.book, rows, signature.pending, stamp)
        backup = needs.books.patch(path, patch)
    return replace(
        result,
        applied=True,
        workbook=path,
        campaign=after,
        backup=backup,
        worklists=write_worklists(path, after, [*records, record], needs),
    )


def _undo(request: RescoreRequest, loaded: Loaded, records: Sequence[Record], needs: Needs) -> RescoreResult:
    read, campaign = loaded.read, loaded.campaign
    record = in_force(records, campaign)
    if record is not None and not same_rubric(sheet_rubric(read.book, campaign.rubric), campaign.rubric):
        raise DataError(problem("undo_rubric_edited", file=loaded.path.name, version=campaign.rubric.version))
    refuse_errors(read, ())
    after, problems = undone(campaign, record)
    if problems or record is None:
        raise DataError(*(replace(p, file=loaded.path.name) for p in problems))
    now = needs.clock.now()
    t = needs.translator_of(campaign.language)
    author = request.author.strip() or needs.who
    detail = telling.undo_headline(record, t)
    entry = LogEntry(
        when=now.isoformat(timespec="seconds"),
        who=author,
        event=UNDONE,
        detail=" ".join(part for part in (detail, request.reason.strip()) if part),
        version=after.rubric.version,
    )
    seals = seal_entries(campaign, after, now.isoformat(timespec="microseconds"), author)
    back = {(response, criterion): (new, old) for response, criterion, old, new in record.agreed}
    patch = campaign_patch(read, after, log=[entry, *seals], agreed=back, translate=t)
    restore_rubric(patch, read.book, after.rubric)
    row: dict[str, str | int] = {
        "version": after.rubric.version,
        "date": entry.when,
        "author": author,
        "reason": request.reason.strip(),
        "effect": detail,
    }
    write_changes(patch, read.book, [row], (), {})
    return RescoreResult(
        outcome=None,
        undone=record,
        applied=True,
        workbook=loaded.path,
        campaign=after,
        backup=needs.books.patch(loaded.path, patch),
        discarded=worklist_paths(loaded.path, campaign, needs),
        problems=tuple(others_of(read)),
    )
