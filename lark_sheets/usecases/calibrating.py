"""calibrate: compare the judge with people on labelled responses, and keep what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark_sheets.core.judging.calibration import (
    REFUSED,
    Calibration,
    Case,
    Judged,
    Measures,
    Status,
    measure,
    outcome,
    positive,
    set_status,
)
from lark_sheets.core.judging.config import JudgeConfig
from lark_sheets.core.judging.consensus import Summary, by_reason, summarise
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.reasons import TRANSIENT, UNASKED, Purpose, Reason
from lark_sheets.core.judging.words import counted
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.errors import DataError, MissingPiece, Problem, Severity, UsageError
from lark_sheets.usecases.asking import AskingNeeds, Stop, Stopped
from lark_sheets.usecases.asking_live import ask_all
from lark_sheets.usecases.batching import BatchNotes, run_batches
from lark_sheets.usecases.judge_plan import JudgeOptions, JudgePlan, facts_of, plan_judging
from lark_sheets.usecases.judge_problems import asking_problems, measure_problems, set_problem, stop_problems
from lark_sheets.usecases.judging import check_budget, conditions_of, judgements_of, spent_on


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRun:
    """What came of a calibration. ``calibration`` is None when the set was refused or the run ended before every case was asked.

    ``kept`` says that it was entered in the ledger; a second run that finds the same changes nothing.
    """

    status: Status
    calibration: Calibration | None
    measures: Measures | None
    summaries: tuple[Summary, ...] = ()
    kept: bool = False
    stopped: Stopped | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def exit_code(self) -> int:
        """Return 3 when the service was lacking, 2 for a wrong configuration, 1 for an error such as a set that can tell nothing."""
        if self.stopped is not None and self.stopped.stop in (Stop.AUTH, Stop.BILLING, Stop.PAUSED):
            return MissingPiece.exit_code
        if self.stopped is not None and self.stopped.stop is Stop.MISCONFIGURED:
            return UsageError.exit_code
        return DataError.exit_code if any(p.severity is Severity.ERROR for p in self.problems) else 0


def inputs_of_cases(cases: Sequence[Case], rubric: Rubric) -> tuple[JudgeInput, ...]:
    """Return labelled cases as the judge gets them; labels and reasons of people are not in them."""
    return tuple(
        JudgeInput(
            id=case.id,
            item=case.id,
            ticket=case.ticket,
            response=case.response,
            reference=case.reference,
            language=case.language,
            facts=facts_of(rubric, case.response, case.language),
        )
        for case in cases
    )


def calibrate(
    cases: Sequence[Case], rubric: Rubric, config: JudgeConfig, options: JudgeOptions, needs: AskingNeeds
) -> CalibrationRun:
    """Have every labelled case judged and compare; a set that can tell nothing is refused before anything is spent."""
    t = needs.translate
    status = set_status(rubric, cases)
    if status in REFUSED:
        labels = Counter(found for c in cases if (found := outcome(rubric, c.verdict, c.grades)) is not None)
        labelled = labels.total() if positive(rubric) else sum(None not in c.grades.values() for c in cases)
        fault = set_problem(status, labels, labelled, t)
        return CalibrationRun(
            status=status, calibration=None, measures=None, problems=() if fault is None else (fault,)
        )
    plan = plan_judging(inputs_of_cases(cases, rubric), rubric, config, replace(options, sample=None), needs)
    terms = options.terms(config, Purpose.JUDGE)
    check_budget(plan, options, needs, terms)
    notes = BatchNotes()
    if options.batch:
        stopped, notes = run_batches(plan.tasks, terms, needs, wait=options.wait)
    else:
        stopped = ask_all(plan.tasks, terms, needs)
    judgements, attempts = judgements_of(plan, stopped, needs)
    summaries = tuple(summarise(rubric, one, judgements[one.id]) for one in plan.inputs)
    reasons = by_reason(summaries)
    told = [
        *stop_problems(stopped, reasons, options, needs),
        *asking_problems(reasons, spent_on(plan, needs, terms), notes, needs),
    ]
    lost = {r: n for r, n in reasons.items() if Reason(r) not in UNASKED}
    if lost:
        planned = sum(s.planned for s in summaries)
        told.append(
            problem("judge_no_score", count=sum(lost.values()), planned=planned, found=counted(lost, t))
        )
    if stopped is not None or any(Reason(r) in UNASKED | TRANSIENT for r in reasons):
        return CalibrationRun(
            status=status,
            calibration=None,
            measures=None,
            summaries=summaries,
            stopped=stopped,
            problems=tuple(told),
        )
    calibration = Calibration(
        rubric=rubric,
        conditions=conditions_of(plan, attempts),
        cases=tuple(cases),
        judged={summary.id: _judged(rubric, plan, summary) for summary in summaries},
        repeats=config.repeats,
        date=needs.now().isoformat(),
        recorded=needs.judge.recorded,
    )
    measures = measure(calibration)
    kept = not _is_known(calibration, needs)
    if kept:
        needs.ledger.keep_calibration(calibration)
    told += measure_problems(calibration, measures, t)
    return CalibrationRun(
        status=status,
        calibration=calibration,
        measures=measures,
        summaries=summaries,
        kept=kept,
        stopped=stopped,
        problems=tuple(told),
    )


def _judged(rubric: Rubric, plan: JudgePlan, summary: Summary) -> Judged:
    label = next((c.id for c in rubric.criteria if c.is_category), "")
    said = summary.verdicts or tuple(str(o.grades[label]) for o in summary.opinions if label in o.grades)
    opinion = summary.opinion
    return Judged(
        levels={c.id: summary.levels.get(c.id) for c in plan.rubric.criteria} if summary.scored else {},
        verdict=summary.verdict,
        outcomes=said,
        unscored={str(reason): n for reason, n in summary.reasons.items()},
        reason="" if opinion is None else opinion.reasoning,
    )


def _is_known(calibration: Calibration, needs: AskingNeeds) -> bool:
    """Say whether the newest calibration under these conditions found just this."""
    same = [c for c in needs.ledger.calibrations() if not calibration.conditions.changed_from(c.conditions)]
    return bool(same) and replace(same[-1], date=calibration.date) == calibration
