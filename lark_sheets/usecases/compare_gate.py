"""What a judge may say in a comparison: nothing while its calibration is stale, a stop while its gate is open, else only a hint."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from lark_sheets.core.comparisons import compare_runs
from lark_sheets.core.judging.calibration import Calibration
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.staleness import trust
from lark_sheets.core.judging.standing import JUDGE_PREFIX, Stand, stand
from lark_sheets.core.judging.words import listed, some
from lark_sheets.core.problems import problem
from lark_sheets.core.results import Results
from lark_sheets.core.scoring import is_ready
from lark_sheets.errors import Problem
from lark_sheets.usecases.needs import Needs
from lark_sheets.usecases.next_steps import todays
from lark_sheets.usecases.recomputing import Computed


def gate_problems(
    after: Computed, calibrations: Sequence[Calibration], needs: Needs
) -> tuple[Gate | None, list[Problem]]:
    """Return the gate of the campaign after, and what its judge has to say: an error only where the gate is open.

    French answers and those of the leading runs wait for a person; before the reveal nobody knows which runs lead, so all wait.
    """
    if not calibrations:
        return None, []
    campaign, results = after.loaded.campaign, after.results
    held = trust(
        calibrations, todays(calibrations[-1].conditions, campaign.rubric), today=needs.clock.now().date()
    )
    if held.gate is Gate.STALE:
        return held.gate, [problem("calibration_stale", found=listed(held.changed, needs.translate))]
    if held.gate is not Gate.BLOCKING:
        return held.gate, []
    responses, items = campaign.response(), campaign.item()
    deciding = deciding_responses(results)
    blocked: list[str] = []
    waiting: list[str] = []
    for name in unfavourable(after):
        response = responses[name]
        language = response.language or items[response.item].language
        subject = JudgeInput(id=response.id, item=response.item, ticket="", response="", language=language)
        held_as = stand(subject, held.gate, judge_graded=campaign.graded_by == "judge", deciding=deciding)
        (blocked if held_as in (Stand.BLOCKS, Stand.GRADES) else waiting).append(
            f"{response.item}-{response.label}"
        )
    told = []
    if blocked:
        told.append(problem("judge_blocked", count=len(blocked), found=some(blocked)))
    if waiting:
        told.append(problem("judge_waits", count=len(waiting), found=some(waiting)))
    return held.gate, told


def unfavourable(side: Computed) -> list[str]:
    """Return the responses that the judge found unfavourable: at its kept run, else in readings under a judge's name."""
    campaign, rubric = side.loaded.campaign, side.results.rubric
    items = side.results.judge.get("items") if side.results.judge else None
    if isinstance(items, list) and rubric.favourable:
        known = campaign.response()
        return [i["id"] for i in items if i["id"] in known and i["verdict"] not in (None, rubric.favourable)]
    models = {g.name for g in campaign.graders if g.model}
    return [
        r.response
        for r in campaign.readings
        if (r.grader in models or r.grader.startswith(JUDGE_PREFIX))
        and not campaign.is_stale(r)
        and is_ready(rubric, r.grades) is False
    ]


def deciding_responses(results: Results) -> set[str] | None:
    """Return the responses of the best run and of every run not told apart from it; None before the reveal."""
    if not results.runs:
        return None
    flags: dict[str, dict[Hashable, bool | None]] = {run.run: {} for run in results.runs}
    for reading in results.readings:
        if reading.owner and reading.run in flags:
            flags[reading.run][reading.item] = reading.ready
    family = compare_runs(flags, {}).ready
    leading = set(family.leading) if family else set(flags)
    return {r.id for r in results.readings if r.run in leading}
