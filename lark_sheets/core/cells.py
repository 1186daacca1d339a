"""What a spreadsheet holds, as plain values: the one form that every reader of files or live books gives."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | int | float | bool | dt.datetime | dt.date | dt.time | dt.timedelta | None


class Mark(Enum):
    """What a bare value does not tell of a cell."""

    ERROR = "error"  # an Excel error such as #N/A or #NAME?; the value is its text
    UNCOMPUTED = "uncomputed"  # a formula that no program has computed: there is no value
    FORMULA = "formula"  # a formula with its cached value
    DATE = "date"  # a number merely formatted as a date; the value is the number


class Area(NamedTuple):
    """A rectangle of cells, 1-based, both ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def holds(self, row: int, column: int) -> bool:
        """Say whether a cell lies inside."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


@dataclass(slots=True, kw_only=True)
class SheetData:
    """One sheet as read: ``rows[r - 1][c - 1]`` is the value at row r, column c, from A1 on.

    ``marks`` holds only the cells that need one, by (row, column). ``tables`` are the named tables with their
    areas, header row included. Hidden rows and columns are told, never skipped.
    """

    name: str
    rows: Sequence[Sequence[Value]]
    marks: Mapping[tuple[int, int], Mark] = field(default_factory=dict)
    tables: Mapping[str, Area] = field(default_factory=dict)
    merged: Sequence[Area] = ()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    visible: bool = True

    def value(self, row: int, column: int) -> Value:
        """Return the value at a 1-based place, None outside what was read; an empty string counts as None."""
        if row < 1 or column < 1 or row > len(self.rows):
            return None
        cells = self.rows[row - 1]
        if column > len(cells):
            return None
        value = cells[column - 1]
        return None if value == "" else value


@dataclass(slots=True, kw_only=True)
class BookData:
    """One workbook as read: its name as people know it, and its sheets in order."""

    name: str
    sheets: Sequence[SheetData]


def column_letters(column: int) -> str:
    """Return the letters of a 1-based column: 1 -> A, 27 -> AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the 1-based number of column letters: A -> 1, AA -> 27."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def address(row: int, column: int) -> str:
    """Return a cell's address: (14, 7) -> "G14"."""
    return f"{column_letters(column)}{row}"


def split_address(text: str) -> tuple[int, int]:
    """Return (row, column) of an address such as "G14" or "$G$14"."""
    bare = text.replace("$", "")
    letters = bare.rstrip("0123456789")
    return int(bare[len(letters) :]), column_number(letters)


def area_address(area: Area) -> str:
    """Return a range's address: "A1:C9"."""
    return f"{address(area.top, area.left)}:{address(area.bottom, area.right)}"


def parse_area(text: str) -> Area:
    """Return the area of "A1:C9" (or of a single cell)."""
    first, _, last = text.partition(":")
    top, left = split_address(first)
    bottom, right = split_address(last or first)
    return Area(top, left, bottom, right)


def shown(value: Value) -> str:
    """Return a value as a person saw it typed, for messages: 2.0 -> "2", True -> "TRUE"."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    return str(value)
