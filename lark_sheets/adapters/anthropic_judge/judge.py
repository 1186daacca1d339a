"""One request, one answer: the library's client behind the judge port. Retries are the caller's, where they can be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from lark_sheets.adapters.anthropic_judge.faults import fault_of
from lark_sheets.adapters.anthropic_judge.replies import batch_answer_of, reply_of, status_of
from lark_sheets.core.judging.exchange import Answer, BatchAnswer, BatchStatus, Fault, ModelRequest

T = TypeVar("T")

BATCH_TIMEOUT = 300.0
"""Seconds for sending or fetching a whole batch."""
COUNT_TIMEOUT = 30.0
PAGE = 100


class AnthropicJudge:
    """Speaks to one provider. The library's own retries are off: it would obey any wait it is told, silently."""

    recorded = False

    def __init__(self, client: Any, *, provider: str, batches: bool, secret: str = "") -> None:
        self.provider = provider
        self.batches = batches
        self._client = client.with_options(max_retries=0)
        self._secret = secret

    def ask(self, request: ModelRequest) -> Answer:
        """Send one request and return the reply, or the fault that came instead."""
        return self._tried(
            lambda: reply_of(self._client.messages.create(timeout=request.timeout, **parameters(request)))
        )

    def count_tokens(self, request: ModelRequest) -> int | None:
        """Return the service's count of the prompt's tokens; None where it does not count."""
        kept = {k: v for k, v in parameters(request).items() if k != "max_tokens"}
        found = self._tried(
            lambda: int(self._client.messages.count_tokens(timeout=COUNT_TIMEOUT, **kept).input_tokens)
        )
        return None if isinstance(found, Fault) else found

    def conditions(self) -> Mapping[str, str]:
        """Return provider, version of the API and of the library."""
        import anthropic

        headers = {k.lower(): str(v) for k, v in dict(self._client.default_headers).items()}
        return {
            "provider": self.provider,
            "api_version": headers.get("anthropic-version", ""),
            "library": f"anthropic {anthropic.__version__}",
        }

    def submit(self, requests: Mapping[str, ModelRequest]) -> BatchStatus | Fault:
        """Send a batch."""
        lines = [{"custom_id": name, "params": parameters(request)} for name, request in requests.items()]
        return self._tried(
            lambda: status_of(self._client.messages.batches.create(requests=lines, timeout=BATCH_TIMEOUT))
        )

    def batch(self, remote: str) -> BatchStatus | Fault:
        """Ask how a batch stands."""
        return self._tried(
            lambda: status_of(self._client.messages.batches.retrieve(remote, timeout=COUNT_TIMEOUT))
        )

    def recent_batches(self, since: str) -> Sequence[BatchStatus] | Fault:
        """Return the batches received since a time, newest first."""

        def listed() -> list[BatchStatus]:
            found = []
            for batch in self._client.messages.batches.list(limit=PAGE, timeout=COUNT_TIMEOUT):
                status = status_of(batch)
                if status.created < since:
                    break
                found.append(status)
            return found

        return self._tried(listed)

    def results(self, remote: str) -> Sequence[BatchAnswer] | Fault:
        """Return every line of an ended batch; a stream that breaks off is a fault, so that no half is taken for the whole."""
        return self._tried(
            lambda: [
                batch_answer_of(line, self._secret)
                for line in self._client.messages.batches.results(remote, timeout=BATCH_TIMEOUT)
            ]
        )

    def _tried(self, call: Callable[[], T]) -> T | Fault:
        try:
            return call()
        except Exception as error:
            fault = fault_of(error, self._secret)
            if fault is None:
                raise
            return fault


def parameters(request: ModelRequest) -> dict[str, Any]:
    """Return what ``messages.create`` is given: the fixed text marked for the service's cache, one user message, the schema.

    No sampling parameter, no beginning of a reply: current models refuse both.
    """
    sent: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [{"role": "user", "content": request.user}],
    }
    if request.system:
        sent["system"] = [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]
    output: dict[str, Any] = {}
    if request.schema is not None:
        output["format"] = {"type": "json_schema", "schema": request.schema}
    if request.effort:
        output["effort"] = request.effort
    if output:
        sent["output_config"] = output
    return sent
