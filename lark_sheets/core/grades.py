"""What counts as a grade: the one rule by which a cell becomes a level, a blank or a refusal."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import NamedTuple

from lark_sheets.core.cells import Mark, Value
from lark_sheets.core.rubric import Criterion, Level
from lark_sheets.core.text import clean_id, folded

_INTEGER_TEXT = re.compile(r"[+]?(\d+)(?:[.,]0+)?")
_EXCEL_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001  (a spreadsheet's dates carry no zone)
_LOTUS_LEAP = 60  # the serial of the day that Excel wrongly counts, 29 February 1900


class ReadGrade(NamedTuple):
    """What a grade cell gave: a level or None, and the code of the problem to tell, if any.

    ``problem`` names a kind of the catalogue: ``unreadable_grade`` and its kin refuse the cell, ``normalized_grade``
    only tells that text or a date format was read as the number it is.
    """

    level: Level | None
    problem: str = ""

    @property
    def refused(self) -> bool:
        """Say whether the cell holds something that is no grade."""
        return bool(self.problem) and self.level is None


def read_grade(value: Value, criterion: Criterion, mark: Mark | None = None) -> ReadGrade:
    """Read one cell as a grade of ``criterion``.

    Accepted: a level as a number (also one merely formatted as a date: told), or text that is exactly that integer
    once trimmed and NFKC-normalised ("2 ", "2,0", "２": told); for a category criterion a label's id or name in either
    language. A blank is a blank. All else is refused, never rounded or clipped.
    """
    if mark is Mark.UNCOMPUTED:
        return ReadGrade(None, "formula_without_value")
    if mark is Mark.ERROR:
        return ReadGrade(None, "error_in_grade")
    if value is None or (isinstance(value, str) and not clean_id(value)):
        return ReadGrade(None)
    if criterion.is_category:
        return _read_label(value, criterion)
    if isinstance(value, bool):
        return ReadGrade(None, "unreadable_grade")
    if isinstance(value, int | float):
        if value in criterion.levels:
            return ReadGrade(int(value), "normalized_grade" if mark is Mark.DATE else "")
        return ReadGrade(None, "unreadable_grade")
    if isinstance(value, str):
        match = _INTEGER_TEXT.fullmatch(clean_id(unicodedata.normalize("NFKC", value)))
        if match and int(match[1]) in criterion.levels:
            return ReadGrade(int(match[1]), "normalized_grade")
        return ReadGrade(None, "unreadable_grade")
    serial = date_serial(value)
    if serial is not None and serial in criterion.levels:
        return ReadGrade(int(serial), "normalized_grade")
    return ReadGrade(None, "date_in_grade")


def _read_label(value: Value, criterion: Criterion) -> ReadGrade:
    if isinstance(value, str):
        wanted = folded(value)
        for anchor in criterion.anchors:
            if wanted in (folded(str(anchor.level)), *map(folded, anchor.name.both())):
                return ReadGrade(anchor.level)
    return ReadGrade(None, "unreadable_grade")


def date_serial(value: Value) -> float | None:
    """Return the number behind a date as Excel stores it, or None when the value is no date.

    Readers turn a number with a date format into a date; the number is what was typed. Serial 1 is 1 January 1900.
    """
    if isinstance(value, dt.datetime):
        days = (value - _EXCEL_EPOCH) / dt.timedelta(days=1)
    elif isinstance(value, dt.date):
        days = float((dt.datetime(value.year, value.month, value.day) - _EXCEL_EPOCH).days)  # noqa: DTZ001
    elif isinstance(value, dt.time):
        return (value.hour * 3600 + value.minute * 60 + value.second) / 86400
    elif isinstance(value, dt.timedelta):
        return value / dt.timedelta(days=1)
    else:
        return None
    return days - 1 if days <= _LOTUS_LEAP else days
