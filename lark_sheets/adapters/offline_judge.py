"""A judge that nobody can ask: it stands for a provider where only an estimate is wanted, without key or network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lark_sheets.core.judging.exchange import Answer, BatchAnswer, BatchStatus, Fault, ModelRequest
from lark_sheets.core.judging.reasons import Reason

_OFFLINE = Fault(reason=Reason.NOT_ASKED, detail="offline")


class OfflineJudge:
    """Bears a provider's name, so that keys and prices are those of the real one; answers nothing."""

    recorded = False

    def __init__(self, provider: str, *, batches: bool = True) -> None:
        self.provider = provider
        self.batches = batches

    def ask(self, request: ModelRequest) -> Answer:  # noqa: ARG002  (the port's form)
        """Nothing is sent."""
        return _OFFLINE

    def count_tokens(self, request: ModelRequest) -> int | None:  # noqa: ARG002
        """Nobody counts; sizes are guessed."""
        return None

    def conditions(self) -> Mapping[str, str]:
        """Say whose place it holds."""
        return {"provider": self.provider, "api_version": "", "library": ""}

    def submit(self, requests: Mapping[str, ModelRequest]) -> BatchStatus | Fault:  # noqa: ARG002
        """Nothing is sent."""
        return _OFFLINE

    def batch(self, remote: str) -> BatchStatus | Fault:  # noqa: ARG002
        """Nobody is asked."""
        return _OFFLINE

    def recent_batches(self, since: str) -> Sequence[BatchStatus] | Fault:  # noqa: ARG002
        """Nobody is asked."""
        return _OFFLINE

    def results(self, remote: str) -> Sequence[BatchAnswer] | Fault:  # noqa: ARG002
        """Nobody is asked."""
        return _OFFLINE
