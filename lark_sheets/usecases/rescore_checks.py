"""What a revision asks before it writes: readable cells, finished readings, an author and a reason."""

from __future__ import annotations

from collections.abc import Sequence

from lark_sheets.core.discussion import not_yet_sharpened
from lark_sheets.core.language import Language
from lark_sheets.core.problems import problem
from lark_sheets.core.rescoring.outcome import Outcome
from lark_sheets.core.rubric import Rubric
from lark_sheets.errors import DataError, Problem, Severity, UsageError
from lark_sheets.usecases.loading import Loaded
from lark_sheets.workbook import layout
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.discussing import read_discussions
from lark_sheets.workbook.grades import named
from lark_sheets.workbook.pending_changes import Pending

ONLY_TOLD = frozenset({"rubric_edited", "stale_grades"})
"""Problems of a workbook that are this command's own business."""


def others_of(read: ReadBook) -> list[Problem]:
    """Return the problems of a workbook that are not this command's own business."""
    return [p for p in read.problems if p.code not in ONLY_TOLD]


def told_before(loaded: Loaded, sheet: Rubric, outcome: Outcome) -> list[Problem]:
    """Return what a coordinator should know before pressing: readings not gathered yet, an anchor to sharpen that was not edited."""
    campaign = loaded.campaign
    name = loaded.path.name
    problems = []
    open_now = [r for r in campaign.readings if r.is_blank or campaign.is_stale(r)]
    if open_now and outcome.edits:
        responses = campaign.response()
        found = named(f"{responses[r.response].item}-{responses[r.response].label}" for r in open_now)
        problems.append(problem("not_gathered", file=name, found=found, count=len(open_now)))
    ended, unclear = read_discussions(loaded.read.book, campaign.rubric)
    problems += [p for p in unclear if p not in loaded.read.problems]
    problems += [
        problem("sharpened_without_edit", file=name, found=criterion)
        for criterion in not_yet_sharpened(ended, sheet, campaign.versions)
    ]
    return problems


def refuse_errors(read: ReadBook, problems: Sequence[Problem]) -> None:
    """Raise :class:`DataError` with every error: nothing is re-scored around cells that cannot be read."""
    errors = [p for p in (*others_of(read), *problems) if p.severity is Severity.ERROR]
    if errors:
        raise DataError(*errors, problem("rescore_refused", file=read.book.name, count=len(errors)))


def signed(
    author: str, reason: str, pending: Sequence[Pending], language: Language, file: str
) -> tuple[str, str]:
    """Return author and reason, from the options or else from the table of changes. Raises :class:`UsageError` when one is missing."""
    said = {
        "author": author.strip() or next((p.author for p in pending if p.author), ""),
        "reason": reason.strip() or next((p.reason for p in pending if p.reason), ""),
    }
    missing = [layout.CHANGES.column(key).header.in_(language) for key, text in said.items() if not text]
    if missing:
        raise UsageError(problem("change_unsigned", file=file, found=", ".join(missing)))
    return said["author"], said["reason"]
