"""The revisions of a campaign as its workbook tells them: the counts of the log, and who, why and what of the table of changes."""

from __future__ import annotations

from collections.abc import Mapping

from lark_sheets.core.rescoring.revisions import revised
from lark_sheets.workbook.codec import ReadBook
from lark_sheets.workbook.history import CORRECTED, RESCORED, kept_records
from lark_sheets.workbook.pending_changes import Row, changes_kept

MOST = 80
"""Characters of an edit's texts that a line shows; longer ones stand in the table of changes alone."""


def revisions_of(read: ReadBook, run_of: Mapping[str, str] | None = None) -> list[dict[str, object]]:
    """Return the revisions in force, oldest first, as results and report show them.

    Each has ``version, date, author, reason, what`` beside the counts of :class:`~lark_sheets.core.rescoring.revisions.Revised`;
    runs are named only when ``run_of`` is given (after the reveal).
    """
    campaign = read.campaign
    rows = changes_kept(read.book)
    found = []
    for one in revised(campaign, kept_records(campaign.log), run_of):
        version = one.record.version
        entry = next(
            (e for e in campaign.log if e.event in (RESCORED, CORRECTED) and e.version == version), None
        )
        mine = [row for row in rows if row.get("version") == str(version)]
        found.append(
            {
                "date": entry.when if entry else _first(mine, "date"),
                "author": entry.who if entry else _first(mine, "author"),
                "reason": _first(mine, "reason"),
                "what": "; ".join(filter(None, map(_what, mine))),
                **one.to_plain(),
            }
        )
    return found


def _first(rows: list[Row], key: str) -> str:
    return next((str(row[key]) for row in rows if row.get(key)), "")


def _what(row: Row) -> str:
    """Return what a row of changes says was edited, in a line."""
    where = str(row.get("criterion", ""))
    kind = str(row.get("kind", ""))
    change = " → ".join(str(row[key]) for key in ("before", "after") if row.get(key))
    short = change if len(change) <= MOST and "\n" not in change else ""
    return ", ".join(part for part in (kind, where, short) if part)
