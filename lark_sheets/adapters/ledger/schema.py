"""The tables of a ledger file, and how a file is known to be one."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, LarkError, MissingPiece

APPLICATION = 0x4C61726B
"""SQLite's application id of our files ("Lark")."""
VERSION = 1
WAIT_FOR_LOCK = 30.0
"""Seconds that one command waits for another to finish writing."""

SCHEMA = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, purpose TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
    started TEXT NOT NULL, beat TEXT NOT NULL, ended TEXT NOT NULL DEFAULT ''
);
CREATE TABLE batches (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, remote TEXT NOT NULL DEFAULT '', count INTEGER NOT NULL,
    submitted TEXT NOT NULL, closed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, run TEXT NOT NULL, purpose TEXT NOT NULL, subject TEXT NOT NULL, repeat INTEGER NOT NULL,
    state TEXT NOT NULL, mode TEXT NOT NULL, reason TEXT, detail TEXT NOT NULL DEFAULT '', batch INTEGER,
    model TEXT NOT NULL, served TEXT NOT NULL DEFAULT '', stop_reason TEXT NOT NULL DEFAULT '', request_id TEXT NOT NULL DEFAULT '',
    max_tokens INTEGER NOT NULL, input INTEGER, output INTEGER, cache_write INTEGER, cache_write_hour INTEGER, cache_read INTEGER, thinking INTEGER,
    reserved INTEGER, cost INTEGER, currency TEXT NOT NULL DEFAULT '', may_be_billed INTEGER NOT NULL DEFAULT 0,
    final INTEGER NOT NULL DEFAULT 0, sent_at TEXT NOT NULL, ended_at TEXT NOT NULL DEFAULT '', text TEXT NOT NULL DEFAULT ''
);
CREATE INDEX attempts_by_key ON attempts (key);
CREATE INDEX attempts_by_batch ON attempts (batch) WHERE batch IS NOT NULL;
CREATE INDEX attempts_open ON attempts (state) WHERE state IN ('sent', 'submitting');
CREATE TABLE spend (
    currency TEXT PRIMARY KEY, settled INTEGER NOT NULL DEFAULT 0, held INTEGER NOT NULL DEFAULT 0, unpriced INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER spend_new AFTER INSERT ON attempts BEGIN
    INSERT OR IGNORE INTO spend (currency) VALUES (new.currency);
    UPDATE spend SET
        settled = settled + ifnull(new.cost, 0),
        held = held + iif(new.cost IS NULL, ifnull(new.reserved, 0), 0),
        unpriced = unpriced + (new.cost IS NULL AND new.reserved IS NULL)
    WHERE currency = new.currency;
END;
CREATE TRIGGER spend_changed AFTER UPDATE OF cost, reserved ON attempts BEGIN
    UPDATE spend SET
        settled = settled + ifnull(new.cost, 0) - ifnull(old.cost, 0),
        held = held + iif(new.cost IS NULL, ifnull(new.reserved, 0), 0) - iif(old.cost IS NULL, ifnull(old.reserved, 0), 0),
        unpriced = unpriced + (new.cost IS NULL AND new.reserved IS NULL) - (old.cost IS NULL AND old.reserved IS NULL)
    WHERE currency = new.currency;
END;
CREATE TABLE calibrations (id INTEGER PRIMARY KEY, made TEXT NOT NULL, content TEXT NOT NULL);
"""
"""``spend`` is kept by triggers, in the same transaction as the attempt: a budget is checked without adding up all rows."""


def open_database(path: Path) -> sqlite3.Connection:
    """Open a ledger, new or old.

    Raises:
        DataError: the file is damaged, no SQLite file, another program's, or of a newer version.
        MissingPiece: it may not be written, or another program holds it.
    """
    new = not path.exists()
    try:
        if new:
            path.touch(mode=0o600)
        connection = sqlite3.connect(
            path, timeout=WAIT_FOR_LOCK, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.OperationalError) as error:
        raise MissingPiece(problem("file_locked", file=path.name, found=error)) from error
    try:
        _check(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise told(error, path) from error
    except LarkError:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables and not application:
        for statement in _statements(SCHEMA):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    else:
        connection.execute("ROLLBACK")
        if application != APPLICATION:
            raise DataError(problem("ledger_foreign", file=path.name))
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise DataError(problem("ledger_newer", file=path.name, found=version, supported=VERSION))
        fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise DataError(problem("ledger_damaged", file=path.name, found=fault))
    with suppress(
        sqlite3.OperationalError
    ):  # another command is switching it right now; the mode is the file's
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _statements(script: str) -> list[str]:
    """Cut a script into whole statements (a trigger holds semicolons of its own), to run them in one transaction."""
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements


def told(error: sqlite3.Error, path: Path) -> LarkError:
    """Return the error that people are told: locked for too long, or damaged."""
    if isinstance(error, sqlite3.OperationalError):
        busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_PERM,
        )
        if busy:
            return MissingPiece(problem("file_locked", file=path.name, found=error))
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return MissingPiece(problem("ledger_disk", file=path.name, found=error))
    return DataError(problem("ledger_damaged", file=path.name, found=error))
