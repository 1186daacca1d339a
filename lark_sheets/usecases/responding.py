"""respond: collect a model's responses to a dataset, one fresh conversation per item, with the conditions as they were sent."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.judging.attempts import Attempt, Do, what_next
from lark_sheets.core.judging.config import JudgeConfig
from lark_sheets.core.judging.exchange import ModelRequest, Reply, whole_text
from lark_sheets.core.judging.money import Estimate, estimate, guessed_tokens, worst_case
from lark_sheets.core.judging.parsing import Unscored
from lark_sheets.core.judging.reasons import Purpose, Reason
from lark_sheets.core.judging.words import counted
from lark_sheets.core.problems import problem
from lark_sheets.core.text import canonical, canonical_json, sha256
from lark_sheets.errors import DataError, MissingPiece, Problem, Severity, UsageError
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped, Task, outcome_of, price_of
from lark_sheets.usecases.asking_live import ask_all
from lark_sheets.usecases.batching import BatchNotes, run_batches
from lark_sheets.usecases.judge_plan import JudgeOptions
from lark_sheets.usecases.judge_problems import asking_problems, stop_problems

_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_NAME = re.compile(r"[^\W\d]\w*")
ITEM_COLUMNS = ("item", "id")
TEXT_COLUMNS = ("text", "input")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsePlan:
    """What would be asked: one prompt per item, from the template and the item's own columns."""

    config: JudgeConfig
    system: str
    rows: tuple[Mapping[str, str], ...]
    prompts: Mapping[str, str]
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRun:
    """What was collected. ``responses`` are rows for ``new``; ``missing`` says why an item has none.

    A reply that the model cut, or in which it refused, is a response all the same: its ``stop_reason`` is kept.
    """

    plan: ResponsePlan
    responses: tuple[Mapping[str, str], ...]
    missing: Mapping[str, Unscored]
    conditions: Mapping[str, str]
    stopped: Stopped | None
    spent: Mapping[str, int | str]
    problems: tuple[Problem, ...]

    @property
    def exit_code(self) -> int:
        """Return 3 when the service was lacking, 2 for a wrong configuration, 1 when an item has no response."""
        if self.stopped is not None and self.stopped.stop in (Stop.AUTH, Stop.BILLING, Stop.PAUSED):
            return MissingPiece.exit_code
        if self.stopped is not None and self.stopped.stop is Stop.MISCONFIGURED:
            return UsageError.exit_code
        return (
            DataError.exit_code
            if self.missing or any(p.severity is Severity.ERROR for p in self.problems)
            else 0
        )

    def jsonl(self) -> str:
        """Return the responses as the JSON lines that ``new --responses`` reads."""
        return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in self.responses)

    def conditions_line(self, run: str = "") -> str:
        """Return what was sent as one row of a table of conditions, as ``refusal-measures --conditions`` reads it."""
        row = {"run": run or self.plan.config.model, "kind": "cloud", "service": self.conditions["provider"]}
        return json.dumps({**row, **self.conditions}, ensure_ascii=False) + "\n"


def filled(template: str, row: Mapping[str, str]) -> str:
    """Return a template with its ``{column}`` places filled by one row; ``{{`` and ``}}`` are braces that are text.

    Only plain names are replaced, and what is filled in is never looked at again: data cannot reach anything else. Raises
    :class:`UsageError` with every name that is no column.
    """
    unknown: list[str] = []

    def place(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        name = match[1].strip()
        if name in row:
            return row[name]
        if not _NAME.fullmatch(name):
            return match[0]
        unknown.append(name)
        return ""

    text = _PLACE.sub(place, template)
    if unknown:
        columns = ", ".join(row)
        raise UsageError(
            *(problem("template_field", found=name, columns=columns) for name in dict.fromkeys(unknown))
        )
    return text


def plan_responses(
    rows: Sequence[Mapping[str, str]],
    template: str,
    config: JudgeConfig,
    needs: AskingNeeds,
    *,
    system: str = "",
) -> ResponsePlan:
    """Return what collecting would ask. Nothing is sent.

    Rows need a column ``item`` (or ``id``); without one they are numbered. Raises :class:`UsageError` for a missing model or an unknown
    place in the template, :class:`DataError` for an item that stands twice or an empty dataset.
    """
    if not config.model:
        raise UsageError(problem("judge_no_model"))
    if not rows:
        raise DataError(problem("no_rows"))
    named = tuple({"item": _item(row, n), **row} for n, row in enumerate(rows, 1))
    twice = [name for name, count in Counter(row["item"] for row in named).items() if count > 1]
    if twice:
        raise DataError(*(problem("repeated_id", found=name, rows="") for name in twice))
    prompts = {row["item"]: whole_text(filled(template, row)) for row in named}
    tasks = tuple(_task(config, system, item, prompt, needs) for item, prompt in prompts.items())
    return ResponsePlan(config=config, system=system, rows=named, prompts=prompts, tasks=tasks)


def _item(row: Mapping[str, str], number: int) -> str:
    return next((row[name].strip() for name in ITEM_COLUMNS if row.get(name, "").strip()), f"T{number:03}")


def _task(config: JudgeConfig, system: str, item: str, prompt: str, needs: AskingNeeds) -> Task:
    """A fresh conversation: one message, nothing of other items. What ends, ends as a response; only silence is a failure."""
    key = sha256(
        canonical_json(
            {
                "kind": "respond",
                "item": item,
                "provider": needs.judge.provider,
                "model": config.model,
                "effort": config.effort,
                "max_tokens": config.max_tokens,
                "system": canonical(system),
                "prompt": canonical(prompt),
            }
        )
    )

    def request(_: int) -> ModelRequest:
        return config.request(system=system, user=prompt, schema=None)

    def read(_: Reply) -> Unscored | None:
        return None

    return Task(key=key, subject=item, repeat=0, request=request, read=read)


def estimate_responses(plan: ResponsePlan, options: JudgeOptions, needs: AskingNeeds) -> Estimate:
    """Return what collecting would take, before it is confirmed."""
    config = plan.config
    history = needs.ledger.history([task.key for task in plan.tasks])
    steps = {
        task.key: what_next(
            history.get(task.key, ()),
            run="",
            max_tokens=config.max_tokens,
            again=options.again,
            consent=options.consent,
        )
        for task in plan.tasks
    }
    state = Counter(step.do for step in steps.values())
    todo = list({t.key: t for t in plan.tasks if steps[t.key].do is Do.ASK}.values())
    sizes = [guessed_tokens(task.request(config.max_tokens)) for task in todo]
    terms = options.terms(config, Purpose.RESPOND)
    return estimate(
        len(todo),
        prompt_tokens=sizes,
        system_tokens=0,
        output=needs.ledger.reply_length(config.model, Purpose.RESPOND),
        max_tokens=config.max_tokens,
        price=price_of(needs, terms, options.mode, max(sizes, default=0)),
        counted=False,
        cached=state[Do.USE],
        settled=state[Do.SETTLED],
        interrupted=state[Do.CONSENT],
        pending=state[Do.PENDING] + state[Do.WAIT],
    )


def respond(plan: ResponsePlan, options: JudgeOptions, needs: AskingNeeds, *, run: str = "") -> ResponseRun:
    """Collect what is not collected yet; an interrupted collection goes on where it stopped.

    ``run`` is the name under which the responses enter a campaign (the model's, by default).
    """
    terms = options.terms(plan.config, Purpose.RESPOND)
    if options.budget is not None and plan.tasks:
        size = guessed_tokens(plan.tasks[0].request(terms.max_tokens))
        if worst_case(size, terms.max_tokens, price_of(needs, terms, options.mode, size)) is None:
            name = f"{needs.judge.provider}, {terms.model}, {options.mode}"
            raise DataError(problem("judge_price_unknown", found=name, table=needs.price_table))
    if options.batch and not needs.judge.batches:
        raise UsageError(problem("judge_no_batches", found=needs.judge.provider))
    notes = BatchNotes()
    if options.batch:
        stopped, notes = run_batches(plan.tasks, terms, needs, wait=options.wait)
    else:
        stopped = ask_all(plan.tasks, terms, needs)
    history = needs.ledger.history([task.key for task in plan.tasks])
    found = {task.subject: outcome_of(history.get(task.key, ()), stopped) for task in plan.tasks}
    missing = {item: one for item, one in found.items() if isinstance(one, Unscored)}
    every = [attempt for attempts in history.values() for attempt in attempts]
    spent: dict[str, int | str] = {
        "currency": terms.currency,
        "requests": len(every),
        "settled": sum(a.cost or 0 for a in every),
        "held": sum(a.reserved or 0 for a in every if a.cost is None),
        "unpriced": sum(a.cost is None and a.reserved is None for a in every),
        "may_be_billed": sum(a.may_be_billed or a.reason is Reason.INTERRUPTED for a in every),
    }
    reasons = dict(Counter(str(one.reason) for one in missing.values()))
    told = stop_problems(stopped, reasons, options, needs) + asking_problems(reasons, spent, notes, needs)
    if missing:
        words = counted(reasons, needs.translate)
        told.append(problem("respond_failed", count=len(missing), planned=len(plan.tasks), found=words))
    service = needs.judge.conditions()
    return ResponseRun(
        plan=plan,
        responses=tuple(
            _response(row, one, run or plan.config.model)
            for row in plan.rows
            if isinstance(one := found[row["item"]], Attempt)
        ),
        missing=missing,
        conditions={
            **service,
            "mode": str(options.mode),
            "model": plan.config.model,
            "served": ", ".join(sorted({a.served for a in found.values() if isinstance(a, Attempt)})),
            "system": plan.system or "not sent",
            "max_tokens": str(plan.config.max_tokens),
            "effort": plan.config.effort or "not sent",
            "temperature": "not sent",
            "top_p": "not sent",
            "seed": "not sent",
            "conversation": "one fresh conversation per item",
            "generations": "1",
        },
        stopped=stopped,
        spent=spent,
        problems=tuple(told),
    )


def _response(row: Mapping[str, str], attempt: Attempt, run: str) -> dict[str, str]:
    return {
        "item": row["item"],
        "run": run,
        "response": attempt.text,
        **({"language": row["language"]} if row.get("language") else {}),
        "stop_reason": attempt.stop_reason,
    }


def items_table(plan: ResponsePlan) -> tuple[Mapping[str, str], ...]:
    """Return the dataset as the items that ``new --items`` reads: ``item`` and ``text`` first, other columns kept."""
    rows = []
    for row in plan.rows:
        text = next((row[name] for name in TEXT_COLUMNS if row.get(name)), plan.prompts[row["item"]])
        rows.append(
            {"item": row["item"], "text": text, **{k: v for k, v in row.items() if k not in ("item", "text")}}
        )
    return tuple(rows)
