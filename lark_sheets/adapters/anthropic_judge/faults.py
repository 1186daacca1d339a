"""From the library's exceptions to named faults: whether to wait, to stop, and whether it may have been billed."""

from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

from lark_sheets.core.judging.exchange import Fault, whole_text
from lark_sheets.core.judging.reasons import Reason

SHOWN = 300
"""Characters of a service's message that are kept."""
SLOW_GATEWAYS = {408, 504}
"""The service gave up waiting for its own work, which may go on and be billed."""


class Unreadable(Exception):
    """A body came with status 200 that is no message."""


def fault_of(error: Exception, secret: str) -> Fault | None:
    """Return the fault that an exception means, or None for one that is our own mistake."""
    import anthropic

    if isinstance(error, (json.JSONDecodeError, Unreadable, anthropic.APIResponseValidationError)):
        return Fault(reason=Reason.BAD_GATEWAY_BODY, detail=shown(str(error), secret), may_be_billed=True)
    if isinstance(error, anthropic.APIStatusError):
        return _status_fault(error, secret)
    if isinstance(error, anthropic.APIConnectionError):
        return _line_fault(error, secret)
    if type(error).__name__ in ("CredentialsError", "IdentityTokenFileError", "MissingDependencyError"):
        return Fault(reason=Reason.AUTH, detail=shown(str(error), secret))
    if isinstance(
        error, anthropic.AnthropicError
    ):  # such as results that are asked for before the batch has ended
        return Fault(reason=Reason.PENDING, detail=shown(str(error), secret))
    return None


def _status_fault(error: Any, secret: str) -> Fault:
    status = int(error.status_code)
    headers = error.response.headers
    return Fault(
        reason=_reason(status),
        detail=shown(f"HTTP {status} {error.type or ''}: {error.api_message or error.message}", secret),
        retry_after=retry_after(headers),
        may_be_billed=status in SLOW_GATEWAYS,
        final=headers.get("x-should-retry") == "false",
        request_id=str(error.request_id or ""),
    )


def _reason(status: int) -> Reason:
    match status:
        case 401 | 403:
            return Reason.AUTH
        case 402:
            return Reason.BILLING
        case 429:
            return Reason.RATE_LIMITED
        case 529:
            return Reason.OVERLOADED
        case 408 | 409:
            return Reason.SERVER
        case _:
            return Reason.SERVER if status >= 500 else Reason.BAD_REQUEST


def _line_fault(error: Exception, secret: str) -> Fault:
    """A connection that was never made cost nothing; one that broke or fell silent may have."""
    cause = error.__cause__ or error.__context__
    never = type(cause).__name__ in ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol")
    told = f"{type(error).__name__}: {cause or error}"
    return Fault(reason=Reason.NETWORK, detail=shown(told, secret), may_be_billed=not never)


def retry_after(headers: Any) -> float | None:
    """Return the wait that a reply asks for, in seconds: a number, or a date counted from the reply's own date."""
    for name, scale in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = str(headers.get(name) or "").strip()
        try:
            seconds = float(value) / scale
        except ValueError:
            continue
        return max(0.0, seconds) if isfinite(seconds) else None
    try:
        until = parsedate_to_datetime(str(headers.get("retry-after") or ""))
        now = parsedate_to_datetime(str(headers.get("date") or ""))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError):
        return None


def shown(text: str, secret: str) -> str:
    """Return a service's words as they may be kept: one line, short, without the key, without control characters."""
    clean = whole_text(text)
    if secret:
        clean = clean.replace(secret, "***")
    clean = " ".join("".join(c if c.isprintable() else " " for c in clean).split())
    return clean if len(clean) <= SHOWN else clean[:SHOWN] + "…"
