"""Similarity to a reference answer as a signal for sorting: what to read first, never how good an answer is.

Cosines of one embedding crowd together (0.79 to 0.96 in a published project), so a value says nothing by itself and no threshold exists. What
can be used is the rank within a run, and the change of the same item against an earlier run, tested item by item. A change says that
two answers differ from the reference differently; which of them is right, only a reader can say.

Values are kept in ten-thousandths: finer digits depend on the machine that computed them, and exact tests need whole numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, fsum, hypot, inf

from lark_sheets.core.intervals import Interval
from lark_sheets.core.paired import holm, permutation
from lark_sheets.core.resampling import resample_mean

UNITS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """One response beside its reference. ``value`` is None where the ticket has no reference or the response no text.

    ``rank`` counts within the run, 1 being the farthest from its reference; equal values share the better (lower) rank. ``of`` counts the
    ranked responses of the run.
    """

    id: str
    item: str
    label: str
    run: str
    value: Fraction | None
    rank: int | None = None
    of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One item before and after; ``change`` is after minus before."""

    item: str
    before: Fraction
    after: Fraction

    @property
    def change(self) -> Fraction:
        """Return after minus before."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShift:
    """A run against an earlier one on the items that both have a value for; ``shifts`` stand with the largest fall first."""

    before: str
    after: str
    shifts: tuple[Shift, ...]
    mean: Fraction | None
    interval: Interval | None
    p: float | None
    at_most: bool
    adjusted: float | None = None

    @property
    def falls(self) -> tuple[Shift, ...]:
        """Return the items that moved away from their reference, the farthest first."""
        return tuple(shift for shift in self.shifts if shift.change < 0)


def cosine(first: Sequence[float], second: Sequence[float]) -> Fraction | None:
    """Return the cosine of two vectors in ten-thousandths, rounded half up; None when one of them is zero or has no number.

    Raises ``ValueError`` when their lengths differ.
    """
    pairs = list(zip(first, second, strict=True))
    one, two = hypot(*first), hypot(*second)
    if not (0 < one < inf and 0 < two < inf):
        return None
    value = fsum((a / one) * (b / two) for a, b in pairs)
    return Fraction(floor(Fraction(min(1.0, max(-1.0, value))) * UNITS + Fraction(1, 2)), UNITS)


def ranked(rows: Iterable[Similar]) -> tuple[Similar, ...]:
    """Return the rows with their rank within their run, the farthest from the reference first; what has no value has no rank."""
    runs: dict[str, list[Similar]] = defaultdict(list)
    given = list(rows)
    for row in given:
        if row.value is not None:
            runs[row.run].append(row)
    ranks: dict[str, tuple[int, int]] = {}
    for of_run in runs.values():
        values = sorted(row.value for row in of_run if row.value is not None)
        for row in of_run:
            if row.value is not None:
                ranks[row.id] = (values.index(row.value) + 1, len(of_run))
    return tuple(
        replace(row, rank=ranks[row.id][0], of=ranks[row.id][1]) if row.id in ranks else row for row in given
    )


def shift(
    before: Mapping[str, Fraction | None],
    after: Mapping[str, Fraction | None],
    names: tuple[str, str] = ("", ""),
) -> RunShift:
    """Compare a run with an earlier one, item by item: exact permutation of signs, interval of the mean change from redrawn items.

    p is not adjusted yet (see :func:`adjust`).
    """
    found = [
        Shift(item=item, before=one, after=two)
        for item, one in before.items()
        if one is not None and (two := after.get(item)) is not None
    ]
    changes = [s.change for s in found]
    test = permutation(changes)
    interval = resample_mean(changes, [1] * len(changes)).interval if len(set(changes)) > 1 else None
    return RunShift(
        before=names[0],
        after=names[1],
        shifts=tuple(sorted(found, key=lambda s: (s.change, s.item))),
        mean=sum(changes, Fraction(0)) / len(changes) if changes else None,
        interval=interval,
        p=test.p if test else None,
        at_most=bool(test and not test.exact),
    )


def adjust(found: Sequence[RunShift]) -> tuple[RunShift, ...]:
    """Adjust the p-values of all pairs of runs together (Holm); undefined ones stay undefined and are counted."""
    return tuple(
        replace(one, adjusted=p) for one, p in zip(found, holm([one.p for one in found]), strict=True)
    )


def reading_list(rows: Sequence[Similar], shifts: Sequence[RunShift] = ()) -> tuple[Similar, ...]:
    """Return what to read first: the largest falls against the earlier run, then the responses farthest from their reference in their run."""
    falls = {(one.after, s.item): s.change for one in shifts for s in one.falls}

    def place(row: Similar) -> tuple[int, Fraction, int, str, str]:
        fall = falls.get((row.run, row.item))
        return (0 if fall is not None else 1, fall or Fraction(0), row.rank or 0, row.item, row.label)

    return tuple(sorted((row for row in rows if row.value is not None), key=place))
