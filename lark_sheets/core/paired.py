"""Tests of two runs on the same tickets: what differs ticket by ticket, not what two separate samples would show.

All of them are exact. None is a verdict on its own: over all pairs of runs the p-values are adjusted together (Holm).

Sources: Q. McNemar, Psychometrika 12 (1947) 153-157, in its exact binomial form; R. A. Fisher, The Design of Experiments
(1935), section 21 (permutation of signs); S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70; R. G. Newcombe,
Statistics in Medicine 17 (1998) 2635-2650 (paired difference, method 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt

from lark_sheets.core.intervals import Interval, wilson

EXACT_WORK = 200_000_000
"""Bits that the exact permutation may touch (some hundredths of a second, and there is one test a pair); above, signs are drawn."""
SIGN_DRAWS = 99_999


@dataclass(frozen=True, slots=True)
class SignTest:
    """Outcome of the paired permutation test: `p` is exact, or at most `p` when signs were drawn (`draws` > 0)."""

    p: float
    draws: int = 0

    @property
    def exact(self) -> bool:
        """Whether every arrangement of signs was counted."""
        return self.draws == 0


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided McNemar test from the discordant pairs.

    Args:
        only_first: tickets on which the first run alone is ready.
        only_second: tickets on which the second run alone is ready.

    Returns:
        The p-value; 1 when no ticket separates the two.

    Raises:
        ValueError: when a count is negative.
    """
    if min(only_first, only_second) < 0:
        raise ValueError("counts cannot be negative")
    n, fewest = only_first + only_second, min(only_first, only_second)
    tail, ways = 0, 1
    for k in range(fewest + 1):
        tail += ways
        ways = ways * (n - k) // (k + 1)
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def permutation(differences: Sequence[int | Fraction], seed: int = 0) -> SignTest | None:
    """Two-sided paired permutation test that the differences are as likely up as down.

    p = share of the 2^n arrangements of signs whose sum is at least as far from 0 as the one seen. Counted exactly by
    building up the sums; only for samples so large or so finely graded that this would take seconds are signs drawn.

    Args:
        differences: one per ticket, first run minus second, in points.
        seed: of the draws, when there are any.

    Returns:
        The test, or None without any ticket. Without any difference p is 1.
    """
    if not differences:
        return None
    scale = lcm(*(Fraction(difference).denominator for difference in differences))
    whole = [int(difference * scale) for difference in differences]
    seen = abs(sum(whole))
    sizes = Counter(abs(difference) for difference in whole if difference)
    n, widest = sizes.total(), sum(size * times for size, times in sizes.items())
    if n * n * widest > EXACT_WORK:
        return _drawn(sizes, seen, seed)
    # One big integer holds, `width` bits apart, the number of ways to reach each sum of the positive differences.
    width = n + 1
    ways = 1
    for size, times in sizes.items():
        for _ in range(times):
            ways += ways << (size * width)
    mask = (1 << width) - 1
    # A sum of chosen sizes x stands for the signed sum 2x - widest.
    far = sum(
        (ways >> (chosen * width)) & mask for chosen in range(widest + 1) if abs(2 * chosen - widest) >= seen
    )
    return SignTest(float(Fraction(far, 2**n)))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values over the whole family.

    A test that is undefined (None) stays undefined but is counted: a family never shrinks because a test failed.

    Raises:
        ValueError: when a p-value is not between 0 and 1.
    """
    if any(p is not None and not 0 <= p <= 1 for p in p_values):
        raise ValueError("a p-value lies between 0 and 1")
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p))
        adjusted[place] = highest
    return adjusted


def paired_difference(
    both: int, only_first: int, only_second: int, neither: int, confidence: float = 0.95
) -> Interval | None:
    """Newcombe's interval of the difference between two shares on the same tickets, first minus second.

    Returns:
        The interval, or None without any ticket.
    """
    n = both + only_first + only_second + neither
    one, two = wilson(both + only_first, n, confidence), wilson(both + only_second, n, confidence)
    if one is None or two is None:
        return None
    p1, p2 = (both + only_first) / n, (both + only_second) / n
    margins = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    link: float = both * neither - only_first * only_second
    if link > 0:
        link = max(0.0, link - n / 2)
    phi = link / sqrt(margins) if margins else 0.0
    gap = p1 - p2
    below, above = _joined(p1 - one.low, two.high - p2, phi), _joined(one.high - p1, p2 - two.low, phi)
    return Interval(max(-1.0, gap - below), min(1.0, gap + above))


def _joined(first: float, second: float, phi: float) -> float:
    return sqrt(max(0.0, first * first - 2 * phi * first * second + second * second))


def _drawn(sizes: Counter[int], seen: int, seed: int) -> SignTest:
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros(SIGN_DRAWS)
    for size, times in sorted(sizes.items()):
        sums += size * (2.0 * generator.binomial(times, 0.5, SIGN_DRAWS) - times)
    hits = int(np.count_nonzero(np.abs(sums) >= seen))
    return SignTest((hits + 1) / (SIGN_DRAWS + 1), SIGN_DRAWS)
