"""One worksheet part seen as bytes: where its rows and cells lie, what they hold. No tree is built."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from lark_sheets.adapters.books.cell_xml import number_text, storable, unescaped
from lark_sheets.core.bookplan import Scalar
from lark_sheets.core.cells import Area, address, column_number, parse_area

Place = tuple[int, int]

ADDRESS = re.compile(rb"""\sr=["']([A-Z]{1,3})([0-9]{1,7})["']""")
TYPE = re.compile(rb"""\st=["'](\w+)["']""")
_ROW_NUMBER = re.compile(rb"""\sr=["']([0-9]{1,7})["']""")
_STYLE = re.compile(rb"""\ss=["'][0-9]+["']""")
_ROOT = re.compile(rb"<((?:[A-Za-z_][\w.-]*:)?)worksheet[\s>]")


class Blocked(Exception):
    """The sheet cannot be changed as asked: ``code`` of the catalogue, ``place`` and what was ``found`` there."""

    def __init__(self, code: str, place: Place | None = None, found: str = "", **parameters: str) -> None:
        super().__init__(code, place, found)
        self.code, self.place, self.found, self.parameters = code, place, found, parameters


class Cell(NamedTuple):
    """A cell as it stands: column, attributes, inside (b"" when it is closed at once), first and last byte."""

    column: int
    attributes: bytes
    inside: bytes
    start: int
    end: int

    @property
    def style(self) -> bytes:
        """The ``s`` attribute with its leading blank, or nothing."""
        match = _STYLE.search(self.attributes)
        return match[0] if match else b""


class Row(NamedTuple):
    """A row as it stands: number, attributes, where it starts, where its inside starts and ends, where it ends."""

    number: int
    attributes: bytes
    start: int
    inside: int
    inside_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Patterns:
    """The expressions for one namespace prefix."""

    row: re.Pattern[bytes]
    cell: re.Pattern[bytes]
    formula: re.Pattern[bytes]
    value: re.Pattern[bytes]
    text: re.Pattern[bytes]
    formatted: re.Pattern[bytes]
    something: re.Pattern[bytes]
    shared: re.Pattern[bytes]


@lru_cache(maxsize=8)
def _patterns(prefix: bytes) -> Patterns:
    p = re.escape(prefix)
    return Patterns(
        row=re.compile(rb"<%brow((?:\s[^>]*?)?)(?:/>|>)" % p),
        cell=re.compile(rb"<%bc((?:\s[^>]*?)?)(?:/>|>(.*?)</%bc>)" % (p, p), re.DOTALL),
        formula=re.compile(rb"<%bf((?:\s[^>]*?)?)(?:/>|>([^<]*)</%bf>)" % (p, p)),
        value=re.compile(rb"<%bv(?:\s[^>]*?)?(?:/>|>([^<]*)</%bv>)" % (p, p)),
        text=re.compile(rb"<%bt(?:\s[^>]*)?>([^<]*)</%bt>" % (p, p)),
        formatted=re.compile(rb"<%b(?:r|rPh)[\s>]" % p),
        something=re.compile(rb"<%b(?:v|f|is)[\s>]" % p),
        shared=re.compile(rb"""<%bf\s[^>]*?\bt=["']shared["'][^>]*>""" % p),
    )


def no_string(_: int) -> None:
    """Know no shared string."""


@dataclass(slots=True)
class SheetView:
    """A worksheet part: its bytes, its namespace prefix, the stretch that holds the rows.

    ``string`` gives a shared string by number; it is asked only to see that a cell already holds a text.
    """

    data: bytes
    string: Callable[[int], str | None] = no_string
    prefix: bytes = field(init=False)
    xml: Patterns = field(init=False)
    start: int = field(init=False)
    end: int = field(init=False)

    def __post_init__(self) -> None:
        """Find the rows. Raises :class:`Blocked` when the part is not laid out as spreadsheets do."""
        root = _ROOT.search(self.data, 0, 4096)
        if root is None:
            raise Blocked("damaged_file", found="worksheet")
        self.prefix, self.xml = root[1], _patterns(root[1])
        opened = re.compile(rb"<%bsheetData(?:\s[^>]*?)?(/?)>" % re.escape(self.prefix)).search(self.data)
        if opened is None:
            raise Blocked("damaged_file", found="sheetData")
        closing = b"</%bsheetData>" % self.prefix
        if opened[1]:
            tag = b"<%bsheetData>" % self.prefix
            self.data = self.data[: opened.start()] + tag + closing + self.data[opened.end() :]
            self.start = self.end = opened.start() + len(tag)
            return
        self.start, self.end = opened.end(), self.data.rfind(closing)
        if self.end < self.start or self.data.find(b"<!", self.start, self.end) >= 0:
            raise Blocked("damaged_file", found="sheetData")

    def rows(self) -> list[Row]:
        """Return the rows in order, counting where numbers are left out. Raises :class:`Blocked` when they are out of order."""
        closing = b"</%brow>" % self.prefix
        rows: list[Row] = []
        number, position = 0, self.start
        while match := self.xml.row.search(self.data, position, self.end):
            given = _ROW_NUMBER.search(match[1])
            number = int(given[1]) if given else number + 1
            if rows and rows[-1].number >= number:
                raise Blocked("damaged_file", (number, 1), "row")
            if self.data[match.end() - 2 : match.end()] == b"/>":
                inside_end = position = match.end()
            else:
                inside_end = self.data.find(closing, match.end(), self.end)
                if inside_end < 0:
                    raise Blocked("damaged_file", (number, 1), "row")
                position = inside_end + len(closing)
            rows.append(Row(number, match[1], match.start(), match.end(), inside_end, position))
        return rows

    def cells(self, row: Row) -> list[Cell]:
        """Return a row's cells in order, counting where addresses are left out. Raises :class:`Blocked` when they are out of order."""
        cells: list[Cell] = []
        column = 0
        for match in self.xml.cell.finditer(self.data, row.inside, row.inside_end):
            given = ADDRESS.search(match[1])
            column = column_number(given[1].decode()) if given else column + 1
            if (given and int(given[2]) != row.number) or (cells and cells[-1].column >= column):
                raise Blocked("damaged_file", (row.number, column), "c")
            cells.append(Cell(column, match[1], match[2] or b"", match.start(), match.end()))
        return cells

    def named_cells(self, row: Row, columns: Iterable[int]) -> list[Cell] | None:
        """Return just the cells of some columns, or None when one is not there or not spelled as usual: then all must be looked at."""
        cells = []
        for column in sorted(columns):
            opening = b'<%bc r="%b"' % (self.prefix, address(row.number, column).encode())
            place = self.data.find(opening, row.inside, row.inside_end)
            match = self.xml.cell.match(self.data, place, row.inside_end) if place >= 0 else None
            if match is None or self.data.find(opening, match.end(), row.inside_end) >= 0:
                return None
            cells.append(Cell(column, match[1], match[2] or b"", match.start(), match.end()))
        in_order = all(one.end <= other.start for one, other in pairwise(cells))
        return cells if in_order else None

    def value_of(self, cell: Cell) -> tuple[str, str] | None:
        """Return what a cell holds in the form that :func:`comparable` gives; ("?", ...) equals nothing that is written."""
        kind_match = TYPE.search(cell.attributes)
        kind = kind_match[1].decode() if kind_match else "n"
        if kind == "inlineStr":
            if self.xml.formatted.search(cell.inside):
                return "?", ""
            return "s", unescaped(plain(b"".join(self.xml.text.findall(cell.inside))))
        value = self.xml.value.search(cell.inside)
        if value is None:
            return ("?", "") if cell.inside else None
        raw = plain(value[1] or b"")
        if kind == "s":
            text = self.string(int(raw)) if raw.isdigit() else None
            return ("?", raw) if text is None else ("s", text)
        if kind == "str":
            return "s", unescaped(raw)
        if kind == "n":
            try:
                return "n", number_text(float(raw))
            except ValueError:
                return "?", raw
        return kind, raw

    def filled(self, area: Area) -> Place | None:
        """Return the first cell of an area that holds a value or a formula, or None when all are blank."""
        for row in self.rows():
            if area.top <= row.number <= area.bottom:
                for cell in self.cells(row):
                    if area.left <= cell.column <= area.right and self.xml.something.search(cell.inside):
                        return row.number, cell.column
        return None

    def merged_within(self, area: Area) -> Area | None:
        """Return a merged range that touches an area, or None."""
        for match in re.finditer(
            rb"""<(?:\w+:)?mergeCell\s[^>]*?ref=["']([^"']*)["']""", self.data[self.end :]
        ):
            merged = parse_area(match[1].decode())
            if overlap(merged, area):
                return merged
        return None


def overlap(one: Area, other: Area) -> bool:
    """Say whether two areas share a cell."""
    return (
        one.top <= other.bottom
        and other.top <= one.bottom
        and one.left <= other.right
        and other.left <= one.right
    )


def plain(data: bytes) -> str:
    """Return the text between two tags."""
    text = data.decode("utf-8", "replace")
    return unescape(text) if "&" in text else text


def comparable(value: Scalar) -> tuple[str, str] | None:
    """Return a value in the form that :meth:`SheetView.value_of` gives: 2 and 2.0 are the same number."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "b", "1" if value else "0"
    if isinstance(value, int | float):
        return "n", number_text(value)
    return "s", storable(value)
