"""Values as JSON knows them: numbers that are none become null, statistics their value, fractions floats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

from lark_sheets.core.agreement import Statistic
from lark_sheets.core.intervals import Interval


def plain(value: Any) -> Any:
    """Return a value made of what JSON knows; a number that is none (NaN, infinity) becomes null, never a digit."""
    match value:
        case bool() | None | int() | str() if not isinstance(value, Enum):
            return value
        case Enum():
            return value.value
        case Fraction():
            return float(value)
        case float():
            return value if math.isfinite(value) else None
        case Interval():
            return interval_list(value)
        case Statistic():
            return value.value
        case Mapping():
            return {str(plain(key)): plain(entry) for key, entry in value.items()}
        case Sequence() | set() | frozenset():
            return [plain(entry) for entry in value]
        case _:
            return str(value)


def interval_list(interval: Interval | None) -> list[float] | None:
    """Return the two ends of an interval, or null."""
    return None if interval is None else [interval.low, interval.high]
