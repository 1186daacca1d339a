"""One pass over a worksheet's bytes for what the reader of values hides: formulas, errors, raw numbers, hidden rows and columns.

The reader gives '' alike for a blank, #N/A and a formula that nobody computed, and gives a date for every number with a date
format. Here the XML is searched, not parsed: a plain search costs a tenth of the reading, so the pass looks only at what is rare.
Writers that leave out addresses or order attributes their own way are met by a slower walk over every cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from lark_sheets.core.cells import Area, Mark, column_number

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_CDATA = re.compile(rb"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ROOT = re.compile(rb"<((?:[A-Za-z_][\w.-]*:)?)worksheet[\s>]")
_COLUMN_BOUNDS = (
    (b"[A-Z]", 26),
    (b"A?[A-Z]", 52),
    (b"[A-E]?[A-Z]", 156),
    (b"[A-Z]{1,2}", 702),
    (b"[A-Z]{1,3}", 18_278),
)
"""Expressions for column letters, and the last column that each allows."""
_PLACE = re.compile(rb"""\sr\s*=\s*["']\s*([A-Za-z]{0,3})([0-9]{0,7})\s*(["']?)""")
_TYPE = re.compile(rb"""\st\s*=\s*["'](\w+)["']""")
_HIDDEN = re.compile(rb"""\shidden\s*=\s*["'](?:1|true)["']""")
_QUOTED_BRACKET = re.compile(rb"""<[^<>]*=\s*(?:"[^"<>]*>|'[^'<>]*>)""")
_ANY_CELL = re.compile(rb"<((?:[\w.-]+:)?)c[\s/>]")
FAR = 2**31
"""Row of a cell whose address nobody could place."""
_ANY = rb"(?:[A-Za-z_][\w.-]*:)?"
_ERROR_TYPE = (b't="e"', b"t='e'")


class _Columns(dict[bytes, int]):
    """Column numbers by letters, worked out once each."""

    def __missing__(self, letters: bytes) -> int:
        number = self[letters] = column_number(letters.decode())
        return number


class CellFacts(NamedTuple):
    """One cell as its XML stands: place, type ("n" when none is given), whether it has a formula, its raw value or None."""

    row: int
    column: int
    type: str
    formula: bool
    raw: str | None


@dataclass(slots=True)
class SheetScan:
    """What one worksheet hides from the reader of values. ``last_row`` and ``last_column`` hold every value (they may be larger)."""

    last_row: int = 0
    last_column: int = 0
    marks: dict[tuple[int, int], Mark] = field(default_factory=dict)
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)

    def take(self, cell: CellFacts) -> None:
        """Note what a cell needs noted: an error, a formula with or without a value."""
        place = (cell.row, cell.column)
        if cell.type == "e":
            self.marks[place] = Mark.ERROR
            self.errors[place] = cell.raw or "#VALUE!"
        elif cell.formula:
            computed = bool(cell.raw) or (cell.type == "str" and cell.raw is not None)
            self.marks[place] = Mark.FORMULA if computed else Mark.UNCOMPUTED


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The expressions for one namespace prefix."""

    prefix: bytes
    cell: re.Pattern[bytes]
    opening: re.Pattern[bytes]
    formula: re.Pattern[bytes]
    odd_cell: re.Pattern[bytes]
    walk: re.Pattern[bytes]
    hidden_row: re.Pattern[bytes]
    column: re.Pattern[bytes]


@lru_cache(maxsize=8)
def _patterns(prefix: bytes) -> _Patterns:
    p = re.escape(prefix)
    formula = rb"<" + p + rb"f(?:\s[^>]*?)?(?:/>|>[^<]*</" + p + rb"f>)"
    value = rb"<" + p + rb"v(?:\s[^>]*?)?(?:/>|>([^<]*)</" + p + rb"v>)"
    loose = (
        rb"\s*(<%bf(?:\s[^>]*?)?(?:/>|>[^<]*</%bf>))?\s*(<%bv(?:\s[^>]*?)?(?:/>|>([^<]*)</%bv>))?\s*(<%bis[\s/>])?"
        % ((_ANY,) * 5)
    )
    inside = rb"\s*(" + formula + rb")?\s*(" + value + rb")?\s*(<" + p + rb"is[\s/>])?"
    return _Patterns(
        prefix=prefix,
        cell=re.compile(rb"<" + p + rb"c(\s[^>]*)?>" + inside),
        opening=re.compile(rb"<" + p + rb'c r="([A-Z]+)([0-9]+)"([^>]*)>'),
        formula=re.compile(formula + rb"\s*(" + value + rb")?"),
        odd_cell=re.compile(rb"<" + p + rb"c[>/\t\r\n]"),
        walk=re.compile(rb"<" + _ANY + rb"(?:(row)(\s[^>]*|/)?>|c(\s[^>]*?)?(?:/>|>" + loose + rb"))"),
        hidden_row=re.compile(rb"<" + p + rb"""row\s[^>]*?\bhidden=["'](?:1|true)["'][^>]*>"""),
        column=re.compile(rb"<" + p + rb"col\s([^>]*)>"),
    )


@dataclass(slots=True)
class SheetFacts:
    """All that is told of a sheet beside its values; ``booleans`` are cells whose number stands for TRUE or FALSE."""

    scan: SheetScan = field(default_factory=SheetScan)
    merged: list[Area] = field(default_factory=list)
    tables: dict[str, Area] = field(default_factory=dict)
    booleans: dict[tuple[int, int], bool] = field(default_factory=dict)


class SheetBytes:
    """A worksheet part ready to be searched."""

    def __init__(self, data: bytes) -> None:
        """Prepare ``data``: comments go, CDATA becomes escaped text, the namespace prefix and the cells' stretch are found."""
        if b"<!" in data:
            data = _CDATA.sub(
                lambda m: m[1].replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;"),
                _COMMENT.sub(b"", data),
            )
        self.data = data
        root = _ROOT.search(data, 0, 4096)
        self._patterns = _patterns(root[1] if root else b"")
        prefix = self._patterns.prefix
        start, end = data.find(b"<" + prefix + b"sheetData"), data.rfind(b"</" + prefix + b"sheetData>")
        self.start, self.end = (start, end) if 0 <= start < end else (0, len(data))
        last = max(data.rfind(b"<" + prefix + b"v", self.start, self.end), self.start)
        for word in (
            b"is",
            b"f",
        ):  # only behind the last value: looking further back would cost a search of the whole part
            last = max(last, data.rfind(b"<" + prefix + word, last, self.end))
        last = -1 if last == self.start else last
        closed = data.find(b"</" + prefix + b"c>", last, self.end) if last >= 0 else -1
        self.filled = self.start if last < 0 else self.end if closed < 0 else closed + len(prefix) + 4
        """Behind this place no cell holds anything, however many are merely formatted."""

    def scan(self, largest: int) -> SheetScan:
        """Return the facts of the sheet; ``largest`` is the number of cells a rectangle may have before it is measured exactly."""
        scan = SheetScan()
        bounds = self._quick_bounds(largest)
        if bounds is None:
            self._walk_all(scan)
        else:
            scan.last_row, scan.last_column = bounds
            self._seek_formulas(scan)
            self._seek_errors(scan)
            self._seek_hidden_rows(scan)
        self._seek_hidden_columns(scan)
        return scan

    def cells(self) -> Iterator[CellFacts]:
        """Yield every cell that holds something, counting where addresses are left out."""
        for _, cell in self._walk():
            if cell is not None:
                yield cell

    # -- the quick way: search for what is rare ---------------------------------------------------------------------------

    def _quick_bounds(self, largest: int) -> tuple[int, int] | None:
        """Return a last row and column that hold every cell, proven by a search, or None when the quick way cannot tell."""
        prefix = self._patterns.prefix
        if self._patterns.odd_cell.search(self.data, self.start, self.filled):
            return None
        if self._count(b":c") and self._other_prefixes():
            return None
        row = max(self.data.rfind(b"<" + prefix + b"row", self.start, self.filled), 0)
        last = _PLACE.search(self.data, row, self.filled)
        digits = str(max(int(last[2] or 0) if last else 0, 99))
        rows = (int(digits[0]) + 1) * 10 ** (len(digits) - 1) - 1
        numbers = b"[1-%c]?[0-9]{1,%d}" % (digits[0].encode(), len(digits) - 1)
        for letters, columns in _COLUMN_BOUNDS:
            if rows * columns > largest:
                return None
            outside = re.compile(b"<" + re.escape(prefix) + b'c (?!r="' + letters + numbers + b'")')
            if outside.search(self.data, self.start, self.filled) is None:
                return min(rows, 2**20), min(columns, 2**14)
        return None

    def _count(self, word: bytes) -> int:
        return self.data.count(word, self.start, self.filled)

    def _other_prefixes(self) -> bool:
        """Say whether cells are spelled with another prefix than the root: no program does, but the reader would take them."""
        cells = _ANY_CELL.finditer(self.data, self.start, self.filled)
        return any(match[1] != self._patterns.prefix for match in cells)

    def _seek_formulas(self, scan: SheetScan) -> None:
        data, start, opening = self.data, self.start, b"<" + self._patterns.prefix + b"c "
        tag, marks, columns = self._patterns.opening.match, scan.marks, _Columns()
        for match in self._patterns.formula.finditer(data, start, self.filled):
            cell = tag(data, data.rfind(opening, start, match.start()))
            if cell is not None:
                letters, row, attributes = cell.groups()
                computed = match[2] or (match[1] is not None and b"str" in attributes)
                marks[int(row), columns[letters]] = Mark.FORMULA if computed else Mark.UNCOMPUTED

    def _seek_errors(self, scan: SheetScan) -> None:
        data, opening = self.data, b"<" + self._patterns.prefix + b"c "
        for word in _ERROR_TYPE:
            position = data.find(word, self.start, self.end)
            while position >= 0:
                tag = data.rfind(b"<", self.start, position)
                if (
                    data.startswith(opening, tag) and data.find(b">", tag, position) < 0
                ):  # not inside somebody's text
                    cell = self._patterns.cell.match(data, tag)
                    if cell is not None:
                        place = _placed(cell[1] or b"", 0, 1)
                        scan.take(_facts(cell[1] or b"", cell[2], cell[3], cell[4], cell[5], *place))
                position = data.find(word, position + len(word), self.end)

    def _seek_hidden_rows(self, scan: SheetScan) -> None:
        if self.data.find(b"hidden=", self.start, self.end) < 0:
            return
        for match in self._patterns.hidden_row.finditer(self.data, self.start, self.end):
            number = _PLACE.search(match[0])
            if number is None or not number[2]:
                scan.hidden_rows.clear()
                for row, cell in self._walk(hidden=scan.hidden_rows):
                    del row, cell
                return
            scan.hidden_rows.add(int(number[2]))

    def _seek_hidden_columns(self, scan: SheetScan) -> None:
        for match in self._patterns.column.finditer(self.data, 0, self.start):
            attributes = dict(re.findall(rb"""(\w+)=["']([^"']*)["']""", match[1]))
            if attributes.get(b"hidden") in (b"1", b"true"):
                low, high = attributes.get(b"min", b""), attributes.get(b"max", b"")
                if low.isdigit() and high.isdigit():
                    scan.hidden_columns.append((int(low), min(int(high), 16384)))

    # -- the thorough way: every cell -------------------------------------------------------------------------------------

    def _walk(self, hidden: set[int] | None = None) -> Iterator[tuple[int, CellFacts | None]]:
        row = column = 0
        end = self.end if hidden is not None else self.filled
        if _QUOTED_BRACKET.search(
            self.data, self.start, end
        ):  # a sign that ends tags, inside one: never written, only crafted
            yield FAR, CellFacts(FAR, 1, "n", formula=False, raw="")
            return
        for match in self._patterns.walk.finditer(self.data, self.start, end):
            if match[1]:
                row, column = _placed(match[2] or b"", row + 1, 0)
                if hidden is not None and _HIDDEN.search(match[2] or b""):
                    hidden.add(row)
                yield row, None
                continue
            attributes = match[3] or b""
            cell_row, column = _placed(attributes, row, column + 1)
            kind = _TYPE.search(attributes)
            if (
                match[4] is not None
                or match[5] is not None
                or match[7] is not None
                or (kind and kind[1] == b"e")
            ):
                yield cell_row, _facts(attributes, match[4], match[5], match[6], match[7], cell_row, column)

    def _walk_all(self, scan: SheetScan) -> None:
        for _, cell in self._walk(hidden=scan.hidden_rows):
            if cell is not None:
                scan.last_row, scan.last_column = (
                    max(scan.last_row, cell.row),
                    max(scan.last_column, cell.column),
                )
                scan.take(cell)


def _facts(
    attributes: bytes,
    formula: bytes | None,
    value: bytes | None,
    text: bytes | None,
    inline: bytes | None,
    row: int,
    column: int,
) -> CellFacts:
    kind = _TYPE.search(attributes)
    raw = None if value is None and inline is None else unescape((text or b"").decode("utf-8", "replace"))
    return CellFacts(row, column, kind[1].decode() if kind else "n", formula is not None, raw)


def _placed(attributes: bytes, row: int, column: int) -> tuple[int, int]:
    """Return a row and column from an ``r`` attribute, or those counted where it is left out; an address that is none is far away."""
    given = _PLACE.search(attributes)
    if given is None:
        return row, column
    letters, digits, closed = given.groups()
    if not digits or not closed or int(digits) == 0 or (not letters and column):
        return FAR, max(column, 1)
    return int(digits), column_number(letters.decode()) if letters else column
