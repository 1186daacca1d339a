"""Why a judgement has no grade, and what that means for asking again."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """The named reasons for which a judgement is unscored. Counted apart, never turned into a number."""

    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    CONTEXT = "context"
    OTHER_STOP = "other_stop"
    NOT_JSON = "not_json"
    SCHEMA = "schema"
    NOT_INTEGER = "not_integer"
    RANGE = "range"
    WRONG_LABEL = "wrong_label"
    MISSING_CRITERION = "missing_criterion"
    MISSING_FIELD = "missing_field"
    DUPLICATE_FIELD = "duplicate_field"
    UNKNOWN_FIELD = "unknown_field"
    ORDER = "order"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER = "server"
    NETWORK = "network"
    BAD_GATEWAY_BODY = "bad_gateway_body"
    BAD_REQUEST = "bad_request"
    AUTH = "auth"
    BILLING = "billing"
    EXPIRED = "expired"
    CANCELED = "canceled"
    ERRORED = "errored"
    MISSING_RESULT = "missing_result"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    PENDING = "pending"
    ELSEWHERE = "elsewhere"
    NOT_ASKED = "not_asked"


FORMAT_FAULTS = frozenset(
    {
        Reason.NOT_JSON,
        Reason.SCHEMA,
        Reason.NOT_INTEGER,
        Reason.RANGE,
        Reason.WRONG_LABEL,
        Reason.MISSING_CRITERION,
        Reason.MISSING_FIELD,
        Reason.DUPLICATE_FIELD,
        Reason.UNKNOWN_FIELD,
        Reason.ORDER,
    }
)
"""The reply came whole but is not the form asked for: asked once more, then settled."""

SETTLED = frozenset({Reason.REFUSAL, Reason.CONTEXT, Reason.OTHER_STOP, Reason.BAD_REQUEST})
"""Asking again would most likely give the same: kept, and asked again only when a person wants it."""

BROKEN_LINES = frozenset({Reason.NETWORK, Reason.BAD_GATEWAY_BODY})
"""No reply arrived, yet the service may have worked and billed."""

TRANSIENT = frozenset({Reason.RATE_LIMITED, Reason.OVERLOADED, Reason.SERVER}) | BROKEN_LINES
"""Worth waiting for: asked again within the run, and again by the next run."""

STOPPING = frozenset({Reason.AUTH, Reason.BILLING})
"""Every further call would fail alike: the run stops at once."""

UNASKED = frozenset({Reason.BUDGET, Reason.INTERRUPTED, Reason.PENDING, Reason.ELSEWHERE, Reason.NOT_ASKED})
"""No reply exists yet; these are no faults of the judge."""


class State(StrEnum):
    """What the ledger knows of one attempt. The row is written before the request leaves."""

    SUBMITTING = "submitting"
    SENT = "sent"
    SCORED = "scored"
    UNSCORED = "unscored"
    LOST = "lost"
    """Sent by a run that died; given up when a person agreed to ask again. It may have been billed."""


class Mode(StrEnum):
    """How a request travels: one call at a time, or in a batch at half price."""

    LIVE = "live"
    BATCH = "batch"


class Purpose(StrEnum):
    """What a request is for. A calibration asks the judge, so its replies serve both."""

    JUDGE = "judge"
    RESPOND = "respond"
