"""What follows from the attempts at one judgement: use it, ask (again), wait, or leave it without a grade."""

import itertools

import pytest

from lark_sheets.core.judging.attempts import RETRIES, Attempt, Do, wait_before, what_next
from lark_sheets.core.judging.reasons import (
    FORMAT_FAULTS,
    SETTLED,
    STOPPING,
    TRANSIENT,
    UNASKED,
    Mode,
    Reason,
    State,
)

NOW, BEFORE = "run-2", "run-1"


def tried(state=State.UNSCORED, reason=None, run=NOW, **changes):
    return Attempt(**{"id": 1, "key": "k", "run": run, "state": state, "reason": reason} | changes)


def do(*history, **options):
    return what_next(history, run=NOW, max_tokens=1000, **options)


def test_a_new_judgement_is_asked_with_the_configured_limit():
    assert (do().do, do().max_tokens) == (Do.ASK, 1000)


def test_a_scored_one_is_used_whatever_went_before():
    step = do(tried(reason=Reason.NOT_JSON), tried(State.SCORED, text="x"))
    assert (step.do, step.attempt.text) == (Do.USE, "x")


@pytest.mark.parametrize("reason", sorted(SETTLED))
@pytest.mark.parametrize("run", [NOW, BEFORE])
def test_a_refusal_and_its_like_are_not_asked_twice(reason, run):
    """Neither in this run nor in the next; only when a person asks for it, and then once."""
    assert do(tried(reason=reason, run=run)).do is Do.SETTLED
    assert do(tried(reason=reason, run=BEFORE), again=True).do is Do.ASK
    assert do(tried(reason=reason, run=NOW), again=True).do is Do.SETTLED


@pytest.mark.parametrize("reason", sorted(FORMAT_FAULTS))
def test_another_form_is_asked_once_more(reason):
    assert do(tried(reason=reason)).do is Do.ASK
    assert do(tried(reason=reason), tried(reason=Reason.SCHEMA)).do is Do.SETTLED
    assert do(tried(reason=reason, run=BEFORE), tried(reason=reason, run=BEFORE)).do is Do.SETTLED


def test_a_cut_reply_is_asked_once_more_with_twice_the_room():
    assert (do(tried(reason=Reason.TRUNCATED)).do, do(tried(reason=Reason.TRUNCATED)).max_tokens) == (
        Do.ASK,
        2000,
    )
    assert do(tried(reason=Reason.TRUNCATED), tried(reason=Reason.TRUNCATED)).do is Do.SETTLED


@pytest.mark.parametrize("reason", sorted(TRANSIENT))
def test_a_failing_service_is_asked_five_times_in_a_run(reason):
    """The request and four retries; what earlier runs suffered does not count."""
    assert do(*[tried(reason=reason)] * RETRIES).do is Do.ASK
    assert do(*[tried(reason=reason)] * (RETRIES + 1)).do is Do.GIVE_UP
    assert do(*[tried(reason=reason, run=BEFORE)] * 20).do is Do.ASK


def test_a_service_that_says_not_to_retry_is_believed_for_this_run():
    assert do(tried(reason=Reason.SERVER, final=True)).do is Do.GIVE_UP
    assert do(tried(reason=Reason.SERVER, final=True, run=BEFORE)).do is Do.ASK


def test_what_a_dead_run_sent_needs_consent():
    """It may have been billed; asking again may pay twice, so a person decides."""
    orphan = tried(State.SENT, run=BEFORE)
    assert do(orphan).do is Do.CONSENT
    assert do(orphan, consent=True).do is Do.ASK


def test_what_another_run_is_asking_right_now_is_left_to_it():
    assert do(tried(State.SENT, run=BEFORE, alive=True), consent=True).do is Do.WAIT


@pytest.mark.parametrize("state", [State.SENT, State.SUBMITTING])
def test_what_lies_in_a_batch_is_not_asked_besides(state):
    assert do(tried(state, run=BEFORE, mode=Mode.BATCH), consent=True).do is Do.PENDING


@pytest.mark.parametrize(
    "reason", [Reason.EXPIRED, Reason.CANCELED, Reason.ERRORED, Reason.MISSING_RESULT, Reason.AUTH]
)
def test_what_was_never_answered_is_asked_again_by_the_next_run(reason):
    assert do(tried(reason=reason, run=BEFORE)).do is Do.ASK


def test_a_lost_attempt_counts_for_nothing():
    assert do(tried(State.LOST, Reason.INTERRUPTED, run=BEFORE)).do is Do.ASK


def test_no_judgement_is_asked_for_ever():
    """Whatever mixture of two faults comes, the number of requests in one run is bounded: at most 2 + 2 + 5."""
    for first, second in itertools.product(Reason, repeat=2):
        history, asked = [], 0
        while do(*history).do is Do.ASK:
            history.append(tried(reason=(first, second)[asked % 2]))
            asked += 1
            assert asked <= 9, (first, second)


def test_every_reason_has_a_place():
    """No reason is forgotten: each is a fault of form, settled, transient, stopping, unasked, or a fate of a batch."""
    batch = {Reason.EXPIRED, Reason.CANCELED, Reason.ERRORED, Reason.MISSING_RESULT}
    groups = [FORMAT_FAULTS, SETTLED, TRANSIENT, STOPPING, UNASKED, batch, {Reason.TRUNCATED}]
    assert sorted(reason for group in groups for reason in group) == sorted(Reason)


@pytest.mark.parametrize(
    ("retry", "asked", "wait"),
    [
        (1, None, 1),
        (2, None, 2),
        (3, None, 4),
        (4, None, 8),
        (9, None, 60),
        (1, 2.0, 2),
        (1, 60, 60),
        (1, 61, None),
        (1, 3600, None),
        (1, -5, 0),
    ],
)
def test_waits_double_unless_the_service_says_how_long(retry, asked, wait):
    """A service that asks for more than a minute pauses the run instead of holding it."""
    assert wait_before(retry, asked) == wait
