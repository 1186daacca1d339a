"""The ledger port over SQLite: every request is written before it leaves, and after it came back."""

from __future__ import annotations

import datetime as dt
import json
import os
import secrets
import socket
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lark_sheets.adapters.ledger.processes import is_running
from lark_sheets.adapters.ledger.rows import COLUMNS, attempt_of, values_of
from lark_sheets.adapters.ledger.schema import open_database, told
from lark_sheets.core.judging.attempts import Attempt, BatchRow, Claim, Claimed
from lark_sheets.core.judging.calibration import Calibration
from lark_sheets.core.judging.money import Spend
from lark_sheets.core.judging.reasons import Mode, Purpose, Reason, State
from lark_sheets.core.judging.staleness import calibration_from_plain, calibration_plain

SILENT_AFTER = dt.timedelta(minutes=15)
"""A run that wrote nothing for so long is taken for dead, even if a process of its number exists."""
ENOUGH_REPLIES = 20
IN_ONE_QUERY = 500

OPEN = (State.SENT, State.SUBMITTING)


class SqliteLedger:
    """One file; threads share it behind a lock, processes by SQLite's own.

    Each change is one transaction, on disk before the method returns: a killed process loses nothing that it had
    written, and what it had sent without an answer is still there to be told.
    """

    def __init__(self, path: Path, now: Callable[[], dt.datetime]) -> None:
        self.path = path
        self._now = now
        self._lock = threading.RLock()
        self._connection = open_database(path)
        self._purposes: dict[str, Purpose] = {}

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    # -- runs -------------------------------------------------------------------------------------------------------

    def start(self, purpose: Purpose) -> str:
        """Register a run of this process."""
        run = secrets.token_hex(8)
        now = self._stamp()
        with self._writing() as database:
            database.execute(
                "INSERT INTO runs (id, purpose, host, pid, started, beat) VALUES (?, ?, ?, ?, ?, ?)",
                (run, purpose, socket.gethostname(), os.getpid(), now, now),
            )
        self._purposes[run] = purpose
        return run

    def finish(self, run: str) -> None:
        """Mark a run as ended."""
        with self._writing() as database:
            database.execute("UPDATE runs SET ended = ? WHERE id = ?", (self._stamp(), run))

    def _alive(self, database: sqlite3.Connection) -> set[str]:
        """Return the runs at work: not ended, heard of lately, and (on this machine) with a living process."""
        limit = (self._now().astimezone(dt.UTC) - SILENT_AFTER).isoformat()
        rows = database.execute(
            "SELECT id, host, pid FROM runs WHERE ended = '' AND beat >= ?", (limit,)
        ).fetchall()
        here = socket.gethostname()
        return {run for run, host, pid in rows if host != here or is_running(pid)}

    # -- attempts ---------------------------------------------------------------------------------------------------

    def history(self, keys: Sequence[str]) -> dict[str, list[Attempt]]:
        """Return all attempts at the keys."""
        found: dict[str, list[Attempt]] = defaultdict(list)
        with self._reading() as database:
            alive = self._alive(database)
            for start in range(0, len(keys), IN_ONE_QUERY):
                part = list(keys[start : start + IN_ONE_QUERY])
                marks = ",".join("?" * len(part))
                query = f"SELECT {COLUMNS} FROM attempts WHERE key IN ({marks}) ORDER BY id"  # noqa: S608  (marks only)
                for row in database.execute(query, part):
                    attempt = attempt_of(row, alive)
                    found[attempt.key].append(attempt)
        return dict(found)

    def claim(self, attempt: Attempt, *, budget: int | None, currency: str) -> Claim:
        """Write an attempt as sent, in the same transaction that looks whether it may be."""
        with self._writing() as database:
            return self._claim(database, attempt, budget, currency, self._alive(database))

    def _claim(
        self,
        database: sqlite3.Connection,
        attempt: Attempt,
        budget: int | None,
        currency: str,
        alive: set[str],
    ) -> Claim:
        query = f"SELECT {COLUMNS} FROM attempts WHERE key = ? ORDER BY id"  # noqa: S608  (fixed names)
        for row in database.execute(query, (attempt.key,)).fetchall():
            other = attempt_of(row, alive)
            if other.state is State.SCORED:
                return Claim(claimed=Claimed.SCORED, attempt=other)
            if other.state in OPEN and (other.alive or other.mode is Mode.BATCH):
                return Claim(claimed=Claimed.BUSY, attempt=other)
        if budget is not None and not self._spend(database, currency).allows(attempt.reserved or 0, budget):
            return Claim(claimed=Claimed.OVER_BUDGET)
        written = replace(attempt, currency=currency, sent_at=self._stamp())
        names, values = values_of(written, self._purposes.get(attempt.run, Purpose.JUDGE))
        marks = ",".join("?" * len(values))
        cursor = database.execute(f"INSERT INTO attempts ({names}) VALUES ({marks})", values)  # noqa: S608  (fixed names)
        database.execute("UPDATE runs SET beat = ? WHERE id = ?", (written.sent_at, attempt.run))
        return Claim(claimed=Claimed.YES, attempt=replace(written, id=cursor.lastrowid or 0))

    def settle(self, attempt: Attempt) -> None:
        """Write what became of an attempt, once: an attempt that is settled stays as it is."""
        usage = attempt.usage
        now = self._stamp()
        with self._writing() as database:
            database.execute(
                "UPDATE attempts SET state = ?, reason = ?, detail = ?, served = ?, stop_reason = ?, request_id = ?, input = ?, output = ?,"
                " cache_write = ?, cache_write_hour = ?, cache_read = ?, thinking = ?, cost = ?, may_be_billed = ?, final = ?, ended_at = ?, text = ?"
                " WHERE id = ? AND state IN ('sent', 'submitting')",
                (
                    attempt.state,
                    attempt.reason,
                    attempt.detail,
                    attempt.served,
                    attempt.stop_reason,
                    attempt.request_id,
                    *(
                        (None,) * 6
                        if usage is None
                        else (
                            usage.input,
                            usage.output,
                            usage.cache_write,
                            usage.cache_write_hour,
                            usage.cache_read,
                            usage.thinking,
                        )
                    ),
                    attempt.cost,
                    attempt.may_be_billed,
                    attempt.final,
                    now,
                    attempt.text,
                    attempt.id,
                ),
            )
            database.execute("UPDATE runs SET beat = ? WHERE id = ?", (now, attempt.run))

    def give_up(self, keys: Sequence[str]) -> int:
        """Mark what dead runs sent live as lost; what it may have cost stays held."""
        lost = 0
        with self._writing() as database:
            alive = self._alive(database)
            wanted = set(keys)
            query = "SELECT id, key, run FROM attempts WHERE state = 'sent' AND mode = 'live'"
            for row, key, run in database.execute(query).fetchall():
                if key in wanted and run not in alive:
                    database.execute(
                        "UPDATE attempts SET state = ?, reason = ?, may_be_billed = 1, ended_at = ? WHERE id = ?",
                        (State.LOST, Reason.INTERRUPTED, self._stamp(), row),
                    )
                    lost += 1
        return lost

    # -- money ------------------------------------------------------------------------------------------------------

    def spend(self, currency: str) -> Spend:
        """Return what was settled and what is held."""
        with self._reading() as database:
            return self._spend(database, currency)

    def _spend(self, database: sqlite3.Connection, currency: str) -> Spend:
        row = database.execute(
            "SELECT settled, held, unpriced FROM spend WHERE currency = ?", (currency,)
        ).fetchone()
        settled, held, unpriced = row or (0, 0, 0)
        return Spend(settled=settled, held=held, unpriced=unpriced, currency=currency)

    def reply_length(self, model: str, purpose: Purpose) -> int | None:
        """Return the 95th percentile of a model's reply lengths."""
        where = "FROM attempts WHERE model = ? AND purpose = ? AND output IS NOT NULL"
        with self._reading() as database:
            count = database.execute(f"SELECT count(*) {where}", (model, purpose)).fetchone()[0]
            if count < ENOUGH_REPLIES:
                return None
            place = -(-95 * count // 100) - 1
            row = database.execute(
                f"SELECT output {where} ORDER BY output LIMIT 1 OFFSET ?",
                (model, purpose, place),
            ).fetchone()
            return int(row[0])

    # -- batches ----------------------------------------------------------------------------------------------------

    def open_batch(
        self, run: str, attempts: Sequence[Attempt], *, budget: int | None, currency: str
    ) -> tuple[BatchRow, list[Attempt]]:
        """Write a batch and as many of its attempts as are free and within the budget, before anything is sent."""
        taken: list[Attempt] = []
        now = self._stamp()
        with self._writing() as database:
            alive = self._alive(database)
            cursor = database.execute(
                "INSERT INTO batches (run, count, submitted) VALUES (?, 0, ?)", (run, now)
            )
            batch = str(cursor.lastrowid)
            for attempt in attempts:
                ready = replace(attempt, state=State.SUBMITTING, mode=Mode.BATCH, batch=batch)
                claim = self._claim(database, ready, budget, currency, alive)
                if claim.claimed is Claimed.YES and claim.attempt is not None:
                    taken.append(claim.attempt)
            database.execute(
                "UPDATE batches SET count = ?, closed = ? WHERE id = ?", (len(taken), not taken, batch)
            )
        return BatchRow(id=batch, run=run, count=len(taken), submitted=now, alive=True), taken

    def batch_sent(self, batch: BatchRow, remote: str) -> None:
        """Write the service's id; from now on the batch can be fetched whatever happens here."""
        with self._writing() as database:
            database.execute("UPDATE batches SET remote = ? WHERE id = ?", (remote, batch.id))
            database.execute(
                "UPDATE attempts SET state = 'sent' WHERE batch = ? AND state = 'submitting'", (batch.id,)
            )

    def batch_refused(self, batch: BatchRow, reason: Reason, detail: str) -> None:
        """Write that a batch never arrived."""
        with self._writing() as database:
            database.execute(
                "UPDATE attempts SET state = 'unscored', reason = ?, detail = ?, cost = 0, ended_at = ?"
                " WHERE batch = ? AND state IN ('sent', 'submitting')",
                (reason, detail, self._stamp(), batch.id),
            )
            database.execute("UPDATE batches SET closed = 1 WHERE id = ?", (batch.id,))

    def batches(self, purpose: Purpose) -> list[tuple[BatchRow, list[Attempt]]]:
        """Return the batches with open attempts; one whose attempts are all settled is closed on the way."""
        found = []
        with self._writing() as database:
            alive = self._alive(database)
            query = (
                "SELECT b.id, b.run, b.remote, b.count, b.submitted FROM batches b JOIN runs r ON r.id = b.run"
                " WHERE b.closed = 0 AND r.purpose = ? ORDER BY b.id"
            )
            for number, run, remote, count, submitted in database.execute(query, (purpose,)).fetchall():
                rows = database.execute(
                    f"SELECT {COLUMNS} FROM attempts WHERE batch = ? AND state IN ('sent', 'submitting') ORDER BY id",  # noqa: S608
                    (number,),
                ).fetchall()
                if not rows:
                    database.execute("UPDATE batches SET closed = 1 WHERE id = ?", (number,))
                    continue
                batch = BatchRow(
                    id=str(number),
                    run=run,
                    remote=remote,
                    count=count,
                    submitted=submitted,
                    alive=run in alive,
                )
                found.append((batch, [attempt_of(row, alive) for row in rows]))
        return found

    def known_batches(self) -> set[str]:
        """Return the service's ids of all batches ever sent from here."""
        with self._reading() as database:
            rows = database.execute("SELECT remote FROM batches WHERE remote <> ''").fetchall()
        return {remote for (remote,) in rows}

    # -- calibrations -----------------------------------------------------------------------------------------------

    def keep_calibration(self, calibration: Calibration) -> None:
        """Keep a calibration, whole."""
        content = json.dumps(calibration_plain(calibration), ensure_ascii=False)
        with self._writing() as database:
            database.execute(
                "INSERT INTO calibrations (made, content) VALUES (?, ?)", (self._stamp(), content)
            )

    def calibrations(self) -> list[Calibration]:
        """Return all calibrations, oldest first."""
        with self._reading() as database:
            rows = database.execute("SELECT content FROM calibrations ORDER BY id").fetchall()
        return [calibration_from_plain(json.loads(content)) for (content,) in rows]

    # -- the file ---------------------------------------------------------------------------------------------------

    def _stamp(self) -> str:
        return self._now().astimezone(dt.UTC).isoformat()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold one transaction: all of it is on disk at the end, or none of it ever was."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise told(error, self.path) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise told(error, self.path) from error
