"""Intervals that say how sure a share or an agreement is, from exact counts.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212;
R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
(1998) 873-890 (method 10). Where each interval holds, and where it does not, is measured in docs/statistics.md.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """The two ends of an interval, both included, in the unit of what it bounds."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Distance between the two ends."""
        return self.high - self.low


def normal_quantile(confidence: float) -> float:
    """Half-width in standard deviations of a two-sided normal interval: 1.959964 for 0.95.

    Raises:
        ValueError: when the confidence is not strictly between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence!r}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(successes: int, trials: int, confidence: float = 0.95) -> Interval | None:
    """Wilson score interval of a share, `successes` out of `trials`.

    0 of n has a low end of exactly 0 and n of n a high end of exactly 1: neither is ever crossed.

    Returns:
        The interval, or None when nothing was counted (trials == 0).

    Raises:
        ValueError: when the counts are impossible (negative, or more successes than trials).
    """
    if trials < 0 or not 0 <= successes <= trials:
        raise ValueError(f"impossible counts: {successes!r} of {trials!r}")
    z = normal_quantile(confidence)
    return score_interval(successes, trials, z) if trials else None


def score_interval(successes: float, trials: float, z: float) -> Interval:
    """Wilson bounds for counts that need not be whole (an expected count, an effective sample), trials > 0."""
    share, z2 = successes / trials, z * z
    centre = share + z2 / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    low = 0.0 if successes <= 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if successes >= trials else min(1.0, (centre + spread) / scale)
    return Interval(low, high)


def kappa_interval(equal: int, n: int, chance: Fraction | float, confidence: float = 0.95) -> Interval | None:
    """Interval of a chance-corrected agreement: the Wilson bounds of raw agreement, chance held fixed.

    kappa = (p - chance) / (1 - chance) rises with the raw agreement p, so the bounds of p become bounds of kappa.
    The usual (Wald) interval covers 49-94 % where agreement is high and levels are skewed, which is the usual case here.

    Args:
        equal: number of items on which the readers agree.
        n: number of items that both read.
        chance: agreement expected by chance, between 0 and 1.
        confidence: share of samples whose interval should hold the true value.

    Returns:
        The interval clipped to [-1, 1], or None when nothing was read twice or chance is 1 (kappa is undefined).

    Raises:
        ValueError: when the counts or the chance are impossible.
    """
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance agreement lies between 0 and 1, not {chance!r}")
    raw = wilson(equal, n, confidence)
    if raw is None or chance == 1:
        return None
    expected = float(chance)
    low, high = ((bound - expected) / (1 - expected) for bound in raw)
    return Interval(max(-1.0, low), min(1.0, high))


def newcombe_difference(
    first: tuple[int, int], second: tuple[int, int], confidence: float = 0.95
) -> Interval | None:
    """Newcombe's interval (method 10) of the difference between two INDEPENDENT shares, first minus second.

    Two runs on the same items are not independent: use `lark_sheets.core.paired` for those.

    Args:
        first: (successes, trials) of the first share.
        second: (successes, trials) of the second share.
        confidence: share of samples whose interval should hold the true difference.

    Returns:
        The interval, or None when either share has no trial.
    """
    one, two = wilson(*first, confidence), wilson(*second, confidence)
    if one is None or two is None:
        return None
    p1, p2 = first[0] / first[1], second[0] / second[1]
    gap = p1 - p2
    below = sqrt((p1 - one.low) ** 2 + (two.high - p2) ** 2)
    above = sqrt((one.high - p1) ** 2 + (p2 - two.low) ** 2)
    return Interval(gap - below, gap + above)
