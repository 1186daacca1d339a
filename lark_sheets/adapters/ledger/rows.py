"""Attempts as rows of the ledger, and back."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lark_sheets.core.judging.attempts import Attempt
from lark_sheets.core.judging.exchange import Usage
from lark_sheets.core.judging.reasons import Mode, Purpose, Reason, State

Cell = str | int | None

NAMES = (
    "id",
    "key",
    "run",
    "subject",
    "repeat",
    "state",
    "mode",
    "reason",
    "detail",
    "batch",
    "model",
    "served",
    "stop_reason",
    "request_id",
    "max_tokens",
    "input",
    "output",
    "cache_write",
    "cache_write_hour",
    "cache_read",
    "thinking",
    "reserved",
    "cost",
    "currency",
    "may_be_billed",
    "final",
    "sent_at",
    "ended_at",
    "text",
)
COLUMNS = ", ".join(NAMES)


def attempt_of(row: Sequence[Cell], alive: Collection[str]) -> Attempt:
    """Return the attempt that a row of :data:`COLUMNS` holds; ``alive`` are the runs at work."""
    cell = dict(zip(NAMES, row, strict=True))

    def text(name: str) -> str:
        return "" if cell[name] is None else str(cell[name])

    def number(name: str) -> int:
        return int(cell[name] or 0)

    def money(name: str) -> int | None:
        value = cell[name]
        return None if value is None else int(value)

    state = State(text("state"))
    usage = None
    if cell["output"] is not None:
        usage = Usage(
            input=number("input"),
            output=number("output"),
            cache_write=number("cache_write"),
            cache_write_hour=number("cache_write_hour"),
            cache_read=number("cache_read"),
            thinking=number("thinking"),
        )
    return Attempt(
        id=number("id"),
        key=text("key"),
        run=text("run"),
        subject=text("subject"),
        repeat=number("repeat"),
        state=state,
        mode=Mode(text("mode")),
        reason=Reason(text("reason")) if cell["reason"] else None,
        detail=text("detail"),
        batch=text("batch"),
        model=text("model"),
        served=text("served"),
        stop_reason=text("stop_reason"),
        request_id=text("request_id"),
        max_tokens=number("max_tokens"),
        usage=usage,
        reserved=money("reserved"),
        cost=money("cost"),
        currency=text("currency"),
        may_be_billed=bool(cell["may_be_billed"]),
        final=bool(cell["final"]),
        alive=state in (State.SENT, State.SUBMITTING) and text("run") in alive,
        sent_at=text("sent_at"),
        ended_at=text("ended_at"),
        text=text("text"),
    )


def values_of(attempt: Attempt, purpose: Purpose) -> tuple[str, list[Cell]]:
    """Return column names and values that write a new attempt, one that has no reply yet."""
    cells: dict[str, Cell] = {
        "key": attempt.key,
        "run": attempt.run,
        "purpose": str(purpose),
        "subject": attempt.subject,
        "repeat": attempt.repeat,
        "state": str(attempt.state),
        "mode": str(attempt.mode),
        "batch": int(attempt.batch) if attempt.batch else None,
        "model": attempt.model,
        "max_tokens": attempt.max_tokens,
        "reserved": attempt.reserved,
        "currency": attempt.currency,
        "sent_at": attempt.sent_at,
    }
    return ", ".join(cells), list(cells.values())


def settled_values(attempt: Attempt) -> tuple[str, list[Cell]]:
    """Return assignments and values that write what became of an attempt."""
    usage = attempt.usage
    cells: dict[str, Cell] = {
        "state": str(attempt.state),
        "reason": None if attempt.reason is None else str(attempt.reason),
        "detail": attempt.detail,
        "served": attempt.served,
        "stop_reason": attempt.stop_reason,
        "request_id": attempt.request_id,
        "cost": attempt.cost,
        "may_be_billed": int(attempt.may_be_billed),
        "final": int(attempt.final),
        "ended_at": attempt.ended_at,
        "text": attempt.text,
    }
    for name in ("input", "output", "cache_write", "cache_write_hour", "cache_read", "thinking"):
        cells[name] = None if usage is None else int(getattr(usage, name))
    return ", ".join(f"{name} = ?" for name in cells), list(cells.values())
