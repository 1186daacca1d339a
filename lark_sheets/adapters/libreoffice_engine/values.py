"""Cell values on their way: what xlwings hands over, what UNO takes and gives, and what Excel would make of a typed text."""

from __future__ import annotations

import datetime as dt
import numbers
import re
from collections.abc import Callable, Sequence
from typing import Any

EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001  (a cell's date has no zone)
DATE, TIME, DATETIME, LOGICAL, DEFINED = 2, 4, 6, 1024, 1
"""Bits of com.sun.star.util.NumberFormat."""
_ERRORS = {
    502: "#VALUE!",
    503: "#NUM!",
    504: "#REF!",
    519: "#VALUE!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}
_NUMBER = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*")
_DAYS_TYPED = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*")


class CellError:
    """An error in a cell; ``text`` is how Excel writes it."""

    def __init__(self, code: int) -> None:
        self.text = _ERRORS.get(code, "#VALUE!")


class Serial(float):
    """A date as a number of days, so that its cell gets a date's format when it has none."""


def prepared(value: Any, options: Any = None) -> Any:
    """Return a Python value as :class:`~..cells.Range` writes it (called by xlwings for every cell)."""
    del options
    if value is None or (isinstance(value, float) and value != value):  # noqa: PLR0124  (NaN)
        return ""
    if isinstance(value, bool):
        return value
    if isinstance(value, dt.datetime):
        return Serial((value.replace(tzinfo=None) - EPOCH) / dt.timedelta(days=1))
    if isinstance(value, dt.date):
        return Serial((dt.datetime(value.year, value.month, value.day) - EPOCH).days)  # noqa: DTZ001
    if isinstance(value, numbers.Real):
        return float(value)
    return str(value)


def cleaned(
    data: Sequence[Sequence[Any]],
    dates: Callable[..., Any],
    empty: Any,
    numbers_as: Callable[[float], Any] | None,
    errors_as_text: bool,
) -> list[list[Any]]:
    """Return values read from cells as xlwings hands them out (called by xlwings)."""

    def one(value: Any) -> Any:
        if value is None or value == "":
            return empty
        if isinstance(value, CellError):
            return value.text if errors_as_text else None
        if isinstance(value, dt.datetime):
            return dates(
                year=value.year,
                month=value.month,
                day=value.day,
                hour=value.hour,
                minute=value.minute,
                second=value.second,
                microsecond=value.microsecond,
                tzinfo=None,
            )
        if isinstance(value, float) and numbers_as is not None:
            return numbers_as(value)
        return value

    return [[one(value) for value in row] for row in data]


def typed(text: str) -> Any:
    """Return what Excel makes of a text that is put into a cell, as far as it matters here.

    A text after an apostrophe stays a text. Without one, what looks like a number becomes a number, TRUE and FALSE become truth
    values, an ISO day becomes a date, and what starts with = is a formula (returned as it is). So a test on LibreOffice sees what
    would go wrong in Excel.
    """
    if text.startswith("'"):
        return text[1:]
    if text.startswith("="):
        return text
    if _NUMBER.fullmatch(text):
        return float(text)
    if text.upper() in ("TRUE", "FALSE"):
        return text.upper() == "TRUE"
    if day := _DAYS_TYPED.fullmatch(text):
        try:
            return Serial((dt.datetime(*map(int, day.groups())) - EPOCH).days)  # type: ignore[arg-type]  # noqa: DTZ001
        except ValueError:
            return text
    return text


def is_formula(value: Any, given: Any) -> bool:
    """Say whether a value that was given becomes a formula: a text that starts with = and no apostrophe."""
    return isinstance(value, str) and isinstance(given, str) and given.startswith("=")
