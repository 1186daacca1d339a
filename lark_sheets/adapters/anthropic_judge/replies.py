"""From the library's objects to ours. They are built without checks, so anything may be missing from them."""

from __future__ import annotations

from typing import Any

from lark_sheets.adapters.anthropic_judge.faults import Unreadable, shown
from lark_sheets.core.judging.exchange import BatchAnswer, BatchStatus, Fault, Reply, Usage, whole_text
from lark_sheets.core.judging.reasons import Reason

BATCH_FATES = {"canceled": Reason.CANCELED, "expired": Reason.EXPIRED}


def reply_of(message: Any) -> Reply:
    """Return a message as a reply: the text of its text blocks (thinking comes before them), why it stopped, its tokens.

    Raises :class:`Unreadable` for a body that is no message (a proxy's page, another JSON).
    """
    content = getattr(message, "content", None)
    if not isinstance(content, list):
        raise Unreadable(str(message))
    text = "".join(
        str(getattr(block, "text", "") or "") for block in content if getattr(block, "type", "") == "text"
    )
    details = getattr(message, "stop_details", None)
    return Reply(
        text=whole_text(text),
        stop_reason=str(getattr(message, "stop_reason", "") or ""),
        served=str(getattr(message, "model", "") or ""),
        request_id=str(getattr(message, "_request_id", "") or getattr(message, "id", "") or ""),
        usage=_usage(getattr(message, "usage", None)),
        refusal=str(getattr(details, "category", "") or ""),
    )


def _usage(usage: Any) -> Usage | None:
    counted, written = getattr(usage, "input_tokens", None), getattr(usage, "output_tokens", None)
    if not isinstance(counted, int) or not isinstance(written, int):
        return None
    cached = getattr(usage, "cache_creation_input_tokens", None) or 0
    hour = getattr(getattr(usage, "cache_creation", None), "ephemeral_1h_input_tokens", None) or 0
    thought = getattr(getattr(usage, "output_tokens_details", None), "thinking_tokens", None) or 0
    return Usage(
        input=counted,
        output=written,
        cache_write=max(0, cached - hour),
        cache_write_hour=hour,
        cache_read=getattr(usage, "cache_read_input_tokens", None) or 0,
        thinking=thought,
    )


def status_of(batch: Any) -> BatchStatus:
    """Return how a batch stands. Raises :class:`Unreadable` for a body that is none."""
    name = getattr(batch, "id", None)
    if not isinstance(name, str) or not name:
        raise Unreadable(str(batch))
    counts = getattr(batch, "request_counts", None)
    kinds = ("processing", "succeeded", "errored", "canceled", "expired")
    created = getattr(batch, "created_at", None)
    return BatchStatus(
        id=name,
        ended=getattr(batch, "processing_status", "") == "ended",
        total=sum(getattr(counts, kind, 0) or 0 for kind in kinds),
        created="" if created is None else str(created.isoformat()),
        results=bool(getattr(batch, "results_url", None)),
    )


def batch_answer_of(line: Any, secret: str) -> BatchAnswer:
    """Return one line of a batch's results."""
    name = str(getattr(line, "custom_id", "") or "")
    result = getattr(line, "result", None)
    kind = str(getattr(result, "type", "") or "")
    if kind == "succeeded":
        try:
            return BatchAnswer(id=name, answer=reply_of(getattr(result, "message", None)))
        except Unreadable as error:
            fault = Fault(
                reason=Reason.BAD_GATEWAY_BODY, detail=shown(str(error), secret), may_be_billed=True
            )
            return BatchAnswer(id=name, answer=fault)
    if kind in BATCH_FATES:
        return BatchAnswer(id=name, answer=Fault(reason=BATCH_FATES[kind], detail=kind))
    inner = getattr(getattr(result, "error", None), "error", None)
    said = f"{getattr(inner, 'type', kind)}: {getattr(inner, 'message', '')}"
    wrong = getattr(inner, "type", "") == "invalid_request_error"
    return BatchAnswer(
        id=name,
        answer=Fault(reason=Reason.BAD_REQUEST if wrong else Reason.ERRORED, detail=shown(said, secret)),
    )
