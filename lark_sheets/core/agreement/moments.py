"""The sums that every coefficient is made of, read from counts or from a thousand redrawn counts alike.

A sum is a `Fraction` when it comes from a table (the statistics are then exact) and a numpy array, one entry for each
draw, when tickets are resampled. The formulas use nothing but + - * /, so each is written once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lark_sheets.core.agreement.tables import ABSENT, CountTable

Number = Any
Matrix = Sequence[Sequence[Number]]


@dataclass(frozen=True, slots=True)
class OfSize:
    """Items read by the same number of readers: how many, readings per level, ordered pairs of readings per two levels."""

    readings: int
    items: Number
    totals: Sequence[Number]
    pairs: Matrix


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums by number of readings."""

    by_size: Sequence[OfSize]

    @property
    def shared(self) -> Sequence[OfSize]:
        """The items that were read at least twice."""
        return [part for part in self.by_size if part.readings >= 2]


def sizes_of(*tables: CountTable) -> tuple[int, ...]:
    """The numbers of readings met in these tables, 0 left out."""
    sizes = {len(pattern) - pattern.count(ABSENT) for table in tables for pattern in table.patterns}
    return tuple(sorted(sizes - {0}))


def flatten(table: CountTable, sizes: Sequence[int]) -> list[int]:
    """All sums of a table in one row of integers; rows of tables of the same levels may be added."""
    levels = len(table.levels)
    block = 1 + levels + levels * levels
    start = {size: place * block for place, size in enumerate(sizes)}
    row = [0] * (len(sizes) * block)
    for pattern, weight in table.patterns.items():
        given = [level for level in pattern if level != ABSENT]
        if not given:
            continue
        at = start[len(given)]
        row[at] += weight
        for place, level in enumerate(given):
            row[at + 1 + level] += weight
            for other in given[:place] + given[place + 1 :]:
                row[at + 1 + levels + level * levels + other] += weight
    return row


def unflatten(row: Sequence[Number], levels: int, sizes: Sequence[int]) -> Moments:
    """Give the sums of `flatten` their names back."""
    block = 1 + levels + levels * levels
    return Moments(
        [
            OfSize(
                size,
                row[at],
                row[at + 1 : at + 1 + levels],
                square(row[at + 1 + levels : at + block], levels),
            )
            for size, at in zip(sizes, range(0, len(sizes) * block, block), strict=True)
        ]
    )


def moments(table: CountTable) -> Moments:
    """Exact sums of a table."""
    sizes = sizes_of(table)
    row = [Fraction(total) for total in flatten(table, sizes)]
    return unflatten(row, len(table.levels), sizes)


def square(row: Sequence[Number], size: int) -> Matrix:
    """A row of size x size numbers as a matrix."""
    return [row[start : start + size] for start in range(0, size * size, size)]
