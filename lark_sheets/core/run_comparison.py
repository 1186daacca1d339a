"""Two runs on the same items, before and after: per criterion, on the total, on the decision, and the items that moved.

Every test is paired (the same item under both runs) and exact; all of them, over every pair of runs shown, are adjusted
together (Holm). What moved is listed item by item, since a mean that stands still may hide ten answers that changed places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from lark_sheets.core.agreement.states import State
from lark_sheets.core.intervals import Interval
from lark_sheets.core.paired import holm, mcnemar, paired_difference, permutation
from lark_sheets.core.resampling import resample_mean
from lark_sheets.core.rubric import Level, Rubric
from lark_sheets.core.scoring import is_ready, total

TOTAL, DECISION = "total", "decision"
LEVEL = 0.05

Grades = Mapping[str, Level | None]


class Direction(StrEnum):
    """Which way an item moved: up and down at once where one criterion rose and another fell."""

    UP = "up"
    DOWN = "down"
    BOTH = "both"
    OTHER = "other"
    """Another label, of labels that have no order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One measure on the items that both runs have a value for; ``difference`` is after minus before.

    For a criterion and the total in points, for the decision (favourable or not) and the main label as a share. ``adjusted`` is
    Holm's p-value over all measures of all pairs; ``at_most`` tells that p is an upper bound.
    """

    measure: str
    n: int
    up: int
    down: int
    difference: Fraction | None
    interval: Interval | None
    p: float | None
    at_most: bool
    state: State
    adjusted: float | None = None

    @property
    def is_change(self) -> bool:
        """Say whether the two runs differ by more than chance; an undefined test never says so."""
        return self.adjusted is not None and self.adjusted < LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One item whose grades differ: criterion -> (before, after), the change of the total, and of the decision if it turned."""

    item: str
    levels: Mapping[str, tuple[Level, Level]]
    points: int | None
    decision: tuple[str, str] | None
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """A run before and one after. ``unread`` are shared items that one of them has no complete grade for: in no figure."""

    before: str
    after: str
    items: int
    unread: tuple[str, ...]
    changes: tuple[Change, ...]
    moved: tuple[Moved, ...]


def compare_pair(
    rubric: Rubric,
    before: Mapping[str, Grades],
    after: Mapping[str, Grades],
    names: tuple[str, str] = ("", ""),
) -> RunComparison:
    """Compare two runs' grades by item, without adjusting yet (see :func:`adjust`).

    Only items in both are looked at; a criterion without a grade on one side is left out of that criterion, and of total and decision.
    """
    shared = [item for item in before if item in after]

    def complete(item: str) -> bool:
        return all(side[item].get(c.id) is not None for side in (before, after) for c in rubric.criteria)

    whole = [item for item in shared if complete(item)]
    changes = [
        _points(c.id, [(before[i].get(c.id), after[i].get(c.id)) for i in shared])
        for c in rubric.criteria
        if not c.is_category
    ]
    if rubric.total_max is not None:
        changes.append(_points(TOTAL, [(total(rubric, before[i]), total(rubric, after[i])) for i in whole]))
    decided = decision_of(rubric)
    if decided is not None:
        changes.append(_shares(DECISION, [(decided(before[i]), decided(after[i])) for i in whole]))
    moved = [m for item in whole if (m := _moved(rubric, item, before[item], after[item])) is not None]
    return RunComparison(
        before=names[0],
        after=names[1],
        items=len(shared),
        unread=tuple(item for item in shared if item not in whole),
        changes=tuple(changes),
        moved=tuple(sorted(moved, key=lambda m: _worst_first(m, rubric.favourable))),
    )


def decision_of(rubric: Rubric) -> Callable[[Grades], bool | None] | None:
    """Return how the binary outcome is read (favourable or not, main label or not), or None for a rubric without one."""
    if rubric.favourable:
        return lambda grades: is_ready(rubric, grades)
    if rubric.main_label:
        category = next(c.id for c in rubric.criteria if c.is_category)
        return lambda grades: None if (label := grades.get(category)) is None else label == rubric.main_label
    return None


def adjust(comparisons: Sequence[RunComparison]) -> tuple[RunComparison, ...]:
    """Adjust all p-values together (Holm); undefined tests stay undefined and are counted."""
    adjusted = iter(holm([change.p for one in comparisons for change in one.changes]))
    return tuple(
        replace(one, changes=tuple(replace(change, adjusted=next(adjusted)) for change in one.changes))
        for one in comparisons
    )


def _points(measure: str, pairs: Sequence[tuple[Level | None, Level | None]]) -> Change:
    gaps = [two - one for one, two in pairs if isinstance(one, int) and isinstance(two, int)]
    test = permutation(gaps)
    # Differences that are all alike would give an interval without width, as if nothing were uncertain.
    interval = resample_mean(gaps, [1] * len(gaps)).interval if len(set(gaps)) > 1 else None
    return Change(
        measure=measure,
        n=len(gaps),
        up=sum(gap > 0 for gap in gaps),
        down=sum(gap < 0 for gap in gaps),
        difference=Fraction(sum(gaps), len(gaps)) if gaps else None,
        interval=interval,
        p=test.p if test else None,
        at_most=bool(test and not test.exact),
        state=State.DEFINED if gaps else State.NO_SHARED_ITEMS,
    )


def _shares(measure: str, pairs: Sequence[tuple[bool | None, bool | None]]) -> Change:
    known = [(one, two) for one, two in pairs if one is not None and two is not None]
    up, down = sum(two and not one for one, two in known), sum(one and not two for one, two in known)
    both = sum(one and two for one, two in known)
    return Change(
        measure=measure,
        n=len(known),
        up=up,
        down=down,
        difference=Fraction(up - down, len(known)) if known else None,
        interval=paired_difference(both, up, down, len(known) - both - up - down),
        p=mcnemar(up, down) if known else None,
        at_most=False,
        state=State.DEFINED if known else State.NO_SHARED_ITEMS,
    )


def _moved(rubric: Rubric, item: str, before: Grades, after: Grades) -> Moved | None:
    levels: dict[str, tuple[Level, Level]] = {}
    signs = set()
    for criterion in rubric.criteria:
        one, two = before[criterion.id], after[criterion.id]
        if one is None or two is None or one == two:
            continue
        levels[criterion.id] = (one, two)
        ordered = isinstance(one, int) and isinstance(two, int)
        signs.add((Direction.UP if two > one else Direction.DOWN) if ordered else Direction.OTHER)  # type: ignore[operator]
    if not levels:
        return None
    points = (total(rubric, before), total(rubric, after))
    verdicts = (rubric.decide(before), rubric.decide(after))
    turned = verdicts if verdicts[0] != verdicts[1] else None
    return Moved(
        item=item,
        levels=levels,
        points=None if points[0] is None or points[1] is None else points[1] - points[0],
        decision=None if turned is None else (str(turned[0]), str(turned[1])),
        direction=signs.pop() if len(signs) == 1 else Direction.BOTH,
    )


def _worst_first(moved: Moved, favourable: str) -> tuple[int, int, str]:
    """Order what to read: decisions that turned away from the favourable one, those that turned to it, then the largest falls."""
    turned = 2 if moved.decision is None else 1 if moved.decision[1] == favourable else 0
    return (turned, moved.points or 0, moved.item)
