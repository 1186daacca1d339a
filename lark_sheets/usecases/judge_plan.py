"""What judging would take, before anything is sent: the responses as data, one task a repeat, an estimate to confirm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from lark_sheets.core.campaign import Campaign, Item, Response
from lark_sheets.core.code_checks import AROUND, CHECKED, EMPTY, FENCE, INVALID, LONG, seen_in
from lark_sheets.core.judging.attempts import Do, what_next
from lark_sheets.core.judging.cache_key import keys_of
from lark_sheets.core.judging.config import MIN_TOKENS, JudgeConfig
from lark_sheets.core.judging.exchange import Reply
from lark_sheets.core.judging.money import BILLION, Estimate, estimate, guessed_tokens
from lark_sheets.core.judging.parsing import Unscored, read_reply
from lark_sheets.core.judging.prompting import JudgeInput, Prompt, prompt_for
from lark_sheets.core.judging.reasons import Mode, Purpose
from lark_sheets.core.judging.sampling import stratified, stratum_of
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.errors import UsageError
from lark_sheets.usecases.asking import AskingNeeds, Task, Terms, price_of

COUNTED_SAMPLE = 8
"""Requests that the service is asked to count for an estimate."""
SURE_EITHER_WAY = (FENCE, AROUND, INVALID, LONG, EMPTY)
"""Checks whose silence is certain too; of the others only what they saw is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """The words of the command.

    ``sample`` judges that many responses only (stratified, by ``seed``); ``budget`` is in ``currency`` and covers the whole
    ledger; ``again`` asks once more what was settled without a grade; ``consent`` (a person's yes) asks again what may have
    been billed; ``batch`` sends by the batch service, ``wait`` stays until it is back; ``count`` lets an estimate ask the service
    to count tokens. ``deciding`` are the responses of the best runs, None while nobody may know them.
    """

    sample: int | None = None
    seed: int = 0
    concurrency: int = 8
    budget: Fraction | None = None
    currency: str = "USD"
    again: bool = False
    consent: bool = False
    batch: bool = False
    wait: bool = False
    count: bool = True
    deciding: Collection[str] | None = None

    @property
    def mode(self) -> Mode:
        """Return how requests travel."""
        return Mode.BATCH if self.batch else Mode.LIVE

    def terms(self, config: JudgeConfig, purpose: Purpose) -> Terms:
        """Return the terms of a run under these options."""
        return Terms(
            purpose=purpose,
            model=config.model,
            max_tokens=config.max_tokens,
            concurrency=self.concurrency,
            budget=None if self.budget is None else int(self.budget * BILLION),
            currency=self.currency,
            again=self.again,
            consent=self.consent,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """What would be asked, before anything is: the fixed prompt, the responses, one task per response and repeat."""

    rubric: Rubric
    prompt: Prompt
    inputs: tuple[JudgeInput, ...]
    tasks: tuple[Task, ...]
    keys: Mapping[tuple[str, int], str]
    graded_by_judge: bool = False


def inputs_of(campaign: Campaign) -> tuple[JudgeInput, ...]:
    """Return a campaign's responses as the judge gets them; nothing of them says which run they are of.

    What a program can decide (JSON, fences, number of sentences, emptiness) is told as settled and not asked.
    """
    items = campaign.item()
    return tuple(_input(items[response.item], response, campaign.rubric) for response in campaign.responses)


def facts_of(rubric: Rubric, text: str, language: str) -> dict[str, str]:
    """Return what programs found in a response, by the rubric's issue codes: told to the judge as settled."""
    seen = {found.code: found.what or "yes" for found in seen_in(text, language)}
    return {
        code: seen.get(code, "no")
        for code in CHECKED
        if rubric.code(code) is not None and (code in seen or code in SURE_EITHER_WAY)
    }


def _input(item: Item, response: Response, rubric: Rubric) -> JudgeInput:
    language = response.language or item.language
    return JudgeInput(
        id=response.id,
        item=item.id,
        label=response.label,
        ticket=item.text,
        response=response.text,
        reference=item.reference,
        must_mention=item.must_mention,
        must_not_mention=item.must_not_mention,
        language=language,
        type=item.type,
        difficulty=item.difficulty,
        stratum=item.stratum,
        fields=response.fields,
        facts=facts_of(rubric, response.text, language),
    )


def plan_judging(
    inputs: Sequence[JudgeInput],
    rubric: Rubric,
    config: JudgeConfig,
    options: JudgeOptions,
    needs: AskingNeeds,
    *,
    graded_by_judge: bool = False,
) -> JudgePlan:
    """Return what a run would ask. Nothing is sent.

    Raises :class:`UsageError` for a missing model or impossible numbers.
    """
    if not config.model:
        raise UsageError(problem("judge_no_model"))
    for word, value, least in (
        ("--repeats", config.repeats, 1),
        ("--max-tokens", config.max_tokens, MIN_TOKENS),
        ("--concurrency", options.concurrency, 1),
        ("--sample", 1 if options.sample is None else options.sample, 1),
    ):
        if value < least:
            raise UsageError(
                problem("wrong_usage", found=f"{word} {value}", allowed=f">= {least}", command="judge")
            )
    if options.batch and not needs.judge.batches:
        raise UsageError(problem("judge_no_batches", found=needs.judge.provider))
    prompt = prompt_for(rubric, replace(config, provider=needs.judge.provider))
    chosen = tuple(inputs)
    if options.sample is not None:
        drawn = stratified(inputs, options.sample, seed=options.seed, stratum=stratum_of, name=lambda i: i.id)
        chosen = tuple(drawn)
    keys = keys_of(prompt, chosen)
    tasks = tuple(
        _task(prompt, one, repeat, keys[one.id, repeat], needs)
        for one in chosen
        for repeat in range(config.repeats)
    )
    return JudgePlan(
        rubric=rubric, prompt=prompt, inputs=chosen, tasks=tasks, keys=keys, graded_by_judge=graded_by_judge
    )


def _task(prompt: Prompt, subject: JudgeInput, repeat: int, key: str, needs: AskingNeeds) -> Task:
    def read(reply: Reply) -> Unscored | None:
        judgement = read_reply(reply, prompt.rubric)
        return judgement if isinstance(judgement, Unscored) else None

    return Task(
        key=key,
        subject=subject.id,
        repeat=repeat,
        request=lambda max_tokens: prompt.request(subject, nonce=needs.nonce(), max_tokens=max_tokens),
        read=read,
    )


def estimate_run(plan: JudgePlan, options: JudgeOptions, needs: AskingNeeds) -> Estimate:
    """Return what a run would take, before it is confirmed: calls, tokens and a range of cost, or an unknown price.

    With ``options.count`` the service counts a sample of the real requests (free of charge); else their size is guessed.
    """
    config = plan.prompt.config
    history = needs.ledger.history([task.key for task in plan.tasks])
    todo: dict[str, Task] = {}
    state: Counter[Do] = Counter()
    for task in {task.key: task for task in plan.tasks}.values():
        step = what_next(
            history.get(task.key, ()),
            run="",
            max_tokens=config.max_tokens,
            again=options.again,
            consent=options.consent,
        )
        state[step.do] += 1
        if step.do is Do.ASK:
            todo[task.key] = task
    sample = list(todo.values())[:: max(1, len(todo) // COUNTED_SAMPLE)][:COUNTED_SAMPLE]
    requests = [task.request(config.max_tokens) for task in sample]
    sizes = [needs.judge.count_tokens(r) for r in requests] if options.count else [None]
    counted = bool(sizes) and None not in sizes
    known = [n for n in sizes if n is not None] if counted else [guessed_tokens(r) for r in requests]
    terms = options.terms(config, Purpose.JUDGE)
    system = guessed_tokens(config.request(system=plan.prompt.system, user="", schema=plan.prompt.schema))
    return estimate(
        len(todo),
        prompt_tokens=known,
        system_tokens=system,
        output=needs.ledger.reply_length(config.model, Purpose.JUDGE),
        max_tokens=config.max_tokens,
        price=price_of(needs, terms, options.mode, max(known, default=0)),
        counted=counted,
        cached=state[Do.USE],
        settled=state[Do.SETTLED],
        interrupted=state[Do.CONSENT],
        pending=state[Do.PENDING] + state[Do.WAIT],
    )
