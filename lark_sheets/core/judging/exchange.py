"""What goes to a model and what comes back: the values that cross the port, free of any library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lark_sheets.core.judging.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request: a fixed system text, one user message, and the JSON schema of the reply if one is asked for.

    No sampling parameter exists here, so none can be sent. ``timeout`` is in seconds.
    """

    model: str
    max_tokens: int
    system: str
    user: str
    schema: Mapping[str, object] | None = None
    effort: str = ""
    timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as billed. The prompt is ``input`` + ``cache_write`` + ``cache_write_hour`` + ``cache_read``; ``thinking`` is part of ``output``."""

    input: int
    output: int
    cache_write: int = 0
    cache_write_hour: int = 0
    cache_read: int = 0
    thinking: int = 0

    @property
    def prompt(self) -> int:
        """Return all tokens of the prompt, cached or not: price thresholds look at these."""
        return self.input + self.cache_write + self.cache_write_hour + self.cache_read


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the service sent back. ``usage`` is None where a proxy left it out: the cost is then unknown, not zero."""

    text: str
    stop_reason: str
    served: str
    request_id: str = ""
    usage: Usage | None = None
    refusal: str = ""
    """Why the service refused, in its own word, when it refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """No reply. ``retry_after`` is what the service asked to wait, in seconds; ``final`` that it said not to retry."""

    reason: Reason
    detail: str
    retry_after: float | None = None
    may_be_billed: bool = False
    final: bool = False
    request_id: str = ""


Answer: TypeAlias = Reply | Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchStatus:
    """A batch at the service; ``created`` is an ISO time, ``total`` the number of its requests, ``results`` whether they can be fetched."""

    id: str
    ended: bool
    total: int
    created: str = ""
    results: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchAnswer:
    """One line of a batch's results; they come in any order, and may repeat or miss an id."""

    id: str
    answer: Answer


def whole_text(text: str) -> str:
    """Return a text that every encoder takes: half characters (lone surrogates) become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
