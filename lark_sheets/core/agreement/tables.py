"""Readings collapsed to counts: everything the coefficients need, additive so that samples can be pooled or redrawn.

An item (a response) becomes a pattern: for each reader the position of the level given, or ABSENT. Items with the same
pattern are one row with a weight. Whatever the number of items, the formulas then see a few dozen counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

ABSENT = -1

Readings = Sequence[Mapping[str, Hashable]] | Mapping[Hashable, Mapping[str, Hashable]]


@dataclass(frozen=True, slots=True)
class CountTable:
    """How many items show each pattern of readings. Levels are the full set, used or not, in their order."""

    levels: tuple[Hashable, ...]
    readers: tuple[str, ...]
    patterns: Mapping[tuple[int, ...], int]

    def __add__(self, other: CountTable) -> CountTable:
        """Pool two samples of the same readers and levels."""
        if (self.levels, self.readers) != (other.levels, other.readers):
            raise ValueError("only tables of the same levels and readers can be added")
        return CountTable(self.levels, self.readers, Counter(self.patterns) + Counter(other.patterns))

    @property
    def items(self) -> int:
        """Items with at least one reading."""
        return sum(weight for pattern, weight in self.patterns.items() if _size(pattern) >= 1)

    @property
    def shared(self) -> int:
        """Items with at least two readings: the only ones that can tell about agreement."""
        return sum(weight for pattern, weight in self.patterns.items() if _size(pattern) >= 2)

    @property
    def equal(self) -> int:
        """Shared items on which all readings are the same."""
        return sum(
            weight for pattern, weight in self.patterns.items() if _size(pattern) >= 2 and _gap(pattern) == 0
        )

    @property
    def taking_part(self) -> tuple[str, ...]:
        """Readers who read at least one shared item."""
        seen = {
            place
            for pattern in self.patterns
            if _size(pattern) >= 2
            for place, level in enumerate(pattern)
            if level != ABSENT
        }
        return tuple(reader for place, reader in enumerate(self.readers) if place in seen)

    @property
    def used(self) -> dict[str, dict[Hashable, int]]:
        """Levels that each reader gave on shared items, with how often; readers without any are left out."""
        counts: dict[str, Counter[int]] = {reader: Counter() for reader in self.readers}
        for pattern, weight in self.patterns.items():
            if _size(pattern) >= 2:
                for reader, level in zip(self.readers, pattern, strict=True):
                    counts[reader][level] += weight
        return {
            reader: {level: given[place] for place, level in enumerate(self.levels) if given[place]}
            for reader, given in counts.items()
            if given.total() > given[ABSENT]
        }

    @property
    def gaps(self) -> dict[int, int]:
        """Sizes of the differences, in levels: {1: items one level apart, 2: ...}; the widest pair of an item counts."""
        sizes: Counter[int] = Counter()
        for pattern, weight in self.patterns.items():
            if _size(pattern) >= 2 and _gap(pattern):
                sizes[_gap(pattern)] += weight
        return dict(sorted(sizes.items()))

    def keep(self, readers: Sequence[str]) -> CountTable:
        """The table of these readers alone, in this order."""
        places = [self.readers.index(reader) for reader in readers]
        kept: Counter[tuple[int, ...]] = Counter()
        for pattern, weight in self.patterns.items():
            kept[tuple(pattern[place] for place in places)] += weight
        return CountTable(self.levels, tuple(readers), kept)

    def shared_only(self) -> CountTable:
        """The table without the items that were read once or not at all."""
        kept = {pattern: weight for pattern, weight in self.patterns.items() if _size(pattern) >= 2}
        return CountTable(self.levels, self.readers, kept)

    def pairs(self) -> list[tuple[str, str]]:
        """Every pair of readers, in their order, whether or not they share items."""
        return list(combinations(self.readers, 2))

    def joint(self) -> tuple[tuple[int, ...], ...]:
        """Confusion counts of the two readers: rows are the first one's levels, columns the second one's.

        Raises:
            ValueError: when the table has not exactly two readers.
        """
        if len(self.readers) != 2:
            raise ValueError(f"a confusion table needs two readers, not {len(self.readers)}")
        size = range(len(self.levels))
        return tuple(tuple(self.patterns.get((row, column), 0) for column in size) for row in size)


def count(readings: Readings, levels: Sequence[Hashable], readers: Sequence[str] | None = None) -> CountTable:
    """Collapse readings to a count table.

    Args:
        readings: for each item, the level given by each reader; an absent reader or None is a missing reading.
        levels: the full set of levels in their order, also those nobody used.
        readers: names and order of the readers; by default those met, sorted, so that the order of rows has no effect.

    Raises:
        ValueError: a level that is not one of the set (1.5, True for 1, a text for a number), a level given twice, or a
            reader who is not among `readers`.
    """
    place_of = {level: place for place, level in enumerate(levels)}
    if len(place_of) != len(levels):
        raise ValueError(f"a level stands twice in {list(levels)!r}")
    items: Iterable[Mapping[str, Hashable]] = readings.values() if isinstance(readings, Mapping) else readings
    rows = [{reader: level for reader, level in item.items() if level is not None} for item in items]
    met = {reader for row in rows for reader in row}
    names = tuple(sorted(met, key=str)) if readers is None else tuple(readers)
    if strangers := met.difference(names):
        raise ValueError(f"readings of unknown readers: {sorted(strangers, key=str)!r}")
    flags = any(type(level) is bool for level in levels)
    patterns: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        patterns[tuple(_place(row.get(name), place_of, flags=flags) for name in names)] += 1
    return CountTable(tuple(levels), names, patterns)


def _place(level: Hashable, place_of: Mapping[Hashable, int], *, flags: bool) -> int:
    if level is None:
        return ABSENT
    if level not in place_of or (type(level) is bool) is not flags:
        raise ValueError(f"{level!r} is not one of the levels {list(place_of)!r}")
    return place_of[level]


def _size(pattern: tuple[int, ...]) -> int:
    return len(pattern) - pattern.count(ABSENT)


def _gap(pattern: tuple[int, ...]) -> int:
    given = [level for level in pattern if level != ABSENT]
    return max(given) - min(given)
