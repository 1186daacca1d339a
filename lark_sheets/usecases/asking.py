"""What everything that asks a model shares: tasks, terms, attempts before and after, and how a thing stands in the end.

Live calls: :mod:`lark_sheets.usecases.asking_live`. Batches: :mod:`lark_sheets.usecases.batching`.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from lark_sheets.core.judging.attempts import Attempt, Do, what_next
from lark_sheets.core.judging.exchange import Answer, Fault, ModelRequest, Reply
from lark_sheets.core.judging.money import Price, cost, guessed_tokens, in_force, worst_case
from lark_sheets.core.judging.parsing import Unscored
from lark_sheets.core.judging.reasons import UNASKED, Mode, Purpose, Reason, State
from lark_sheets.core.language import Translator
from lark_sheets.ports import Judge, Ledger, Pace, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to ask. ``request`` builds it for a number of reply tokens, ``read`` says why a reply is unscored, or None."""

    key: str
    subject: str
    repeat: int
    request: Callable[[int], ModelRequest]
    read: Callable[[Reply], Unscored | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingNeeds:
    """The outside world of every use case that asks a model; ``now`` gives the time, ``nonce`` a fresh random word."""

    judge: Judge
    ledger: Ledger
    pace: Pace
    progress: Progress
    translate: Translator
    now: Callable[[], dt.datetime]
    prices: Sequence[Price] = ()
    price_table: str = "prices.csv"
    nonce: Callable[[], str] = field(default=lambda: secrets.token_hex(8))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a run may ask. ``budget`` is in billionths of ``currency`` and counts what earlier runs of the ledger spent.

    ``again`` asks once more what was settled without a grade; ``consent`` what a dead run may have been billed for.
    """

    purpose: Purpose
    model: str
    max_tokens: int
    concurrency: int = 8
    budget: int | None = None
    currency: str = "USD"
    again: bool = False
    consent: bool = False


class Stop(StrEnum):
    """Why a run ended before everything was asked."""

    AUTH = "auth"
    BILLING = "billing"
    MISCONFIGURED = "misconfigured"
    PAUSED = "paused"
    BUDGET = "budget"
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Why and on what word of the service a run stopped."""

    stop: Stop
    detail: str = ""


def price_of(needs: AskingNeeds, terms: Terms, mode: Mode, prompt: int) -> Price | None:
    """Return the price in force for one request."""
    return in_force(
        needs.prices,
        provider=needs.judge.provider,
        model=terms.model,
        mode=mode,
        day=needs.now().date(),
        prompt=prompt,
    )


def new_attempt(
    task: Task, request: ModelRequest, *, run: str, mode: Mode, needs: AskingNeeds, terms: Terms
) -> Attempt:
    """Return the attempt to write before a request leaves, with its worst-case cost."""
    prompt = guessed_tokens(request)
    return Attempt(
        id=0,
        key=task.key,
        run=run,
        subject=task.subject,
        repeat=task.repeat,
        mode=mode,
        model=request.model,
        max_tokens=request.max_tokens,
        reserved=0
        if needs.judge.recorded
        else worst_case(prompt, request.max_tokens, price_of(needs, terms, mode, prompt)),
    )


def settled(
    attempt: Attempt,
    answer: Answer,
    read: Callable[[Reply], Unscored | None],
    *,
    needs: AskingNeeds,
    terms: Terms,
) -> Attempt:
    """Return what an answer makes of an attempt: scored, or unscored for a reason, with what it cost.

    A fault costs nothing unless the service may have worked: then, as where it told no usage, the cost stays unknown.
    """
    if isinstance(answer, Fault):
        return replace(
            attempt,
            state=State.UNSCORED,
            reason=answer.reason,
            detail=answer.detail,
            request_id=answer.request_id,
            cost=None if answer.may_be_billed else 0,
            may_be_billed=answer.may_be_billed,
            final=answer.final,
        )
    unscored = read(answer)
    price = None
    if answer.usage is not None:
        price = price_of(needs, terms, attempt.mode, answer.usage.prompt)
    known = None if answer.usage is None else cost(answer.usage, price)
    return replace(
        attempt,
        state=State.SCORED if unscored is None else State.UNSCORED,
        reason=None if unscored is None else unscored.reason,
        detail="" if unscored is None else unscored.detail,
        served=answer.served,
        stop_reason=answer.stop_reason,
        request_id=answer.request_id,
        usage=answer.usage,
        cost=0 if needs.judge.recorded else known,
        text=answer.text,
    )


def money(billionths: int | None, currency: str, t: Translator) -> str:
    """Return an amount as people read it, to four places: a call costs thousandths."""
    if billionths is None:
        return t("price unknown")
    return f"{t.decimal(Fraction(billionths, 10**9), 4)} {currency}"


def outcome_of(history: Sequence[Attempt], stopped: Stopped | None) -> Attempt | Unscored:
    """Return how one thing stands after a run: the attempt whose reply counts, or why there is none."""
    step = what_next(history, run="", max_tokens=0)
    last = history[-1] if history else None
    match step.do:
        case Do.USE if step.attempt is not None:
            return step.attempt
        case Do.PENDING:
            return Unscored(reason=Reason.PENDING)
        case Do.WAIT:
            return Unscored(reason=Reason.ELSEWHERE)
        case Do.CONSENT:
            return Unscored(reason=Reason.INTERRUPTED)
    if last is not None and last.reason is not None and last.reason not in UNASKED:
        return Unscored(reason=last.reason, detail=last.detail)
    if last is not None:
        return Unscored(reason=Reason.INTERRUPTED)
    budget = stopped is not None and stopped.stop is Stop.BUDGET
    return Unscored(reason=Reason.BUDGET if budget else Reason.NOT_ASKED)
