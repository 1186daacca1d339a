"""Drift: did a grader's levels, or the agreement, shift somewhere along the rows, without a revision that explains it?

A shift is pointed out with its size and its chance, never as an accusation. The order is that of the rows: a workbook without macros records
no time, and rows are mostly graded from top to bottom.

The test is a permutation of tickets. Distances of the grades from their mean are summed by runs of neighbouring rows of one ticket, and the largest
absolute cumulated sum along the rows is compared with that of orders drawn at random (E. S. Page, Biometrika 42 (1955) 523-527, for cumulated sums;
B. Phipson and G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010) art. 39, for p = (1 + as large) / (1 + drawn)). All tests of a campaign are adjusted
together (Holm), so that the chance of any false alarm in a stable campaign whose tickets stand in a random order is at most ``LEVEL``.

Tickets of one kind often stand together, and kinds differ in difficulty. So every test is made a second time with distances from the mean of the kind and orders drawn
within each kind: a shift that disappears there may be one of kinds and not of time, and is told as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import NamedTuple

from lark_sheets.core.campaign import Campaign, Reading, by_response
from lark_sheets.core.paired import holm
from lark_sheets.core.rubric import Criterion, Level

LEVEL = 0.05
"""Chance of any false alarm over the whole campaign."""
DRAWS = 3_999
SEED = 20_261_129
FINEST = 10**9
"""Finest part of a level that a distance is counted in: sums stay whole numbers, so that equal orders are equal."""
ENTRIES_AT_ONCE = 4_000_000
"""Numbers held in memory at a time: 32 MB."""
LEAST_TICKETS = 8
"""Runs of rows below which no order can look unusual enough."""
AGREEMENT = ""
"""Stands for a criterion where the series is the agreement of two readers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One series tested: a grader's grades on a criterion, or the agreement of the readers (no grader).

    ``start`` is the response at which the second part begins, ``before`` and ``after`` the means of both parts (of a share of equal readings:
    between 0 and 1), ``rows`` how many responses each part has. ``p`` is None where there are too few tickets or every value is the same;
    ``p_within_kinds`` is that of the second test, None where the campaign has one kind of ticket only.
    """

    grader: str
    criterion: str
    start: str
    before: Fraction | None
    after: Fraction | None
    rows: tuple[int, int]
    p: float | None
    p_within_kinds: float | None = None
    adjusted: float | None = None
    revisions: tuple[int, ...] = ()
    """Versions whose revision touched the criterion: they may explain a shift."""

    @property
    def is_pointed_out(self) -> bool:
        """Say whether the shift is larger than chance explains, at the stated level for the whole campaign."""
        return self.adjusted is not None and self.adjusted <= LEVEL

    @property
    def may_be_of_kinds(self) -> bool:
        """Say whether the kinds of tickets, placed as they are, may explain the shift."""
        return self.p_within_kinds is not None and self.p_within_kinds > LEVEL

    @property
    def size(self) -> Fraction | None:
        """Return the mean of the second part minus that of the first."""
        return None if self.before is None or self.after is None else self.after - self.before


class Third(NamedTuple):
    """How often each level was given in one third of a grader's rows."""

    grader: str
    criterion: str
    part: int
    counts: Mapping[Level, int]


class SelfConsistency(NamedTuple):
    """A grader who met responses twice: on how many of them the two grades of a criterion are equal."""

    grader: str
    criterion: str
    equal: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What the rows tell of time: every series tested, levels by thirds, and what graders did with a response they met twice."""

    shifts: tuple[Shift, ...]
    thirds: tuple[Third, ...]
    consistency: tuple[SelfConsistency, ...]

    @property
    def pointed_out(self) -> tuple[Shift, ...]:
        """Return the shifts that chance hardly explains."""
        return tuple(shift for shift in self.shifts if shift.is_pointed_out)


class _Point(NamedTuple):
    """One value of a series, in the order of the rows."""

    response: str
    item: str
    kind: str
    value: int


def drift(
    campaign: Campaign, *, touched: Mapping[str, Sequence[int]] | None = None, draws: int = DRAWS
) -> Drift:
    """Look along the rows of a campaign, by grader and criterion, and at the agreement.

    ``touched`` gives, by criterion, the versions whose revision touched it. Stale readings and labels are left out: they are other
    measures. The same campaign gives the same figures.
    """
    fresh = sorted((r for r in campaign.readings if not campaign.is_stale(r)), key=lambda r: r.place.row or 0)
    series = [*_grade_series(campaign, fresh), *_agreement_series(campaign, fresh)]
    revisions = touched or {}
    every = tuple(sorted({version for versions in revisions.values() for version in versions}))
    found = []
    for grader, criterion, points in series:
        shift = _tested(grader, criterion, points, draws)
        mine = every if criterion == AGREEMENT else tuple(revisions.get(criterion, ()))
        found.append((shift, mine))
    adjusted = holm([shift.p for shift, _ in found])
    return Drift(
        shifts=tuple(
            replace(s, adjusted=a, revisions=mine) for (s, mine), a in zip(found, adjusted, strict=True)
        ),
        thirds=tuple(_thirds(campaign, fresh)),
        consistency=tuple(_consistency(campaign)),
    )


def _numeric(campaign: Campaign) -> list[Criterion]:
    return [c for c in campaign.rubric.criteria if not c.is_category]


def _grade_series(campaign: Campaign, fresh: Sequence[Reading]) -> Iterable[tuple[str, str, list[_Point]]]:
    responses, items = campaign.response(), campaign.item()
    for grader in dict.fromkeys(reading.grader for reading in fresh):
        mine = [r for r in fresh if r.grader == grader and r.number == 1]
        for criterion in _numeric(campaign):
            points = []
            for reading in mine:
                level = reading.grades.get(criterion.id)
                if isinstance(level, int):
                    item = responses[reading.response].item
                    kind = items[item].type if item in items else ""
                    points.append(_Point(reading.response, item, kind, level))
            yield grader, criterion.id, points


def _agreement_series(
    campaign: Campaign, fresh: Sequence[Reading]
) -> Iterable[tuple[str, str, list[_Point]]]:
    responses, items = campaign.response(), campaign.item()
    points = []
    for response, readers in by_response(fresh).items():
        grades = [dict(reading.grades) for reading in readers.values() if reading.is_complete]
        if len(grades) > 1:
            item = responses[response].item
            kind = items[item].type if item in items else ""
            points.append(_Point(response, item, kind, int(all(g == grades[0] for g in grades))))
    if points:
        yield "", AGREEMENT, points


def _tested(grader: str, criterion: str, points: Sequence[_Point], draws: int) -> Shift:
    nothing = Shift(
        grader=grader,
        criterion=criterion,
        start="",
        before=None,
        after=None,
        rows=(len(points), 0),
        p=None,
    )
    runs = [list(group) for _, group in groupby(points, key=lambda point: point.item)]
    if len(runs) < LEAST_TICKETS or len({point.value for point in points}) < 2:
        return nothing
    place, p = _largest(_distances(runs, [""] * len(runs)), [""] * len(runs), draws)
    kinds = [run[0].kind for run in runs]
    within = None
    if len(set(kinds)) > 1:
        _, within = _largest(_distances(runs, kinds), kinds, draws)
    cut = sum(len(run) for run in runs[: place + 1])
    before, after = points[:cut], points[cut:]
    return replace(
        nothing,
        start=points[cut].response,
        before=Fraction(sum(x.value for x in before), len(before)),
        after=Fraction(sum(x.value for x in after), len(after)),
        rows=(len(before), len(after)),
        p=p,
        p_within_kinds=within,
    )


def _distances(runs: Sequence[Sequence[_Point]], kinds: Sequence[str]) -> list[Fraction]:
    """Return, for each run of rows, the sum of its distances from the mean of its kind."""
    values: dict[str, list[int]] = {}
    for run, kind in zip(runs, kinds, strict=True):
        values.setdefault(kind, []).extend(point.value for point in run)
    means = {kind: Fraction(sum(mine), len(mine)) for kind, mine in values.items()}
    return [
        sum((point.value - means[kind] for point in run), Fraction())
        for run, kind in zip(runs, kinds, strict=True)
    ]


def _largest(sums: Sequence[Fraction], kinds: Sequence[str], draws: int) -> tuple[int, float]:
    """Return the run after which the cumulated sum is furthest from 0, and how often a drawn order goes as far."""
    import numpy as np

    scale = min(lcm(*(value.denominator for value in sums)), FINEST)
    exact = np.array([round(value * scale) for value in sums], dtype=np.int64)
    walk = np.abs(np.cumsum(exact))[:-1]
    place = int(walk.argmax())
    strata = [[n for n, k in enumerate(kinds) if k == kind] for kind in dict.fromkeys(kinds)]
    generator = np.random.default_rng(SEED)
    at_once = max(1, ENTRIES_AT_ONCE // len(exact))
    as_far = 0
    for start in range(0, draws, at_once):
        order = np.tile(exact, (min(at_once, draws - start), 1))
        for mine in strata:
            order[:, mine] = generator.permuted(order[:, mine], axis=1)
        drawn = np.abs(np.cumsum(order, axis=1))[:, :-1].max(axis=1)
        as_far += int((drawn >= walk[place]).sum())
    return place, (1 + as_far) / (1 + draws)


def _thirds(campaign: Campaign, fresh: Sequence[Reading]) -> Iterable[Third]:
    for grader, criterion, points in _grade_series(campaign, fresh):
        levels = campaign.rubric.criterion(criterion).levels
        size = len(points)
        for part in range(3):
            mine = points[size * part // 3 : size * (part + 1) // 3]
            yield Third(
                grader, criterion, part + 1, {level: sum(x.value == level for x in mine) for level in levels}
            )


def _consistency(campaign: Campaign) -> Iterable[SelfConsistency]:
    by_key = {reading.key: reading for reading in campaign.readings if not campaign.is_stale(reading)}
    pairs: dict[str, list[tuple[Reading, Reading]]] = {}
    for (response, grader, number), later in by_key.items():
        first = by_key.get((response, grader, 1))
        if number > 1 and first is not None:
            pairs.setdefault(grader, []).append((first, later))
    for grader, met in pairs.items():
        for criterion in campaign.rubric.criteria:
            graded = [
                (one.grades[criterion.id], two.grades[criterion.id])
                for one, two in met
                if one.grades.get(criterion.id) is not None and two.grades.get(criterion.id) is not None
            ]
            yield SelfConsistency(grader, criterion.id, sum(a == b for a, b in graded), len(graded))
