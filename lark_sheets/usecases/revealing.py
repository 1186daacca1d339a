"""``reveal``: names after grades, once, in the log; and the grades as they stood are sealed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lark_sheets.core.bookplan import BookPatch
from lark_sheets.core.campaign import LogEntry
from lark_sheets.core.problems import problem
from lark_sheets.core.sealing import FORCED, REVEALED, sealed_entries, unfinished
from lark_sheets.errors import DataError, Severity, UsageError
from lark_sheets.usecases.keys import FoundKey, need_key
from lark_sheets.usecases.loading import load_one
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook import layout
from lark_sheets.workbook.grades import named
from lark_sheets.workbook.journal import log_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """What the reveal did: nothing when it had been done before."""

    already: bool
    key: FoundKey
    forced: bool


def reveal(
    path: Path, needs: Needs, *, key: Path | None = None, force: bool = False, reason: str = ""
) -> Revealed:
    """Reveal the runs of a campaign.

    Refused (:class:`DataError`) while an owner's grade is missing, refused or stale, unless ``force`` with a ``reason``,
    which is recorded and replaces the verdict in the report. One-way; a second call changes nothing.
    """
    loaded = load_one(path, needs)
    campaign = loaded.campaign
    if loaded.read.kind != "campaign":
        raise UsageError(problem("no_campaign", file=str(path), found=loaded.path.name))
    found = need_key(campaign, loaded.path, needs.files, key)
    if campaign.revealed:
        return Revealed(already=True, key=found, forced=False)
    if force and not reason.strip():
        raise UsageError(
            problem("wrong_usage", found="--force", allowed="--force --reason TEXT", command="reveal")
        )
    refused = [p for p in loaded.problems if p.severity is Severity.ERROR]
    missing = unfinished(campaign)
    if missing and not force:
        raise DataError(
            *refused,
            problem("reveal_refused", file=loaded.path.name, found=named(missing), count=len(missing)),
        )
    now = needs.clock.now().isoformat(timespec="seconds")
    forced = bool(missing)
    entries = [
        LogEntry(
            when=now,
            who=needs.who,
            event=FORCED if forced else REVEALED,
            detail=reason.strip() if forced else f"{len(campaign.owners())} responses",
            version=campaign.rubric.version,
        ),
        *sealed_entries(campaign, now, needs.who, layout.CHUNK),
    ]
    patch = BookPatch()
    row, column = loaded.read.marks.cells["revealed"]
    patch.set(loaded.read.marks.sheet, row, column, "yes")
    log_lines(patch, loaded.read.book, entries)
    needs.books.patch(loaded.path, patch)
    return Revealed(already=False, key=found, forced=forced)
