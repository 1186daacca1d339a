"""What the ledger remembers of one request, and what follows from all attempts at one judgement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from lark_sheets.core.judging.exchange import Usage
from lark_sheets.core.judging.reasons import FORMAT_FAULTS, SETTLED, TRANSIENT, Mode, Reason, State

RETRIES = 4
"""How often a run asks again after the service failed (429, 529, 5xx, no connection): five requests in all."""
ASKED_AGAIN = FORMAT_FAULTS | TRANSIENT | {Reason.TRUNCATED}
"""What a run asks again by itself, within limits; after anything else it leaves the judgement to the next run."""
FORMAT_TRIES = 2
"""A reply that is not the form asked for is asked once more, then settled."""
LONGEST_WAIT = 60.0
"""Seconds. A service that asks to wait longer pauses the run instead."""
FIRST_WAIT = 1.0
"""Seconds before the first retry when the service names no time; each later one doubles it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request, from before it was sent. Money is in billionths of ``currency``; None where it is unknown.

    ``reserved`` is the most it can cost; it stays held as long as the true cost is unknown and a bill is possible.
    ``alive`` says, of a request not yet answered, that the run which sent it is still at work.
    """

    id: int
    key: str
    run: str
    subject: str = ""
    repeat: int = 0
    state: State = State.SENT
    mode: Mode = Mode.LIVE
    reason: Reason | None = None
    detail: str = ""
    batch: str = ""
    model: str = ""
    served: str = ""
    stop_reason: str = ""
    request_id: str = ""
    max_tokens: int = 0
    usage: Usage | None = None
    reserved: int | None = None
    cost: int | None = None
    currency: str = ""
    may_be_billed: bool = False
    final: bool = False
    alive: bool = False
    sent_at: str = ""
    ended_at: str = ""
    text: str = ""


class Claimed(StrEnum):
    """What came of asking the ledger for the right to send one request."""

    YES = "yes"
    SCORED = "scored"
    """Another run has scored it meanwhile."""
    BUSY = "busy"
    """Another run is asking it right now, or it lies in a batch."""
    OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The ledger's answer; ``attempt`` is the row written, or the one that was found."""

    claimed: Claimed
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRow:
    """A batch as the ledger knows it. ``remote`` is the service's id, empty until it is known to have arrived."""

    id: str
    run: str
    remote: str = ""
    count: int = 0
    submitted: str = ""
    alive: bool = False


class Do(StrEnum):
    """What to do about one judgement, given its attempts."""

    USE = "use"
    """It is scored: nothing is sent."""
    ASK = "ask"
    SETTLED = "settled"
    """It has no grade, for a reason that would repeat: nothing is sent."""
    GIVE_UP = "give_up"
    """The service failed too often in this run; the next run asks again."""
    CONSENT = "consent"
    """A dead run sent it and may have been billed: a person decides."""
    WAIT = "wait"
    """Another run is asking it right now."""
    PENDING = "pending"
    """It lies in a batch that has not come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The next thing to do; ``attempt`` is the one that decides, ``max_tokens`` what to ask with."""

    do: Do
    attempt: Attempt | None = None
    max_tokens: int = 0


def what_next(
    history: Sequence[Attempt], *, run: str, max_tokens: int, again: bool = False, consent: bool = False
) -> Step:
    """Decide from all attempts at one key, oldest first.

    ``run`` is the run that asks, ``max_tokens`` the configured limit (doubled after one cut reply). ``again`` forgets
    what earlier runs settled without a grade; ``consent`` allows asking again what may have been billed.
    """
    if scored := [a for a in history if a.state is State.SCORED]:
        return Step(do=Do.USE, attempt=scored[-1])
    for attempt in history:
        if attempt.state in (State.SENT, State.SUBMITTING) and attempt.run != run:
            if attempt.mode is Mode.BATCH:
                return Step(do=Do.PENDING, attempt=attempt)
            if attempt.alive:
                return Step(do=Do.WAIT, attempt=attempt)
            if not consent:
                return Step(do=Do.CONSENT, attempt=attempt)
    counted = [a for a in history if a.state is State.UNSCORED and (not again or a.run == run)]
    last = counted[-1] if counted else None
    faults = sum(a.reason in FORMAT_FAULTS for a in counted)
    cut = [a for a in counted if a.reason is Reason.TRUNCATED]
    failed = [a for a in counted if a.reason in TRANSIENT and a.run == run]
    settled = [a for a in counted if a.reason in SETTLED]
    if settled:
        return Step(do=Do.SETTLED, attempt=settled[-1])
    if faults >= FORMAT_TRIES or len(cut) > 1:
        return Step(do=Do.SETTLED, attempt=last)
    if len(failed) > RETRIES or any(a.final for a in failed):
        return Step(do=Do.GIVE_UP, attempt=failed[-1])
    if last is not None and last.run == run and last.reason not in ASKED_AGAIN:
        return Step(do=Do.GIVE_UP, attempt=last)
    return Step(do=Do.ASK, attempt=last, max_tokens=max_tokens * 2 if cut else max_tokens)


def wait_before(retry: int, retry_after: float | None) -> float | None:
    """Return the seconds to wait before retry number ``retry`` (1, 2 ...), or None when the run should pause instead.

    What the service asks for is honoured up to :data:`LONGEST_WAIT`; without a word from it the wait doubles from 1 s.
    """
    if retry_after is None:
        return min(LONGEST_WAIT, FIRST_WAIT * float(2 ** (retry - 1)))
    return max(0.0, retry_after) if retry_after <= LONGEST_WAIT else None
