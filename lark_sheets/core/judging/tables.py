"""Tables of a judge-graded campaign: means by type and difficulty, the weakest cases, and what could not be graded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lark_sheets.core.judging.consensus import Summary
from lark_sheets.core.judging.prompting import JudgeInput

WEAKEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMean:
    """Mean total of the graded responses of one group; ``mean`` is None when none is graded: no grade, not zero."""

    group: str
    mean: Fraction | None
    graded: int
    responses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weak:
    """One of the weakest responses: its mean total and the weaknesses the judge named."""

    id: str
    item: str
    total: Fraction
    strengths: str
    weaknesses: str
    reasoning: str


def group_means(
    inputs: Sequence[JudgeInput], summaries: Mapping[str, Summary], group: Callable[[JudgeInput], str]
) -> tuple[GroupMean, ...]:
    """Return the mean total by group, groups in the order of their names."""
    totals: dict[str, list[Fraction]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for subject in inputs:
        sizes[group(subject)] += 1
        summary = summaries.get(subject.id)
        if summary is not None and summary.total is not None:
            totals[group(subject)].append(summary.total)
    return tuple(
        GroupMean(
            group=name,
            mean=sum(totals[name], Fraction(0)) / len(totals[name]) if totals[name] else None,
            graded=len(totals[name]),
            responses=sizes[name],
        )
        for name in sorted(sizes)
    )


def overall_mean(inputs: Sequence[JudgeInput], summaries: Mapping[str, Summary]) -> GroupMean:
    """Return the mean total over all responses that were graded."""
    whole = group_means(inputs, summaries, lambda _: "")
    return whole[0] if whole else GroupMean(group="", mean=None, graded=0, responses=0)


def weakest(summaries: Sequence[Summary], count: int = WEAKEST) -> tuple[Weak, ...]:
    """Return the responses with the lowest mean totals, lowest first; ties in the order of their items."""
    graded = [s for s in summaries if s.total is not None]
    found = []
    for summary in sorted(graded, key=lambda s: (s.total, s.item, s.id))[:count]:
        opinion = summary.opinion
        found.append(
            Weak(
                id=summary.id,
                item=summary.item,
                total=summary.total or Fraction(0),
                strengths="" if opinion is None else opinion.strengths,
                weaknesses="" if opinion is None else opinion.weaknesses,
                reasoning="" if opinion is None else opinion.reasoning,
            )
        )
    return tuple(found)


def impossible(summaries: Sequence[Summary]) -> int:
    """Count the responses that no repeat graded."""
    return sum(not s.scored for s in summaries)
