"""Batches as rows of the ledger. Every function works inside a transaction of the caller."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from lark_sheets.adapters.ledger.rows import COLUMNS, attempt_of
from lark_sheets.core.judging.attempts import Attempt, BatchRow
from lark_sheets.core.judging.reasons import Purpose, Reason

_OPEN = "batch = ? AND state IN ('sent', 'submitting')"


def insert(database: sqlite3.Connection, run: str, now: str) -> str:
    """Write an empty batch and return its id here."""
    cursor = database.execute("INSERT INTO batches (run, count, submitted) VALUES (?, 0, ?)", (run, now))
    return str(cursor.lastrowid)


def count(database: sqlite3.Connection, batch: str, requests: int) -> None:
    """Write how many requests a batch holds; one without any is closed."""
    database.execute("UPDATE batches SET count = ?, closed = ? WHERE id = ?", (requests, not requests, batch))


def sent(database: sqlite3.Connection, batch: str, remote: str) -> None:
    """Write the service's id of a batch."""
    database.execute("UPDATE batches SET remote = ? WHERE id = ?", (remote, batch))
    database.execute("UPDATE attempts SET state = 'sent' WHERE batch = ? AND state = 'submitting'", (batch,))


def refused(database: sqlite3.Connection, batch: str, reason: Reason, detail: str, now: str) -> None:
    """Write that a batch never arrived: no grade, no cost."""
    database.execute(
        f"UPDATE attempts SET state = 'unscored', reason = ?, detail = ?, cost = 0, ended_at = ? WHERE {_OPEN}",  # noqa: S608
        (reason, detail, now, batch),
    )
    database.execute("UPDATE batches SET closed = 1 WHERE id = ?", (batch,))


def still_open(
    database: sqlite3.Connection, purpose: Purpose, alive: Collection[str]
) -> list[tuple[BatchRow, list[Attempt]]]:
    """Return the batches of one purpose with their open attempts, and close those that have none left."""
    query = (
        "SELECT b.id, b.run, b.remote, b.count, b.submitted FROM batches b JOIN runs r ON r.id = b.run"
        " WHERE b.closed = 0 AND r.purpose = ? ORDER BY b.id"
    )
    found = []
    for number, run, remote, requests, submitted in database.execute(query, (purpose,)).fetchall():
        open_rows = f"SELECT {COLUMNS} FROM attempts WHERE {_OPEN} ORDER BY id"  # noqa: S608  (fixed text)
        rows = database.execute(open_rows, (number,)).fetchall()
        if not rows:
            database.execute("UPDATE batches SET closed = 1 WHERE id = ?", (number,))
            continue
        batch = BatchRow(
            id=str(number), run=run, remote=remote, count=requests, submitted=submitted, alive=run in alive
        )
        found.append((batch, [attempt_of(row, alive) for row in rows]))
    return found


def remotes(database: sqlite3.Connection) -> set[str]:
    """Return the service's ids of all batches."""
    return {
        remote for (remote,) in database.execute("SELECT remote FROM batches WHERE remote <> ''").fetchall()
    }
