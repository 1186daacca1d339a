"""Live calls: one warm-up, then a pool of threads; the ledger before and after each request, retries that can be seen.

The library's own retries are off. What the service asks to wait is honoured up to a minute and holds everyone back; a
service that keeps failing pauses the run, and a wrong key, an empty account or a wrong configuration stop it at once.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from lark_sheets.core.judging.attempts import Attempt, Claim, Claimed, Do, wait_before, what_next
from lark_sheets.core.judging.exchange import Fault
from lark_sheets.core.judging.reasons import STOPPING, TRANSIENT, Mode, Reason, State
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped, Task, Terms, money, new_attempt, settled

FAILURES_IN_A_ROW = 3
"""Judgements given up one after the other for a failing service before the run is paused."""
REFUSED_AT_FIRST = 2
"""Requests that the service refuses before any succeeded: the fault is in the configuration, so nothing more is sent."""
OTHER_RUN_CHECK = 1.0
"""Seconds between looks at what another run is asking."""
OTHER_RUN_PATIENCE = 600
PROGRESS_STEPS = 50


def ask_all(tasks: Sequence[Task], terms: Terms, needs: AskingNeeds) -> Stopped | None:
    """Ask everything that has no answer yet; what came is in the ledger. Return why the run stopped, or None.

    The first requests go one by one until one is answered: they show a wrong key or model before many are sent, and fill the
    service's cache of the fixed text. The rest go through a pool of threads over one client.
    """
    if not tasks:
        return None
    run = needs.ledger.start(terms.purpose)
    try:
        return _Run(tasks, terms, needs, run).go()
    finally:
        needs.ledger.finish(run)


class _Run:
    """One run at work: shared state of its threads."""

    def __init__(self, tasks: Sequence[Task], terms: Terms, needs: AskingNeeds, run: str) -> None:
        self.tasks = list({task.key: task for task in tasks}.values())
        self.terms, self.needs, self.run = terms, needs, run
        self.histories = dict(needs.ledger.history([task.key for task in self.tasks]))
        self.lock = threading.Lock()
        self.landing = threading.Condition()
        self.flying = 0
        self.stopped: Stopped | None = None
        self.answered = False
        self.proven = any(a.state is State.SCORED for history in self.histories.values() for a in history)
        self.refused = 0
        self.failures = 0
        self.not_before = 0.0
        self.done = 0

    def is_stopped(self) -> bool:
        """Say whether nothing more may be sent."""
        return self.stopped is not None

    def go(self) -> Stopped | None:
        if self.terms.consent:
            self.needs.ledger.give_up([task.key for task in self.tasks])
        busy = []
        try:
            left = self.tasks
            while left and not self.answered and not self.is_stopped():
                busy += self._one(left[0])
                left = left[1:]
            busy += self._pool(left)
            for _ in range(OTHER_RUN_PATIENCE):
                if not busy or self.is_stopped():
                    break
                self.needs.pace.sleep(OTHER_RUN_CHECK)
                self.done -= len(busy)
                busy = [task for waiting in busy for task in self._one(waiting)]
        except KeyboardInterrupt:
            self._stop(Stop.BY_HAND)
        return self.stopped

    def _pool(self, tasks: Sequence[Task]) -> list[Task]:
        """Ask tasks at once, a few at a time; stop all when one thread fails or a person interrupts."""
        busy: list[Task] = []
        if not tasks or self.is_stopped():
            return busy
        with ThreadPoolExecutor(max_workers=max(1, self.terms.concurrency)) as pool:
            waiting: set[Future[list[Task]]] = set()
            try:
                for task in tasks:
                    if self.is_stopped():
                        break
                    waiting.add(pool.submit(self._one, task))
                    if len(waiting) >= 2 * self.terms.concurrency:
                        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                        busy += [task for future in finished for task in future.result()]
                while waiting:
                    finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    busy += [task for future in finished for task in future.result()]
            except BaseException:
                self._stop(Stop.BY_HAND)
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return busy

    def _one(self, task: Task) -> list[Task]:
        """Ask one task to its end; return it when another run is asking it right now."""
        left = self._ask(task)
        with self.lock:
            self.done += 1
            done = self.done
        if done % max(1, len(self.tasks) // PROGRESS_STEPS) == 0 or done == len(self.tasks):
            self._tell(done)
        return left

    def _ask(self, task: Task) -> list[Task]:
        ledger, terms = self.needs.ledger, self.terms
        history = list(self.histories.get(task.key, ()))
        retries = 0
        while not self.is_stopped():
            step = what_next(
                history, run=self.run, max_tokens=terms.max_tokens, again=terms.again, consent=terms.consent
            )
            if step.do is Do.WAIT:
                self.histories = {**self.histories, **ledger.history([task.key])}
                return [task]
            if step.do is not Do.ASK:
                return []
            self._hold_back()
            request = task.request(step.max_tokens)
            attempt = new_attempt(task, request, run=self.run, mode=Mode.LIVE, needs=self.needs, terms=terms)
            claim = self._claim(attempt)
            if claim is None:
                return []
            if claim.claimed is Claimed.OVER_BUDGET:
                self._stop(Stop.BUDGET)
                return []
            if claim.claimed is not Claimed.YES or claim.attempt is None:
                self.histories = {**self.histories, **ledger.history([task.key])}
                return [task] if claim.claimed is Claimed.BUSY else []
            try:
                answer = self.needs.judge.ask(request)
                became = settled(claim.attempt, answer, task.read, needs=self.needs, terms=terms)
                ledger.settle(became)
            finally:
                self._landed()
            history.append(became)
            if isinstance(answer, Fault):
                retries += answer.reason in TRANSIENT
                self._after_fault(answer, history, retries)
            else:
                self._after_reply()
        return []

    def _claim(self, attempt: Attempt) -> Claim | None:
        """Write an attempt as sent; None when the run stopped meanwhile.

        Where only the reservations of this run's own open calls stand in the way of the budget, wait for them: most calls
        cost a fraction of their worst case.
        """
        with self.landing:
            while not self.is_stopped():
                claim = self.needs.ledger.claim(
                    attempt, budget=self.terms.budget, currency=self.terms.currency
                )
                if claim.claimed is Claimed.YES:
                    self.flying += 1
                if claim.claimed is not Claimed.OVER_BUDGET or not self.flying:
                    return claim
                self.landing.wait()
        return None

    def _landed(self) -> None:
        with self.landing:
            self.flying -= 1
            self.landing.notify_all()

    def _after_reply(self) -> None:
        with self.lock:
            self.answered = self.proven = True
            self.failures = 0

    def _after_fault(self, fault: Fault, history: Sequence[Attempt], retries: int) -> None:
        """Stop the run, pause it, or hold everyone back for a while."""
        if fault.reason in STOPPING:
            self._stop(Stop.AUTH if fault.reason is Reason.AUTH else Stop.BILLING, fault.detail)
        elif fault.reason is Reason.BAD_REQUEST:
            with self.lock:
                self.refused += 1
                wrong = self.refused >= REFUSED_AT_FIRST and not self.proven
            if wrong:
                self._stop(Stop.MISCONFIGURED, fault.detail)
        elif fault.reason in TRANSIENT:
            seconds = wait_before(retries, fault.retry_after)
            if seconds is None:
                self._stop(Stop.PAUSED, fault.detail)
                return
            next_step = what_next(
                history, run=self.run, max_tokens=self.terms.max_tokens, again=self.terms.again, consent=True
            )
            if next_step.do is Do.ASK:
                with self.lock:
                    self.not_before = max(self.not_before, self.needs.pace.time() + seconds)
                return
            with self.lock:
                self.failures += 1
                tired = self.failures >= FAILURES_IN_A_ROW
            if tired:
                self._stop(Stop.PAUSED, fault.detail)

    def _hold_back(self) -> None:
        """Wait as long as the service asked; all threads hold back, or the others would run into the same wall."""
        while not self.is_stopped():
            with self.lock:
                seconds = self.not_before - self.needs.pace.time()
            if seconds <= 0:
                return
            self.needs.pace.sleep(seconds)

    def _stop(self, stop: Stop, detail: str = "") -> None:
        with self.lock:
            self.stopped = self.stopped or Stopped(stop=stop, detail=detail)
        with self.landing:
            self.landing.notify_all()

    def _tell(self, done: int) -> None:
        t = self.needs.translate
        spend = self.needs.ledger.spend(self.terms.currency)
        self.needs.progress.step(
            t(
                "{done} of {total}, {spent} spent so far",
                done=t.whole(done),
                total=t.whole(len(self.tasks)),
                spent=money(spend.settled, self.terms.currency, t),
            )
        )
