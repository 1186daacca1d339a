"""Redrawing tickets with replacement: intervals for statistics that have no formula of their own.

Tickets are drawn, not responses: answers to one ticket resemble each other. Tickets that show the same counts are one row
with a weight, so that a draw is one multinomial sample of a few dozen rows whatever the number of items, and the result
depends neither on the order of rows nor on the names of tickets.

Ends are the percentiles of the draws, widened for few tickets (T. C. Hesterberg, The American Statistician 69 (2015)
371-386: plain percentiles are too short by the factor that separates Student's t from the normal distribution).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from lark_sheets.core.intervals import Interval, student_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS = 2000
ENTRIES_AT_ONCE = 4_000_000
"""Weights held in memory at a time: 32 MB."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """Interval from redrawn tickets. `undefined` draws had no number; with half of them so there is no interval."""

    interval: Interval | None
    draws: int
    undefined: int
    tickets: int


def resample(
    rows: Sequence[Sequence[int | float]],
    statistics: Callable[[Sequence[NDArray[Any]]], dict[str, NDArray[Any]]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> dict[str, Resampled]:
    """Draw tickets with replacement and take the percentiles of each statistic.

    Args:
        rows: one row of additive sums for each ticket, all of the same length.
        statistics: from the columns of the summed rows, one entry per draw, the statistics by name (NaN = undefined).
        draws: number of samples drawn.
        seed: the same seed and rows give the same interval.
        confidence: share of samples whose interval should hold the true value.

    Returns:
        For each statistic its interval; no interval with fewer than two tickets.
    """
    import numpy as np

    def measured(columns: Sequence[NDArray[Any]]) -> dict[str, NDArray[Any]]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return statistics(columns)

    weights = Counter(tuple(row) for row in rows)
    tickets = weights.total()
    if tickets < 2:
        names = measured([np.zeros(1)] * len(rows[0])) if rows else {}
        return {name: Resampled(None, 0, 0, tickets) for name in names}
    distinct = sorted(weights)
    matrix = np.array(distinct, dtype=float)
    shares = np.array([weights[row] for row in distinct]) / tickets
    generator = np.random.Generator(np.random.PCG64(seed))
    found: dict[str, list[NDArray[Any]]] = {}
    step = max(1, ENTRIES_AT_ONCE // len(distinct))
    for start in range(0, draws, step):
        sample = generator.multinomial(tickets, shares, size=min(step, draws - start))
        for name, values in measured(list((sample @ matrix).T)).items():
            found.setdefault(name, []).append(values)
    tail = _tail(tickets, confidence)
    return {name: _percentiles(np.concatenate(values), tail, tickets) for name, values in found.items()}


def resample_mean(
    sums: Sequence[Fraction | float],
    counts: Sequence[int],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
) -> Resampled:
    """Interval of a mean score (or of a mean difference between two runs) from redrawn tickets.

    Args:
        sums: points of each ticket, or differences of points.
        counts: scores behind each sum.
        draws: number of samples drawn.
        seed: the same seed and rows give the same interval.
        confidence: share of samples whose interval should hold the true mean.
    """
    rows = [(float(total), count) for total, count in zip(sums, counts, strict=True)]
    if not rows:
        return Resampled(None, 0, 0, 0)
    return resample(
        rows, lambda columns: {"mean": columns[0] / columns[1]}, draws=draws, seed=seed, confidence=confidence
    )["mean"]


def _tail(tickets: int, confidence: float) -> float:
    """Share of the draws to leave out on each side."""
    return NormalDist().cdf(-sqrt(tickets / (tickets - 1)) * student_quantile(tickets - 1, confidence))


def _percentiles(values: NDArray[Any], tail: float, tickets: int) -> Resampled:
    import numpy as np

    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    if len(defined) <= len(values) / 2:
        return Resampled(None, len(values), undefined, tickets)
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Resampled(Interval(float(low), float(high)), len(values), undefined, tickets)
