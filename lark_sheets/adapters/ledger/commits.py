"""Changes of several threads go to disk in one transaction: a slow disk is waited for once, not once a thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class _Change:
    """One thread's change, and what became of it."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        self.work = work
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None


class Commits:
    """One connection shared by threads. Each change is whole or absent, and on disk when its thread goes on.

    While one thread waits for the disk, others queue; the next one to get its turn writes for all of them.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._turn = threading.Lock()
        self._gate = threading.Lock()
        self._queue: list[_Change] = []

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Apply a change in a transaction; what ``work`` raises undoes that change alone."""
        change = _Change(work)
        with self._gate:
            self._queue.append(change)
        with self._turn:
            if not change.done:
                with self._gate:
                    together, self._queue = self._queue, []
                self._commit(together)
        if change.error is not None:
            raise change.error
        result: T = change.result
        return result

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Look at the file between transactions."""
        with self._turn:
            return work(self._connection)

    def close(self) -> None:
        """Close the connection, after the last change."""
        with self._turn:
            self._connection.close()

    def _commit(self, together: list[_Change]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            if len(together) == 1:
                together[0].result = together[0].work(self._connection)
            else:
                for change in together:
                    self._apply(change)
            self._connection.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001  (nothing was written: every waiting thread must know)
            for change in together:
                change.error = change.error or error
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        finally:
            for change in together:
                change.done = True

    def _apply(self, change: _Change) -> None:
        self._connection.execute("SAVEPOINT change")
        try:
            change.result = change.work(self._connection)
        except Exception as error:  # noqa: BLE001  (handed to the thread whose change it is)
            change.error = error
            self._connection.execute("ROLLBACK TO change")
        self._connection.execute("RELEASE change")
