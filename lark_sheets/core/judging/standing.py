"""Where the judge's grades stand: beside people's, never in their place, unless the campaign is declared judge-graded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lark_sheets.core.campaign import Campaign, Place, Reading
from lark_sheets.core.judging.consensus import Summary
from lark_sheets.core.judging.gate import Gate
from lark_sheets.core.judging.prompting import JudgeInput
from lark_sheets.core.judging.suspicion import Sign

JUDGE_PREFIX = "judge:"


class Stand(StrEnum):
    """What a judgement of one response may do."""

    GRADES = "grades"
    """The campaign is judge-graded: the judge's grade is the grade, under the judge's name."""
    BLOCKS = "blocks"
    """The gate is open: an unfavourable verdict stops the command."""
    BESIDE = "beside"
    """Shown beside the person's grade, decides nothing."""
    FRENCH = "human_french"
    """A French answer: a person decides, even when the gate is open."""
    DECIDING = "human_deciding"
    """An answer that decides which run is best: a person decides, even when the gate is open."""


def stand(subject: JudgeInput, gate: Gate, *, judge_graded: bool, deciding: Collection[str] | None) -> Stand:
    """Say what the judge's verdict on a response may do.

    ``deciding`` are the ids of the responses of the best run and of every run not told apart from it; None while nobody
    knows them (before the reveal): every response is then treated as one.
    """
    if judge_graded:
        return Stand.GRADES
    if gate is not Gate.BLOCKING:
        return Stand.BESIDE
    if subject.language.casefold().startswith("fr"):
        return Stand.FRENCH
    if deciding is None or subject.id in deciding:
        return Stand.DECIDING
    return Stand.BLOCKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """One response that a person should look at, and why."""

    id: str
    why: tuple[str, ...]


def human_queue(summaries: Sequence[Summary], signs: dict[str, tuple[Sign, ...]]) -> tuple[Queued, ...]:
    """Return the responses that need a person: no grade, divergent repeats, a verdict against the rule, signs of influence."""
    queue = []
    for summary in summaries:
        why = []
        if not summary.scored:
            why.append("no_grade")
        if summary.divergent:
            why.append("divergent")
        if summary.incoherent:
            why.append("incoherent")
        if summary.influence or signs.get(summary.id):
            why.append("suspicious")
        if why:
            queue.append(Queued(id=summary.id, why=tuple(why)))
    return tuple(queue)


def judge_name(model: str) -> str:
    """Return the name under which a judge's readings stand."""
    return JUDGE_PREFIX + model


def readings(campaign: Campaign, summaries: Sequence[Summary], model: str) -> tuple[Reading, ...]:
    """Return the judge's grades as readings: owner's readings only in a judge-graded campaign.

    A criterion has the level that most valid repeats gave; without a majority it has none, so the reading is
    incomplete and lowers coverage instead of inventing a grade.
    """
    owner = campaign.graded_by == "judge"
    made = []
    for summary in summaries:
        opinion = summary.opinion
        made.append(
            Reading(
                response=summary.id,
                grader=judge_name(model),
                owner=owner,
                grades={c.id: summary.levels.get(c.id) for c in campaign.rubric.criteria},
                version=campaign.rubric.version,
                reason="" if opinion is None else opinion.reasoning,
                place=Place(),
            )
        )
    return tuple(made)


def may_see(campaign: Campaign, grader: str) -> bool:
    """Say whether a grader may see the judge's column: only once all of that grader's own readings are complete."""
    own = [reading for reading in campaign.readings if reading.grader == grader]
    return bool(own) and all(reading.is_complete and not campaign.is_stale(reading) for reading in own)
