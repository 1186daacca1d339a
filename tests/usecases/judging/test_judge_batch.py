"""Batches: half the price, sent once, fetched whenever they are ready, whatever happened here in between."""

import datetime as dt
from dataclasses import replace

import pytest

from lark_sheets.core.judging.reasons import Reason, State
from lark_sheets.errors import UsageError
from lark_sheets.usecases import batching
from lark_sheets.usecases.judge_block import judge_block
from lark_sheets.usecases.judge_plan import JudgeOptions
from tests.adapters.judge.stub import BAD, OVERLOADED, Play, failed, succeeded
from tests.core.judging.samples import config, rubric
from tests.usecases.judging.bench import codes, one

SEND = JudgeOptions(batch=True)
"""Send and end; the next command fetches."""
BATCH = JudgeOptions(batch=True, wait=True)
NAMES = ("K01-A", "K01-B", "K02-A", "K02-B")


def created(stub):
    return [sent for sent in stub.journal if sent.method == "POST" and sent.path == "/v1/messages/batches"]


def test_sent_today_fetched_tomorrow(bench, stub):
    """The first command sends and ends; the second finds nothing ready; the third has the grades. One batch was sent."""
    stub.polls_before_end = 1
    first = bench.run(NAMES, options=SEND)
    assert {r for s in first.summaries for r in s.reasons} == {Reason.PENDING}
    assert one(first.problems, "judge_pending").parameters["count"] == 4
    assert first.exit_code == 0
    second = bench.run(NAMES, options=SEND)
    assert not any(s.scored for s in second.summaries)
    third = bench.run(NAMES, options=SEND)
    assert [s.total for s in third.summaries] == [8] * 4
    assert len(created(stub)) == 1
    assert stub.asked == []


def test_waiting_stays_until_it_is_back(bench, stub):
    stub.polls_before_end = 3
    run = bench.run(NAMES, options=BATCH)
    assert all(s.scored for s in run.summaries)
    assert bench.pace.waits == [batching.POLL] * 4
    assert bench.progress.steps == ["4 judgements are still in a batch"] * 4


def test_a_batch_costs_the_batch_price(bench, stub):
    """Half of 0.00088 a call."""
    run = bench.run(NAMES, options=BATCH)
    assert run.spent["settled"] == 4 * 440_000


def test_what_is_scored_is_not_sent_again(bench, stub):
    bench.run(NAMES[:2])
    bench.run(NAMES, options=BATCH)
    (sent,) = created(stub)
    assert len(sent.body["requests"]) == 2
    bench.run(NAMES, options=BATCH)
    assert len(created(stub)) == 1


def test_nothing_in_a_batch_is_asked_live(bench, stub):
    bench.run(NAMES, options=SEND)
    run = bench.run(NAMES)
    assert stub.asked == []
    assert {r for s in run.summaries for r in s.reasons} == {Reason.PENDING}


def test_partial_failures_lose_only_themselves(bench, stub):
    """Shuffled, one expired, one errored, one repeated, one of somebody else, one missing: two grades, each reason told."""

    def lines(requests):
        a, b, c, _ = requests
        return [
            failed(c, "expired"),
            succeeded(b),
            succeeded(b, Play(grades={"format": 0})),
            failed(a, "errored"),
            {**succeeded(a), "custom_id": "other"},
        ]

    stub.batch_lines = lines
    run = bench.run(NAMES, options=BATCH)
    reasons = [dict(s.reasons) for s in run.summaries]
    assert reasons == [{Reason.ERRORED: 1}, {}, {Reason.EXPIRED: 1}, {Reason.MISSING_RESULT: 1}]
    assert run.summaries[1].total == 8  # the first result of a request counts, not the later one
    assert (
        one(run.problems, "judge_batch_odd").found
        == "repeated results 1, results of other requests 1, missing results 1"
    )
    stub.batch_lines = None
    again = bench.run(NAMES, options=BATCH)
    assert [s.total for s in again.summaries] == [8] * 4
    assert [len(sent.body["requests"]) for sent in created(stub)] == [4, 3]


def test_replies_of_another_form_are_asked_once_more_by_the_next_batch(bench, stub):
    stub.batch_lines = lambda requests: [succeeded(r, Play(text="no JSON")) for r in requests]
    bench.run(NAMES[:1], options=BATCH)
    second = bench.run(NAMES[:1], options=BATCH)
    assert second.summaries[0].reasons == {Reason.NOT_JSON: 1}
    bench.run(NAMES[:1], options=BATCH)
    assert len(created(stub)) == 2


def test_a_cut_reply_goes_into_the_next_batch_with_twice_the_room(bench, stub):
    stub.batch_lines = lambda requests: [succeeded(r, Play(text="{", stop="max_tokens")) for r in requests]
    bench.run(NAMES[:1], options=BATCH, settings=config(max_tokens=1000))
    bench.run(NAMES[:1], options=BATCH, settings=config(max_tokens=1000))
    assert [sent.body["requests"][0]["params"]["max_tokens"] for sent in created(stub)] == [1000, 2000]


def test_the_ids_are_the_keys(bench, stub):
    run = bench.run(NAMES, options=BATCH)
    (sent,) = created(stub)
    assert {line["custom_id"] for line in sent.body["requests"]} == set(run.plan.keys.values())


def test_no_batch_grows_beyond_the_limit(bench, stub, monkeypatch):
    monkeypatch.setattr(batching, "MOST_REQUESTS", 3)
    run = bench.run(NAMES, options=BATCH)
    assert [len(sent.body["requests"]) for sent in created(stub)] == [3, 1]
    assert all(s.scored for s in run.summaries)


def test_nor_beyond_its_bytes(bench, stub, monkeypatch):
    monkeypatch.setattr(batching, "MOST_BYTES", 20_000)
    bench.run(NAMES, options=BATCH)
    assert len(created(stub)) > 1


@pytest.mark.parametrize(
    ("play", "code", "exit_code"), [(BAD, "judge_misconfigured", 2), (OVERLOADED, "judge_paused", 3)]
)
def test_a_refused_batch_costs_nothing_and_can_be_sent_again(bench, stub, play, code, exit_code):
    stub.queue = [play]
    run = bench.run(NAMES, options=BATCH)
    assert code in codes(run.problems)
    assert run.exit_code == exit_code
    assert (run.spent["settled"], run.spent["held"]) == (0, 0)
    again = bench.run(NAMES, options=BATCH)
    assert all(s.scored for s in again.summaries)


def test_a_provider_without_batches_is_told(bench, judge):
    bench.needs = replace(
        bench.needs, judge=type("Cloud", (), {"provider": "bedrock", "batches": False, "recorded": False})()
    )
    with pytest.raises(UsageError) as caught:
        bench.run(options=BATCH)
    assert caught.value.problems[0].code == "judge_no_batches"


def test_the_budget_holds_for_batches(bench, stub):
    from fractions import Fraction

    run = bench.run(NAMES, options=replace(BATCH, budget=Fraction(5, 100)))
    (sent,) = created(stub)
    assert len(sent.body["requests"]) == 2
    assert "judge_budget" in codes(run.problems)


class TestCutOff:
    """The process died between writing the batch and learning its id."""

    def cut_off(self, bench, stub, *, arrived):
        """Leave the ledger as a killed command would: submitting, without an id."""
        plan = bench.plan(NAMES, options=BATCH)
        run = bench.ledger.start("judge")
        from lark_sheets.core.judging.reasons import Mode
        from lark_sheets.usecases.asking import new_attempt

        terms = BATCH.terms(plan.prompt.config, "judge")
        attempts = [
            new_attempt(t, t.request(4096), run=run, mode=Mode.BATCH, needs=bench.needs, terms=terms)
            for t in plan.tasks
        ]
        bench.ledger.open_batch(run, attempts, budget=None, currency="USD")
        if arrived:
            bench.needs.judge.submit({t.key: t.request(4096) for t in plan.tasks})
        bench.ledger.finish(run)
        return plan

    def test_one_that_arrived_is_found_by_its_results_and_not_paid_twice(self, bench, stub):
        self.cut_off(bench, stub, arrived=True)
        stub.batches["msgbatch_1"]["polls"] = 5
        run = bench.run(NAMES, options=BATCH)
        assert [s.total for s in run.summaries] == [8] * 4
        assert len(created(stub)) == 1

    def test_one_that_is_still_at_work_cannot_be_told_yet_and_nothing_is_sent(self, bench, stub):
        self.cut_off(bench, stub, arrived=True)
        stub.polls_before_end = 99
        run = bench.run(NAMES, options=replace(SEND, consent=True))
        told = one(run.problems, "judge_batch_unsure")
        assert (told.parameters["count"], told.found) == (4, "msgbatch_1")
        assert len(created(stub)) == 1

    def test_one_that_never_arrived_is_sent_again_with_consent_only(self, bench, stub):
        self.cut_off(bench, stub, arrived=False)
        shy = bench.run(NAMES, options=BATCH)
        assert one(shy.problems, "judge_batch_unsure").found == "--consent"
        assert created(stub) == []
        run = bench.run(NAMES, options=replace(BATCH, consent=True))
        assert all(s.scored for s in run.summaries)
        assert len(created(stub)) == 1

    def test_another_batch_of_the_same_size_is_not_taken_for_ours(self, bench, stub):
        self.cut_off(bench, stub, arrived=False)
        bench.needs.judge.submit({f"foreign-{n}": bench.plan(NAMES).tasks[n].request(100) for n in range(4)})
        stub.batches["msgbatch_1"]["polls"] = 5
        run = bench.run(NAMES, options=replace(BATCH, consent=True))
        assert all(s.scored for s in run.summaries)
        assert len(created(stub)) == 2


def test_a_batch_judged_under_an_older_rubric_is_kept_for_it(bench, stub):
    """The rubric changed while the batch was out: its grades do not serve the new rubric, and are there when it is restored."""
    from lark_sheets.core.rubric import to_plain
    from lark_sheets.core.rubric_reading import from_plain

    bench.run(NAMES, options=SEND)
    plain = to_plain(rubric())
    plain["criteria"][0]["anchors"][0]["description"]["en"] += " indeed"
    changed = bench.run(NAMES, options=SEND, of=from_plain(plain))
    assert {r for s in changed.summaries for r in s.reasons} == {
        Reason.PENDING
    }  # its own batch, sent just now
    restored = bench.run(NAMES, options=BATCH)
    assert [s.total for s in restored.summaries] == [8] * 4
    assert len(created(stub)) == 2


def test_live_and_batch_give_the_same_block_but_for_the_price(bench, stub, tmp_path, judge):
    from tests.usecases.judging.bench import Bench

    other = Bench(tmp_path / "other.sqlite", judge)
    live, batch = judge_block(other.run(NAMES)), judge_block(bench.run(NAMES, options=BATCH))
    other.close()
    for block in (live, batch):
        del block["spend"], block["conditions"]["mode"]
    assert live == batch


def test_what_came_back_is_in_the_ledger_as_scored(bench, stub):
    run = bench.run(NAMES, options=BATCH)
    history = bench.ledger.history(list(run.plan.keys.values()))
    assert {a.state for attempts in history.values() for a in attempts} == {State.SCORED}
    assert dt.datetime.fromisoformat(next(iter(history.values()))[0].ended_at) == bench.moment
