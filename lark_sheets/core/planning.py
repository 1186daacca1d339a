"""How many shared responses to ask for, before anybody reads: the width an interval would have, and the reverse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lark_sheets.core.intervals import Interval, normal_quantile, score_interval

MOST_RESPONSES = 1_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """Shared responses needed, and the interval they would give if agreement turned out as supposed."""

    shared: int
    interval: Interval
    available: int | None = None

    @property
    def possible(self) -> bool:
        """Whether the campaign has that many responses; unknown counts as possible."""
        return self.available is None or self.shared <= self.available


def shared_for_share(
    width: float, supposed: float = 0.9, confidence: float = 0.95, available: int | None = None
) -> Plan:
    """Fewest shared responses for which Wilson's interval of raw agreement is no wider than `width`.

    Args:
        width: distance between both ends, as a share: 0.2 for "between 80 and 100 %".
        supposed: the raw agreement expected; 0.5 is the most cautious.
        confidence: of the interval.
        available: responses of the campaign, if known.

    Raises:
        ValueError: when width, agreement or confidence is out of range.
    """
    z = normal_quantile(confidence)
    _check(width, supposed)
    return _fewest(lambda n: score_interval(supposed * n, n, z), width, available)


def shared_for_kappa(
    width: float,
    supposed: float = 0.9,
    chance: float = 0.5,
    confidence: float = 0.95,
    available: int | None = None,
) -> Plan:
    """The same for the interval of kappa; `chance` is the agreement by chance (0.5 when both outcomes are as frequent).

    Raises:
        ValueError: when a share is out of range; a chance of 1 leaves no kappa.
    """
    z = normal_quantile(confidence)
    _check(width, supposed)
    if not 0 <= chance < 1:
        raise ValueError(f"the agreement by chance lies between 0 and 1, 1 excluded, not {chance!r}")

    def interval(n: int) -> Interval:
        raw = score_interval(supposed * n, n, z)
        return Interval(max(-1.0, (raw.low - chance) / (1 - chance)), (raw.high - chance) / (1 - chance))

    return _fewest(interval, width, available)


def _check(width: float, supposed: float) -> None:
    if not 0 < width < 2:
        raise ValueError(f"a width lies between 0 and 2, not {width!r}")
    if not 0 <= supposed <= 1:
        raise ValueError(f"a supposed agreement lies between 0 and 1, not {supposed!r}")


def _fewest(interval: Callable[[int], Interval], width: float, available: int | None) -> Plan:
    low, high = 0, 1
    while interval(high).width > width:
        low, high = high, 2 * high
        if high > MOST_RESPONSES:
            raise ValueError(f"more than {MOST_RESPONSES} shared responses for a width of {width!r}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if interval(middle).width > width else (low, middle)
    return Plan(high, interval(high), available)


@dataclass(frozen=True, slots=True)
class Planned:
    """One way of planning: for the share of equal grades or (with ``chance``) for kappa, supposing ``supposed`` to be the agreement.

    ``measured`` tells that agreement and chance are those of a campaign; ``plan`` is None when more than MOST_RESPONSES would be needed.
    """

    supposed: Fraction
    chance: Fraction | None
    measured: bool
    plan: Plan | None


USUAL, CAUTIOUS = Fraction(9, 10), Fraction(1, 2)


def plans_for(
    width: float, equal: int = 0, n: int = 0, chance: Fraction | None = None, available: int | None = None
) -> tuple[Planned, ...]:
    """Return how many shared responses to ask for: with the agreement measured so far, with 90 %, and with nothing supposed (50 %).

    Args:
        width: distance between both ends of the 95 % interval.
        equal: shared responses graded alike so far.
        n: shared responses so far; 0 when nothing was measured.
        chance: agreement by chance measured so far; without it, kappa is planned for outcomes that are as frequent (0.5).
        available: responses of the campaign, if known.

    Raises:
        ValueError: when the width is not between 0 and 2.
    """
    _check(width, 1)
    chances = [None, CAUTIOUS] if chance is None or chance == 1 else [None, chance, CAUTIOUS]
    supposed = ([(Fraction(equal, n), True)] if n else []) + [(USUAL, False), (CAUTIOUS, False)]
    return tuple(
        Planned(share, by_chance, measured, _plan(width, share, by_chance, available))
        for by_chance in chances
        for share, measured in supposed
        if by_chance is None or measured == (by_chance is chance)
    )


def _plan(width: float, supposed: Fraction, chance: Fraction | None, available: int | None) -> Plan | None:
    try:
        if chance is None:
            return shared_for_share(width, float(supposed), available=available)
        return shared_for_kappa(width, float(supposed), float(chance), available=available)
    except ValueError:
        return None  # the width was checked: so many responses that no campaign has them
