"""Agreement between readers on one criterion, on all criteria, or on the decision: every number that may be printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from lark_sheets.core.agreement import coefficients, distances
from lark_sheets.core.agreement.coefficients import Disagreement
from lark_sheets.core.agreement.moments import Matrix, Moments, moments
from lark_sheets.core.agreement.states import State, Statistic
from lark_sheets.core.agreement.tables import CountTable, Readings, count
from lark_sheets.core.intervals import Interval, kappa_interval, wilson

Sums = TypeVar("Sums", Moments, Matrix)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What the readers of shared items agree on.

    `n` counts the items read at least twice, `equal` those on which all readings are the same, `interval` is Wilson's
    (95 %) for equal / n. `items` counts those with at least one reading: `items - n` were read once and tell nothing.
    `readers` counts those who read a shared item. Kappas exist for exactly two persons; `fleiss`, `ac1` and the alphas for
    any number. `kappa_interval` and `ac1_interval` are the Wilson bounds mapped through the coefficient, chance held fixed
    (two readers only). `used` counts, by reader, the levels given on shared items; `table` the confusions of two readers
    (rows: the first of `reader_names`); `gaps` the sizes of differences in levels. `state` is that of the headline coefficient: kappa for two persons, else the nominal alpha.
    """

    levels: tuple[Hashable, ...]
    reader_names: tuple[str, ...]
    readers: int
    items: int
    n: int
    equal: int
    interval: Interval | None
    kappa: Statistic
    kappa_linear: Statistic
    kappa_quadratic: Statistic
    kappa_interval: Interval | None
    ac1: Statistic
    ac1_interval: Interval | None
    ac2_quadratic: Statistic
    fleiss: Statistic
    alpha_nominal: Statistic
    alpha_ordinal: Statistic
    alpha_interval: Statistic
    used: Mapping[str, Mapping[Hashable, int]]
    table: tuple[tuple[int, ...], ...] | None
    gaps: Mapping[int, int]
    ordinal: bool
    persons: bool

    @property
    def kappa_exact(self) -> Fraction | None:
        """Plain kappa as an exact fraction, for gates: floats give 0.6000000000000001 for 3/5."""
        return self.kappa.exact

    @property
    def headline(self) -> str:
        """Field of the coefficient to look at first: kappa for two persons, else the nominal alpha."""
        return "kappa" if self.persons and self.readers <= 2 else "alpha_nominal"

    @property
    def state(self) -> State:
        """State of the headline coefficient."""
        return (self.kappa if self.headline == "kappa" else self.alpha_nominal).state

    @property
    def constant_readers(self) -> dict[str, Hashable]:
        """Readers who gave one level to all the shared items they read, and that level."""
        return {reader: next(iter(levels)) for reader, levels in self.used.items() if len(levels) == 1}

    @property
    def prevailing(self) -> tuple[Hashable, float] | None:
        """The level given most often on shared items (the first in order among equals), and its share of the readings."""
        total = sum((Counter(levels) for levels in self.used.values()), Counter[Hashable]())
        if not total:
            return None
        level = max(self.levels, key=lambda level: total[level])
        return level, total[level] / total.total()

    @property
    def read_once(self) -> int:
        """Items read by one reader only."""
        return self.items - self.n


def agreement(
    readings: Readings,
    levels: Sequence[Hashable],
    *,
    ordinal: bool,
    persons: bool = True,
    readers: Sequence[str] | None = None,
    shared_only: bool = False,
    confidence: float = 0.95,
) -> Agreement:
    """Measure agreement on one set of levels.

    Args:
        readings: for each item the level given by each reader; missing readings are simply absent.
        levels: the FULL set of levels in order, used or not: leaving one out changes kappa (0.146 for 0.126).
        ordinal: whether the levels have an order (weighted kappas, ordinal and interval alpha).
        persons: False when a "reader" is only a position (first reading, second reading): then no Cohen's kappa.
        readers: names in the order of the confusion table; by default sorted.
        shared_only: AC1, AC2 and Fleiss take "how often each level is used" from items read once too, as their authors
            do; True leaves those items out, as fits a sample that was shared by design (kappa and alpha never use them).
        confidence: of the intervals.

    Raises:
        ValueError: a reading that is not one of the levels.
    """
    table = count(readings, levels, readers)
    return agreement_of(
        table, ordinal=ordinal, persons=persons, shared_only=shared_only, confidence=confidence
    )


def agreement_of(
    table: CountTable,
    *,
    ordinal: bool,
    persons: bool = True,
    shared_only: bool = False,
    confidence: float = 0.95,
) -> Agreement:
    """The same, from a count table."""
    levels, names, items = table.levels, table.taking_part, table.items
    n, equal = table.shared, table.equal
    pair = table.keep(names).shared_only() if len(names) == 2 else None
    joint = pair.joint() if pair else None
    sums = moments(table.shared_only() if shared_only else table)

    missing = State.NO_SHARED_ITEMS if n == 0 else State.ONE_ITEM_ONLY if n == 1 else None
    unordered = missing or (None if ordinal else State.NO_ORDER)
    no_kappa = missing or (
        State.NOT_PERSONS if not persons else None if pair else State.MORE_THAN_TWO_READERS
    )
    plain, square = distances.nominal(levels), distances.quadratic(levels)

    def kappa_of(distance: Matrix, why_not: State | None) -> Statistic:
        exact = [[Fraction(cell) for cell in line] for line in joint or ()]
        return _statistic(coefficients.cohen, exact, distance, why_not)

    def of_all(
        formula: Callable[[Moments, Matrix], Disagreement], distance: Matrix, why_not: State | None
    ) -> Statistic:
        return _statistic(formula, sums, distance, why_not)

    kappa = kappa_of(plain, no_kappa)
    # One level fills what AC1 sees: its formula would print 1 for a scale of which nothing was seen but one level.
    lone = missing or (State.ONE_VALUE_ONLY if _levels_met(sums) < 2 else None)
    ac1 = of_all(coefficients.gwet, plain, lone)
    by_rank = plain if unordered else distances.ordinal(coefficients.pairable(sums))
    return Agreement(
        levels=levels,
        reader_names=names,
        readers=len(names),
        items=items,
        n=n,
        equal=equal,
        interval=wilson(equal, n, confidence),
        kappa=kappa,
        kappa_linear=kappa_of(distances.linear(levels), no_kappa or unordered),
        kappa_quadratic=kappa_of(square, no_kappa or unordered),
        kappa_interval=_mapped(kappa, equal, n, confidence),
        ac1=ac1,
        ac1_interval=_mapped(ac1, equal, n, confidence) if pair else None,
        ac2_quadratic=of_all(coefficients.gwet, square, unordered or lone),
        fleiss=of_all(coefficients.fleiss, plain, missing),
        alpha_nominal=of_all(coefficients.krippendorff, plain, missing),
        alpha_ordinal=of_all(coefficients.krippendorff, by_rank, unordered),
        alpha_interval=of_all(coefficients.krippendorff, square, unordered),
        used=table.used,
        table=joint,
        gaps=table.gaps if ordinal else {},
        ordinal=ordinal,
        persons=persons,
    )


def _levels_met(sums: Moments) -> int:
    """Levels that were given at all."""
    return sum(any(column) for column in zip(*(part.totals for part in sums.by_size), strict=True))


def _statistic(
    formula: Callable[[Sums, Matrix], Disagreement], sums: Sums, distance: Matrix, why_not: State | None
) -> Statistic:
    if why_not is not None:
        return Statistic.undefined(why_not)
    if len(distance) < 2:
        return Statistic.undefined(State.ONE_VALUE_ONLY)
    observed, expected = formula(sums, distance)
    if not expected:
        return Statistic.undefined(State.ONE_VALUE_ONLY)
    return Statistic.of(1 - observed / expected, 1 - expected / max(map(max, distance)))


def _mapped(coefficient: Statistic, equal: int, n: int, confidence: float) -> Interval | None:
    if coefficient.chance is None:
        return None
    return kappa_interval(equal, n, coefficient.chance, confidence)
