"""Changes of several threads in one transaction: each is whole or absent, and every thread learns what became of its own."""

import sqlite3
import threading
from contextlib import closing

import pytest

from lark_sheets.adapters.ledger.commits import Commits


@pytest.fixture
def connection(tmp_path):
    opened = sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None, check_same_thread=False)
    opened.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    with closing(opened):
        yield opened


def insert(*numbers):
    def work(database):
        for n in numbers:
            database.execute("INSERT INTO t VALUES (?)", (n,))
        return sum(numbers)

    return work


def rows(commits):
    return commits.read(lambda database: [n for (n,) in database.execute("SELECT n FROM t ORDER BY n")])


def test_a_change_gives_its_result_and_is_on_disk(connection, tmp_path):
    commits = Commits(connection)
    assert commits.write(insert(1, 2)) == 3
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as other:
        assert other.execute("SELECT count(*) FROM t").fetchone() == (2,)


def test_a_change_that_fails_is_undone_whole(connection):
    commits = Commits(connection)
    commits.write(insert(1))
    with pytest.raises(sqlite3.IntegrityError):
        commits.write(insert(2, 1))
    assert rows(commits) == [1]


def test_changes_that_wait_go_together_and_fail_alone(connection):
    """Eight threads queue behind one that holds the turn: one transaction for all, the bad one undone alone."""
    commits = Commits(connection)
    commits.write(insert(0))
    transactions = []
    connection.set_trace_callback(
        lambda text: transactions.append(text) if text.startswith("COMMIT") else None
    )
    errors, queued = {}, threading.Barrier(9)

    def work(n):
        queued.wait()
        try:
            commits.write(insert(n))
        except sqlite3.IntegrityError as error:
            errors[n] = error

    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 4, 5, 6, 7, 0)]
    for thread in threads:
        thread.start()
    with commits._turn:
        queued.wait()
        while len(commits._queue) < 8:
            pass
    for thread in threads:
        thread.join()
    assert rows(commits) == list(range(8))
    assert list(errors) == [0]
    assert len(transactions) == 1


def test_a_transaction_that_cannot_begin_is_told_to_every_thread(connection, tmp_path):
    connection.execute("PRAGMA busy_timeout = 0")
    commits = Commits(connection)
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            commits.write(insert(1))
        other.execute("ROLLBACK")
    assert commits.write(insert(1)) == 1
    assert rows(commits) == [1]
