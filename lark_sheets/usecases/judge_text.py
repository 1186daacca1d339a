"""What the judge's commands print: label and value, line by line, in the reader's language. The command line lays them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lark_sheets.core.agreement import Agreement
from lark_sheets.core.intervals import Interval
from lark_sheets.core.judging.calibration import Calibration, Measures
from lark_sheets.core.judging.consensus import by_reason
from lark_sheets.core.judging.money import Estimate
from lark_sheets.core.judging.tables import GroupMean, group_means, overall_mean, weakest
from lark_sheets.core.judging.words import GATES, QUEUE, counted
from lark_sheets.core.language import Translator
from lark_sheets.core.results import Rate
from lark_sheets.usecases.asking import money
from lark_sheets.usecases.judging import JudgeRun
from lark_sheets.usecases.responding import ResponseRun


class Line(NamedTuple):
    """One line of a command's output."""

    label: str
    value: str


def estimate_lines(estimate: Estimate, t: Translator) -> list[Line]:
    """Return what a run would take; a person says yes or no to this."""
    tokens = t(
        "{prompt} in, {output} out",
        prompt=t.whole(estimate.prompt_tokens),
        output=t.whole(estimate.output_tokens),
    )
    size = t("counted by the service") if estimate.counted else t("estimated from the length of the texts")
    if estimate.low is None or estimate.high is None:
        cost = t("price unknown")
    else:
        cost = t(
            "{low} to {high}",
            low=money(estimate.low, estimate.currency, t),
            high=money(estimate.high, estimate.currency, t),
        )
    lines = [
        Line(t("Calls to make"), t.whole(estimate.calls)),
        Line(t("Already judged, free"), t.whole(estimate.cached)),
        Line(t("Tokens"), f"{tokens} ({size})"),
        Line(t("Cost"), cost),
    ]
    if estimate.price is not None:
        source = estimate.price.source or t("not told")
        lines.append(Line(t("Price from"), f"{source}, {estimate.price.as_of}"))
    if estimate.at_most:
        lines.append(Line(t("Length of replies"), t("taken at the limit: no experience with this model yet")))
    if estimate.settled:
        lines.append(Line(t("Settled without a grade, not asked again"), t.whole(estimate.settled)))
    if estimate.interrupted:
        lines.append(Line(t("Sent by a run that died, may have been billed"), t.whole(estimate.interrupted)))
    if estimate.pending:
        lines.append(Line(t("In a batch or asked elsewhere"), t.whole(estimate.pending)))
    return lines


def run_lines(run: JudgeRun, t: Translator) -> list[Line]:
    """Return what a run gave."""
    graded = sum(s.scored for s in run.summaries)
    valid, planned = sum(s.valid for s in run.summaries), sum(s.planned for s in run.summaries)
    lines = [
        Line(t("Judge"), ", ".join(run.conditions.served) or run.conditions.model),
        Line(t("Responses graded"), _of(graded, len(run.summaries), t)),
        Line(t("Valid judgements"), _of(valid, planned, t)),
    ]
    if reasons := by_reason(run.summaries):
        lines.append(Line(t("Without a grade"), counted(reasons, t)))
    lines.append(Line(t("Gate"), t(GATES[run.trust.gate])))
    if run.plan.rubric.total_max is not None:
        summaries = {s.id: s for s in run.summaries}
        top = run.plan.rubric.total_max
        lines.append(Line(t("Mean total"), _mean(overall_mean(run.plan.inputs, summaries), top, t)))
        if run.plan.graded_by_judge:
            groups = (
                *group_means(run.plan.inputs, summaries, lambda one: one.type),
                *group_means(run.plan.inputs, summaries, lambda one: one.difficulty),
            )
            lines += [Line(f"  {g.group}", _mean(g, top, t)) for g in groups if g.group]
            lines += [
                Line(t("Among the weakest"), f"{w.item} {t.decimal(w.total, 1)}/{top}: {w.weaknesses}")
                for w in weakest(run.summaries)
            ]
    places = {one.id: f"{one.item}-{one.label}" if one.label else one.id for one in run.plan.inputs}
    lines += [
        Line(t("To be read by a person"), f"{places[q.id]} ({', '.join(t(QUEUE[why]) for why in q.why)})")
        for q in run.queue
    ]
    lines.append(_cost(run.spent, t))
    return lines


def calibration_lines(calibration: Calibration, measures: Measures, t: Translator) -> list[Line]:
    """Return what a calibration measured: agreement, kappa with its interval, confusion, groups, every disagreement."""
    lines = [
        Line(t("Judge"), ", ".join(calibration.conditions.served) or calibration.conditions.model),
        Line(t("Labels, judged"), _of(measures.judged, measures.labelled, t)),
        Line(t("Gate"), t(GATES[measures.gate])),
    ]
    if measures.binary is not None:
        found = measures.binary
        lines += [
            Line(
                t("Outcome agrees"), f"{_of(found.equal, found.n, t)} {_interval(found.interval, t)}".rstrip()
            ),
            Line(t("Kappa"), _kappa(found, t)),
            Line(t("Conclusive"), t("yes") if measures.conclusive else t("no")),
        ]
        if found.table is not None:
            (yes, judge_no), (judge_yes, no) = found.table
            lines.append(
                Line(
                    t("Confusion"),
                    t(
                        "both yes {yes}, both no {no}, only people yes {people}, only judge yes {judge}",
                        yes=yes,
                        no=no,
                        people=judge_no,
                        judge=judge_yes,
                    ),
                )
            )
        lines += [
            Line(t("Sensitivity"), _rate(measures.sensitivity, t)),
            Line(t("Specificity"), _rate(measures.specificity, t)),
        ]
    if measures.unscored:
        lines.append(Line(t("Without a grade"), counted(measures.unscored, t)))
    if measures.steady.n:
        lines.append(Line(t("All repeats the same"), _rate(measures.steady, t)))
    for name, found in measures.criteria.items():
        shown = calibration.rubric.criterion(name).name.in_(t.language)
        lines.append(Line(f"  {shown}", f"{_of(found.equal, found.n, t)}, {t('kappa')} {_kappa(found, t)}"))
    for groups in (measures.by_language, measures.by_family):
        lines += [
            Line(
                f"  {name or t('not told')}",
                f"{_of(found.equal, found.n, t)}, {t('kappa')} {_kappa(found, t)}",
            )
            for name, found in groups.items()
        ]
    for d in measures.disagreements:
        failed = ", ".join(calibration.rubric.criterion(c).name.in_(t.language) for c in d.failed)
        words = " / ".join(filter(None, (failed, d.case.reason, d.judged.reason)))
        lines.append(Line(t("Disagreement {name}", name=d.case.id), words))
    return lines


def response_lines(run: ResponseRun, t: Translator) -> list[Line]:
    """Return what was collected."""
    return [
        Line(t("Responses"), _of(len(run.responses), len(run.plan.tasks), t)),
        Line(t("Model"), run.conditions["served"] or run.conditions["model"]),
        _cost(run.spent, t),
    ]


def _of(part: int, whole: int, t: Translator) -> str:
    return f"{t.whole(part)}/{t.whole(whole)}"


def _mean(group: GroupMean, top: int, t: Translator) -> str:
    if group.mean is None:
        return t("no grade")
    return f"{t.decimal(group.mean, 2)}/{top} ({_of(group.graded, group.responses, t)})"


def _rate(rate: Rate | None, t: Translator) -> str:
    return (
        "–"
        if rate is None or not rate.n
        else f"{_of(rate.k, rate.n, t)} {_interval(rate.interval, t)}".rstrip()
    )


def _interval(interval: Interval | None, t: Translator) -> str:
    return "" if interval is None else f"[{t.percent(interval.low, 1)}, {t.percent(interval.high, 1)}]"


def _kappa(found: Agreement, t: Translator) -> str:
    if found.kappa.exact is None:
        return t(found.kappa.state.value)
    bounds = found.kappa_interval
    shown = t.decimal(found.kappa.exact, 3)
    return shown if bounds is None else f"{shown} [{t.decimal(bounds.low, 3)}, {t.decimal(bounds.high, 3)}]"


def _cost(spent: Mapping[str, int | str], t: Translator) -> Line:
    currency = str(spent["currency"])
    text = money(int(spent["settled"]), currency, t)
    if unpriced := int(spent["unpriced"]):
        text += t.count(
            ", without {n} call of unknown price", ", without {n} calls of unknown price", unpriced
        )
    if held := int(spent["held"]):
        text += t(", and at most {amount} not settled", amount=money(held, currency, t))
    return Line(t("Cost so far"), text)
