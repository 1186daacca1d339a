"""The catalogue of problems, part of the judge: severities and sentences, merged into :data:`~lark_sheets.core.problems.CATALOGUE`."""

from __future__ import annotations

from lark_sheets.errors import Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

Words = tuple[Severity, str, str, str]
"""Severity, what happened, what is expected, what to do."""


def N_(message: str) -> str:  # noqa: N802  (gettext's name for "translate later")
    """Mark a message for the catalogue without translating it here."""
    return message


JUDGE_PROBLEMS: dict[str, Words] = {
    # -- the ledger -------------------------------------------------------------------------------------------------
    "ledger_damaged": (
        ERROR,
        N_("the ledger is damaged ({found})"),
        N_("the ledger that lark-sheets wrote beside the campaign"),
        N_(
            "Put back a copy of it, or rename it to start a new one: what it paid for would then be asked, and billed, again."
        ),
    ),
    "ledger_foreign": (
        ERROR,
        N_("this file is a database of another program"),
        N_("a ledger that lark-sheets wrote, or no file"),
        N_("Give another path for the ledger; this file was left as it is."),
    ),
    "ledger_newer": (
        ERROR,
        N_("the ledger was written by a newer lark-sheets (version {found})"),
        N_("version {supported} or older"),
        N_("Update lark-sheets."),
    ),
    "ledger_disk": (
        ERROR,
        N_("the ledger could not be written ({found})"),
        N_("room on the disk"),
        N_("Free some space and run the command again: what was written before is kept."),
    ),
    # -- the service ------------------------------------------------------------------------------------------------
    "judge_no_model": (
        ERROR,
        N_("no model was named"),
        N_("the name of the model, as its provider writes it"),
        N_("Give it with --model NAME."),
    ),
    "judge_no_key": (
        ERROR,
        N_("there is no key for the service {found}"),
        N_("a key in the environment of this command"),
        N_("Set {variable}; the key is never written to a file, a log or a message."),
    ),
    "judge_unknown_provider": (
        ERROR,
        N_("“{found}” is no provider known here"),
        N_("one of {providers}"),
        N_("Correct --provider."),
    ),
    "judge_missing_library": (
        ERROR,
        N_("the library for {provider} is not installed ({found})"),
        N_("the optional part “{extra}”"),
        N_("Install it: pip install {extra}"),
    ),
    "judge_no_batches": (
        ERROR,
        N_("{found} takes no batches"),
        N_("a provider with a batch service (anthropic)"),
        N_("Run without --batch."),
    ),
    "judge_auth": (
        ERROR,
        N_("the service refused the key ({found})"),
        N_("a key that the service accepts for this model"),
        N_("Correct the key and run the command again: what was judged is kept."),
    ),
    "judge_billing": (
        ERROR,
        N_("the service asks for payment ({found})"),
        N_("an account with credit"),
        N_("Add credit and run the command again: what was judged is kept."),
    ),
    "judge_misconfigured": (
        ERROR,
        N_("the service refused the first requests ({found})"),
        N_("a model, effort and number of tokens that the service knows"),
        N_("Correct --model, --effort or --max-tokens; nothing further was sent."),
    ),
    "judge_paused": (
        ERROR,
        N_("the run was paused: the service does not keep up ({found}); judgements not asked: {count}"),
        N_("a service that answers"),
        N_("Run the same command again later: what was judged is kept and costs nothing more."),
    ),
    "judge_stopped_by_hand": (
        WARNING,
        N_("the run was stopped; judgements not asked: {count}"),
        N_("a run to its end"),
        N_("Run the same command again: what was judged is kept and costs nothing more."),
    ),
    # -- money ------------------------------------------------------------------------------------------------------
    "judge_budget": (
        ERROR,
        N_("the budget of {budget} is reached ({found} spent or reserved); not asked: {count}"),
        N_("a budget that covers the worst case of the next call"),
        N_("Raise --budget and run the command again: what was judged is kept."),
    ),
    "judge_price_unknown": (
        ERROR,
        N_("the price of {found} is unknown, so a budget cannot be kept"),
        N_("a row for exactly this provider, model and way of sending in {table}"),
        N_("Add the row, or run without --budget."),
    ),
    "judge_unpriced": (
        NOTE,
        N_("calls of unknown price: {count}; sums of money leave them out"),
        N_("a price for every model used"),
        N_("Add the model to {table}; the tokens are shown."),
    ),
    "judge_may_be_billed": (
        WARNING,
        N_("requests that were never answered and may have been billed: {count} ({found} at most)"),
        N_("an answer to every request"),
        N_("Compare with the provider's invoice."),
    ),
    "judge_interrupted": (
        WARNING,
        N_("requests of a run that died, without an answer, which may have been billed: {count}"),
        N_("a run that ended by itself"),
        N_("Add --consent to ask them again; until then they have no grade."),
    ),
    "price_fault": (
        ERROR,
        N_("“{found}” cannot stand in column {column} of the price table (row {row})"),
        N_("{allowed}"),
        N_("Correct the cell; a price that is not known has no row."),
    ),
    # -- batches ----------------------------------------------------------------------------------------------------
    "judge_pending": (
        NOTE,
        N_("in a batch that is not ready: {count} ({found})"),
        N_("results within 24 hours"),
        N_("Run the same command again later to fetch them; nothing is sent twice."),
    ),
    "judge_batch_unsure": (
        WARNING,
        N_("a batch (requests: {count}) was being sent when a run died; whether it arrived is not known yet"),
        N_("a batch that the service lists"),
        N_("Run the same command again: {found}."),
    ),
    "judge_batch_odd": (
        NOTE,
        N_("the batch gave {found}"),
        N_("one result for every request"),
        N_(
            "Nothing to do: the first result of each request counts, those of others are ignored, missing ones have no grade."
        ),
    ),
    "judge_elsewhere": (
        NOTE,
        N_("asked by another command right now: {count}"),
        N_("one command at a time"),
        N_("Run the command again when the other one has ended."),
    ),
    # -- judgements -------------------------------------------------------------------------------------------------
    "judge_no_score": (
        WARNING,
        N_("judgements without a grade: {count} of {planned} ({found})"),
        N_("a grade for every judgement"),
        N_(
            "They are counted apart and lower the coverage; no grade was put in their place. Ask again with --again."
        ),
    ),
    "judge_no_grade": (
        ERROR,
        N_("no grade at all; responses asked: {count} ({found})"),
        N_("at least one valid judgement"),
        N_("Read the reasons above, correct what they name, and run the command again."),
    ),
    "judge_divergent": (
        WARNING,
        N_("responses on which the judge contradicts itself: {count} ({found})"),
        N_("repeats that agree"),
        N_("A person should read them; they are on the list."),
    ),
    "judge_suspicious": (
        WARNING,
        N_("responses that seem to speak to whoever grades them: {count} ({found})"),
        N_("answers to the customer only"),
        N_("A person should read them; no grade was changed for it."),
    ),
    "judge_incoherent": (
        NOTE,
        N_("responses on which the judge's own verdict differs from the rule: {count} ({found})"),
        N_("the verdict that the rubric's rule gives"),
        N_("The rule decides. Read the anchors if it happens often."),
    ),
    "judge_blocked": (
        ERROR,
        N_("responses with an unfavourable verdict of the judge: {count} ({found})"),
        N_("no unfavourable verdict while the gate is open"),
        N_(
            "Read them. If people disagree with the judge, add the case to the calibration set and calibrate again."
        ),
    ),
    "judge_waits": (
        NOTE,
        N_("unfavourable verdicts that wait for a person (French or deciding answers): {count} ({found})"),
        N_("a person's decision on these, even when the gate is open"),
        N_("Have them graded by a person."),
    ),
    "judge_hidden": (
        NOTE,
        N_("the judge's column stays hidden from {found}"),
        N_("graders who have graded all their responses"),
        N_("Nothing to do: it appears when they have finished."),
    ),
    # -- calibration ------------------------------------------------------------------------------------------------
    "calibration_none": (
        WARNING,
        N_("this judge was never compared with people"),
        N_("a calibration on at least {needed} labels"),
        N_("Run lark-sheets calibrate; until then its verdicts only indicate."),
    ),
    "calibration_stale": (
        WARNING,
        N_("the calibration is stale: {found} changed since"),
        N_("the conditions under which it was made"),
        N_(
            "Run lark-sheets calibrate again, or restore what changed; until then the verdicts only indicate."
        ),
    ),
    "calibration_old": (
        WARNING,
        N_("the calibration is {found} days old"),
        N_("at most {limit} days"),
        N_("Calibrate again: a service may have changed without a word."),
    ),
    "calibration_too_small": (
        ERROR,
        N_("labels in the set: {found}; nothing was asked"),
        N_("at least {needed} labels"),
        N_("Label more responses by hand, then calibrate."),
    ),
    "calibration_unbalanced": (
        ERROR,
        N_("labels of the rarer outcome: {found} of {count}; nothing was asked"),
        N_("at least {share} of each outcome"),
        N_("Add cases of the rarer outcome: on one outcome alone agreement says nothing."),
    ),
    "calibration_no_borderline": (
        WARNING,
        N_("no case of the set is marked borderline"),
        N_("some cases on which people had to think"),
        N_("Add and mark borderline cases: a judge that passes obvious ones proves nothing."),
    ),
    "calibration_incomplete": (
        WARNING,
        N_("labelled cases with a verdict of the judge: {found} of {count}"),
        N_("a verdict on every case"),
        N_("Run calibrate again with --again, or read why they failed; the gate stays shut."),
    ),
    "calibration_low": (
        WARNING,
        N_("the judge agrees too little with people (kappa {found})"),
        N_("kappa of at least {needed}"),
        N_(
            "Read the disagreements, sharpen the anchors, calibrate again; until then the verdicts only indicate."
        ),
    ),
    "calibration_undefined": (
        WARNING,
        N_("kappa is undefined: {found}"),
        N_("both outcomes, from people and judge"),
        N_("Add cases of the other outcome."),
    ),
    "calibration_no_outcome": (
        NOTE,
        N_("the rubric decides nothing, so no gate can be open"),
        N_("a rubric with a verdict"),
        N_("Nothing to do: the agreement by criterion is shown."),
    ),
    "calibration_not_conclusive": (
        NOTE,
        N_("the agreement is not conclusive: its interval starts at {found}"),
        N_("an interval that starts at {needed} or above"),
        N_("{how}"),
    ),
    "calibration_by_rule": (
        NOTE,
        N_(
            "disagreements on which people's own grades give the judge's verdict by the rule: {count} ({found})"
        ),
        N_("a rule that says what people mean"),
        N_("Look at the rule of the rubric, not at the judge."),
    ),
    "calibration_recorded": (
        NOTE,
        N_("the judge's replies were recorded earlier and only replayed ({found})"),
        N_("a live judge"),
        N_("Calibrate with a live judge before you rely on it."),
    ),
    "unknown_outcome": (
        ERROR,
        N_("“{found}” is no outcome of the rubric"),
        N_("one of {outcomes}"),
        N_("Correct the verdict."),
    ),
    "case_conflict": (
        ERROR,
        N_("this response is in the calibration set already, with another verdict ({found})"),
        N_("one verdict for a response"),
        N_("Correct the case in the set if people changed their mind."),
    ),
    # -- collecting responses ---------------------------------------------------------------------------------------
    "template_field": (
        ERROR,
        N_("the template names “{found}”, which is no column of the dataset"),
        N_("one of {columns}"),
        N_("Correct the template; write double braces for braces that are text."),
    ),
    "respond_failed": (
        WARNING,
        N_("items without a response: {count} of {planned} ({found})"),
        N_("a response to every item"),
        N_("Run the same command again: responses that came are kept and cost nothing more."),
    ),
}
