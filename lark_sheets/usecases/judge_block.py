"""The judge's part of ``results.json``: gate, calibration, what has no grade, what needs a person, money, and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from lark_sheets.core.judging.bias import Compared, OrderBias, length_bias, own_family, self_consistency
from lark_sheets.core.judging.calibration import Calibration, Measures, measure
from lark_sheets.core.judging.consensus import Summary, by_reason
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.staleness import Trust
from lark_sheets.core.judging.tables import GroupMean, group_means, impossible, overall_mean, weakest
from lark_sheets.core.results import Rate
from lark_sheets.core.results_json import plain, statistics_dict
from lark_sheets.usecases.judging import JudgeRun


def judge_block(run: JudgeRun, *, with_items: bool = True) -> dict[str, Any]:
    """Return the ``judge`` value of the results: the contract's keys first, then what we add.

    ``with_items`` False leaves out what the judge held of each response: for a file that graders who have not finished may
    open. No run's name is in it, and no time of day: the same ledger gives the same block.
    """
    rubric = run.plan.rubric
    summaries = {s.id: s for s in run.summaries}
    block: dict[str, Any] = {
        "model": run.conditions.model,
        "gate": str(run.trust.gate),
        "conclusive": run.trust.conclusive,
        "calibration": calibration_block(run.trust),
        "unscored": by_reason(run.summaries),
        "served": list(run.conditions.served),
        "recorded": run.trust.calibration is not None and run.trust.calibration.recorded,
        "responses": len(run.summaries),
        "graded": sum(s.scored for s in run.summaries),
        "impossible": impossible(run.summaries),
        "repeats": run.plan.prompt.config.repeats,
        "planned": sum(s.planned for s in run.summaries),
        "scored": sum(s.valid for s in run.summaries),
        "graded_by_judge": run.plan.graded_by_judge,
        "conditions": {
            "prompt_version": run.conditions.prompt_version,
            "prompt": run.conditions.prompt,
            "schema": run.conditions.schema,
            "effort": run.conditions.effort or "not sent",
            "max_tokens": run.plan.prompt.config.max_tokens,
            **run.service,
        },
        "spend": spend_block(run.spent),
        "consistency": {c: statistics_dict(a) for c, a in self_consistency(rubric, run.summaries).items()},
    }
    if rubric.total_max is not None:
        block |= {
            "mean_total": _mean(overall_mean(run.plan.inputs, summaries)),
            "total_max": rubric.total_max,
            "by_type": [_mean(g) for g in group_means(run.plan.inputs, summaries, lambda i: i.type)],
            "by_difficulty": [
                _mean(g) for g in group_means(run.plan.inputs, summaries, lambda i: i.difficulty)
            ],
        }
    if with_items:
        block |= _items(run)
    return block


def _items(run: JudgeRun) -> dict[str, Any]:
    subjects = {one.id: one for one in run.plan.inputs}
    return {
        "blocking": list(run.blocking),
        "waiting": list(run.waiting),
        "queue": [{**_place(subjects[q.id]), "why": list(q.why)} for q in run.queue],
        "weakest": [
            {
                **_place(subjects[w.id]),
                "total": float(w.total),
                "strengths": w.strengths,
                "weaknesses": w.weaknesses,
                "reasoning": w.reasoning,
            }
            for w in weakest(run.summaries)
        ],
        "items": [_item(subjects[s.id], s, run) for s in run.summaries],
    }


def _place(subject: JudgeInput) -> dict[str, Any]:
    return {"id": subject.id, "item": subject.item, "label": subject.label}


def _item(subject: JudgeInput, summary: Summary, run: JudgeRun) -> dict[str, Any]:
    opinion = summary.opinion
    return {
        **_place(subject),
        "planned": summary.planned,
        "valid": summary.valid,
        "unscored": {str(reason): n for reason, n in sorted(summary.reasons.items())},
        "scores": summary.levels,
        "means": {c: plain(spread.mean) for c, spread in summary.criteria.items()},
        "ranges": {
            c: None if spread.low is None else [spread.low, spread.high]
            for c, spread in summary.criteria.items()
        },
        "total": plain(summary.total),
        "total_range": None if summary.total_low is None else [summary.total_low, summary.total_high],
        "verdict": summary.verdict,
        "divergent": summary.divergent,
        "signs": [sign.kind for sign in run.signs.get(subject.id, ())],
        "stand": str(run.stands[subject.id]),
        "remarks": {}
        if opinion is None
        else {c: {"finding": r.finding, "evidence": r.evidence} for c, r in opinion.remarks.items()},
        "reasoning": "" if opinion is None else opinion.reasoning,
    }


def _mean(group: GroupMean) -> dict[str, Any]:
    return {
        "group": group.group,
        "mean": plain(group.mean),
        "graded": group.graded,
        "responses": group.responses,
    }


def spend_block(spent: Mapping[str, int | str]) -> dict[str, Any]:
    """Return money as numbers of the currency; what is unknown is counted, never added as zero."""
    return {
        "currency": spent["currency"],
        "requests": spent["requests"],
        "settled": float(Fraction(int(spent["settled"]), 10**9)),
        "held": float(Fraction(int(spent["held"]), 10**9)),
        "calls_of_unknown_price": spent["unpriced"],
        "may_be_billed": spent["may_be_billed"],
    }


def calibration_block(held: Trust) -> dict[str, Any]:
    """Return what is known of the judge against people; empty when it was never calibrated."""
    if held.calibration is None or held.measures is None:
        return {}
    return {
        "changed": list(held.changed),
        "why": list(held.why),
        "old_days": held.old,
        "checked": held.checked,
        **measured_block(held.calibration, held.measures),
    }


def measured_block(calibration: Calibration, measures: Measures | None = None) -> dict[str, Any]:
    """Return the figures of one calibration, as ``calibrate --json`` prints them."""
    found = measures or measure(calibration)
    return {
        "date": calibration.date,
        "status": str(found.status),
        "gate": str(found.gate),
        "conclusive": found.conclusive,
        "labels": found.labelled,
        "judged": found.judged,
        "labels_needed": found.labels_needed,
        "unscored": dict(found.unscored),
        "recorded": calibration.recorded,
        "repeats": calibration.repeats,
        "model": calibration.conditions.model,
        "served": list(calibration.conditions.served),
        "rubric": calibration.conditions.rubric,
        "set": calibration.fingerprint,
        "outcome": None if found.binary is None else statistics_dict(found.binary),
        "confusion": None if found.binary is None else found.binary.table,
        "sensitivity": _rate(found.sensitivity),
        "specificity": _rate(found.specificity),
        "steady": _rate(found.steady),
        "criteria": {
            c: {**statistics_dict(a), "levels": list(a.levels), "confusion": a.table}
            for c, a in found.criteria.items()
        },
        "by_language": {name: statistics_dict(a) for name, a in found.by_language.items()},
        "by_family": {name: statistics_dict(a) for name, a in found.by_family.items()},
        "disagreements": [
            {
                "id": d.case.id,
                "language": d.case.language,
                "family": d.case.family,
                "human": d.human,
                "judge": d.judge,
                "failed": list(d.failed),
                "by_rule": d.by_rule,
                "human_reason": d.case.reason,
                "judge_reason": d.judged.reason,
            }
            for d in found.disagreements
        ],
    }


def _rate(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else {"k": rate.k, "n": rate.n, "interval": plain(rate.interval)}


def bias_block(rows: Sequence[Compared], family: str, order: OrderBias | None = None) -> dict[str, Any]:
    """Return the measured leanings of a judge; each may be undefined, and none is a verdict."""
    own, length = own_family(rows, family), length_bias(rows)
    return {
        "family": family,
        "own_family": {
            "own": own.own,
            "others": own.others,
            "difference": plain(own.difference),
            "interval": plain(own.interval),
        },
        "length": {"n": length.n, "correlation": length.correlation},
        "order": None
        if order is None
        else {"permuted": _rate(order.permuted), "steady": _rate(order.steady)},
    }
