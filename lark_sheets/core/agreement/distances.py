"""How far apart two levels are: the only thing in which plain, linear, quadratic and ordinal statistics differ."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from lark_sheets.core.agreement.moments import Matrix, Number

Distance = Callable[[Sequence[Hashable]], Matrix]


def places(levels: Sequence[Hashable]) -> list[Number]:
    """The levels as numbers: their own values when all are numbers, else their positions."""
    numbers = all(type(level) in {int, float, Fraction} for level in levels)
    return list(levels) if numbers else list(range(len(levels)))


def nominal(levels: Sequence[Hashable]) -> Matrix:
    """1 for any two different levels."""
    return _table(levels, lambda a, b: int(a != b))


def linear(levels: Sequence[Hashable]) -> Matrix:
    """The difference of two levels (weights 1, 0.5, 0 on a 0-1-2 scale)."""
    return _table(levels, lambda a, b: abs(a - b))


def quadratic(levels: Sequence[Hashable]) -> Matrix:
    """The squared difference of two levels (weights 1, 0.75, 0 on a 0-1-2 scale); Krippendorff's interval metric."""
    return _table(levels, lambda a, b: (a - b) * (a - b))


def ratio(levels: Sequence[Hashable]) -> Matrix:
    """Krippendorff's ratio metric ((a - b) / (a + b))^2, for levels of 0 and above."""
    return _table(levels, lambda a, b: ((a - b) / (a + b)) ** 2 if a != b else 0)


def ordinal(totals: Sequence[Number]) -> Matrix:
    """Krippendorff's ordinal metric: squared number of readings lying between two levels, half of each end counted.

    Args:
        totals: readings of each level, in order, over the items read at least twice.
    """
    size = len(totals)
    matrix: list[list[Number]] = [[0] * size for _ in range(size)]
    for low in range(size):
        for high in range(low + 1, size):
            between = sum(totals[low : high + 1]) - (totals[low] + totals[high]) / 2
            matrix[low][high] = matrix[high][low] = between * between
    return matrix


def _table(levels: Sequence[Hashable], distance: Callable[[Number, Number], Number]) -> Matrix:
    values = [Fraction(place) for place in places(levels)]
    return [[Fraction(distance(a, b)) for b in values] for a in values]
