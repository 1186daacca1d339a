"""Mean totals by type and by difficulty, the weakest answers, and what could not be graded: for rubrics that compare rather than decide.

What has no complete grade is counted apart and is in no mean; a group in which nothing is graded has no mean, which is not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lark_sheets.core.campaign import Campaign, Item
from lark_sheets.core.results import ReadingResult, Results

WEAKEST = 3
GROUPINGS: Mapping[str, Callable[[Item], str]] = {
    "type": lambda item: item.type,
    "difficulty": lambda item: item.difficulty,
}
"""How responses may be grouped: by a column of their ticket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMean:
    """The responses of one group: how many, how many with a complete grade, and the mean of their totals (None: no grade)."""

    group: str
    mean: Fraction | None
    graded: int
    responses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBreakdown:
    """One run: all its responses, then by each grouping that the tickets have. ``ungraded`` have no total."""

    run: str
    whole: GroupMean
    groups: Mapping[str, tuple[GroupMean, ...]]

    @property
    def ungraded(self) -> int:
        """Count the responses without a complete grade."""
        return self.whole.responses - self.whole.graded


def breakdown(results: Results, campaign: Campaign) -> tuple[RunBreakdown, ...]:
    """Return each run's means, or those of all responses together before the reveal."""
    owned = [reading for reading in results.readings if reading.owner]
    runs = [run.run for run in results.runs]
    if not runs:
        return (_run("", owned, campaign),)
    return tuple(_run(name, [r for r in owned if r.run == name], campaign) for name in runs)


def _run(name: str, readings: Sequence[ReadingResult], campaign: Campaign) -> RunBreakdown:
    items = campaign.item()
    groups = {}
    for grouping, key in GROUPINGS.items():
        names = list(dict.fromkeys(value for item in campaign.items if (value := key(item))))
        if names:
            groups[grouping] = tuple(
                _mean(group, [r for r in readings if key(items[r.item]) == group]) for group in names
            )
    return RunBreakdown(run=name, whole=_mean("", readings), groups=groups)


def _mean(group: str, readings: Sequence[ReadingResult]) -> GroupMean:
    totals = [r.total for r in readings if r.total is not None]
    return GroupMean(
        group=group,
        mean=Fraction(sum(totals), len(totals)) if totals else None,
        graded=len(totals),
        responses=len(readings),
    )


def weakest(results: Results, count: int = WEAKEST) -> tuple[ReadingResult, ...]:
    """Return the responses with the lowest totals, and every other one tied with the last of them: none of equals is left out by its name."""
    owned = sorted(
        (r for r in results.readings if r.owner and r.total is not None),
        key=lambda r: (r.total or 0, r.item, r.label),
    )
    limit = owned[count - 1].total if len(owned) >= count else None
    return tuple(r for r in owned if limit is None or (r.total or 0) <= limit)
