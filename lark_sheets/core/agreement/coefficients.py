"""Chance-corrected agreement, each coefficient written as 1 - observed / expected disagreement.

The formulas see sums only (`Moments`) and a distance between levels. All give 1 for full agreement and 0 for what chance
alone gives; they differ in what they call chance. None is defined when the expected disagreement is 0.

Sources:
    J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46; weighted: Psychological Bulletin 70 (1968) 213-220.
    J. L. Fleiss, Psychological Bulletin 76 (1971) 378-382.
    K. Krippendorff, Content Analysis, 4th ed. (2019), chapter 12.
    K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008) 29-48 (AC1); Handbook of Inter-Rater
    Reliability, 4th ed. (2014) (AC2, missing readings, Fleiss and Brennan-Prediger with weights).
    R. L. Brennan and D. J. Prediger, Educational and Psychological Measurement 41 (1981) 687-699.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lark_sheets.core.agreement.moments import Matrix, Moments, Number


class Disagreement(NamedTuple):
    """Mean distance between readings: as seen, and as chance alone would give it."""

    observed: Number
    expected: Number


def cohen(joint: Matrix, distance: Matrix) -> Disagreement:
    """Cohen's kappa of two persons, plain or weighted: chance = each reader's own use of the levels.

    D_o = sum d_ij n_ij / n;  D_e = sum d_ij n_i. n_.j / n^2, where n_ij counts the items that the first reader put at
    level i and the second at level j.
    """
    rows = [sum(line) for line in joint]
    columns = [sum(column) for column in zip(*joint, strict=True)]
    n = sum(rows)
    return Disagreement(_weigh(joint, distance) / n, _weigh(_product(rows, columns), distance) / (n * n))


def fleiss(sums: Moments, distance: Matrix) -> Disagreement:
    """Fleiss' kappa of any readers: chance = the levels as used by all readers together.

    Missing readings as in Gwet (2014): an item counts as much whatever the number of its readings.
    """
    shares = level_shares(sums)
    return Disagreement(_between_readers(sums, distance), _weigh(_product(shares, shares), distance))


def gwet(sums: Moments, distance: Matrix) -> Disagreement:
    """Gwet's AC1 (nominal distance) or AC2: chance = guessing on the items that are hard, little when one level prevails.

    With w = 1 - d / max(d): p_e = sum(w) / (q (q - 1)) x sum pi_k (1 - pi_k).
    """
    widest = max(map(max, distance))
    q = len(distance)
    weights = q * q - sum(map(sum, distance)) / widest
    chance = sum(share * (1 - share) for share in level_shares(sums)) * weights / (q * (q - 1))
    return Disagreement(_between_readers(sums, distance) / widest, 1 - chance)


def brennan_prediger(sums: Moments, distance: Matrix) -> Disagreement:
    """Brennan and Prediger's coefficient (Randolph's free-marginal kappa): chance = every level alike."""
    q = len(distance)
    return Disagreement(_between_readers(sums, distance), sum(map(sum, distance)) / (q * q))


def krippendorff(sums: Moments, distance: Matrix) -> Disagreement:
    """Krippendorff's alpha: chance = drawing two readings out of all that can be paired, without putting back.

    An item read m times brings its ordered pairs, each 1 / (m - 1); items read once bring nothing.
    D_o = sum o_ck d_ck / n;  D_e = sum n_c n_k d_ck / (n (n - 1)).
    """
    totals = pairable(sums)
    n = sum(totals)
    seen = sum(_weigh(part.pairs, distance) / (part.readings - 1) for part in sums.shared)
    return Disagreement(seen / n, _weigh(_product(totals, totals), distance) / (n * (n - 1)))


def pairable(sums: Moments) -> list[Number]:
    """Readings of each level over the items read at least twice."""
    return [sum(column) for column in zip(*(part.totals for part in sums.shared), strict=True)]


def _between_readers(sums: Moments, distance: Matrix) -> Number:
    """Mean over shared items of the mean distance between two of their readings."""
    shared = sums.shared
    seen = sum(_weigh(part.pairs, distance) / (part.readings * (part.readings - 1)) for part in shared)
    return seen / sum(part.items for part in shared)


def level_shares(sums: Moments) -> list[Number]:
    """Mean over items of the share of their readings that each level got."""
    items = sum(part.items for part in sums.by_size)
    columns = zip(*([total / part.readings for total in part.totals] for part in sums.by_size), strict=True)
    return [sum(column) / items for column in columns]


def _product(rows: Sequence[Number], columns: Sequence[Number]) -> Matrix:
    return [[row * column for column in columns] for row in rows]


def _weigh(matrix: Matrix, distance: Matrix) -> Number:
    cells = zip(matrix, distance, strict=True)
    return sum(count * far for line, fars in cells for count, far in zip(line, fars, strict=True))
