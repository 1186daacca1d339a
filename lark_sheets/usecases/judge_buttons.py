"""What the buttons of the judge do: an estimate, a calibration against people, a run after a person's yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from lark_sheets.core.judging.calibration import Case
from lark_sheets.core.judging.config import JudgeConfig
from lark_sheets.core.judging.money import BILLION, Estimate
from lark_sheets.core.language import Translator
from lark_sheets.core.outcomes import Outcome
from lark_sheets.core.problems import problem
from lark_sheets.core.rubric import Rubric
from lark_sheets.errors import UsageError
from lark_sheets.usecases.buttons import Desk
from lark_sheets.usecases.calibrating import CalibrationRun, calibrate as run_calibration, inputs_of_cases
from lark_sheets.usecases.calibration_set import read_cases
from lark_sheets.usecases.folders import folder_of
from lark_sheets.usecases.inputs import read_rows
from lark_sheets.usecases.judge_campaign import fill_grades, keep_run
from lark_sheets.usecases.judge_plan import JudgeOptions, estimate_run, inputs_of, plan_judging
from lark_sheets.usecases.judging import judge as run_judge
from lark_sheets.usecases.loading import Loaded

REPEATS = 3
"""How often each response is judged, as on the command line."""
SET = "calibration.csv"
POLICY = "policy.md"


def estimate(desk: Desk) -> Outcome:
    """Say what a run would take; nothing is sent."""
    loaded = desk.campaign()
    asking = desk.asking(loaded, True)
    options = JudgeOptions(count=False)
    plan = plan_judging(
        inputs_of(loaded.campaign), loaded.campaign.rubric, _config(desk, loaded), options, asking
    )
    return Outcome(
        line=_cost(estimate_run(plan, options, asking), desk.t),
        hint=desk.t("Nothing was sent."),
        book=loaded.path,
    )


def judge(desk: Desk) -> Outcome:
    """Ask the judge for what it has not judged yet, once a person has agreed to the estimate."""
    t, needs = desk.t, desk.needs
    loaded = desk.campaign()
    campaign = loaded.campaign
    asking = desk.asking(loaded, False)
    options = JudgeOptions()
    plan = plan_judging(
        inputs_of(campaign),
        campaign.rubric,
        _config(desk, loaded),
        options,
        asking,
        graded_by_judge=campaign.graded_by == "judge",
    )
    found = estimate_run(plan, options, asking)
    if found.calls and not desk.ask(_cost(found, t) + "\n\n" + t("Ask the judge now?")):
        return Outcome(line=t("Nothing was sent."), book=loaded.path)
    run = run_judge(plan, options, replace(asking, progress=needs.progress))
    path = keep_run(run, loaded, needs)
    fill_grades(run, loaded, needs)
    scored = sum(summary.scored for summary in run.summaries)
    return Outcome(
        line=t(
            "{scored} of {planned} responses judged; gate: {gate}",
            scored=scored,
            planned=len(run.summaries),
            gate=t(str(run.trust.gate)),
        ),
        problems=run.problems,
        hint=t("Kept: {path}", path=path),
        book=loaded.path,
    )


def calibrate(desk: Desk) -> Outcome:
    """Compare the judge with people on the labelled responses that lie in the campaign's folder, once a person has agreed."""
    t = desk.t
    loaded = desk.campaign()
    rubric = loaded.campaign.rubric
    path = folder_of(loaded.path).root / SET
    if not desk.needs.files.exists(path):
        raise UsageError(problem("no_calibration_set", file=SET, found=str(path.parent)))
    cases = read_cases(read_rows(path, desk.needs, ("id", "ticket", "response")), rubric, SET)
    asking, options, config = desk.asking(loaded, False), JudgeOptions(), _config(desk, loaded)
    found = estimate_run(
        plan_judging(inputs_of_cases(cases, rubric), rubric, config, options, asking), options, asking
    )
    if found.calls and not desk.ask(_cost(found, t) + "\n\n" + t("Calibrate the judge now?")):
        return Outcome(line=t("Nothing was sent."), book=loaded.path)
    run = run_calibration(cases, rubric, config, options, replace(asking, progress=desk.needs.progress))
    return Outcome(
        line=_gate(run, t),
        problems=run.problems,
        tables=[(t("Judge against people"), _measured(run, cases, rubric, t))] if run.measures else [],
        book=loaded.path,
    )


def _config(desk: Desk, loaded: Loaded) -> JudgeConfig:
    policy: Path = folder_of(loaded.path).root / POLICY
    text = desk.needs.files.read_text(policy) if desk.needs.files.exists(policy) else ""
    return JudgeConfig(model=desk.model, repeats=REPEATS, policy=text, rubric_language=desk.t.language)


def _cost(found: Estimate, t: Translator) -> str:
    said = t("{calls} calls to make, {cached} already answered", calls=found.calls, cached=found.cached)
    if found.low is None or found.high is None:
        return f"{said}. {t('Price unknown: enter it in the table of prices.')}"
    low, high = (t.decimal(Fraction(value, BILLION), 2) for value in (found.low, found.high))
    return f"{said}. {t('Cost: {low} to {high} {currency}', low=low, high=high, currency=found.currency)}"


def _gate(run: CalibrationRun, t: Translator) -> str:
    if run.measures is None:
        return t("The judge was not calibrated.")
    conclusive = {True: t("conclusive"), False: t("not conclusive"), None: ""}[run.measures.conclusive]
    return t("Gate: {gate}", gate=t(str(run.measures.gate))) + (f", {conclusive}" if conclusive else "")


def _measured(run: CalibrationRun, cases: Sequence[Case], rubric: Rubric, t: Translator) -> list[list[str]]:
    measures = run.measures
    rows = [["", t("Equal"), t("Kappa")]]
    if measures is None:
        return rows
    names = {c.id: c.name.in_(t.language) for c in rubric.criteria}
    named = [(names[key], found) for key, found in measures.criteria.items()]
    if measures.binary:
        named.insert(0, (t("Decision"), measures.binary))
    for name, found in named:
        kappa = found.kappa
        value = kappa.exact if kappa.exact is not None else kappa.value
        rows.append(
            [name, f"{found.equal}/{found.n}", t(str(kappa.state)) if value is None else t.decimal(value, 3)]
        )
    rows.append([t.count("{n} labelled response", "{n} labelled responses", len(cases))])
    return rows
