"""What there is to tell after asking a judge: every loss by name and number, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lark_sheets.core.judging.calibration import Calibration, Measures, Status
from lark_sheets.core.judging.consensus import by_reason
from lark_sheets.core.judging.gate import FEWEST_LABELS, KAPPA_MIN, LEAST_MINORITY, Gate
from lark_sheets.core.judging.reasons import UNASKED, Reason
from lark_sheets.core.judging.staleness import OLD_AFTER, Trust
from lark_sheets.core.judging.words import counted, listed, some
from lark_sheets.core.language import Translator
from lark_sheets.core.problems import problem
from lark_sheets.errors import Problem
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped, money
from lark_sheets.usecases.batching import BatchNotes

if TYPE_CHECKING:
    from lark_sheets.usecases.judge_plan import JudgeOptions
    from lark_sheets.usecases.judging import JudgeRun


def run_problems(run: JudgeRun, options: JudgeOptions, needs: AskingNeeds) -> tuple[Problem, ...]:
    """Return everything a person should know of a run, in the order in which it matters."""
    t = needs.translate
    reasons = by_reason(run.summaries)
    told = stop_problems(run.stopped, reasons, options, needs)
    told += asking_problems(reasons, run.spent, run.notes, needs)
    lost = {r: n for r, n in reasons.items() if Reason(r) not in UNASKED}
    planned = sum(s.planned for s in run.summaries)
    if lost:
        told.append(
            problem("judge_no_score", count=sum(lost.values()), planned=planned, found=counted(lost, t))
        )
    asked = [s for s in run.summaries if s.scored or any(r not in UNASKED for r in s.reasons)]
    if asked and not any(s.scored for s in asked):
        told.append(problem("judge_no_grade", count=len(asked), found=counted(lost, t)))
    places = {one.id: f"{one.item}-{one.label}" if one.label else one.id for one in run.plan.inputs}
    for code, why in (
        ("judge_divergent", "divergent"),
        ("judge_suspicious", "suspicious"),
        ("judge_incoherent", "incoherent"),
    ):
        ids = [places[q.id] for q in run.queue if why in q.why]
        if ids:
            told.append(problem(code, count=len(ids), found=some(ids)))
    if run.blocking:
        told.append(
            problem("judge_blocked", count=len(run.blocking), found=some(places[i] for i in run.blocking))
        )
    if run.waiting:
        told.append(
            problem("judge_waits", count=len(run.waiting), found=some(places[i] for i in run.waiting))
        )
    if needs.judge.recorded:
        told.append(problem("calibration_recorded", found=run.plan.prompt.config.model))
    return (*told, *trust_problems(run.trust, t))


def stop_problems(
    stopped: Stopped | None, reasons: Mapping[str, int], options: JudgeOptions, needs: AskingNeeds
) -> list[Problem]:
    """Return why a run ended early."""
    if stopped is None:
        return []
    t = needs.translate
    left = reasons.get(Reason.NOT_ASKED, 0) + reasons.get(Reason.BUDGET, 0)
    match stopped.stop:
        case Stop.AUTH:
            return [problem("judge_auth", found=stopped.detail)]
        case Stop.BILLING:
            return [problem("judge_billing", found=stopped.detail)]
        case Stop.MISCONFIGURED:
            return [problem("judge_misconfigured", found=stopped.detail)]
        case Stop.PAUSED:
            return [problem("judge_paused", found=stopped.detail, count=left)]
        case Stop.BY_HAND:
            return [problem("judge_stopped_by_hand", count=left)]
        case Stop.BUDGET:
            spend = needs.ledger.spend(options.currency)
            used = money(spend.settled + spend.held, options.currency, t)
            budget = f"{t.decimal(options.budget or 0, 2)} {options.currency}"
            return [problem("judge_budget", budget=budget, found=used, count=left)]


def asking_problems(
    reasons: Mapping[str, int], spent: Mapping[str, int | str], notes: BatchNotes, needs: AskingNeeds
) -> list[Problem]:
    """Return what is still out, and what may have been billed."""
    t = needs.translate
    told = []
    if count := reasons.get(Reason.INTERRUPTED, 0):
        told.append(problem("judge_interrupted", count=count))
    if count := reasons.get(Reason.PENDING, 0):
        told.append(problem("judge_pending", count=count, found=some(notes.pending) or "…"))
    if count := reasons.get(Reason.ELSEWHERE, 0):
        told.append(problem("judge_elsewhere", count=count))
    told += [problem("judge_batch_unsure", count=count, found=word) for count, word in notes.unsure]
    if notes.odd:
        told.append(problem("judge_batch_odd", found=counted(notes.odd, t)))
    if count := int(spent["may_be_billed"]):
        held = money(int(spent["held"]), str(spent["currency"]), t)
        told.append(problem("judge_may_be_billed", count=count, found=held))
    if count := int(spent["unpriced"]):
        told.append(problem("judge_unpriced", count=count, table=needs.price_table))
    return told


def trust_problems(held: Trust, t: Translator) -> list[Problem]:
    """Return what keeps the gate shut, or qualifies it."""
    if held.gate is Gate.NONE or held.measures is None or held.calibration is None:
        return [problem("calibration_none", needed=FEWEST_LABELS)]
    if held.gate is Gate.STALE:
        return [problem("calibration_stale", found=listed(held.changed, t))]
    told = measure_problems(held.calibration, held.measures, t)
    if held.old is not None:
        told.append(problem("calibration_old", found=held.old, limit=OLD_AFTER))
    return told


def set_problem(status: Status, labels: Counter[str], labelled: int, t: Translator) -> Problem | None:
    """Return why a set of labels can tell nothing, or None when it can."""
    match status:
        case Status.NONE | Status.TOO_SMALL:
            return problem("calibration_too_small", found=labelled, needed=FEWEST_LABELS)
        case Status.UNBALANCED:
            rarer = min(labels["yes"], labels["no"])
            return problem(
                "calibration_unbalanced", found=rarer, count=labelled, share=t.percent(LEAST_MINORITY)
            )
        case Status.NO_BORDERLINE:
            return problem("calibration_no_borderline")
        case Status.MEASURED:
            return None


def measure_problems(calibration: Calibration, measures: Measures, t: Translator) -> list[Problem]:
    """Return what a measured calibration leaves to be told."""
    told: list[Problem] = []
    needed = t.decimal(KAPPA_MIN, 2)
    if measures.status is Status.NO_BORDERLINE:
        told.append(problem("calibration_no_borderline"))
    if "no_outcome" in measures.why:
        told.append(problem("calibration_no_outcome"))
    if "kappa_undefined" in measures.why and measures.binary is not None:
        told.append(problem("calibration_undefined", found=t(measures.binary.state.value)))
    if "kappa_low" in measures.why and measures.kappa is not None:
        told.append(problem("calibration_low", found=t.decimal(measures.kappa, 2), needed=needed))
    if measures.judged < measures.labelled:
        told.append(problem("calibration_incomplete", found=measures.judged, count=measures.labelled))
    interval = None if measures.binary is None else measures.binary.kappa_interval
    if measures.conclusive is False and interval is not None and "kappa_low" not in measures.why:
        told.append(
            problem(
                "calibration_not_conclusive",
                found=t.decimal(interval.low, 3),
                needed=needed,
                how=more_labels(measures, t),
            )
        )
    by_rule = [d.case.id for d in measures.disagreements if d.by_rule]
    if by_rule:
        told.append(problem("calibration_by_rule", count=len(by_rule), found=some(by_rule)))
    if calibration.recorded:
        told.append(problem("calibration_recorded", found=some(calibration.conditions.served)))
    return told


def more_labels(measures: Measures, t: Translator) -> str:
    """Return how many labels would make the agreement conclusive, in words."""
    if measures.labels_needed is None:
        return t(
            "No number of further labels would make this agreement conclusive: raise the agreement first."
        )
    return t(
        "With the same agreement, {count} labels in all would make it conclusive.",
        count=measures.labels_needed,
    )


def worst_first(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with errors first, then warnings, then notes, otherwise in their order."""
    order = {"error": 0, "warning": 1, "note": 2}
    return sorted(problems, key=lambda p: order[p.severity])
