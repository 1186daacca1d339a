"""The judge's keys in the reader's words: reasons, what changed, why a person should look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lark_sheets.core.judge_problems import N_
from lark_sheets.core.judging.reasons import Reason
from lark_sheets.core.language import Translator

REASONS: Mapping[Reason, str] = {
    Reason.REFUSAL: N_("the judge refused"),
    Reason.TRUNCATED: N_("reply cut at the limit of tokens"),
    Reason.CONTEXT: N_("too long for the model"),
    Reason.OTHER_STOP: N_("reply broken off"),
    Reason.NOT_JSON: N_("reply is not bare JSON"),
    Reason.SCHEMA: N_("reply of another form"),
    Reason.NOT_INTEGER: N_("grade is no whole number"),
    Reason.RANGE: N_("grade is no level"),
    Reason.WRONG_LABEL: N_("label or verdict unknown"),
    Reason.MISSING_CRITERION: N_("criterion left out"),
    Reason.MISSING_FIELD: N_("field left out"),
    Reason.DUPLICATE_FIELD: N_("field given twice"),
    Reason.UNKNOWN_FIELD: N_("field of its own invention"),
    Reason.ORDER: N_("grade before its reasons"),
    Reason.RATE_LIMITED: N_("service asks to slow down"),
    Reason.OVERLOADED: N_("service overloaded"),
    Reason.SERVER: N_("service failed"),
    Reason.NETWORK: N_("no connection, or time out"),
    Reason.BAD_GATEWAY_BODY: N_("something else answered"),
    Reason.BAD_REQUEST: N_("request refused"),
    Reason.AUTH: N_("key refused"),
    Reason.BILLING: N_("payment asked"),
    Reason.EXPIRED: N_("expired in the batch"),
    Reason.CANCELED: N_("canceled in the batch"),
    Reason.ERRORED: N_("failed in the batch"),
    Reason.MISSING_RESULT: N_("no result"),
    Reason.BUDGET: N_("not asked: budget reached"),
    Reason.INTERRUPTED: N_("sent by a run that died"),
    Reason.PENDING: N_("in a batch"),
    Reason.ELSEWHERE: N_("asked by another command"),
    Reason.NOT_ASKED: N_("not asked"),
}
CHANGES: Mapping[str, str] = {
    "rubric": N_("the rubric"),
    "prompt": N_("the text of the instructions"),
    "prompt_version": N_("the version of the instructions"),
    "schema": N_("the form of the reply"),
    "provider": N_("the provider"),
    "model": N_("the model"),
    "effort": N_("the effort"),
    "served": N_("the model that answers"),
    "labels": N_("the set of labels"),
}
QUEUE: Mapping[str, str] = {
    "no_grade": N_("no grade"),
    "divergent": N_("repeats differ"),
    "incoherent": N_("verdict against the rule"),
    "suspicious": N_("speaks to its grader"),
}
GATES: Mapping[str, str] = {
    "blocking": N_("blocking"),
    "indicative": N_("indicative"),
    "stale": N_("stale"),
    "none": N_("never calibrated"),
}
ODD: Mapping[str, str] = {
    "repeated": N_("repeated results"),
    "unknown": N_("results of other requests"),
    "missing": N_("missing results"),
}
ALL = (*REASONS.values(), *CHANGES.values(), *QUEUE.values(), *GATES.values(), *ODD.values())


def counted(counts: Mapping[str, int], translate: Translator) -> str:
    """Return counts by reason (or other keys of this module) as one line: "reply cut at the limit of tokens 2, ..."."""
    words = {**{str(reason): text for reason, text in REASONS.items()}, **ODD}
    return ", ".join(f"{translate(words[key])} {n}" for key, n in counts.items())


def listed(keys: Iterable[str], translate: Translator) -> str:
    """Return what changed, as one line."""
    return ", ".join(translate(CHANGES[key]) for key in keys)


FEW = 12


def some(names: Iterable[str]) -> str:
    """Return names as one line, the first of them when they are many."""
    every = list(names)
    return ", ".join(every[:FEW]) + (" …" if len(every) > FEW else "")
