"""The ledger port over SQLite: every request is written before it leaves, and after it came back."""

from __future__ import annotations

import datetime as dt
import json
import os
import secrets
import socket
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from lark_sheets.adapters.ledger import batch_rows
from lark_sheets.adapters.ledger.commits import Commits
from lark_sheets.adapters.ledger.processes import is_running
from lark_sheets.adapters.ledger.rows import COLUMNS, attempt_of, settled_values, values_of
from lark_sheets.adapters.ledger.schema import open_database, told
from lark_sheets.core.judging.attempts import Attempt, BatchRow, Claim, Claimed
from lark_sheets.core.judging.calibration import Calibration
from lark_sheets.core.judging.money import Spend
from lark_sheets.core.judging.reasons import Mode, Purpose, Reason, State
from lark_sheets.core.judging.staleness import calibration_from_plain, calibration_plain

T = TypeVar("T")
Database = sqlite3.Connection

SILENT_AFTER = dt.timedelta(minutes=15)
"""A run that wrote nothing for so long is taken for dead, even if a process of its number exists."""
BEAT_EVERY = dt.timedelta(seconds=30)
ENOUGH_REPLIES = 20
IN_ONE_QUERY = 500

OPEN = (State.SENT, State.SUBMITTING)


class SqliteLedger:
    """One file; threads share a connection, processes SQLite's own locks.

    Each change is on disk before the method returns: a killed process loses nothing that it had written, and what it
    had sent without an answer is still there to be told.
    """

    def __init__(self, path: Path, now: Callable[[], dt.datetime]) -> None:
        self.path = path
        self._now = now
        self._commits = Commits(open_database(path))
        self._purposes: dict[str, Purpose] = {}
        self._beats: dict[str, dt.datetime] = {}

    def close(self) -> None:
        """Close the file."""
        self._commits.close()

    # -- runs -------------------------------------------------------------------------------------------------------

    def start(self, purpose: Purpose) -> str:
        """Register a run of this process."""
        run, now = secrets.token_hex(8), self._stamp()
        values = (run, purpose, socket.gethostname(), os.getpid(), now, now)
        insert = "INSERT INTO runs (id, purpose, host, pid, started, beat) VALUES (?, ?, ?, ?, ?, ?)"
        self._write(lambda database: database.execute(insert, values))
        self._purposes[run] = purpose
        return run

    def finish(self, run: str) -> None:
        """Mark a run as ended."""
        now = self._stamp()
        self._write(lambda database: database.execute("UPDATE runs SET ended = ? WHERE id = ?", (now, run)))

    def _alive(self, database: Database) -> set[str]:
        """Return the runs at work: not ended, heard of lately, and (on this machine) with a living process."""
        limit = (self._now().astimezone(dt.UTC) - SILENT_AFTER).isoformat()
        rows = database.execute(
            "SELECT id, host, pid FROM runs WHERE ended = '' AND beat >= ?", (limit,)
        ).fetchall()
        here = socket.gethostname()
        return {run for run, host, pid in rows if host != here or is_running(pid)}

    def _beat(self, database: Database, run: str) -> None:
        """Note that a run is at work, now and then."""
        now = self._now()
        if now - self._beats.get(run, now - BEAT_EVERY) >= BEAT_EVERY:
            self._beats[run] = now
            database.execute("UPDATE runs SET beat = ? WHERE id = ?", (self._stamp(), run))

    # -- attempts ---------------------------------------------------------------------------------------------------

    def history(self, keys: Sequence[str]) -> Mapping[str, Sequence[Attempt]]:
        """Return all attempts at the keys."""

        def look(database: Database) -> dict[str, list[Attempt]]:
            found: dict[str, list[Attempt]] = defaultdict(list)
            alive = self._alive(database)
            for start in range(0, len(keys), IN_ONE_QUERY):
                part = list(keys[start : start + IN_ONE_QUERY])
                marks = ",".join("?" * len(part))
                query = f"SELECT {COLUMNS} FROM attempts WHERE key IN ({marks}) ORDER BY id"  # noqa: S608  (marks only)
                for row in database.execute(query, part):
                    attempt = attempt_of(row, alive)
                    found[attempt.key].append(attempt)
            return dict(found)

        return self._read(look)

    def claim(self, attempt: Attempt, *, budget: int | None, currency: str) -> Claim:
        """Write an attempt as sent, in the same transaction that looks whether it may be."""
        return self._write(lambda database: self._claim(database, attempt, budget, currency))

    def _claim(self, database: Database, attempt: Attempt, budget: int | None, currency: str) -> Claim:
        query = f"SELECT {COLUMNS} FROM attempts WHERE key = ? ORDER BY id"  # noqa: S608  (fixed names)
        earlier = database.execute(query, (attempt.key,)).fetchall()
        alive = self._alive(database) if earlier else ()
        for row in earlier:
            other = attempt_of(row, alive)
            if other.state is State.SCORED:
                return Claim(claimed=Claimed.SCORED, attempt=other)
            if other.state in OPEN and (other.alive or other.mode is Mode.BATCH):
                return Claim(claimed=Claimed.BUSY, attempt=other)
        if budget is not None and not _spend(database, currency).allows(attempt.reserved or 0, budget):
            return Claim(claimed=Claimed.OVER_BUDGET)
        written = replace(attempt, currency=currency, sent_at=self._stamp())
        names, values = values_of(written, self._purposes.get(attempt.run, Purpose.JUDGE))
        marks = ",".join("?" * len(values))
        cursor = database.execute(f"INSERT INTO attempts ({names}) VALUES ({marks})", values)  # noqa: S608  (fixed names)
        self._beat(database, attempt.run)
        return Claim(claimed=Claimed.YES, attempt=replace(written, id=cursor.lastrowid or 0))

    def settle(self, attempt: Attempt) -> None:
        """Write what became of an attempt, once: an attempt that is settled stays as it is."""
        now = self._stamp()
        names, values = settled_values(replace(attempt, ended_at=now))
        update = f"UPDATE attempts SET {names} WHERE id = ? AND state IN ('sent', 'submitting')"  # noqa: S608

        def change(database: Database) -> None:
            database.execute(update, [*values, attempt.id])
            self._beat(database, attempt.run)

        self._write(change)

    def give_up(self, keys: Sequence[str]) -> int:
        """Mark what dead runs sent live as lost; what it may have cost stays held."""
        wanted, now = set(keys), self._stamp()

        def change(database: Database) -> int:
            alive = self._alive(database)
            query = "SELECT id, key, run FROM attempts WHERE state = 'sent' AND mode = 'live'"
            lost = [
                (State.LOST, Reason.INTERRUPTED, now, row)
                for row, key, run in database.execute(query).fetchall()
                if key in wanted and run not in alive
            ]
            update = "UPDATE attempts SET state = ?, reason = ?, may_be_billed = 1, ended_at = ? WHERE id = ?"
            database.executemany(update, lost)
            return len(lost)

        return self._write(change)

    # -- money ------------------------------------------------------------------------------------------------------

    def spend(self, currency: str) -> Spend:
        """Return what was settled and what is held."""
        return self._read(lambda database: _spend(database, currency))

    def reply_length(self, model: str, purpose: Purpose) -> int | None:
        """Return the 95th percentile of a model's reply lengths."""
        where = "FROM attempts WHERE model = ? AND purpose = ? AND output IS NOT NULL"

        def look(database: Database) -> int | None:
            count = database.execute(f"SELECT count(*) {where}", (model, purpose)).fetchone()[0]
            if count < ENOUGH_REPLIES:
                return None
            query = f"SELECT output {where} ORDER BY output LIMIT 1 OFFSET ?"
            return int(database.execute(query, (model, purpose, -(-95 * count // 100) - 1)).fetchone()[0])

        return self._read(look)

    # -- batches ----------------------------------------------------------------------------------------------------

    def open_batch(
        self, run: str, attempts: Sequence[Attempt], *, budget: int | None, currency: str
    ) -> tuple[BatchRow, Sequence[Attempt]]:
        """Write a batch and as many of its attempts as are free and within the budget, before anything is sent."""
        now = self._stamp()

        def change(database: Database) -> tuple[BatchRow, list[Attempt]]:
            batch = batch_rows.insert(database, run, now)
            taken = []
            for attempt in attempts:
                ready = replace(attempt, state=State.SUBMITTING, mode=Mode.BATCH, batch=batch)
                claim = self._claim(database, ready, budget, currency)
                if claim.claimed is Claimed.YES and claim.attempt is not None:
                    taken.append(claim.attempt)
            batch_rows.count(database, batch, len(taken))
            return BatchRow(id=batch, run=run, count=len(taken), submitted=now, alive=True), taken

        return self._write(change)

    def batch_sent(self, batch: BatchRow, remote: str) -> None:
        """Write the service's id; from now on the batch can be fetched whatever happens here."""
        self._write(lambda database: batch_rows.sent(database, batch.id, remote))

    def batch_refused(self, batch: BatchRow, reason: Reason, detail: str) -> None:
        """Write that a batch never arrived."""
        now = self._stamp()
        self._write(lambda database: batch_rows.refused(database, batch.id, reason, detail, now))

    def batches(self, purpose: Purpose) -> Sequence[tuple[BatchRow, Sequence[Attempt]]]:
        """Return the batches with open attempts; one whose attempts are all settled is closed on the way."""
        return self._write(lambda database: batch_rows.still_open(database, purpose, self._alive(database)))

    def known_batches(self) -> Collection[str]:
        """Return the service's ids of all batches ever sent from here."""
        return self._read(batch_rows.remotes)

    # -- calibrations -----------------------------------------------------------------------------------------------

    def keep_calibration(self, calibration: Calibration) -> None:
        """Keep a calibration, whole."""
        values = (self._stamp(), json.dumps(calibration_plain(calibration), ensure_ascii=False))
        insert = "INSERT INTO calibrations (made, content) VALUES (?, ?)"
        self._write(lambda database: database.execute(insert, values))

    def calibrations(self) -> Sequence[Calibration]:
        """Return all calibrations, oldest first."""
        query = "SELECT content FROM calibrations ORDER BY id"
        rows = self._read(lambda database: database.execute(query).fetchall())
        return [calibration_from_plain(json.loads(content)) for (content,) in rows]

    # -- the file ---------------------------------------------------------------------------------------------------

    def _stamp(self) -> str:
        return self._now().astimezone(dt.UTC).isoformat()

    def _write(self, change: Callable[[Database], T]) -> T:
        """Apply a change: all of it is on disk when this returns, or none of it ever was."""
        try:
            return self._commits.write(change)
        except sqlite3.Error as error:
            raise told(error, self.path) from error

    def _read(self, look: Callable[[Database], T]) -> T:
        try:
            return self._commits.read(look)
        except sqlite3.Error as error:
            raise told(error, self.path) from error


def _spend(database: Database, currency: str) -> Spend:
    row = database.execute(
        "SELECT settled, held, unpriced FROM spend WHERE currency = ?", (currency,)
    ).fetchone()
    settled, held, unpriced = row or (0, 0, 0)
    return Spend(settled=settled, held=held, unpriced=unpriced, currency=currency)
