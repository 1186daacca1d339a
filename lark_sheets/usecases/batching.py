"""Batches: half the price, a day's patience. Written before they are sent, fetched by their id whatever happened here.

A batch whose sending was cut off is looked for at the service before anything is sent again. Results come in any order,
may repeat an id or miss one; the first of each counts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lark_sheets.core.judging.attempts import Attempt, BatchRow, Do, what_next
from lark_sheets.core.judging.exchange import BatchAnswer, BatchStatus, Fault, ModelRequest, Reply
from lark_sheets.core.judging.parsing import STOPS, Unscored
from lark_sheets.core.judging.reasons import STOPPING, Mode, Reason
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped, Task, Terms, new_attempt, settled

MOST_REQUESTS = 10_000
MOST_BYTES = 100_000_000
"""Well below what the service takes (100,000 requests, 256 MB), so that a batch that fails is no great loss."""
CLOCKS_DIFFER = dt.timedelta(hours=1)
POLL = 60.0
"""Seconds between looks at a batch."""
LONGEST = 25 * 60
"""Looks after which waiting ends: the service itself gives up after 24 hours."""


@dataclass(slots=True)
class BatchNotes:
    """What there is to tell of batches: judgements still out, batches that may or may not have arrived, odd results."""

    pending: Counter[str] = field(default_factory=Counter)
    unsure: list[tuple[int, str]] = field(default_factory=list)
    odd: Counter[str] = field(default_factory=Counter)


def run_batches(
    tasks: Sequence[Task], terms: Terms, needs: AskingNeeds, *, wait: bool = False
) -> tuple[Stopped | None, BatchNotes]:
    """Fetch what is ready, send what is not asked yet, and (with ``wait``) stay until all is back.

    Return why sending stopped, or None, and what there is to tell.
    """
    notes = BatchNotes()
    collect(tasks, terms, needs, notes)
    stopped = _submit(tasks, terms, needs)
    notes.pending = _still_out(terms, needs)
    for _ in range(LONGEST if wait else 0):
        if not notes.pending:
            break
        needs.progress.step(
            needs.translate.count(
                "{n} judgement is still in a batch",
                "{n} judgements are still in a batch",
                notes.pending.total(),
            )
        )
        needs.pace.sleep(POLL)
        collect(tasks, terms, needs, notes, look_for_lost=False)
        notes.pending = _still_out(terms, needs)
    return stopped, notes


def _still_out(terms: Terms, needs: AskingNeeds) -> Counter[str]:
    """Count what lies in batches that can be waited for, by the service's id."""
    rows = needs.ledger.batches(terms.purpose)
    return Counter(
        {batch.remote or batch.id: len(attempts) for batch, attempts in rows if batch.remote or batch.alive}
    )


def collect(
    tasks: Sequence[Task], terms: Terms, needs: AskingNeeds, notes: BatchNotes, *, look_for_lost: bool = True
) -> None:
    """Write the results of every batch that has ended; what is not ready stays as it is, and is told."""
    readers = {task.key: task for task in tasks}
    for row, attempts in needs.ledger.batches(terms.purpose):
        batch = row
        if not batch.remote:
            if batch.alive:
                continue
            remote = _lost_batch(batch, attempts, terms, needs, notes) if look_for_lost else None
            if remote is None:
                continue
            batch = replace(batch, remote=remote)
        status = needs.judge.batch(batch.remote)
        if isinstance(status, Fault) or not status.ended:
            continue
        answers = needs.judge.results(batch.remote)
        if not isinstance(answers, Fault):
            _settle(attempts, answers, readers, terms, needs, notes)


def _settle(
    attempts: Sequence[Attempt],
    answers: Sequence[BatchAnswer],
    readers: Mapping[str, Task],
    terms: Terms,
    needs: AskingNeeds,
    notes: BatchNotes,
) -> None:
    """Write one batch's results, each once; a request without a result has none."""
    first: dict[str, BatchAnswer] = {}
    wanted = {attempt.key for attempt in attempts}
    for line in answers:
        if line.id in first:
            notes.odd["repeated"] += 1
        elif line.id not in wanted:
            notes.odd["unknown"] += 1
        else:
            first[line.id] = line
    for attempt in attempts:
        answer: Reply | Fault
        if attempt.key in first:
            answer = first[attempt.key].answer
        else:
            notes.odd["missing"] += 1
            answer = Fault(reason=Reason.MISSING_RESULT, detail=attempt.batch, may_be_billed=True)
        task = readers.get(attempt.key)
        read = task.read if task is not None else _read_later
        needs.ledger.settle(settled(attempt, answer, read, needs=needs, terms=terms))


def _read_later(reply: Reply) -> Unscored | None:
    """Keep a reply to something that is no longer asked (the rubric changed meanwhile): it is read if it is wanted again."""
    if reply.stop_reason == "end_turn":
        return None
    return Unscored(reason=STOPS.get(reply.stop_reason, Reason.OTHER_STOP), detail=reply.stop_reason)


def _lost_batch(
    batch: BatchRow, attempts: Sequence[Attempt], terms: Terms, needs: AskingNeeds, notes: BatchNotes
) -> str | None:
    """Look at the service for a batch whose sending was cut off; return its id once it is certain.

    Only results name their requests, so a batch that has not ended cannot be told from another of its size. Where none
    fits, it never arrived: with a person's consent its requests are free to be asked again.
    """
    since = (dt.datetime.fromisoformat(batch.submitted) - CLOCKS_DIFFER).isoformat()
    listed = needs.judge.recent_batches(since)
    if isinstance(listed, Fault):
        notes.unsure.append((len(attempts), listed.detail))
        return None
    ours = {attempt.key for attempt in attempts}
    known = needs.ledger.known_batches()
    fitting = [b for b in listed if b.total == batch.count and b.id not in known]
    for candidate in (b for b in fitting if b.ended):
        lines = needs.judge.results(candidate.id)
        if not isinstance(lines, Fault) and any(line.id in ours for line in lines):
            needs.ledger.batch_sent(batch, candidate.id)
            return candidate.id
    if waiting := [b.id for b in fitting if not b.ended]:
        notes.unsure.append((len(attempts), ", ".join(waiting)))
    elif terms.consent:
        needs.ledger.batch_refused(batch, Reason.MISSING_RESULT, "never arrived")
    else:
        notes.unsure.append((len(attempts), "--consent"))
    return None


def _submit(tasks: Sequence[Task], terms: Terms, needs: AskingNeeds) -> Stopped | None:
    """Send what has to be asked, in batches of moderate size."""
    run = needs.ledger.start(terms.purpose)
    try:
        if terms.consent:
            needs.ledger.give_up([task.key for task in tasks])
        chunk: dict[str, tuple[Attempt, ModelRequest]] = {}
        size = 0
        histories = needs.ledger.history([task.key for task in tasks])
        for task in {task.key: task for task in tasks}.values():
            step = what_next(
                histories.get(task.key, ()),
                run=run,
                max_tokens=terms.max_tokens,
                again=terms.again,
                consent=terms.consent,
            )
            if step.do is not Do.ASK:
                continue
            request = task.request(step.max_tokens)
            length = len(json.dumps([request.system, request.user, request.schema]))
            if chunk and (len(chunk) >= MOST_REQUESTS or size + length > MOST_BYTES):
                if stopped := _send(run, chunk, terms, needs):
                    return stopped
                chunk, size = {}, 0
            attempt = new_attempt(task, request, run=run, mode=Mode.BATCH, needs=needs, terms=terms)
            chunk[task.key] = (attempt, request)
            size += length
        return _send(run, chunk, terms, needs) if chunk else None
    finally:
        needs.ledger.finish(run)


def _send(
    run: str, chunk: Mapping[str, tuple[Attempt, ModelRequest]], terms: Terms, needs: AskingNeeds
) -> Stopped | None:
    attempts = [attempt for attempt, _ in chunk.values()]
    batch, taken = needs.ledger.open_batch(run, attempts, budget=terms.budget, currency=terms.currency)
    if taken:
        status = needs.judge.submit({attempt.key: chunk[attempt.key][1] for attempt in taken})
        if isinstance(status, BatchStatus):
            needs.ledger.batch_sent(batch, status.id)
        elif status.may_be_billed:
            return Stopped(
                stop=Stop.PAUSED, detail=status.detail
            )  # it may have arrived: the next run looks for it
        else:
            wrong = (
                status.reason is Reason.BAD_REQUEST
            )  # of the whole batch: says nothing of a single request
            needs.ledger.batch_refused(batch, Reason.ERRORED if wrong else status.reason, status.detail)
            return Stopped(stop=_stop_of(status.reason), detail=status.detail)
    if len(taken) < len(attempts) and terms.budget is not None:
        return Stopped(stop=Stop.BUDGET)
    return None


def _stop_of(reason: Reason) -> Stop:
    if reason in STOPPING:
        return Stop.AUTH if reason is Reason.AUTH else Stop.BILLING
    return Stop.MISCONFIGURED if reason is Reason.BAD_REQUEST else Stop.PAUSED
