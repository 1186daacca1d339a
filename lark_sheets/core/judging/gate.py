"""The gate: when a judge's verdict may stop a command, and how sure its measured agreement is.

The rule is on the point (unweighted kappa of the binary outcome, 3/5, as an exact fraction); the doubt is shown
beside it (``conclusive``: the low end of the printed interval also reaches 3/5).
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from lark_sheets.core.intervals import Interval, normal_quantile, score_interval

KAPPA_MIN = Fraction(3, 5)
FEWEST_LABELS = 20
LEAST_MINORITY = Fraction(3, 10)
MOST_LABELS = 1_000_000
"""Beyond this the answer to "how many labels" is "no number helps"."""


class Gate(StrEnum):
    """What the judge may do: block a command, only indicate, nothing because its calibration is stale, or was never made."""

    BLOCKING = "blocking"
    INDICATIVE = "indicative"
    STALE = "stale"
    NONE = "none"


def opens(kappa: Fraction | None) -> bool:
    """Say whether an agreement is enough; an undefined kappa opens nothing."""
    return kappa is not None and kappa >= KAPPA_MIN


def is_conclusive(interval: Interval | None) -> bool | None:
    """Say whether even the low end of the printed interval is enough; None when there is no interval."""
    return None if interval is None else interval.low >= float(KAPPA_MIN)


def labels_needed(equal: int, n: int, chance: Fraction | None, confidence: float = 0.95) -> int | None:
    """Return how many labels would make this agreement conclusive, were it to stay what it is.

    The smallest number of labels, not below ``n``, at which the Wilson bounds of the same raw agreement, mapped through kappa with
    chance held fixed, start at 3/5. None when no number would do (kappa is undefined, or not above 3/5).
    """
    if not n or chance is None or chance >= 1:
        return None
    share = Fraction(equal, n)
    floor = KAPPA_MIN * (1 - chance) + chance
    if share <= floor:
        return None
    z = normal_quantile(confidence)

    def enough(labels: int) -> bool:
        low = score_interval(float(share * labels), float(labels), z).low
        return (low - float(chance)) / (1 - float(chance)) >= float(KAPPA_MIN)

    high = max(n, 1)
    while not enough(high):
        high *= 2
        if high > MOST_LABELS:
            return None
    low = n
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return low
