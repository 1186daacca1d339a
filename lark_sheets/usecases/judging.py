"""judge: have responses judged, say what may be believed of it, and show what needs a person. Never overwrites a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lark_sheets.core.judging.attempts import Attempt
from lark_sheets.core.judging.config import Conditions
from lark_sheets.core.judging.consensus import Summary, summarise
from lark_sheets.core.judging.exchange import Reply
from lark_sheets.core.judging.money import guessed_tokens, worst_case
from lark_sheets.core.judging.parsing import Judgement, read_reply
from lark_sheets.core.judging.reasons import Purpose, Reason
from lark_sheets.core.judging.staleness import Trust, trust
from lark_sheets.core.judging.standing import Queued, Stand, human_queue, stand
from lark_sheets.core.judging.suspicion import Sign, signs
from lark_sheets.core.problems import problem
from lark_sheets.errors import DataError, MissingPiece, Problem, Severity, UsageError
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped, Terms, outcome_of, price_of
from lark_sheets.usecases.asking_live import ask_all
from lark_sheets.usecases.batching import BatchNotes, run_batches
from lark_sheets.usecases.judge_plan import JudgeOptions, JudgePlan
from lark_sheets.usecases.judge_problems import run_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRun:
    """What a run gave. ``stands`` says per response what the verdict may do; ``blocking`` and ``waiting`` are ids."""

    plan: JudgePlan
    summaries: tuple[Summary, ...]
    signs: Mapping[str, tuple[Sign, ...]]
    queue: tuple[Queued, ...]
    conditions: Conditions
    trust: Trust
    stands: Mapping[str, Stand]
    blocking: tuple[str, ...]
    waiting: tuple[str, ...]
    attempts: Mapping[str, Attempt]
    stopped: Stopped | None
    notes: BatchNotes
    spent: Mapping[str, int | str]
    service: Mapping[str, str]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def exit_code(self) -> int:
        """Return 3 when the service, its key or the network was lacking, 2 for a wrong configuration, 1 for an error or a gate that says no."""
        outside = (Stop.AUTH, Stop.BILLING, Stop.PAUSED)
        if self.stopped is not None and self.stopped.stop in outside:
            return MissingPiece.exit_code
        if self.stopped is not None and self.stopped.stop is Stop.MISCONFIGURED:
            return UsageError.exit_code
        return DataError.exit_code if any(p.severity is Severity.ERROR for p in self.problems) else 0


def judge(plan: JudgePlan, options: JudgeOptions, needs: AskingNeeds) -> JudgeRun:
    """Ask what has no answer yet, then summarise everything asked so far: an interrupted run goes on where it stopped.

    Raises :class:`DataError` when a budget is set and a price is unknown: the budget could not be kept.
    """
    terms = options.terms(plan.prompt.config, Purpose.JUDGE)
    check_budget(plan, options, needs, terms)
    notes = BatchNotes()
    if options.batch:
        stopped, notes = run_batches(plan.tasks, terms, needs, wait=options.wait)
    else:
        stopped = ask_all(plan.tasks, terms, needs)
    judgements, attempts = judgements_of(plan, stopped, needs)
    summaries = tuple(summarise(plan.rubric, one, judgements[one.id]) for one in plan.inputs)
    conditions = conditions_of(plan, attempts)
    held = trust(needs.ledger.calibrations(), conditions, today=needs.now().date())
    stands = {
        one.id: stand(one, held.gate, judge_graded=plan.graded_by_judge, deciding=options.deciding)
        for one in plan.inputs
    }
    unfavourable = [s.id for s in summaries if s.verdict is not None and s.verdict != plan.rubric.favourable]
    seen = {one.id: found for one in plan.inputs if (found := signs(one.response, plan.rubric))}
    run = JudgeRun(
        plan=plan,
        summaries=summaries,
        signs=seen,
        queue=human_queue(summaries, seen),
        conditions=conditions,
        trust=held,
        stands=stands,
        blocking=tuple(key for key in unfavourable if stands[key] is Stand.BLOCKS),
        waiting=tuple(key for key in unfavourable if stands[key] in (Stand.FRENCH, Stand.DECIDING)),
        attempts=attempts,
        stopped=stopped,
        notes=notes,
        spent=spent_on(plan, needs, terms),
        service={**needs.judge.conditions(), "temperature": "not sent", "mode": str(options.mode)},
    )
    return replace(run, problems=run_problems(run, options, needs))


def check_budget(plan: JudgePlan, options: JudgeOptions, needs: AskingNeeds, terms: Terms) -> None:
    """Refuse a budget that could not be kept, for want of a price."""
    if options.budget is None or needs.judge.recorded or not plan.tasks:
        return
    request = plan.tasks[0].request(terms.max_tokens)
    prompt = guessed_tokens(request)
    if worst_case(prompt, terms.max_tokens, price_of(needs, terms, options.mode, prompt)) is None:
        name = f"{needs.judge.provider}, {terms.model}, {options.mode}"
        raise DataError(problem("judge_price_unknown", found=name, table=needs.price_table))


def judgements_of(
    plan: JudgePlan, stopped: Stopped | None, needs: AskingNeeds
) -> tuple[dict[str, list[Judgement]], dict[str, Attempt]]:
    """Return how every repeat stands, by response, and the attempts whose replies count, by key."""
    history = needs.ledger.history(list(dict.fromkeys(plan.keys.values())))
    judgements: dict[str, list[Judgement]] = {one.id: [] for one in plan.inputs}
    used: dict[str, Attempt] = {}
    for (name, _), key in plan.keys.items():
        found = outcome_of(history.get(key, ()), stopped)
        if isinstance(found, Attempt):
            used[key] = found
            reply = Reply(text=found.text, stop_reason=found.stop_reason, served=found.served)
            judgements[name].append(read_reply(reply, plan.rubric))
        else:
            judgements[name].append(found)
    return judgements, used


def conditions_of(plan: JudgePlan, attempts: Mapping[str, Attempt]) -> Conditions:
    """Return the conditions of a run with the models that really served it."""
    served = sorted({attempt.served for attempt in attempts.values() if attempt.served})
    return replace(plan.prompt.conditions, served=tuple(served))


def spent_on(plan: JudgePlan, needs: AskingNeeds, terms: Terms) -> dict[str, int | str]:
    """Return what this campaign's judgements cost so far, over all attempts, also those without a grade."""
    history = needs.ledger.history(list(dict.fromkeys(plan.keys.values())))
    every = [attempt for attempts in history.values() for attempt in attempts]
    whole = needs.ledger.spend(terms.currency)
    return {
        "currency": terms.currency,
        "requests": len(every),
        "settled": sum(a.cost or 0 for a in every),
        "held": sum(a.reserved or 0 for a in every if a.cost is None),
        "unpriced": sum(a.cost is None and a.reserved is None for a in every),
        "may_be_billed": sum(a.may_be_billed or a.reason is Reason.INTERRUPTED for a in every),
        "ledger_settled": whole.settled,
        "ledger_held": whole.held,
    }
