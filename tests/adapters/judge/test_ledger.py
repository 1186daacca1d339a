"""The ledger: written before a request leaves, safe for two commands, honest about what may have been billed."""

import datetime as dt
import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from lark_sheets.adapters.ledger import SqliteLedger
from lark_sheets.adapters.ledger.processes import is_running
from lark_sheets.core.judging.attempts import Attempt, Claimed
from lark_sheets.core.judging.exchange import Usage
from lark_sheets.core.judging.money import Spend
from lark_sheets.core.judging.reasons import Mode, Purpose, Reason, State
from lark_sheets.errors import DataError, MissingPiece
from tests.conftest import ROOT
from tests.core.judging.calibrations import lesson_003

START = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
USAGE = Usage(input=10, output=20, cache_write=3, cache_write_hour=4, cache_read=5, thinking=6)


class Clock:
    def __init__(self):
        self.moment = START

    def now(self):
        return self.moment


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(path, clock):
    opened = SqliteLedger(path, clock.now)
    yield opened
    opened.close()


@contextmanager
def database(path):
    """The file as another program sees it."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def request(key="k1", run="", **changes):
    return Attempt(
        **{
            "id": 0,
            "key": key,
            "run": run,
            "subject": "K01-A",
            "model": "m",
            "max_tokens": 100,
            "reserved": 50,
        }
        | changes
    )


def take(ledger, run, key="k1", *, budget=None, **changes):
    return ledger.claim(request(key, run, **changes), budget=budget, currency="USD")


def finished(attempt, **changes):
    return replace(
        attempt,
        **{"state": State.SCORED, "usage": USAGE, "cost": 30, "text": "{}", "served": "m-1"} | changes,
    )


def test_the_row_is_there_before_the_request_leaves(ledger, path):
    """A second connection, as after a crash, sees the attempt as sent."""
    run = ledger.start(Purpose.JUDGE)
    claim = take(ledger, run)
    assert claim.claimed is Claimed.YES
    with database(path) as other:
        assert other.execute("SELECT key, state, sent_at FROM attempts").fetchall() == [
            ("k1", "sent", "2026-11-29T12:00:00+00:00")
        ]


def test_what_is_settled_comes_back_whole(ledger):
    run = ledger.start(Purpose.JUDGE)
    attempt = take(ledger, run, repeat=2).attempt
    ledger.settle(finished(attempt, stop_reason="end_turn", request_id="req_1", text='{"é": "\n"}'))
    (again,) = ledger.history(["k1", "never asked"])["k1"]
    assert (again.state, again.usage, again.cost, again.text) == (State.SCORED, USAGE, 30, '{"é": "\n"}')
    assert (again.repeat, again.request_id, again.served, again.stop_reason) == (
        2,
        "req_1",
        "m-1",
        "end_turn",
    )
    assert "never asked" not in ledger.history(["k1", "never asked"])


def test_a_scored_judgement_is_never_sent_again(ledger):
    run = ledger.start(Purpose.JUDGE)
    ledger.settle(finished(take(ledger, run).attempt))
    claim = take(ledger, ledger.start(Purpose.JUDGE))
    assert (claim.claimed, claim.attempt.text) == (Claimed.SCORED, "{}")


def test_a_failed_one_may_be_sent_again(ledger):
    run = ledger.start(Purpose.JUDGE)
    ledger.settle(finished(take(ledger, run).attempt, state=State.UNSCORED, reason=Reason.NOT_JSON))
    assert take(ledger, run).claimed is Claimed.YES
    assert [a.state for a in ledger.history(["k1"])["k1"]] == [State.UNSCORED, State.SENT]


def test_settling_twice_changes_nothing(ledger):
    """A late answer to an attempt that was settled or given up does not count its cost twice."""
    run = ledger.start(Purpose.JUDGE)
    attempt = take(ledger, run).attempt
    ledger.settle(finished(attempt, cost=30))
    ledger.settle(finished(attempt, cost=99, state=State.UNSCORED))
    assert ledger.spend("USD") == Spend(settled=30)
    assert ledger.history(["k1"])["k1"][0].state is State.SCORED


class TestMoney:
    def test_reserved_while_open_settled_by_the_bill(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        attempt = take(ledger, run, reserved=50).attempt
        assert ledger.spend("USD") == Spend(held=50)
        ledger.settle(finished(attempt, cost=30))
        assert ledger.spend("USD") == Spend(settled=30)

    def test_a_bill_that_never_came_stays_reserved(self, ledger):
        """A proxy without usage, or a broken connection: the cost is unknown, not zero."""
        run = ledger.start(Purpose.JUDGE)
        ledger.settle(finished(take(ledger, run).attempt, cost=None, usage=None))
        assert ledger.spend("USD") == Spend(held=50)

    def test_a_refused_request_frees_its_reservation(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        ledger.settle(
            finished(
                take(ledger, run).attempt,
                state=State.UNSCORED,
                reason=Reason.RATE_LIMITED,
                cost=0,
                usage=None,
            )
        )
        assert ledger.spend("USD") == Spend()

    def test_calls_of_unknown_price_are_counted(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        ledger.settle(finished(take(ledger, run, reserved=None).attempt, cost=None))
        assert ledger.spend("USD") == Spend(unpriced=1)

    def test_the_budget_holds_at_the_worst_case(self, ledger):
        """100 allow two calls of 50 at once, a third only when one of them turned out cheaper."""
        run = ledger.start(Purpose.JUDGE)
        first = take(ledger, run, "k1", budget=100)
        assert take(ledger, run, "k2", budget=100).claimed is Claimed.YES
        assert take(ledger, run, "k3", budget=100).claimed is Claimed.OVER_BUDGET
        assert "k3" not in ledger.history(["k3"])
        ledger.settle(finished(first.attempt, cost=0))
        assert take(ledger, run, "k3", budget=100).claimed is Claimed.YES

    def test_the_budget_counts_earlier_runs(self, ledger):
        ledger.settle(finished(take(ledger, ledger.start(Purpose.JUDGE), "k1").attempt, cost=60))
        assert take(ledger, ledger.start(Purpose.JUDGE), "k2", budget=100).claimed is Claimed.OVER_BUDGET

    def test_currencies_are_never_added(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        ledger.claim(request("k1", run), budget=None, currency="CAD")
        assert (ledger.spend("CAD").held, ledger.spend("USD").held) == (50, 0)

    def test_the_kept_sums_equal_the_rows(self, ledger, path):
        run = ledger.start(Purpose.JUDGE)
        for n, cost in enumerate([None, 0, 7, 30, None]):
            attempt = take(ledger, run, f"k{n}", reserved=None if n == 4 else 50).attempt
            if n:
                ledger.settle(finished(attempt, cost=cost))
        with database(path) as other:
            settled, held, unpriced = other.execute(
                "SELECT sum(ifnull(cost, 0)), sum(iif(cost IS NULL, ifnull(reserved, 0), 0)), sum(cost IS NULL AND reserved IS NULL) FROM attempts"
            ).fetchone()
        assert ledger.spend("USD") == Spend(settled=settled, held=held, unpriced=unpriced)


class TestLength:
    def test_nothing_is_said_below_20_replies(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        for n in range(19):
            ledger.settle(finished(take(ledger, run, f"k{n}").attempt))
        assert ledger.reply_length("m", Purpose.JUDGE) is None

    def test_95_percent_of_replies_are_no_longer(self, ledger):
        """Lengths 1 to 40: the 38th is the 95th percentile; replies of another purpose or model do not count."""
        run = ledger.start(Purpose.JUDGE)
        for n in range(40):
            ledger.settle(finished(take(ledger, run, f"k{n}").attempt, usage=Usage(input=1, output=40 - n)))
        assert ledger.reply_length("m", Purpose.JUDGE) == 38
        assert ledger.reply_length("m", Purpose.RESPOND) is None
        assert ledger.reply_length("other", Purpose.JUDGE) is None


class TestRuns:
    def test_what_a_living_run_is_asking_is_left_to_it(self, ledger):
        take(ledger, ledger.start(Purpose.JUDGE))
        claim = take(ledger, ledger.start(Purpose.JUDGE))
        assert (claim.claimed, claim.attempt.alive) == (Claimed.BUSY, True)

    def test_a_run_that_ended_without_an_answer_is_no_longer_asking(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        take(ledger, run)
        ledger.finish(run)
        (attempt,) = ledger.history(["k1"])["k1"]
        assert (attempt.state, attempt.alive) == (State.SENT, False)

    def test_a_silent_run_is_taken_for_dead(self, ledger, clock):
        """Fifteen minutes without a word; no call may last that long."""
        take(ledger, ledger.start(Purpose.JUDGE))
        clock.moment += dt.timedelta(minutes=15)
        assert ledger.history(["k1"])["k1"][0].alive
        clock.moment += dt.timedelta(seconds=1)
        assert not ledger.history(["k1"])["k1"][0].alive

    def test_a_run_of_a_dead_process_is_dead_at_once(self, ledger, path):
        child = subprocess.run(
            [sys.executable, "-c", "import os; print(os.getpid())"],
            capture_output=True,
            text=True,
            check=True,
        )
        run = ledger.start(Purpose.JUDGE)
        take(ledger, run)
        with database(path) as other:
            other.execute("UPDATE runs SET pid = ?", (int(child.stdout),))
        assert not ledger.history(["k1"])["k1"][0].alive

    def test_a_run_on_another_machine_is_believed_while_it_speaks(self, ledger, path):
        run = ledger.start(Purpose.JUDGE)
        take(ledger, run)
        with database(path) as other:
            other.execute("UPDATE runs SET host = 'elsewhere', pid = 999999999")
        assert ledger.history(["k1"])["k1"][0].alive

    def test_giving_up_marks_only_what_dead_runs_sent(self, ledger):
        dead, living = ledger.start(Purpose.JUDGE), ledger.start(Purpose.JUDGE)
        take(ledger, dead, "k1")
        take(ledger, living, "k2")
        ledger.finish(dead)
        assert ledger.give_up(["k1", "k2", "k3"]) == 1
        (lost,) = ledger.history(["k1"])["k1"]
        assert (lost.state, lost.reason, lost.may_be_billed) == (State.LOST, Reason.INTERRUPTED, True)
        assert ledger.spend("USD").held == 100  # the lost one may still be billed
        assert take(ledger, living, "k1").claimed is Claimed.YES

    def test_this_process_runs_and_an_impossible_one_does_not(self):
        assert is_running(os.getpid())
        assert is_running(1)
        assert not is_running(2**22 + 12345)


class TestBatches:
    def open(self, ledger, *keys, budget=None, run=None):
        run = run or ledger.start(Purpose.JUDGE)
        return ledger.open_batch(run, [request(k, run) for k in keys], budget=budget, currency="USD")

    def test_written_as_submitting_before_it_is_sent(self, ledger):
        batch, taken = self.open(ledger, "k1", "k2")
        assert (batch.count, batch.remote, [a.state for a in taken]) == (2, "", [State.SUBMITTING] * 2)
        ((row, attempts),) = ledger.batches(Purpose.JUDGE)
        assert (row.id, len(attempts), row.alive) == (batch.id, 2, True)

    def test_once_sent_it_can_be_fetched_whatever_happens_here(self, ledger, path, clock):
        batch, _ = self.open(ledger, "k1")
        ledger.batch_sent(batch, "msgbatch_1")
        second = SqliteLedger(path, clock.now)
        ((row, attempts),) = second.batches(Purpose.JUDGE)
        second.close()
        assert (row.remote, attempts[0].state, attempts[0].mode) == ("msgbatch_1", State.SENT, Mode.BATCH)

    def test_nothing_in_a_batch_is_asked_besides(self, ledger):
        batch, _ = self.open(ledger, "k1")
        ledger.batch_sent(batch, "msgbatch_1")
        ledger.finish(batch.run)
        assert take(ledger, ledger.start(Purpose.JUDGE)).claimed is Claimed.BUSY

    def test_only_what_is_free_and_within_the_budget_goes_in(self, ledger):
        run = ledger.start(Purpose.JUDGE)
        ledger.settle(finished(take(ledger, run, "k1").attempt, cost=0))
        batch, taken = self.open(ledger, "k1", "k2", "k3", "k4", budget=100, run=run)
        assert ([a.key for a in taken], batch.count) == (["k2", "k3"], 2)

    def test_batches_of_another_purpose_are_not_seen(self, ledger):
        """Responses cut at the limit are responses; judgements cut at the limit are none: each reads its own."""
        batch, _ = self.open(ledger, "k1", run=ledger.start(Purpose.RESPOND))
        ledger.batch_sent(batch, "msgbatch_1")
        assert ledger.batches(Purpose.JUDGE) == []
        assert len(ledger.batches(Purpose.RESPOND)) == 1
        assert ledger.known_batches() == {"msgbatch_1"}

    def test_an_empty_batch_is_closed_at_once(self, ledger):
        assert self.open(ledger)[1] == []
        assert ledger.batches(Purpose.JUDGE) == []

    def test_a_refused_batch_costs_nothing(self, ledger):
        batch, _ = self.open(ledger, "k1")
        ledger.batch_refused(batch, Reason.BAD_REQUEST, "no such model")
        (attempt,) = ledger.history(["k1"])["k1"]
        assert (attempt.state, attempt.reason, ledger.spend("USD")) == (
            State.UNSCORED,
            Reason.BAD_REQUEST,
            Spend(),
        )
        assert ledger.batches(Purpose.JUDGE) == []

    def test_a_batch_is_closed_when_its_last_attempt_is_settled(self, ledger):
        _, taken = self.open(ledger, "k1", "k2")
        ledger.settle(finished(taken[0]))
        assert [a.key for _, attempts in ledger.batches(Purpose.JUDGE) for a in attempts] == ["k2"]
        ledger.settle(finished(taken[1]))
        assert ledger.batches(Purpose.JUDGE) == []


def test_calibrations_are_kept_whole_and_in_order(ledger):
    first, second = lesson_003(), lesson_003()
    ledger.keep_calibration(first)
    ledger.keep_calibration(second)
    assert ledger.calibrations() == [first, second]


class TestTwoAtOnce:
    def test_threads_never_send_one_judgement_twice(self, ledger):
        won = []

        def work(run):
            won.extend(n for n in range(25) if take(ledger, run, f"k{n}").claimed is Claimed.YES)

        threads = [threading.Thread(target=work, args=(ledger.start(Purpose.JUDGE),)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(won) == list(range(25))

    def test_processes_never_send_one_judgement_twice(self, tmp_path):
        """Four processes race to create the file and to claim the same 40 judgements: each is claimed once."""
        program = (
            "import sys, datetime as dt, pathlib, json\n"
            "from lark_sheets.adapters.ledger import SqliteLedger\n"
            "from lark_sheets.core.judging.attempts import Attempt\n"
            "from lark_sheets.core.judging.reasons import Purpose\n"
            "ledger = SqliteLedger(pathlib.Path(sys.argv[1]), lambda: dt.datetime.now(dt.UTC))\n"
            "run = ledger.start(Purpose.JUDGE)\n"
            "won = [n for n in range(40) if ledger.claim(Attempt(id=0, key=f'k{n}', run=run, reserved=1), budget=None, currency='USD').claimed == 'yes']\n"
            "print(json.dumps(won)); sys.stdout.flush(); sys.stdin.read()\n"
        )
        path = str(tmp_path / "ledger.sqlite")
        children = [
            subprocess.Popen(
                [sys.executable, "-c", program, path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for _ in range(4)
        ]
        won = [json.loads(child.stdout.readline()) for child in children]  # all still alive here
        for child in children:
            child.communicate()
        assert sorted(n for part in won for n in part) == list(range(40))
        assert [child.returncode for child in children] == [0] * 4


class TestTheFile:
    def test_only_its_owner_may_read_it(self, ledger, path):
        """It holds replies and, for collected responses, names of runs."""
        if os.name == "posix":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def told(self, path, clock, error=DataError):
        with pytest.raises(error) as caught:
            SqliteLedger(path, clock.now)
        (problem,) = caught.value.problems
        assert problem.file == path.name
        return problem.code

    @pytest.mark.parametrize(
        "content",
        [
            b"not a database at all, but long enough to be read as one" * 40,
            b"SQLite format 3\x00" + b"\xff" * 4000,
        ],
    )
    def test_a_damaged_file_is_told_and_left_alone(self, path, clock, content):
        path.write_bytes(content)
        assert self.told(path, clock) == "ledger_damaged"
        assert path.read_bytes() == content

    def test_damage_inside_a_real_ledger_is_told(self, path, clock):
        ledger = SqliteLedger(path, clock.now)
        run = ledger.start(Purpose.JUDGE)
        for n in range(200):
            take(ledger, run, f"key-{n}" * 8)
        ledger.close()
        whole = bytearray(path.read_bytes())
        whole[4096 * 2 : 4096 * 12] = b"\x55" * 4096 * 10
        path.write_bytes(whole)
        assert self.told(path, clock) == "ledger_damaged"

    def test_another_programs_database_is_told_and_left_alone(self, path, clock):
        with database(path) as other:
            other.execute("CREATE TABLE theirs (x)")
        before = path.read_bytes()
        assert self.told(path, clock) == "ledger_foreign"
        assert path.read_bytes() == before

    def test_a_newer_ledger_is_refused(self, path, clock):
        SqliteLedger(path, clock.now).close()
        with database(path) as other:
            other.execute("PRAGMA user_version = 2")
        assert self.told(path, clock) == "ledger_newer"

    def test_a_folder_in_its_place_is_told(self, path, clock):
        path.mkdir()
        assert self.told(path, clock, MissingPiece) == "file_locked"

    def test_a_folder_that_is_not_there_is_told(self, tmp_path, clock):
        assert self.told(tmp_path / "gone" / "ledger.sqlite", clock, MissingPiece) == "file_locked"

    def test_an_empty_file_left_by_a_crash_becomes_a_ledger(self, path, clock):
        path.touch()
        ledger = SqliteLedger(path, clock.now)
        assert ledger.spend("USD") == Spend()
        ledger.close()

    def test_a_ledger_held_too_long_by_another_program_is_told(self, path, clock, monkeypatch):
        from lark_sheets.adapters.ledger import schema

        monkeypatch.setattr(schema, "WAIT_FOR_LOCK", 0.0)
        ledger = SqliteLedger(path, clock.now)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MissingPiece) as caught:
            ledger.start(Purpose.JUDGE)
        assert caught.value.problems[0].code == "file_locked"
        other.execute("ROLLBACK")
        other.close()
        assert ledger.start(Purpose.JUDGE)
        ledger.close()
