"""Intervals that say how sure a share or an agreement is, from exact counts.

Sources: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212;
R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
(1998) 873-890 (method 10). Where each interval holds, and where it does not, is measured in docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import atan, cos, pi, sin, sqrt
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
    return None if raw is None else through_kappa(raw, chance)


def through_kappa(raw: Interval, chance: Fraction | float) -> Interval | None:
    """Map bounds of a raw agreement to bounds of kappa, clipped to [-1, 1]; None when chance is 1."""
    if chance == 1:
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


def mean_interval(
    sums: Sequence[Fraction | float],
    counts: Sequence[int],
    maximum: Fraction | float,
    confidence: float = 0.95,
) -> Interval | None:
    """Interval of a mean score whose units come in tickets: the Wilson bounds of an effective sample.

    The mean is taken as a share of `maximum`. Its variance, ticket by ticket, tells how many yes-or-no answers would be
    as sure; Wilson's bounds for that many, with Student's quantile for the few tickets, never leave the scale and stay
    honest near its top, where resampling gives intervals that are far too short (docs/statistics.md).

    Args:
        sums: points of each ticket.
        counts: scores behind each sum (1 when each ticket brings one response).
        maximum: the highest score that one response can get; the lowest is 0.
        confidence: share of samples whose interval should hold the true mean.

    Returns:
        The interval in points, or None with fewer than two tickets.

    Raises:
        ValueError: when a sum does not fit its count, or the lists differ in length.
    """
    if any(not 0 <= total <= maximum * n for total, n in zip(sums, counts, strict=True)) or maximum <= 0:
        raise ValueError("a sum of points lies between 0 and its count times the maximum")
    tickets, scores = len(counts), sum(counts)
    if tickets < 2 or scores == 0:
        return None
    shares = [float(total / maximum) for total in sums]
    share, effective = _effective_sample(shares, counts)
    bounds = score_interval(share * effective, effective, student_quantile(tickets - 1, confidence))
    return Interval(bounds.low * float(maximum), bounds.high * float(maximum))


def clustered_share(
    successes: Sequence[int], trials: Sequence[int], confidence: float = 0.95
) -> tuple[Interval, float] | None:
    """Wilson interval of a share whose trials come in tickets, and the design effect that widens it.

    Answers to one ticket resemble each other, so that 4 answers to each of 24 tickets say less than 96 answers to 96
    tickets. The design effect (Kish) is the variance between tickets over that of independent trials, never below 1;
    with one trial a ticket it is 1 and the interval is Wilson's.

    Returns:
        (interval, design effect), or None when nothing was counted.

    Raises:
        ValueError: when the counts of a ticket are impossible.
    """
    if any(not 0 <= k <= n for k, n in zip(successes, trials, strict=True)):
        raise ValueError("a ticket cannot have more successes than trials")
    n = sum(trials)
    if n == 0:
        return None
    share, effective = _effective_sample([float(k) for k in successes], trials)
    effect = n / effective
    if effect < 1 + 1e-9:
        return score_interval(share * n, n, normal_quantile(confidence)), 1.0
    # Once the variance comes from the tickets, their number decides how far to trust it.
    z = student_quantile(_filled(trials) - 1, confidence)
    return score_interval(share * n / effect, n / effect, z), effect


def student_quantile(freedom: int, confidence: float = 0.95) -> float:
    """Two-sided quantile of Student's t: 2.068658 for 23 degrees of freedom and 0.95.

    The distribution function is the finite sum for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4),
    inverted by bisection; beyond 1,000 degrees the Cornish-Fisher terms 26.7.5 are exact to 10 digits.
    """
    if freedom < 1:
        raise ValueError(f"Student's t needs at least one degree of freedom, not {freedom!r}")
    z = normal_quantile(confidence)
    if freedom > 1000:
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / freedom + second / freedom**2 + third / freedom**3
    low, high = z, 2 * z
    while _student_mass(high, freedom) < confidence:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_mass(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2


def _student_mass(t: float, freedom: int) -> float:
    """Probability that |T| stays below t."""
    angle = atan(t / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(1, freedom // 2 + 1):
        total += term
        term *= square * (2 * step - 1 + odd) / (2 * step + odd)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _filled(counts: Sequence[int]) -> int:
    """Tickets that bring anything."""
    return sum(count > 0 for count in counts)


def _effective_sample(shares: Sequence[float], counts: Sequence[int]) -> tuple[float, float]:
    """The pooled share, and the number of independent yes-or-no trials whose share would vary as much between samples.

    Variance of a ratio by linearisation (W. G. Cochran, Sampling Techniques, 3rd ed. 1977, 6.4). When no ticket differs
    from another the data cannot tell: the number of trials is returned.
    """
    tickets, n = _filled(counts), sum(counts)
    share = sum(shares) / n
    spread = sum((total - share * count) ** 2 for total, count in zip(shares, counts, strict=True))
    if tickets < 2 or n < 2 or spread <= 1e-12 * n:
        return share, float(n)
    variance = tickets / (tickets - 1) * spread / n**2
    return share, n * share * (1 - share) / (n - 1) / variance
