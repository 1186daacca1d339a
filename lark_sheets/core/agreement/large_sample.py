"""Standard errors for many items, as printed in published tables.

We print other intervals (docs/statistics.md tells why): these serve to reproduce published figures and to check ours. Each
coefficient is linearised item by item (Gwet 2014, chapter 5; for two readers the same as Fleiss, Cohen and Everitt,
Psychological Bulletin 72 (1969) 323-327).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import erfc, sqrt
from typing import NamedTuple

from lark_sheets.core.agreement import coefficients
from lark_sheets.core.agreement.coefficients import Disagreement
from lark_sheets.core.agreement.moments import Matrix, moments
from lark_sheets.core.agreement.tables import CountTable
from lark_sheets.core.intervals import Interval, normal_quantile


class LargeSample(NamedTuple):
    """A coefficient with its standard error; `null_error` is that under agreement by chance, for the test."""

    value: float
    error: float
    null_error: float | None = None

    @property
    def z(self) -> float | None:
        """Coefficient over its standard error under agreement by chance."""
        return self.value / self.null_error if self.null_error else None

    @property
    def p(self) -> float | None:
        """Two-sided p-value of that."""
        return None if self.z is None else erfc(abs(self.z) / sqrt(2))

    def wald(self, confidence: float = 0.95) -> Interval:
        """The usual interval, not clipped: it may pass 1 (1.087 for 21 of 22), and covers far too little for few items."""
        half = normal_quantile(confidence) * self.error
        return Interval(self.value - half, self.value + half)


def cohen_errors(joint: Sequence[Sequence[int]], distance: Matrix) -> LargeSample:
    """Kappa of two readers, plain or weighted, with both standard errors (Fleiss, Cohen and Everitt 1969).

    Raises:
        ZeroDivisionError: when kappa is undefined; ask `agreement` for the state first.
    """
    n, size = sum(map(sum, joint)), range(len(joint))
    far = max(map(max, distance))
    weight = [[1 - float(d / far) for d in line] for line in distance]
    share = [[cell / n for cell in line] for line in joint]
    row = [sum(line) for line in share]
    column = [sum(line) for line in zip(*share, strict=True)]
    seen = sum(weight[i][j] * share[i][j] for i in size for j in size)
    chance = sum(weight[i][j] * row[i] * column[j] for i in size for j in size)
    kappa = (seen - chance) / (1 - chance)
    by_row = [sum(weight[i][j] * column[j] for j in size) for i in size]
    by_column = [sum(weight[i][j] * row[i] for i in size) for j in size]
    spread = sum(
        share[i][j] * (weight[i][j] - (by_row[i] + by_column[j]) * (1 - kappa)) ** 2
        for i in size
        for j in size
    )
    under_chance = sum(
        row[i] * column[j] * (weight[i][j] - (by_row[i] + by_column[j])) ** 2 for i in size for j in size
    )
    scale = n * (1 - chance) ** 2
    return LargeSample(
        kappa,
        sqrt(max(0.0, spread - (kappa - chance * (1 - kappa)) ** 2) / scale),
        sqrt(max(0.0, under_chance - chance**2) / scale),
    )


def fleiss_errors(table: CountTable, distance: Matrix, *, sample: bool = True) -> LargeSample:
    """Fleiss' kappa (Scott's pi for two readers); the error under chance is that of Fleiss, Nee and Landis (1979).

    `sample` divides by n - 1 as Gwet does for raw readings; False divides by n as he does for a table of two readers.
    """
    sums = moments(table)
    shares = _floats(coefficients.level_shares(sums))
    nearby = _times(distance, shares)
    found = coefficients.fleiss(sums, distance)
    error = _error(table, distance, found, lambda level: nearby[level], sample=sample)
    return LargeSample(_value(found), error, _fleiss_null(table, shares))


def gwet_errors(table: CountTable, distance: Matrix, *, sample: bool = True) -> LargeSample:
    """AC1 (nominal distance) or AC2 with its standard error."""
    sums = moments(table)
    shares = _floats(coefficients.level_shares(sums))
    q, far = len(shares), max(map(max, distance))
    unit = [[d / far for d in line] for line in distance]
    weights = q * q - float(sum(map(sum, unit)))
    found = coefficients.gwet(sums, distance)
    # What one reading adds to p_e = scale x sum pi (1 - pi), Gwet's p_e for one item.
    scale = weights / (q * (q - 1))
    error = _error(table, unit, found, lambda level: 1 - scale * (1 - shares[level]), sample=sample)
    return LargeSample(_value(found), error)


def brennan_prediger_errors(table: CountTable, distance: Matrix, *, sample: bool = True) -> LargeSample:
    """Brennan and Prediger's coefficient with its standard error."""
    found = coefficients.brennan_prediger(moments(table), distance)
    return LargeSample(
        _value(found), _error(table, distance, found, lambda _: float(found.expected), sample=sample)
    )


def share_error(table: CountTable, *, sample: bool = True) -> LargeSample:
    """Mean raw agreement between two readings of an item, with its standard error (nothing taken off for chance)."""
    plain = [[Fraction(int(a != b)) for b in table.levels] for a in table.levels]
    seen = coefficients.brennan_prediger(moments(table), plain).observed
    found = Disagreement(seen, Fraction(1))
    return LargeSample(_value(found), _error(table, plain, found, lambda _: 1.0, sample=sample))


def krippendorff_errors(table: CountTable, distance: Matrix, *, sample: bool = True) -> LargeSample:
    """Krippendorff's alpha with Gwet's standard error for raw readings (Krippendorff himself resamples).

    Needs distances that do not depend on the readings: nominal, interval, ratio.
    """
    far = float(max(map(max, distance)))
    weight = [[1 - float(d) / far for d in line] for line in distance]
    found = coefficients.krippendorff(moments(table), distance)
    rows = [(given, times) for given, times in _items(table) if sum(given) >= 2]
    items = sum(times for _, times in rows)
    size = sum(sum(given) * times for given, times in rows) / items
    share = [sum(given[k] * times for given, times in rows) / items / size for k in range(len(weight))]
    nearby = _times(weight, share)
    chance = sum(near * part for near, part in zip(nearby, share, strict=True))
    matching = [
        sum(n * (near - 1) for n, near in zip(given, _times(weight, given), strict=True))
        / (size * (sum(given) - 1))
        for given, _ in rows
    ]
    plain = sum(match * times for match, (_, times) in zip(matching, rows, strict=True)) / items
    middle = (plain - chance) / (1 - chance)
    spread = 0.0
    for match, (given, times) in zip(matching, rows, strict=True):
        more = (sum(given) - size) / size
        by_chance = sum(n * near for n, near in zip(given, nearby, strict=True)) / size - chance * more
        part = (match - plain * more - chance) / (1 - chance)
        part -= 2 * (1 - middle) * (by_chance - chance) / (1 - chance)
        spread += times * (part - middle) ** 2
    return LargeSample(_value(found), sqrt(spread / (items * (items - sample))))


def _error(
    table: CountTable,
    distance: Matrix,
    found: Disagreement,
    by_chance: Callable[[int], float],
    *,
    sample: bool,
) -> float:
    """Standard error from what each item adds to the coefficient; `by_chance` is a level's mean distance to chance."""
    value, expected = _value(found), float(found.expected)
    rows = list(_items(table))
    items = sum(times for _, times in rows)
    shared = sum(times for given, times in rows if sum(given) >= 2)
    spread = 0.0
    for given, times in rows:
        size = sum(given)
        part = 0.0
        if size >= 2:
            apart = sum(n * far for n, far in zip(given, _times(distance, given), strict=True)) / (
                size * (size - 1)
            )
            part = items / shared * (1 - apart / expected)
        chance = sum(n * by_chance(level) for level, n in enumerate(given)) / size
        part -= 2 * (1 - value) * (expected - chance) / expected
        spread += times * (part - value) ** 2
    return sqrt(spread / (items * (items - sample)))


def _fleiss_null(table: CountTable, shares: Sequence[float]) -> float | None:
    """Error of plain Fleiss' kappa under chance; None when items have unequal numbers of readings."""
    sizes = {sum(given) for given, _ in _items(table)}
    if len(sizes) != 1:
        return None
    readings, items = sizes.pop(), table.items
    apart = sum(p * (1 - p) for p in shares)
    skew = sum(p * (1 - p) * (1 - 2 * p) for p in shares)
    return sqrt(2 / (items * readings * (readings - 1)) * (apart**2 - skew)) / apart


def _items(table: CountTable) -> Iterator[tuple[list[int], int]]:
    """Readings per level of each kind of item with at least one reading, and how many items are of that kind."""
    for pattern, times in table.patterns.items():
        given = [pattern.count(level) for level in range(len(table.levels))]
        if any(given):
            yield given, times


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [float(sum(far * part for far, part in zip(line, vector, strict=True))) for line in matrix]


def _floats(numbers: Sequence[Fraction]) -> list[float]:
    return [float(number) for number in numbers]


def _value(found: Disagreement) -> float:
    return float(1 - found.observed / found.expected)
