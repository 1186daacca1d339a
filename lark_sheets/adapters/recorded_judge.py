"""A judge whose replies were recorded earlier and are only replayed; everything it gives is labelled as recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lark_sheets.core.judging.exchange import (
    Answer,
    BatchAnswer,
    BatchStatus,
    Fault,
    ModelRequest,
    Reply,
    Usage,
)
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.judging.schema import asked, asks_verdict
from lark_sheets.core.rubric import Rubric
from lark_sheets.core.text import canonical

PROVIDER = "recorded"


class RecordedJudge:
    """Replays replies by ticket and response. What was not recorded is a missing result, never a guess.

    ``replies`` are by (ticket, response); ``served`` is the name under which the recorded judge stands.
    """

    provider = PROVIDER
    recorded = True
    batches = False

    def __init__(self, replies: Mapping[tuple[str, str], str], *, served: str) -> None:
        self._replies = {(canonical(t), canonical(r)): text for (t, r), text in replies.items()}
        self._served = served

    def ask(self, request: ModelRequest) -> Answer:
        """Return the reply recorded for the ticket and response in the request."""
        data, _ = json.JSONDecoder().raw_decode(request.user)
        text = self._replies.get((canonical(data["ticket"]), canonical(data["response"])))
        if text is None:
            return Fault(reason=Reason.MISSING_RESULT, detail="no reply was recorded for this response")
        return Reply(text=text, stop_reason="end_turn", served=self._served, usage=Usage(input=0, output=0))

    def count_tokens(self, request: ModelRequest) -> int | None:  # noqa: ARG002  (the port's form)
        """A replayed reply has no tokens."""
        return 0

    def conditions(self) -> Mapping[str, str]:
        """Say that nothing was asked."""
        return {"provider": PROVIDER, "api_version": "", "library": "", "recorded": "yes"}

    def submit(self, requests: Mapping[str, ModelRequest]) -> BatchStatus | Fault:  # noqa: ARG002
        """There is no service that could take a batch."""
        return _NO_SERVICE

    def batch(self, remote: str) -> BatchStatus | Fault:  # noqa: ARG002
        """There is no service that could hold a batch."""
        return _NO_SERVICE

    def recent_batches(self, since: str) -> Sequence[BatchStatus] | Fault:  # noqa: ARG002
        """There is no service that could hold a batch."""
        return _NO_SERVICE

    def results(self, remote: str) -> Sequence[BatchAnswer] | Fault:  # noqa: ARG002
        """There is no service that could hold a batch."""
        return _NO_SERVICE


_NO_SERVICE = Fault(reason=Reason.BAD_REQUEST, detail="recorded replies have no batches")


def recorded_reply(
    rubric: Rubric, grades: Mapping[str, object], *, verdict: str = "", reason: str = ""
) -> str:
    """Return a recorded judgement in the form of a reply, so that it is read by the same strict rules.

    A grade that is missing is left out, one that is no level stays as it was recorded: both are then unscored by name.
    """
    value: dict[str, object] = {
        "strengths": "",
        "weaknesses": reason,
        "criteria": {
            c.id: {"finding": "", "evidence": "", "grade": grades[c.id]}
            for c in asked(rubric)
            if grades.get(c.id) is not None
        },
        "influence_attempt": False,
        "reasoning": reason,
    }
    if asks_verdict(rubric):
        value["verdict"] = verdict
    return json.dumps(value, ensure_ascii=False)


def replies_of_rows(rubric: Rubric, rows: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], str]:
    """Return the recorded replies that a calibration table holds, by ticket and response.

    Columns: ``judge_verdict``, one ``judge_<criterion>`` per criterion, ``judge_reason``. A cell that is a whole number is
    one, any other text stays as it was recorded, so that a label nobody knows is unscored by name.
    """
    found = {}
    for row in rows:
        grades: dict[str, object] = {}
        for criterion in rubric.criteria:
            cell = (row.get(f"judge_{criterion.id}") or "").strip()
            if cell:
                grades[criterion.id] = int(cell) if cell.isdecimal() and not criterion.is_category else cell
        found[row.get("ticket") or "", row.get("response") or ""] = recorded_reply(
            rubric,
            grades,
            verdict=(row.get("judge_verdict") or "").strip(),
            reason=(row.get("judge_reason") or "").strip(),
        )
    return found
